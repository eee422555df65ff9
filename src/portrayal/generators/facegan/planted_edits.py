"""Who was drawn, carried inside the picture; and how a term moves that person when the picture is edited."""

from __future__ import annotations

import functools
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from pydantic import Field

from portrayal.generators.facegan.profile import read_shipped
from portrayal.picturefile import open_picture
from portrayal.records import content_id
from portrayal.settings import Settings

__all__ = ["SAFE", "LatentFace", "NotFacegan", "PlantedEdit", "mark_of", "planted_edits", "read_face"]

MARK = "facegan@1"
SAFE: Mapping[str, float] = MappingProxyType({"gender": 2.0, "age": 1.5, "tone": 1.0})
"""Steps along each direction up to which a clean face comes out."""


class NotFacegan(ValueError):  # noqa: N818 - becomes a Failed outcome
    """A picture that facegan did not draw, that lost its mark on the way, or that shows several people."""


@dataclass(frozen=True)
class LatentFace:
    """A person: the latent seed and the moves made since. Written into the picture's JPEG comment."""

    seed: int
    moves: Mapping[str, float] = field(default_factory=dict)

    def moved(self, steps: Mapping[str, float]) -> LatentFace:
        """Return the same person moved on, within the safe range."""
        total = {name: self.moves.get(name, 0.0) + steps.get(name, 0.0) for name in SAFE}
        kept = {name: max(-SAFE[name], min(SAFE[name], value)) for name, value in total.items()}
        return LatentFace(self.seed, {name: value for name, value in kept.items() if value})

    def comment(self) -> bytes:
        """Return the mark to write into the picture."""
        return json.dumps({"generator": MARK, "seed": self.seed, "moves": dict(self.moves)}).encode()


def mark_of(people: Sequence[LatentFace]) -> bytes:
    """Return the mark of a picture of one person, or of several, which says who they are but cannot be edited."""
    if len(people) == 1:
        return people[0].comment()
    return json.dumps({"generator": MARK, "seeds": [face.seed for face in people]}).encode()


def read_face(data: bytes) -> LatentFace:
    """Return who is in a picture that facegan drew.

    Raises
    ------
    NotFacegan
        When the picture cannot be read, does not carry the mark or shows several people.
    """
    try:
        with open_picture(data) as picture:
            mark = json.loads(picture.info["comment"])
        if mark["generator"] == MARK and "seeds" in mark:
            shown = "two" if len(mark["seeds"]) == 2 else "several"
            raise NotFacegan(f"the source shows {shown} people, and {MARK} edits pictures of one; take another source")
        moves = {name: float(mark["moves"][name]) for name in SAFE if name in mark["moves"]}
        face = LatentFace(int(mark["seed"]), moves).moved({})
        if mark["generator"] != MARK or not 0 <= face.seed < 2**32:
            raise NotFacegan("the mark is not one of this generator")
    except (MemoryError, NotFacegan):
        raise
    except Exception as error:
        raise NotFacegan(f"the source carries no mark of {MARK} ({type(error).__name__})") from None
    return face


EVERY = "*"
"""The term of what every edit does, besides what its own term does."""


class PlantedEdit(Settings):
    """How far an edit moves a face along each direction, in steps, and how often it does."""

    gender: float = Field(default=0.0, ge=-SAFE["gender"], le=SAFE["gender"])
    age: float = Field(default=0.0, ge=-SAFE["age"], le=SAFE["age"])
    tone: float = Field(default=0.0, ge=-SAFE["tone"], le=SAFE["tone"])
    chance: float = Field(default=1.0, ge=0, le=1)

    def steps(self) -> dict[str, float]:
        """Return the steps by direction."""
        return {name: getattr(self, name) for name in SAFE}


@dataclass(frozen=True, slots=True)
class PlantedEdits:
    """What edits do, by casefolded term; a term that is not there moves nobody.

    ``jitter`` is how far, in steps, an edit strays along every direction by chance.
    """

    terms: Mapping[str, PlantedEdit]
    jitter: float = 0.0

    def steps(self, term: str, key: str) -> dict[str, float]:
        """Return the steps of one edit; ``key`` names the edit, and the same name always gives the same steps."""
        from scipy.special import ndtri  # scipy takes a moment to load

        steps = {
            name: self.jitter * float(ndtri(_uniform(key, "jitter", name))) if self.jitter else 0.0 for name in SAFE
        }
        for name in (EVERY, term.strip().casefold()):
            planted = self.terms.get(name)
            if planted and _uniform(key, name) < planted.chance:
                steps = {direction: steps[direction] + step for direction, step in planted.steps().items()}
        return {direction: step for direction, step in steps.items() if step}


def _uniform(*key: str) -> float:
    # Bits of a hash rather than a library's random stream: that may change between releases, this may not.
    return (int(content_id("facegan edit", *key)[:12], 16) + 0.5) / 2**48


def planted_edits(edits: Mapping[str, PlantedEdit], jitter: float = 0.0) -> PlantedEdits:
    """Return a user's planted edits or, where there are none, the shipped ones."""
    return PlantedEdits({term.strip().casefold(): edit for term, edit in edits.items()} or _shipped(), jitter)


@functools.cache
def _shipped() -> Mapping[str, PlantedEdit]:
    steps: dict[str, dict[str, float]] = defaultdict(dict)
    for row in read_shipped("edits.csv", ("term", "direction", "step")):
        steps[row["term"].casefold()][row["direction"]] = row.number("step")
    return {term: PlantedEdit.model_validate(edit) for term, edit in steps.items()}
