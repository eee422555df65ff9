"""The annotator: compares an edit with the picture it was made from."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from portrayal.annotators.annotator import Observed
from portrayal.annotators.face_detection import FaceDetector
from portrayal.annotators.likeness.face_embedding import FACE, PADDING, FaceEmbedding
from portrayal.picturefile import ImageFile
from portrayal.records import Abstention, Attribute, Image, Observation, attribute_table
from portrayal.registry import refuse_argument
from portrayal.settings import Settings
from portrayal.vision.pictures import Unreadable, open_rgb

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["Likeness"]

_SEARCH = 1024
_COMPARED = 256
"""The long side at which pictures are compared."""


class Likeness:
    """Tells how alike the face is before and after an edit, and by how many levels the picture changed."""

    class Options(Settings):
        """There is nothing to choose."""

    name = "likeness@1"
    looks = True
    citations: ClassVar[Sequence[str]] = (
        "Zhong et al. 2021, SFace: Sigmoid-Constrained Hypersphere Loss for Robust Face Recognition, IEEE TIP 30",
        "King 2009, Dlib-ml: A Machine Learning Toolkit, JMLR 10",
    )

    def __init__(self, argument: str, options: Options) -> None:
        refuse_argument("annotator 'likeness'", argument)
        self.options = options
        table = attribute_table()
        self.attributes: tuple[Attribute, ...] = (table["same_face"], table["picture_change"])

    def __getstate__(self) -> dict[str, Any]:
        # Loaded models cannot travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name not in ("_networks", "_source")}

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield how each edit differs from its source, in order; of what has none, or several, nothing can be said."""
        for image in images:
            if len(image.sources) != 1:
                # What is seen is kept for the image, and of two sources each has a likeness of its own.
                yield Abstention(image.id, self.name, "several_sources" if image.sources else "no_source")
                continue
            try:
                (before, known), after = self._source(image.sources[0]), open_rgb(image.path)
            except Unreadable as error:
                yield Abstention(image.id, self.name, error.reason)
            else:
                yield from self._compare(image, before, known, after)

    def _compare(
        self, image: Image, before: Picture, known: NDArray[np.float64] | None, after: Picture
    ) -> Iterator[Observed]:
        face = self._face(after)
        if known is None or face is None:
            yield Abstention(image.id, self.name, "no_face", 0, "same_face")
        else:
            yield Observation(image.id, self.name, 0, "same_face", value=float(known @ face))
        yield Observation(image.id, self.name, 0, "picture_change", value=_change(before, after))

    @functools.cached_property
    def _networks(self) -> tuple[FaceDetector, FaceEmbedding]:
        return FaceDetector(), FaceEmbedding()

    @functools.cached_property
    def _source(self) -> Any:
        """Open a source and find its face, once for the many edits of it that follow one another."""

        @functools.lru_cache(maxsize=64)
        def read(path: ImageFile) -> tuple[Picture, NDArray[np.float64] | None]:
            picture = open_rgb(path)
            return picture, self._face(picture)

        return read

    def _face(self, picture: Picture) -> NDArray[np.float64] | None:
        """Return the embedding of the largest face, or None where there is none."""
        detector, embedding = self._networks
        boxes = detector.find(picture, _SEARCH)
        if not boxes:
            return None
        largest = max(boxes, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))
        return embedding(detector.chip(np.asarray(picture), largest, FACE, PADDING))


def _change(before: Picture, after: Picture) -> float:
    """Return the mean absolute difference of two pictures, of 255 levels, both at the size of the first, made small."""
    small = before.copy()
    small.thumbnail((_COMPARED, _COMPARED))
    other = after.resize(small.size)
    return float(np.abs(np.asarray(small, dtype=np.float64) - np.asarray(other, dtype=np.float64)).mean())
