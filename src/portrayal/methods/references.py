"""What a method compares shares with: one reference for each perceived attribute that has groups."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from portrayal.errors import ConfigError, did_you_mean
from portrayal.evidence import Design
from portrayal.records import PERSON, Reference
from portrayal.suites import TableChoice, load_reference

__all__ = ["References"]


class References:
    """The references that a method's options choose; attributes not named are compared with nothing."""

    def __init__(self, method: str, chosen: Mapping[str, str | TableChoice], folder: Path) -> None:
        self._method, self._chosen, self._folder = method, chosen, folder

    def check(self, design: Design) -> None:
        """Refuse references for attributes that nobody knows."""
        for name in self._chosen:
            if name not in design.attributes:
                hint = did_you_mean(name, design.attributes)
                raise ConfigError(f"method {self._method!r}: reference for an unknown attribute {name!r}{hint}")

    def load(self, design: Design) -> dict[str, Reference]:
        """Return the reference of each attribute that annotators tell by groups of people."""
        return {
            name: load_reference(self._chosen.get(name, "none"), attribute, self._folder)
            for name, attribute in design.told.items()
            if attribute.groups and name != PERSON
        }

    def sources(self, design: Design) -> Mapping[str, str]:
        """Return the references used, by name, and where their figures come from."""
        return {reference.name: reference.source for reference in self.load(design).values()}
