"""An annotator that lives in Python code: what study.toml says of it, so that all but looking works without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from portrayal.annotators.annotator import Annotator, Observed
from portrayal.errors import ConfigError, StudyError, did_you_mean
from portrayal.records import Attribute, Image, attribute_table
from portrayal.settings import Settings

__all__ = ["Python", "PythonOptions", "python_options"]


class AttributeOptions(Settings):
    """An attribute that is not built in; see :class:`portrayal.records.Attribute`."""

    name: str
    title: str
    groups: tuple[str, ...] = ()
    unit: str = ""
    note: str = ""
    is_text: bool = False
    least: float | None = None
    most: float | None = None
    caution: str = ""


class PythonOptions(Settings):
    """What it tells, by name or as a whole, and what to cite for it."""

    attributes: tuple[str | AttributeOptions, ...]
    citations: tuple[str, ...] = ()

    def changed(self) -> dict[str, Any]:
        """Return nothing: name and version alone say which annotator it is."""
        return {}


class Python:
    """Stands for an annotator that was given to a study in Python; what it saw is there, and it cannot look."""

    Options = PythonOptions
    looks = True

    def __init__(self, argument: str, options: PythonOptions) -> None:
        if not argument.strip():
            raise ConfigError("annotator 'python' needs the name of what lives in Python code, such as python:smiles@1")
        self.name = argument.strip()
        self.citations: Sequence[str] = options.citations
        self.attributes = tuple(_attribute(self.name, given) for given in options.attributes)

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:  # noqa: ARG002 - its code is not here
        """Say where it can look."""
        raise StudyError(
            f"annotator {self.name} lives in Python code: open the study there, "
            "portrayal.Study(FOLDER, annotator=...), and run it; what needs no new look, such as measure and report, "
            "works without it"
        )


def python_options(annotator: Annotator) -> Mapping[str, Any]:
    """Return what study.toml says of an annotator that lives in Python code."""
    known = attribute_table()
    attributes = [a.name if known.get(a.name) == a else _changed(a) for a in annotator.attributes]
    return {"attributes": attributes} | ({"citations": list(annotator.citations)} if annotator.citations else {})


def _changed(attribute: Attribute) -> dict[str, Any]:
    """Return the fields of an attribute that are not as they are unless told."""
    defaults = {field.name: field.default for field in fields(Attribute)}
    told = {name: value for name, value in asdict(attribute).items() if value != defaults[name]}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}


def _attribute(annotator: str, given: str | AttributeOptions) -> Attribute:
    if isinstance(given, AttributeOptions):
        return Attribute(**given.model_dump())
    known = attribute_table()
    if given not in known:
        raise ConfigError(f"annotator {annotator!r}: no attribute {given!r}{did_you_mean(given, known)}")
    return known[given]
