"""What somebody asks to be compared: everything, or a few comparisons that were named before looking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.errors import InputError, did_you_mean
from portrayal.records import Measurement
from portrayal.reports.comparisons.difference import Correction

__all__ = ["Asked"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is compared: these models, or all; only what is ``about`` these terms or categories, and these attributes.

    Without a ``correction`` it is that of Holm for what was named, and that of Benjamini and Hochberg for a list.
    """

    margin: float
    correction: Correction | None = None
    models: Sequence[str] = ()
    about: Sequence[str] = ()
    attributes: Sequence[str] = ()

    def check(self, rows: Sequence[Measurement]) -> None:
        """Refuse a margin that is none, and names that nothing is measured of."""
        if not 0 < self.margin < 1:
            raise InputError(f"margin: a share between 0 and 1, such as 0.1 for 10 points (got {self.margin})")
        known = {"term or category": {row.item for row in rows}, "attribute": {row.attribute for row in rows}}
        for (kind, names), wanted in zip(known.items(), (self.about, self.attributes), strict=True):
            for name in wanted:
                if name not in names - {""}:
                    raise InputError(f"no {kind} {name!r} is measured{did_you_mean(name, names - {''})}")

    @property
    def is_named(self) -> bool:
        """Whether a few comparisons were named."""
        return bool(self.about or self.attributes)

    @property
    def corrected_by(self) -> Correction:
        """How p-values are corrected."""
        return self.correction or ("holm" if self.is_named else "benjamini-hochberg")

    def wants(self, row: Measurement) -> bool:
        """Return whether a row is about what was named."""
        about = not self.about or row.item in self.about
        return about and (not self.attributes or row.attribute in self.attributes)
