"""Bodies that come packed, unpacked piece by piece: no piece is larger than it must be, however much is in it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from portrayal.services.no_result import Again

__all__ = ["ACCEPTED", "unpacked"]

ACCEPTED = "gzip, deflate"
"""What requests say that answers may be packed as."""

_PIECE = 64 * 1024
_EITHER_HEADER, _NO_HEADER = 32 + zlib.MAX_WBITS, -zlib.MAX_WBITS


def unpacked(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield what is in ``chunks``, which are packed as a header says.

    Raises
    ------
    Again
        They are not, or in a way that was not asked for.

    >>> b"".join(unpacked([zlib.compress(b"a nurse")], "deflate"))
    b'a nurse'
    """
    kind = encoding.strip().lower()
    if kind in ("", "identity"):
        yield from chunks
        return
    if kind not in ("gzip", "x-gzip", "deflate"):
        raise Again("malformed_answer", f"packed as {kind[:40]!r}, which was not asked for", billed=True)
    try:
        yield from _inflated(chunks, raw=kind == "deflate")
    except zlib.error:
        raise Again("malformed_answer", f"it is not packed as {kind}, as it says", billed=True) from None


def _inflated(chunks: Iterable[bytes], *, raw: bool) -> Iterator[bytes]:
    unpacker: Any = None
    for chunk in chunks:
        if not chunk:
            continue
        if unpacker is None:
            # Some servers leave out the header that belongs to deflate; its first byte tells.
            bare = raw and chunk[0] & 0x0F != zlib.DEFLATED
            unpacker = zlib.decompressobj(_NO_HEADER if bare else _EITHER_HEADER)
        packed = chunk
        while packed and not unpacker.eof:
            yield unpacker.decompress(packed, _PIECE)
            packed = unpacker.unconsumed_tail
    while unpacker is not None and not unpacker.eof:
        more = unpacker.decompress(b"", _PIECE)
        if not more:
            raise zlib.error("it ends too soon")
        yield more
