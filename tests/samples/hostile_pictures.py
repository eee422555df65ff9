"""Pictures of about a megabyte that are made to take all memory, or minutes to decode."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator

from PIL import Image

SIZE, SIDE = 950_000, 5_400


def hostile_pictures() -> Iterator[tuple[str, bytes]]:
    """Yield the name of each file, and its bytes."""
    once = b"\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00" + bytes.fromhex("3fff") * 14
    yield "scans.jpg", jpeg_of_scans(0xC2, [once] * (SIZE // len(once)))
    nothing = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
    yield "scans of nothing.jpg", jpeg_of_scans(0xC0, [nothing] * (SIZE // len(nothing)), 3)
    yield "comments.gif", gif_of_comments(165_000)
    tags = directory(60_000)
    yield "tags.tif", tags
    yield "tags.png", png(chunk(b"eXIf", tags))
    yield "tags.webp", webp(tags)
    pieces = [b"Exif\0\0" + tags[start : start + 65_000] for start in range(0, SIZE, 65_000)]
    plain = saved("JPEG")
    yield "tags.jpg", plain[:2] + b"".join(segment(0xE1, piece) for piece in pieces) + plain[2:]


def jpeg_of_scans(frame: int, scans: list[bytes], components: int = 1, side: int = SIDE) -> bytes:
    """Return a JPEG file with these scans, one after the other."""
    each = b"".join(bytes([number, 0x11, 0]) for number in range(1, components + 1))
    head = segment(0xDB, b"\0" + b"\1" * 64) + segment(frame, struct.pack(">BHHB", 8, side, side, components) + each)
    # One code, of one bit, in each table: no difference of brightness, and 16,384 blocks or more without any detail.
    tables = b"".join(segment(0xC4, bytes([kind, 1, *[0] * 15, sign])) for kind, sign in ((0, 0), (0x10, 0xE0)))
    return b"\xff\xd8" + head + tables + b"".join(scans) + b"\xff\xd9"


def gif_of_comments(more: int) -> bytes:
    """Return a GIF file with a long comment, and so many empty ones."""
    head = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    long = b"!\xfe" + (b"\xff" + b"x" * 255) * 1_700 + b"\0"
    return head + long + b"!\xfe\0" * more + b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\0;"


def directory(tags: int, size: int = SIZE) -> bytes:
    """Return a TIFF file of one pixel whose further tags all point to nearly all of it."""
    pixel = ((256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8), (274, 6), (277, 1), (278, 1), (279, 1))
    entries = [struct.pack("<HHLL", tag, 3, 1, value) for tag, value in pixel]
    entries += [struct.pack("<HHLL", tag, 1, size - 8, 8) for tag in range(1_000, 1_000 + tags)]
    head = b"II*\0" + struct.pack("<LH", 8, len(entries)) + b"".join(entries) + b"\0" * 4
    return head.ljust(size, b"x")


def png(chunks: bytes) -> bytes:
    """Return a PNG file of one pixel with further chunks."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunks + chunk(b"IDAT", zlib.compress(bytes(4))) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def segment(marker: int, data: bytes) -> bytes:
    """Return a part of a JPEG file."""
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def webp(exif: bytes) -> bytes:
    """Return a WebP file of one pixel with EXIF."""
    pixels = saved("WEBP", lossless=True)[12:]
    parts = b"VP8X" + struct.pack("<LL", 10, 8) + bytes(6) + pixels + b"EXIF" + struct.pack("<L", len(exif)) + exif
    return b"RIFF" + struct.pack("<L", len(parts) + 4) + b"WEBP" + parts


def saved(form: str, size: tuple[int, int] = (1, 1), **options: object) -> bytes:
    """Return a plain picture as Pillow writes it."""
    buffer = io.BytesIO()
    Image.new("RGB", size).save(buffer, form, **options)
    return buffer.getvalue()
