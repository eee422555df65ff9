"""How many more raters a picture needs: so many as the study says, and one more where these leave it open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from portrayal.apps.labels.labelling.picture import Choices

__all__ = ["decided", "needed", "open_attributes"]


def needed(answers: Sequence[Choices], raters: int, asked: Iterable[str]) -> int:
    """Return how many more answers a picture needs.

    One rater beyond ``raters`` decides where two groups have equally many votes. Nobody is asked after that: what is
    still open then is a fact about the picture.

    >>> man, woman = {"gender": "male"}, {"gender": "female"}
    >>> needed([man], 2, ["gender"]), needed([man, man], 2, ["gender"]), needed([man, woman], 2, ["gender"])
    (1, 0, 1)
    >>> needed([man, woman, {"gender": ""}], 2, ["gender"])
    0
    """
    if len(answers) < raters:
        return raters - len(answers)
    return int(len(answers) == raters and bool(open_attributes(answers, asked)))


def open_attributes(answers: Collection[Choices], asked: Iterable[str]) -> list[str]:
    """Return the attributes of which two groups have as many votes as any; who could not tell has none."""
    return [name for name in asked if not decided([choices.get(name, "") for choices in answers])]


def decided(votes: Iterable[str]) -> bool:
    """Return whether votes do not stand equal; where nobody could tell there is nothing to decide.

    >>> decided(["a", "a", "b"]), decided(["a", "b"]), decided(["a", ""]), decided(["", ""])
    (True, False, True, True)
    """
    most = Counter(vote for vote in votes if vote).most_common(2)
    return len(most) < 2 or most[0][1] > most[1][1]
