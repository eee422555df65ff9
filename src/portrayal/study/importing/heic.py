"""HEIC, as telephones write pictures: read where pillow-heif is installed, and kept as PNG.

A study is opened on other machines too, by workers, annotators and browsers that know no HEIC. PNG loses nothing.
"""

from __future__ import annotations

import io
from importlib.util import find_spec

from portrayal.picturefile import MAX_PIXELS, TooLargeError

__all__ = ["COMMAND", "HEIC_ENDINGS", "can_read_heic", "holds_heic", "png_of_heic"]

HEIC_ENDINGS = ("heic", "heif", "hif")
COMMAND = 'pip install "portrayal[heic]"'
"""What enables it."""
_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1")


def can_read_heic() -> bool:
    """Return whether pillow-heif is installed; it is not loaded."""
    return find_spec("pillow_heif") is not None


def holds_heic(data: bytes) -> bool:
    """Return whether a file's bytes begin as HEIC does."""
    return data[4:8] == b"ftyp" and data[8:12] in _BRANDS


def png_of_heic(data: bytes) -> tuple[bytes, int, int]:
    """Return a picture as PNG, with its width and height, upright.

    The container says how a picture is turned, and decoding heeds it: what EXIF says of it beside that does not count.
    Decoders raise whatever they like.

    Raises
    ------
    TooLargeError
        When it has more pixels than any picture may have; nothing is decoded then.
    """
    import pillow_heif

    opened = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True)
    width, height = opened.size
    if width * height > MAX_PIXELS:
        raise TooLargeError(f"{width} x {height} pixels")
    picture = opened.to_pillow()
    file = io.BytesIO()
    picture.convert("RGBA" if picture.has_transparency_data else "RGB").save(
        file, "PNG", icc_profile=picture.info.get("icc_profile")
    )
    return file.getvalue(), picture.width, picture.height
