"""The pictures behind a number: the first of them, not the most telling."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.data import Picture
from portrayal.reports.findings.deviations.deviation import Thumb
from portrayal.reports.gallery.picture_links import pictures_anchor

__all__ = ["SHOWN", "PicturesBehind"]

SHOWN = 3


class PicturesBehind:
    """The pictures of each generator; ``belongs`` says which of them a number is about."""

    def __init__(self, pictures: Sequence[Picture], belongs: Callable[[Measurement, Picture], bool]) -> None:
        self._belongs = belongs
        self._found: dict[str, list[Picture]] = {}
        for picture in pictures:
            if picture.thumbnail:
                self._found.setdefault(picture.generator, []).append(picture)

    def pictures(self, row: Measurement) -> list[Thumb]:
        """Return the first pictures behind a number in which its attribute was told.

        Of one term the first ones; of several the first of each, from terms as far apart in the study as can be.
        """
        terms: dict[str, list[Picture]] = {}
        for picture in self._found.get(row.generator, ()):
            if self._belongs(row, picture) and _tells(picture, row):
                terms.setdefault(picture.term, []).append(picture)
        told = list(terms.values())
        if len(told) == 1:
            return [_thumb(picture) for picture in told[0][:SHOWN]]
        step = max(len(told) / SHOWN, 1)
        return [_thumb(told[int(step * place)][0]) for place in range(min(SHOWN, len(told)))]


def _tells(picture: Picture, row: Measurement) -> bool:
    faces = (face for face in picture.faces if not face.who or not row.annotator or face.who == row.annotator)
    # Of a number about one of two people, either may be meant by a face.
    attribute = row.attribute.rpartition(".")[2]
    return any(finding.attribute == attribute for face in faces for finding in face.findings)


def _thumb(picture: Picture) -> Thumb:
    alt = t("Image by {generator} for “{term}”", generator=picture.generator, term=picture.term)
    return Thumb(picture.thumbnail, alt, pictures_anchor(picture.term))
