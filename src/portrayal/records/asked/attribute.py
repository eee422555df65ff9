"""What can be perceived about a depicted person.

An attribute is data: a name, the words a report uses for it, and an ordered tuple of groups. Everything here is
*perceived* by an annotator, never a fact about anyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from portrayal.errors import ConfigError, did_you_mean

__all__ = ["BUILTIN_ATTRIBUTES", "CROSS", "JOINT", "PERSON", "Attribute", "attribute_table", "intersection"]

PERSON = "person"
"""The attribute by which an annotator says whether the image shows what was asked for: people at all."""

JOINT = "+"
"""Between the names of attributes that are told together."""
CROSS = " \N{MULTIPLICATION SIGN} "
"""Between their groups, and between their titles."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A perceived attribute: with groups it is categorical, without it is a number with a unit, or words.

    ``note`` says what its groups or numbers are; ``caution`` is told wherever a report shows it. ``least`` and ``most``
    are the ends between which its numbers lie; without them, means of few or equal numbers have no interval.
    ``parts`` are the attributes that one of several together is made of, an intersection; see :func:`intersection`.
    ``finer`` is one that says more finely what another says: reports fold it, unless it is asked for.
    """

    name: str
    title: str
    groups: tuple[str, ...] = ()
    unit: str = ""
    note: str = ""
    is_text: bool = False
    caution: str = ""
    least: float | None = None
    most: float | None = None
    finer: bool = False
    parts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.least is not None and self.most is not None and not self.least < self.most:
            raise ConfigError(f"attribute {self.name!r}: 'least' must lie below 'most', got {self.least}, {self.most}")
        if len(set(self.groups)) != len(self.groups) or len(self.groups) == 1:
            raise ConfigError(f"attribute {self.name!r} needs two or more different groups, got {list(self.groups)}")

    @property
    def is_numeric(self) -> bool:
        """Whether observations carry a value instead of a probability mass over groups."""
        return not self.groups and not self.is_text

    def index(self, group: str) -> int:
        """Return the position of ``group``, or say which group was meant."""
        if group not in self.groups:
            raise ConfigError(f"attribute {self.name!r} has no group {group!r}{did_you_mean(group, self.groups)}")
        return self.groups.index(group)

    def one_hot(self, group: str) -> tuple[float, ...]:
        """Return all mass on ``group``."""
        return _one_hot(len(self.groups), self.index(group))


@cache
def _one_hot(groups: int, place: int) -> tuple[float, ...]:
    return tuple(float(group == place) for group in range(groups))


_DECADES = ("0_2", "3_9", *(f"{start}_{start + 9}" for start in range(10, 70, 10)), "70_and_over")

_PIXELS = "read from pixels; lighting moves it as much as skin does"
"""Of skin: what is measured is the picture."""

_MONK = tuple(f"monk_{tone}" for tone in range(1, 11))
_ELEVEN = (
    "black", "east_asian", "hispanic", "indigenous_australian", "papuan_melanesian", "middle_eastern", "mixed",
    "native_american", "south_asian", "southeast_asian", "white",
)  # fmt: skip

BUILTIN_ATTRIBUTES: tuple[Attribute, ...] = (
    Attribute("gender", "perceived gender", ("male", "female"), note="binary in the published instruments"),
    Attribute("age3", "perceived age group", ("young", "middle_aged", "elderly"), note="under 30, 30-59, 60 and over"),
    Attribute("race5", "perceived race", ("european", "east_asian", "african", "latino", "south_asian")),
    Attribute("race4", "perceived race (4 groups)", ("white", "black", "east_asian", "south_asian")),
    Attribute("tone3", "perceived skin tone", ("light", "medium", "dark"), note="Monk 1-4, 5-6, 7-10", caution=_PIXELS),
    Attribute("skin_tone", "perceived skin tone (Monk)", _MONK, caution=_PIXELS, finer=True),
    Attribute("age", "perceived age", unit="years", least=0, most=100),
    Attribute("intensity", "perceived skin intensity", unit="of 255", caution=_PIXELS, least=0, most=255, finer=True),
    Attribute("ita", "perceived skin angle (ITA)", unit="degrees", caution=_PIXELS, least=-90, most=90, finer=True),
    Attribute(
        "race7",
        "perceived race (FairFace)",
        ("white", "black", "latino_hispanic", "east_asian", "southeast_asian", "indian", "middle_eastern"),
    ),
    Attribute("race11", "perceived race (11 groups)", _ELEVEN),
    Attribute("age9", "perceived age (FairFace)", _DECADES, note="years"),
    Attribute("smiling", "perceived smile", ("not_smiling", "smiling"), note="a slight smile mostly counts as one"),
    Attribute("caption", "caption", is_text=True, note="what a model writes under the image"),
    Attribute("occupation", "perceived occupation", is_text=True),
    Attribute("prompt_match", "perceived match with the prompt", ("match", "miss"), note="of the image as a whole"),
    Attribute("niqe", "image quality (NIQE)", unit="points", note="lower is better"),
    Attribute("clip_score", "prompt alignment (CLIP score)", unit="of 100", least=0, most=100),
    Attribute("ssim", "structural similarity to a reference picture", unit="of 1", least=-1, most=1),
    Attribute("sentence_similarity", "similarity of caption and prompt", unit="of 1", least=-1, most=1),
    Attribute("same_face", "similarity to the face before the edit", unit="of 1", least=-1, most=1),
    Attribute("picture_change", "change of the picture by the edit", unit="of 255", least=0, most=255),
    Attribute(PERSON, "perceived presence of a person", ("person", "not_person")),
)


def intersection(parts: Sequence[Attribute]) -> Attribute:
    """Return the attribute that several are together: its groups are all combinations of theirs, of one person.

    >>> known = attribute_table()
    >>> both = intersection([known["gender"], known["age3"]])
    >>> both.name, both.groups[:2], len(both.groups)
    ('gender+age3', ('male × young', 'male × middle_aged'), 6)
    """
    return Attribute(
        JOINT.join(part.name for part in parts),
        CROSS.join(part.title for part in parts),
        tuple(CROSS.join(groups) for groups in product(*(part.groups for part in parts))),
        caution="; ".join(dict.fromkeys(part.caution for part in parts if part.caution)),
        parts=tuple(part.name for part in parts),
    )


def attribute_table(extra: Iterable[Attribute] = ()) -> Mapping[str, Attribute]:
    """Return the built-in attributes and a study's own by name; a study may redefine a built-in one.

    >>> attribute_table([Attribute("gender3", "perceived gender", ("male", "female", "ambiguous"))])["gender3"].groups
    ('male', 'female', 'ambiguous')
    """
    return {attribute.name: attribute for attribute in (*BUILTIN_ATTRIBUTES, *extra)}
