"""Opening pictures to look at them; one that cannot be read is abstained from, for the reason that it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from portrayal.annotators.annotator import Observed
from portrayal.records import Abstention, Image
from portrayal.vision.pictures import Unreadable, open_rgb

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = ["look_at_each", "picture_or_reason"]


def picture_or_reason(image: Image) -> Picture | str:
    """Return the picture, or the reason why there is none to look at."""
    try:
        return open_rgb(image.path)
    except Unreadable as error:
        return error.reason


def look_at_each(
    images: Sequence[Image], annotator: str, look: Callable[[Image, Picture], Iterable[Observed]]
) -> Iterator[Observed]:
    """Yield what is seen in each image, in order, under the annotator's name."""
    for image in images:
        picture = picture_or_reason(image)
        if isinstance(picture, str):
            yield Abstention(image.id, annotator, picture)
        else:
            yield from look(image, picture)
