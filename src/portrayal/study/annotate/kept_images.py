"""Whether a study's images are where study.toml says, before anybody writes down that each of them is missing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from portrayal.errors import StudyError
from portrayal.picturefile import ImageFile
from portrayal.records import Image
from portrayal.study.study import OpenStudy

__all__ = ["require_images", "require_store"]

_FIRST, _OTHERS = 16, 64
_SAMPLE = f"SELECT image, ext FROM outcomes WHERE status = 'made' AND ext <> '' ORDER BY image LIMIT {_OTHERS}"
"""Names are numbers that look random, so this is a sample of the whole study."""


def require_images(study: OpenStudy, pending: Iterable[Image]) -> None:
    """Raise an error where no image is in the store, of those to be looked at first and of a sample of all.

    One that is gone is counted as missing. But where all are, it is the store that is not the one they were put into.
    """
    store = study.workspace.images
    first = [image.path for image in islice(pending, _FIRST) if image.path is not None]
    if not first or _any_there(first):
        return
    if not _any_there(_sample(study)):
        raise StudyError(
            f"{store.where}: none of the study's images is here ({first[0].name} is one of them); put them back, or "
            "write where they are into [storage] in study.toml. Nothing was looked at"
        )


def require_store(study: OpenStudy) -> None:
    """Raise an error where images are kept elsewhere, as study.toml says, and no image of a sample is there.

    From the study's own folder they may have been deleted once they were looked at; a page without them is right then.
    """
    store = study.workspace.images
    sample = _sample(study) if store.shared else []
    if sample and not _any_there(sample):
        raise StudyError(
            f"{store.where}: none of the study's images is here ({sample[0].name} is one of them); correct [storage] "
            "in study.toml, or take it out for a page without pictures. Nothing was written"
        )


def _sample(study: OpenStudy) -> list[ImageFile]:
    rows = study.workspace.query(_SAMPLE).to_pylist()
    return [study.workspace.images.path(row["image"], row["ext"]) for row in rows]


def _any_there(files: Iterable[ImageFile]) -> bool:
    return any(file.is_file() for file in files)
