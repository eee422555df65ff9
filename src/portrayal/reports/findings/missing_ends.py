"""What a share would be if all missing images showed a group, if none did, or under a stated range between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from portrayal.records import Measurement
from portrayal.reports.text.sample_words import image_count
from portrayal.stats.shares.missing import filled

__all__ = ["MissingEnds"]

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MissingEnds:
    """The shares of single terms, from which follows what the missing images could make of a share of several.

    Where terms have several prompts, nobody knows which of these lost how many. If prompts were asked for ``evenly``,
    as many images of each and with the same weight, the ends are those of the worst case; else there are none.
    """

    terms: Mapping[Key, Sequence[Measurement]]
    asked: Mapping[str, Mapping[str, int]]
    within: float = 1.0
    evenly: bool = False

    @classmethod
    def of(
        cls,
        rows: Iterable[Measurement],
        asked: Mapping[str, Mapping[str, int]],
        within: float = 1.0,
        *,
        evenly: bool = False,
    ) -> MissingEnds:
        """Read the shares of terms; ``asked`` is how many images of each term were asked of each generator.

        ``within``: the share of missing images lies at most so far from that of the others.
        """
        terms: dict[Key, list[Measurement]] = {}
        for row in rows:
            if row.metric == "share" and row.level == "term" and row.value is not None:
                terms.setdefault(_key(row), []).append(row)
        return cls(terms, asked, within, evenly)

    def ends(self, row: Measurement) -> tuple[float, float] | None:
        """Return both ends, or None where prompts lost different parts and nobody knows which."""
        if row.prompts <= 1:
            return filled(row.value or 0.0, image_count(row), row.missing, within=self.within)
        if (of_terms := self._of_terms(row)) is not None or not self.evenly:
            return of_terms
        return filled(row.value or 0.0, image_count(row), row.missing, prompts=row.prompts, within=self.within)

    def _of_terms(self, row: Measurement) -> tuple[float, float] | None:
        """Return both ends of a mean over terms of one prompt each, of which it is known how many each lost."""
        terms, asked = self.terms.get(_key(row), ()), self.asked.get(row.generator, {})
        shares = [term.value or 0.0 for term in terms]
        alike = row.level == "overall" and len(set(asked.values())) == 1 and {term.item for term in terms} <= set(asked)
        if not alike or any(term.prompts != 1 for term in terms) or len(terms) != row.prompts:
            return None
        if abs(sum(shares) / len(shares) - (row.value or 0.0)) > 1e-6:
            return None  # prompts of different weights
        both = [
            filled(share, image_count(term), term.missing, within=self.within)
            for share, term in zip(shares, terms, strict=True)
        ]
        # Of terms without any usable image all are missing.
        both += [filled(row.value or 0.0, 0, 1, within=self.within)] * (len(asked) - len(terms))
        return sum(low for low, _ in both) / len(asked), sum(high for _, high in both) / len(asked)


def _key(row: Measurement) -> Key:
    return (row.method, row.generator, row.annotator, row.attribute, row.group, row.language, row.variant)
