"""Which rows of two sides say the same of both: only these are compared, and what has no counterpart is listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from portrayal.records import Attribute, Measurement
from portrayal.reports.lookup import chart_groups
from portrayal.reports.text.words import known

__all__ = ["Matched", "Topic", "is_share", "match_rows", "rows_by_topic", "topic_of"]

DERIVED = frozenset({"difference", "ratio"})
"""Metrics that only say of a share how far it lies from a reference: the share itself is compared."""
LEVELS = ("overall", "category", "term")


class Topic(NamedTuple):
    """What a row is about, whoever drew the pictures."""

    method: str
    metric: str
    attribute: str
    group: str
    level: str
    item: str
    reference: str
    language: str
    variant: str
    annotator: str


_ABOUT = attrgetter("method", "metric", "attribute", "group", "level", "item")
_ASKED = attrgetter("language", "variant", "annotator")


@dataclass
class Matched:
    """Rows of two sides by topic, topics that one side alone has, and those whose prompts are not the same."""

    pairs: list[tuple[Measurement, Measurement]] = field(default_factory=list)
    only_one: list[Topic] = field(default_factory=list)
    only_other: list[Topic] = field(default_factory=list)
    other_prompts: list[tuple[Measurement, Measurement]] = field(default_factory=list)
    other_pictures: list[tuple[Measurement, Measurement]] = field(default_factory=list)
    """Rows of two annotators of which too few pictures are the same."""


def topic_of(row: Measurement) -> Topic:
    """Return what a row is about; a share does not depend on what it is compared with."""
    return Topic._make((*_ABOUT(row), "" if is_share(row) else row.reference, *_ASKED(row)))


def match_rows(mine: Mapping[Topic, Measurement], theirs: Mapping[Topic, Measurement]) -> Matched:
    """Return the rows of two sides, by their topics, that can be compared, in the order of the first side.

    Both must be about the same prompts: shares of other prompts differ whatever the models do.
    """
    matched = Matched(
        only_one=[topic for topic in mine if topic not in theirs],
        only_other=[topic for topic in theirs if topic not in mine],
    )
    for topic in (topic for topic in mine if topic in theirs):
        pair = mine[topic], theirs[topic]
        (matched.pairs if pair[0].prompt_set == pair[1].prompt_set else matched.other_prompts).append(pair)
    return matched


def rows_by_topic(rows: Iterable[Measurement], attributes: Mapping[str, Attribute]) -> dict[Topic, Measurement]:
    """Return the rows of a side that can be compared.

    Of two groups that are each other's rest one is kept: what is more of one is less of the other.
    """
    return {topic_of(row): row for row in rows if _comparable(row, attributes)}


def _comparable(row: Measurement, attributes: Mapping[str, Attribute]) -> bool:
    if row.metric in DERIVED or None in (known(row.value), known(row.low), known(row.high)):
        return False
    if not is_share(row):
        return row.level == "overall" and row.metric != "missing"
    attribute = attributes.get(row.attribute.rpartition(".")[2])
    return row.level in LEVELS and (attribute is None or row.group in chart_groups(attribute))


def is_share(row: Measurement) -> bool:
    """Return whether a row is the share of a group, with as many independent images as know it."""
    # Asked of every row many times: nan is what does not equal itself.
    return bool(row.group and row.attribute and row.worth is not None and row.worth == row.worth)
