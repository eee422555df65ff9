"""Whether a picture shows as many people as its prompt asked for, and which reason to abstain it is if not."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FACE_REASONS", "GROUP", "PEOPLE_REASONS", "CountReasons", "count_reason"]

GROUP = "group"
"""The reason of an annotator that cannot tell the people of a group of any size from each other."""


class CountReasons(NamedTuple):
    """Reasons to abstain from a picture: nobody is there, fewer are than were asked for, or more."""

    nobody: str
    fewer: str
    more: str


PEOPLE_REASONS = CountReasons("no_person", "one_person", "several_people")
FACE_REASONS = CountReasons("no_face", "one_face", "several_faces")


def count_reason(shown: int, asked: int, reasons: CountReasons = PEOPLE_REASONS) -> str:
    """Return why it is open who is meant, else nothing; where a group of any size was asked for (0), everyone is.

    >>> [count_reason(shown, asked=1) for shown in (0, 1, 2)]
    ['no_person', '', 'several_people']
    >>> [count_reason(shown, 2, FACE_REASONS) for shown in (0, 1, 2, 3)]
    ['no_face', 'one_face', '', 'several_faces']
    >>> [count_reason(shown, asked=0) for shown in (0, 1, 5)]
    ['no_person', '', '']
    """
    if shown == 0:
        return reasons.nobody
    if shown < asked:
        return reasons.fewer
    return reasons.more if 0 < asked < shown else ""
