"""Pictures as raters see them: pixels alone, and every model's in the same kind of file."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageCms, ImageOps

from portrayal.errors import InputError, StorageError
from portrayal.inputfile import read_regular
from portrayal.picturefile import ImageFile, TooLargeError, open_picture
from portrayal.store.files import write_atomic
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.images.image_store import ImageStore, read_image
from portrayal.vision.pictures import upright

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LONGEST_SIDE", "PictureCache", "degrade", "encode_jpeg", "open_clean"]

LONGEST_SIDE = 1024
AT_ONCE = 2
"""Pictures opened at the same time; one of the largest allowed takes up to a gigabyte."""

_MOST_BYTES = 200_000_000
_NAME = re.compile(r"([0-9a-f]{64})\.([a-z]{3,4})", re.ASCII)
_RECIPE = "jpeg 90 4:4:4, 1"  # part of the names in the cache: change it whenever the same picture would look different
_CELLS = 24  # squares along the longer side of a degraded copy, at most
_OFF_COLOUR = 40.0  # how far a square's colour is off, as a standard deviation of 8-bit values
_FINEST, _COARSEST = 1.0, 64.0  # grain on top, likewise
_TRIALS = 6
_CHECKSUM = hashlib.sha256().digest_size


class PictureCache:
    """Makes the files that raters see and keeps them; ``get`` returns bytes, and says nothing else about a picture.

    ``longest`` is the longer side of small copies, in pixels.
    A kept file ends in a checksum, and is made again when that is wrong.
    """

    def __init__(self, store: ImageStore, cache_dir: Path, longest: int = LONGEST_SIDE) -> None:
        self._store, self._longest = store, longest
        self._cache = ImageFolder(cache_dir)
        self._cache.clean()
        self._making: dict[Path, asyncio.Task[bytes]] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)

    @property
    def _recipe(self) -> str:
        return _RECIPE if self._longest == LONGEST_SIDE else f"{_RECIPE} {self._longest}"

    async def get(self, name: str, degraded: bool = False) -> bytes:
        """Return a picture (``<sha256>.<ext>``) as JPEG, or a copy of it that anyone sees is worse.

        Raises
        ------
        InputError
            When the study has no such picture, or it cannot be read.
        """
        known = _NAME.fullmatch(name)
        if known is None:
            raise InputError(f"{name!r} is not the name of an image of this study")
        kept = self._cache.path(hashlib.sha256(f"{self._recipe} {degraded} {name}".encode()).hexdigest(), "jpg")
        ready = await asyncio.to_thread(_read, kept)
        return await self._made(self._store.path(known[1], known[2]), kept, degraded) if ready is None else ready

    async def _made(self, source: ImageFile, kept: Path, degraded: bool) -> bytes:
        """Make a file, once for all who ask meanwhile, and to its end even if they all go away."""
        task = self._making.get(kept)
        if task is None:
            task = self._making[kept] = asyncio.create_task(self._make(source, kept, degraded))
            task.add_done_callback(lambda done: self._finished(kept, done))
        return await asyncio.shield(task)

    def _finished(self, kept: Path, task: asyncio.Task[bytes]) -> None:
        del self._making[kept]
        if not task.cancelled():
            task.exception()  # asked for here: else the loop complains about an error that nobody waited for

    async def _make(self, source: ImageFile, kept: Path, degraded: bool) -> bytes:
        async with self._turns:
            return await asyncio.to_thread(_make, source, kept, degraded, self._longest)


def _read(kept: Path) -> bytes | None:
    try:
        content = read_regular(kept)
    except (OSError, InputError):
        return None
    data, checksum = content[:-_CHECKSUM], content[-_CHECKSUM:]
    return data if data and hashlib.sha256(data).digest() == checksum else None


def _make(source: ImageFile, kept: Path, degraded: bool, longest: int) -> bytes:
    picture = open_clean(source)
    picture.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    data = encode_jpeg(picture)
    if degraded:
        data = degrade(picture, seed=int(source.stem, 16), size=len(data))
    with contextlib.suppress(StorageError):  # a full disk makes pictures slow, and must not make them disappear
        write_atomic(kept, data + hashlib.sha256(data).digest())
    return data


def open_clean(path: ImageFile) -> Image.Image:
    """Return the picture in a file as pixels without anything attached: upright, sRGB, at most 1024 x 1024.

    Raises
    ------
    InputError
        When there is no such file, or it cannot be decoded, is cut short, or is unreasonably large.
    DamagedError
        When its bytes are not those that were stored.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path}: over {_MOST_BYTES // 1_000_000} MB; the arena cannot show it")
        with open_picture(read_image(path)) as opened:
            picture = _srgb(ImageOps.exif_transpose(opened))
    except FileNotFoundError:
        raise InputError(f"{path}: the image is gone; restore the study's images") from None
    except TooLargeError as error:
        raise InputError(f"{path}: {error}; the arena cannot show it") from None
    except (InputError, StorageError, MemoryError):
        raise
    except Exception as error:  # decoders answer damaged files with whatever went wrong inside them
        reason = type(error).__name__
        raise InputError(f"{path}: the image cannot be read ({reason}); restore it or leave it out") from None
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    return Image.fromarray(np.asarray(picture))  # pixels only: comments and more would travel on in ``picture.info``


def _srgb(picture: Image.Image) -> Image.Image:
    profile = _profile(picture)
    space = profile.profile.xcolor_space.strip() if profile else ""
    if profile and (picture.mode, space) in (("CMYK", "CMYK"), ("L", "GRAY")):
        return _converted(picture, profile) or upright(picture)
    flat = upright(picture)
    return (profile and space == "RGB" and _converted(flat, profile)) or flat


def _profile(picture: Image.Image) -> ImageCms.ImageCmsProfile | None:
    data = picture.info.get("icc_profile")
    try:
        return ImageCms.ImageCmsProfile(io.BytesIO(data)) if data else None
    except (OSError, TypeError):  # not a profile: viewers take the picture for sRGB then, and so do we
        return None


def _converted(picture: Image.Image, profile: ImageCms.ImageCmsProfile) -> Image.Image | None:
    try:
        return ImageCms.profileToProfile(picture, profile, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except ImageCms.PyCMSError:
        return None


def encode_jpeg(picture: Image.Image) -> bytes:
    """Return an RGB picture as a JPEG file, with the same settings for all."""
    buffer = io.BytesIO()
    # Not optimised: Pillow holds such a file in a buffer of a byte a pixel, and a picture of much detail needs more.
    picture.save(buffer, "JPEG", quality=90, subsampling="4:4:4", optimize=False, progressive=False)
    return buffer.getvalue()


def degrade(picture: Image.Image, seed: int, size: int) -> bytes:
    """Return a copy in coarse squares of wrong colours, with grain; the same for the same seed.

    The grain is as strong as makes the file about as large as the intact one's ``size``, now more, now less: else the
    larger of two files would give the copy away.
    """
    rng = np.random.default_rng(seed)
    wanted = size * math.exp(rng.uniform(-0.5, 0.5))
    squares = _squares(picture, rng)
    grain = rng.standard_normal((*squares.shape[:2], 1), dtype=np.float32)
    weak, strong, data = _FINEST, _COARSEST, b""
    for _ in range(_TRIALS):
        middle = math.sqrt(weak * strong)
        data = encode_jpeg(_picture(squares + middle * grain))
        weak, strong = (middle, strong) if len(data) < wanted else (weak, middle)
    return data


def _squares(picture: Image.Image, rng: np.random.Generator) -> NDArray[np.float32]:
    # JPEG works on tiles of 8 x 8: squares of whole tiles take hardly any space, which leaves the size to the grain.
    side = 8 * math.ceil(max(picture.size) / _CELLS / 8)
    few = (math.ceil(picture.width / side), math.ceil(picture.height / side))
    cells = np.asarray(picture.resize(few, Image.Resampling.BOX), dtype=np.float32)
    cells = cells + _OFF_COLOUR * rng.standard_normal(cells.shape, dtype=np.float32)
    return cells.repeat(side, axis=0).repeat(side, axis=1)[: picture.height, : picture.width]


def _picture(values: NDArray[np.float32]) -> Image.Image:
    return Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))
