"""What a share would be if all missing images showed a group, and if none did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from portrayal.records import Measurement
from portrayal.reports.findings.doubts import filled
from portrayal.reports.text.sample_words import image_count

__all__ = ["MissingEnds"]

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MissingEnds:
    """The shares of single terms, from which follows what the missing images could make of a share of several."""

    terms: Mapping[Key, Sequence[Measurement]]
    asked: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, rows: Iterable[Measurement], asked: Mapping[str, Mapping[str, int]]) -> MissingEnds:
        """Read the shares of terms; ``asked`` is how many images of each term were asked of each generator."""
        terms: dict[Key, list[Measurement]] = {}
        for row in rows:
            if row.metric == "share" and row.level == "term" and row.value is not None:
                terms.setdefault(_key(row), []).append(row)
        return cls(terms, asked)

    def ends(self, row: Measurement) -> tuple[float, float] | None:
        """Return both ends, or None where prompts lost different parts and nobody knows which."""
        if row.prompts <= 1:
            return filled(row.value or 0.0, image_count(row), row.missing, 1)
        terms, asked = self.terms.get(_key(row), ()), self.asked.get(row.generator, {})
        shares = [term.value or 0.0 for term in terms]
        alike = row.level == "overall" and len(set(asked.values())) == 1 and {term.item for term in terms} <= set(asked)
        if not alike or any(term.prompts != 1 for term in terms) or len(terms) != row.prompts:
            return None
        if abs(sum(shares) / len(shares) - (row.value or 0.0)) > 1e-6:
            return None  # prompts of different weights
        both = [filled(share, image_count(term), term.missing, 1) for share, term in zip(shares, terms, strict=True)]
        nothing = len(asked) - len(terms)
        return sum(low for low, _ in both) / len(asked), (sum(high for _, high in both) + nothing) / len(asked)


def _key(row: Measurement) -> Key:
    return (row.method, row.generator, row.annotator, row.attribute, row.group, row.language, row.variant)
