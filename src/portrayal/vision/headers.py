"""What the first bytes of a file tell: whether the short way to its pixels applies.

The short ways take the plain files that generators write. Whatever is unusual, such as a turned or a cut-off picture,
goes the long way through Pillow.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from portrayal.picturefile import MAX_PIXELS

__all__ = ["TALLEST", "plain_jpeg", "plain_png"]

TALLEST = 8192
"""Rows of the PNG files that a GPU unpacks: it works on all rows at once."""

_JPEG, _PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
_BASELINE, _SCAN = {0xC0, 0xC1}, 0xDA
_FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SEGMENTS = set(range(0xC0, 0xFF)) - set(range(0xD0, 0xDA))
_TURNS = (b"\x01\x12", b"\x12\x01", b"Orientation")
"""Without the number of EXIF's orientation, in either order of bytes, and XMP's word for it, a picture is upright."""
_LONGEST = 8  # times as long as wide
_COLOUR_CHANGING = {b"tRNS", b"eXIf", b"acTL"}
_MAY_TURN = (b"XML:com.adobe.xmp\0", b"Raw profile type ")


def plain_jpeg(data: bytes | bytearray) -> bool:
    """Return whether this is a whole, upright, baseline JPEG file in colour.

    >>> plain_jpeg(b"not a picture")
    False
    """
    if not data.startswith(_JPEG) or not data[-32:].rstrip(b"\0").endswith(b"\xff\xd9"):
        return False
    framed = False
    for marker, segment in _segments(data):
        if marker == _SCAN:
            return framed
        if marker in _FRAMES:
            framed = marker in _BASELINE and _in_colour(segment)
        if marker == 0xE1 and any(turn in segment for turn in _TURNS):
            return False
        if marker == 0xEE and segment.startswith(b"Adobe"):
            return False  # may say that the colours are others
    return False


def _in_colour(frame: bytes) -> bool:
    """Return whether a frame says that there are 8 bits of each of three colours, and not plain red, green, blue."""
    if len(frame) != 15:
        return False
    depth, height, width, components = struct.unpack_from(">BHHB", frame)
    return bool(depth == 8 and components == 3 and _shaped(height, width) and frame[6::3] != b"RGB")


def _shaped(height: int, width: int) -> bool:
    """Return whether a picture is neither too large nor a thin line, which grows when its short side does."""
    return 0 < height * width <= MAX_PIXELS and max(height, width) <= _LONGEST * min(height, width)


def _segments(data: bytes | bytearray) -> Iterator[tuple[int, bytes]]:
    """Yield marker and content of what stands before the pixels; stop at whatever is cut off or has no length."""
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF and data[place + 1] in _SEGMENTS:
        (length,) = struct.unpack_from(">H", data, place + 2)
        end = place + 2 + length
        if length < 2 or end > len(data):
            return
        yield data[place + 1], bytes(data[place + 4 : end])
        place = end


def plain_png(data: bytes) -> tuple[int, int, bytes] | None:
    """Return height, width and packed pixels of a whole PNG file of 8-bit colour, else None.

    >>> plain_png(b"not a picture")
    """
    if not data.startswith(_PNG) or len(data) < 33 or data[8:16] != b"\0\0\0\x0dIHDR":
        return None
    width, height, *rest = struct.unpack_from(">IIBBBBB", data, 16)
    if rest != [8, 2, 0, 0, 0] or not _shaped(height, width) or height > TALLEST:
        return None
    packed, place, kind = [], 8, b""
    while place + 12 <= len(data) and kind != b"IEND":
        (length,) = struct.unpack_from(">I", data, place)
        kind = data[place + 4 : place + 8]
        if kind in _COLOUR_CHANGING or data.startswith(_MAY_TURN, place + 8):
            return None
        if kind == b"IDAT":
            packed.append(data[place + 8 : place + 8 + length])
        place += 12 + length
    return (height, width, b"".join(packed)) if kind == b"IEND" and packed else None
