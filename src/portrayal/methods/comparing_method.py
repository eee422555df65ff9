"""What methods compare shares with: one reference for each perceived attribute that has groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from portrayal.errors import ConfigError, did_you_mean
from portrayal.evidence import Design
from portrayal.methods.base import Counting, Draws, Method
from portrayal.records import PERSON, Reference
from portrayal.suites import TableChoice, load_reference

__all__ = ["ComparingMethod", "ComparingOptions"]


class ComparingOptions(Counting):
    """``people`` and ``evidence``: how images become counts, see :class:`~portrayal.methods.base.Counting`.

    ``references``: attribute to the name of a reference, a CSV path, or a :class:`~portrayal.suites.TableChoice` with
    region and year; attributes not named are compared with nothing. ``draws``: bootstrap draws. ``small``: fewer images
    than this carry a warning.
    """

    references: Mapping[str, str | TableChoice] = {}
    draws: Draws = 1000
    small: int = Field(default=30, ge=1)


class ComparingMethod(Method):
    """A method whose options have ``references``, by attribute; those not named are compared with nothing."""

    Options: ClassVar[type[ComparingOptions]] = ComparingOptions
    options: Any

    def check(self, design: Design) -> None:
        """Refuse references for attributes that nobody knows."""
        for name in self.options.references:
            if name not in design.attributes:
                hint = did_you_mean(name, design.attributes)
                raise ConfigError(f"method {self.name!r}: reference for an unknown attribute {name!r}{hint}")

    def references(self, design: Design) -> Mapping[str, Reference]:
        """Return the reference of each attribute that annotators tell by groups of people."""
        return {
            name: load_reference(self.options.references.get(name, "none"), attribute, self.folder)
            for name, attribute in design.told.items()
            if attribute.groups and name != PERSON
        }

    def sources(self, design: Design) -> Mapping[str, str]:
        """Return the references used, by name, and where their figures come from."""
        return {reference.name: reference.source for reference in self.references(design).values()}
