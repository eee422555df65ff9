"""What a comparison of annotators found, as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from portrayal.stats.rates import Estimate

__all__ = ["Alpha", "Comparison", "Coverage", "GroupRow", "Pair"]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """How well two annotators agree on the people of one group, or of how many of them one tells something.

    The group is one of the attribute ``by`` as the annotator ``grouped_by`` perceives it; both are empty for all
    people. ``n`` counts people, ``clusters`` the prompts (or images) they come from. ``difference`` is to the rest.
    """

    by: str
    group: str
    grouped_by: str
    n: int
    clusters: int
    value: Estimate
    difference: Estimate
    marked: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """In how many images two annotators can be compared; ``silent`` has for each why it cannot tell in the others."""

    images: int
    compared: int
    first_only: int
    second_only: int
    neither: int
    different_people: int
    silent: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two annotators compared on one attribute. ``measure`` is accuracy, agreement or mean absolute difference.

    Of groups there are a ``confusion`` matrix, with a row for each group of ``first``, and ``kappa``; of numbers the
    ``mean_difference``, ``second`` minus ``first``, and their ``correlation``. ``groups`` begins with the worst.

    ``told`` says of how many people that ``first`` tells the attribute of, in images that both looked at, ``second``
    tells it too: first of all people, then, unless of all of them, by group. Who abstains on some people more than on
    others shows there.
    """

    attribute: str
    title: str
    unit: str
    first: str
    second: str
    measure: str
    overall: GroupRow
    groups: Sequence[GroupRow]
    told: Sequence[GroupRow]
    coverage: Coverage
    labels: Sequence[str]
    confusion: Sequence[Sequence[int]] | None = None
    kappa: Estimate | None = None
    mean_difference: Estimate | None = None
    correlation: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha of all annotators that tell an attribute. ``n`` is how many judgements can be paired."""

    attribute: str
    title: str
    metric: str
    annotators: Sequence[str]
    n: int
    value: Estimate
    note: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs and all attributes. ``titles`` puts attributes into words; ``resampled`` is prompts or images.

    Annotators go by their names; ``identities`` has under what the tables keep what they said.
    """

    title: str
    annotators: Sequence[str]
    reference: str | None
    images: int
    resampled: str
    titles: Mapping[str, str]
    pairs: Sequence[Pair]
    alphas: Sequence[Alpha]
    identities: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data; what is not known is null."""
        plain: dict[str, Any] = _plain(asdict(self))
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
