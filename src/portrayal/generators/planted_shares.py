"""Shares that generators plant, and what a prompt asks for: which side a person is on, which group is requested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from portrayal.records import SIDES, Job, Prompt

__all__ = ["Shares", "followed", "of_side", "requests", "side_of", "split_aspect"]

Shares = Mapping[str, float]
"""Group to probability."""


def side_of(asked: Prompt | Job, subject: int) -> str:
    """Return where the prompt puts a person: ``left`` or ``right`` of two, else nowhere in particular.

    >>> pair = Prompt("One boss at left with one clerk at right", "boss / clerk", people=2)
    >>> [side_of(pair, subject) for subject in range(3)]
    ['left', 'right', '']
    """
    return SIDES[subject] if subject < asked.people > 1 else ""


def split_aspect(name: str) -> tuple[str, str]:
    """Return the side (empty when there is none) and the attribute that an aspect names.

    >>> split_aspect("left.gender"), split_aspect("gender")
    (('left', 'gender'), ('', 'gender'))
    """
    side, dot, attribute = name.partition(".")
    return (side, attribute) if dot and side in SIDES else ("", name)


def of_side(shares: Mapping[str, Shares], side: str) -> dict[str, Shares]:
    """Return the shares of a person on ``side`` by attribute; those of an aspect win over those of its attribute.

    >>> of_side({"gender": {"male": 1}, "left.gender": {"female": 1}}, "left")
    {'gender': {'female': 1}}
    """
    by_side: dict[str, dict[str, Shares]] = {"": {}, **{name: {} for name in SIDES}}
    for name, groups in shares.items():
        where, attribute = split_aspect(name)
        by_side[where][attribute] = groups
    return {**by_side[""], **by_side[side]}


def requests(asked: Prompt | Job, subject: int) -> Iterator[tuple[str, str]]:
    """Yield attribute and group for everything the prompt asks of one of its people; of an extra person, nothing.

    In a group of any size nobody is extra.

    >>> nurses = Prompt("female nurses", "nurse", requested={"gender": "female"}, people=0)
    >>> list(requests(nurses, 3))
    [('gender', 'female')]
    """
    if subject < asked.people or asked.people == 0:
        side = side_of(asked, subject)
        for name, group in asked.requested.items():
            where, attribute = split_aspect(name)
            if where == side:
                yield attribute, group


def followed(shares: Shares, group: str, obey: float) -> Shares:
    """Return the shares of a person who is ``group`` as requested in ``obey`` of cases, and by chance in the others.

    >>> followed({"male": 0.5, "female": 0.5}, "female", 0.5)
    {'male': 0.25, 'female': 0.75}
    """
    mixed = {name: (1 - obey) * share for name, share in shares.items()}
    mixed[group] = mixed.get(group, 0.0) + obey
    return mixed
