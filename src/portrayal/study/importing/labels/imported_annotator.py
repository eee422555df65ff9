"""For whom results are imported: an annotator of the study that never looks itself."""

from __future__ import annotations

from portrayal.annotators import Annotator, looks_itself
from portrayal.errors import ConfigError, UnknownNameError, did_you_mean
from portrayal.inputfile import decode_text, read_bytes
from portrayal.store.files import write_atomic
from portrayal.study.config import CONFIG_NAME, AnnotatorConfig, parse_config
from portrayal.study.create.toml_lines import written
from portrayal.study.parts.specs import AnnotatorSpec
from portrayal.study.study import OpenStudy

__all__ = ["add_annotator", "imported_annotator", "labelling_annotator"]

_PEOPLE = "people"
"""What those who label are called, unless they are given a name."""


def imported_annotator(study: OpenStudy, name: str = "") -> Annotator:
    """Return the annotator of that name whose rows come from outside, or the only one there is.

    ``name`` is what follows the colon of ``imported:humans`` in study.toml, or all of that, the full identity, or the
    name that study.toml gives it.
    """
    blind = _blind(study)
    short = name.partition(":")[2] or name
    names = {identity: study.annotator_names(identity) for identity in blind}
    fitting = [identity for identity, known in names.items() if not name or name in known]
    where = study.root / CONFIG_NAME
    if not blind:
        line = f'use = "imported:{short or "NAME"}"'
        raise ConfigError(f"{where}: nobody to import for; add a table [[annotators]] with the line {line}")
    if not fitting:
        hint = did_you_mean(short, [known[2] for known in names.values()])
        raise UnknownNameError(f"{where}: nobody to import for is called {name!r}{hint}")
    if len(fitting) > 1:
        raise ConfigError(f"{where}: say for whom with --annotator, one of: {', '.join(sorted(fitting))}")
    return study.annotators[fitting[0]][1]


def labelling_annotator(study: OpenStudy, name: str = "") -> Annotator:
    """Return the annotator for labels by people; in a study that has none, one that :func:`add_annotator` can add."""
    if _blind(study):
        return imported_annotator(study, name)
    config = AnnotatorConfig(use=f"imported:{name.partition(':')[2] or name or _PEOPLE}")
    return AnnotatorSpec(config, study.root).build()


def add_annotator(study: OpenStudy, annotator: Annotator) -> str:
    """Write the annotator into study.toml, unless it is there, and return a line that says so; empty: it was there."""
    if annotator.name in study.annotators:
        return ""
    path = study.root / CONFIG_NAME
    use = f"use = {written(annotator.name)}"
    before = decode_text(read_bytes(path), str(path))
    text = f"{before.rstrip()}\n\n[[annotators]]              # whoever labels\n{use}\n"
    try:
        changed = parse_config(text.encode(), study.root)
    except ConfigError:  # as where the annotators are written in one line
        raise ConfigError(
            f"{path}: add an annotator with {use} to those that are there; labels come in for it"
        ) from None
    assert changed.annotators[:-1] == study.config.annotators
    write_atomic(path, text.encode())
    told = ", ".join(attribute.name for attribute in annotator.attributes)
    return f"{path}: added a table [[annotators]] with {use}, for labels of {told}; other ones: its option attributes"


def _blind(study: OpenStudy) -> list[str]:
    return [identity for identity, (_, annotator) in study.annotators.items() if not looks_itself(annotator)]
