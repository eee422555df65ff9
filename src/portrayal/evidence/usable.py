"""Which images can be used, and why the others cannot: the one definition, for all methods.

An image is usable for a prompt, as one annotator described it, when all of this holds:

1. It shows people at all, where the annotator says how probable that is and a least probability is asked for.
2. The annotator gives no reason against the whole image. A reason that is merely about the number of people does not
   count where the number described is the one wanted, and no reason counts where all people described are wanted.
3. Somebody is described, and as many people as are wanted.

A usable image in which an attribute of one of its people is not told is missing for that attribute.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence.described_images import NONE, Described
from portrayal.records import JOINT, known_reasons
from portrayal.stats.exact import Ints

__all__ = ["People", "Rule", "gaps", "unusable"]

People = Literal["one", "each", "asked", "exactly", "at_most"]
_ANY = np.iinfo(np.int64).max
_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class Rule:
    """How many people a usable image shows, and how probable it must be that it shows any.

    ``one``: exactly one. ``each``: one or more, and each of them counts. ``asked``: exactly one where the prompt asks
    for one, else one or more. ``exactly``: as many as the prompt asks for; ``at_most``: no more than that. To either, a
    group of any size is nobody in particular.
    """

    people: People = "one"
    person: float = 0.0

    def wanted(self, asked: Ints) -> tuple[Ints, Ints]:
        """Return the least and the greatest number of people wanted, for prompts that ask for so many."""
        if self.people in ("exactly", "at_most"):
            return asked if self.people == "exactly" else np.minimum(asked, 1), asked
        exact = {"one": np.ones_like(asked, dtype=bool), "each": np.zeros_like(asked, dtype=bool), "asked": asked == 1}
        return np.ones_like(asked), np.where(exact[self.people], 1, _ANY)


def unusable(images: Described, image: Ints, asked: Ints, rule: Rule) -> Ints:
    """Return why each ``image`` cannot be used for a prompt that asks for ``asked`` people, as a number, or NONE.

    The same picture may answer several prompts, and whoever looked may have been asked for another number of people
    than the prompt at hand.
    """
    code = images.codes
    people, said, shows = images.people[image], images.said[image], images.shows_person[image]
    low, high = rule.wanted(asked)
    fits = (low <= people) & (people <= high)
    waived = fits & ((high == _ANY) | _moot(images, said, high))
    nobody = np.where(shows < _EVEN, code["no_person"], code["nothing_observed"])
    tests = (high == 0, shows < rule.person, (said != NONE) & ~waived, people == 0, people < low, people > high)
    reasons = (code["group"], code["hallucination"], said, nobody, code["one_person"], code["several_people"])
    return np.select(tests, reasons, NONE)


def _moot(images: Described, said: Ints, wanted: Ints) -> NDArray[np.bool_]:
    """Return where a reason only says that there are fewer, or more, people than somebody asked for, as wanted here."""
    known = known_reasons().values()
    numbers = {kind: [images.codes[reason.code] for reason in known if reason.blocks == kind] for kind in _WANTED}
    tests = [np.isin(said, numbers[kind]) & (wanted == count) for kind, count in _WANTED.items()]
    return np.asarray(np.logical_or(*tests))


_WANTED = {"fewer_people": 1, "more_people": 2}
"""One person where two were asked for is what is wanted where one is, and the reverse."""


def gaps(images: Described, image: Ints, attribute: str, told: Ints) -> Ints:
    """Return why an attribute is missing in usable images, as a number, or NONE; ``told`` are the rows that tell it."""
    count = np.bincount(images.image[told], minlength=len(images.keys))
    why = np.where(count < images.people, images.codes["nothing_observed"], NONE)
    rows = images.rows
    numbers = [images.codes.get(part, NONE - 1) for part in attribute.split(JOINT)]
    given = np.flatnonzero(np.isin(rows.attribute, numbers) & (rows.subject != NONE) & (rows.reason != NONE))
    why[images.image[given]] = rows.reason[given]
    return why[image]
