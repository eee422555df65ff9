"""Attributes that a method cannot do without: parts that learn to deal with them, and annotators that tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from portrayal.annotators import ANNOTATORS
from portrayal.errors import MissingOptionError
from portrayal.records import Attribute
from portrayal.study.specs import AnnotatorSpec

__all__ = ["options_for", "untold"]


def options_for(factory: object, attributes: Sequence[Attribute]) -> Mapping[str, Any]:
    """Return the options by which a part deals with the attributes, for parts that have such options."""
    made = getattr(factory, "options_for", None)
    return made(attributes) if made else {}


def untold(spec: AnnotatorSpec, method: str, attributes: Sequence[str]) -> Iterator[str]:
    """Yield what an annotator does not tell of what a method needs, then a line for each annotator that does."""
    try:
        told = {attribute.name for attribute in spec.build().attributes}
    except MissingOptionError:
        return  # what it tells depends on what is not set yet
    lacks = [name for name in attributes if name not in told]
    if not lacks:
        return
    names = ", ".join(map(repr, lacks))
    yield f"annotator {spec.config.use!r} does not tell {names}, and without it {method!r} has no totals; these do:"
    for name, entry in ANNOTATORS.entries().items():
        if set(attributes) <= set(entry.tells):
            about = entry.summary if entry.summary.startswith(f"{name}:") else f"{name}: {entry.summary}"
            yield f"  {about}; {entry.remedy() if entry.missing() else 'installed'}"
