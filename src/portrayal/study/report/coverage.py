"""References that cover none of a study's terms: nothing is compared with them, and that must not go unsaid."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.records import Reference, UncoveringReference
from portrayal.study.study import OpenStudy

__all__ = ["coverage_remarks", "uncovering_references"]

_TERMS = "SELECT DISTINCT term FROM prompts SEMI JOIN jobs ON jobs.prompt = prompts.id WHERE prompts.edits IS NULL"
_EXAMPLES = 4


def uncovering_references(study: OpenStudy) -> list[UncoveringReference]:
    """Return the references that know no term of the images that the study consists of, each once."""
    terms = study.workspace.query(_TERMS)["term"].to_pylist()
    by_name: dict[str, UncoveringReference] = {}
    for reference in _references(study):
        if terms and reference.by_term and not any(reference.shares(term) for term in terms):
            before = by_name.get(reference.name)
            attributes = before.attributes if before else ()
            if reference.attribute not in attributes:
                examples = before.examples if before else tuple(reference.by_term)[:_EXAMPLES]
                known = before.known if before else len(reference.by_term)
                attributes = (*attributes, reference.attribute)
                by_name[reference.name] = UncoveringReference(reference.name, attributes, len(terms), known, examples)
    return list(by_name.values())


def _references(study: OpenStudy) -> Iterator[Reference]:
    for method in study.methods:
        yield from method.references(study.design).values()


def coverage_remarks(study: OpenStudy) -> list[str]:
    """Return a line for each of these references."""
    return [_remark(reference) for reference in uncovering_references(study)]


def _remark(reference: UncoveringReference) -> str:
    terms = f"{reference.terms} term" + ("s" if reference.terms != 1 else "")
    return (
        f"reference {reference.name!r} ({', '.join(reference.attributes)}) covers 0 of {terms} of this study, so "
        f"nothing is compared with it; it covers {reference.known}, such as {', '.join(map(repr, reference.examples))}"
    )
