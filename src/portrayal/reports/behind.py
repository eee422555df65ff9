"""The pictures behind a number: the first of them, not the most telling."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from portrayal.records import Measurement
from portrayal.reports.data import Picture
from portrayal.reports.deviation import Thumb
from portrayal.reports.language import t
from portrayal.reports.links import pictures_anchor

__all__ = ["SHOWN", "Behind"]

SHOWN = 3


class Behind:
    """Pictures by generator and term."""

    def __init__(self, pictures: Sequence[Picture]) -> None:
        self._found: dict[str, dict[str, list[Picture]]] = {}
        for picture in pictures:
            if picture.thumbnail:
                self._found.setdefault(picture.generator, {}).setdefault(picture.term, []).append(picture)

    def pictures(self, row: Measurement, terms: Collection[str]) -> list[Thumb]:
        """Return the first pictures of ``terms`` (none given: of all) in which the attribute of ``row`` was told.

        Of one term the first ones; of several the first of each, from terms as far apart in the study as can be.
        """
        found = self._found.get(row.generator, {})
        told = [
            usable
            for term, pictures in found.items()
            if not terms or term in terms
            if (usable := [picture for picture in pictures if _tells(picture, row)])
        ]
        if len(told) == 1:
            return [_thumb(picture) for picture in told[0][:SHOWN]]
        step = max(len(told) / SHOWN, 1)
        return [_thumb(told[int(step * place)][0]) for place in range(min(SHOWN, len(told)))]


def _tells(picture: Picture, row: Measurement) -> bool:
    faces = (face for face in picture.faces if not face.who or not row.annotator or face.who == row.annotator)
    return any(finding.attribute == row.attribute for face in faces for finding in face.findings)


def _thumb(picture: Picture) -> Thumb:
    alt = t("Image by {generator} for “{term}”", generator=picture.generator, term=picture.term)
    return Thumb(picture.thumbnail, alt, pictures_anchor(picture.term))
