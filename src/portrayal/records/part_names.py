"""What the parts of a study are called where people read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["PartNames"]


@dataclass(frozen=True, slots=True)
class PartNames:
    """Names of generators and annotators by identity. A part without a name is called by its identity.

    >>> names = PartNames(generators={"diffusers@1:org/sdxl#1a2b3c4d": "SDXL base"})
    >>> names.generator("diffusers@1:org/sdxl#1a2b3c4d"), names.generator("imported-model")
    ('SDXL base', 'imported-model')
    """

    generators: Mapping[str, str] = field(default_factory=dict)
    annotators: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.generators or self.annotators)

    def generator(self, identity: str) -> str:
        """Return what a generator is called."""
        return self.generators.get(identity, identity)

    def annotator(self, identity: str) -> str:
        """Return what an annotator is called."""
        return self.annotators.get(identity, identity)

    def part(self, identity: str) -> str:
        """Return what a part is called of which it is not told whether it draws or looks."""
        return self.generators.get(identity) or self.annotator(identity)
