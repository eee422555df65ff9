"""What a study rests on, to be cited."""

from __future__ import annotations

from portrayal.study.study import OpenStudy

__all__ = ["citations"]


def citations(study: OpenStudy) -> list[str]:
    """Return what the study's suite, generators, annotators and methods ask to be cited by, each once."""
    cited = [study.suite.citations] if study.suite else []
    cited += [role.generator.citations for role in study.generators.values()]
    cited += [annotator.citations for _, annotator in study.annotators.values()]
    cited += [method.citations for method in study.methods]
    return list(dict.fromkeys(text for texts in cited for text in texts))
