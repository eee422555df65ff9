"""The same on a graphics card, as one program for all steps; see :mod:`portrayal.vision.unfilter`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from portrayal.vision.headers import TALLEST

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["unfilter_on_card", "unfilters"]

_TRIED = (37, 41)


@functools.cache
def unfilters(device: str) -> bool:
    """Return whether the card's program can be built, and gives what the plain one gives on rows of every kind."""
    import torch

    from portrayal.vision.unfilter import unfilter

    try:
        height, width = _TRIED
        rows = torch.randint(0, 256, (2, height, 1 + 3 * width), dtype=torch.uint8)
        rows[:, :, 0] = torch.arange(height) % 5
        rows = rows.view(2, -1)
        found = unfilter_on_card(rows.to(device), height, width).cpu()
    except Exception:  # no compiler, another version, another kind of card: the plain way is always there
        return False
    return bool(torch.equal(found, unfilter(rows, height, width)))


def unfilter_on_card(rows: Tensor, height: int, width: int) -> Tensor:
    """Return pixels (pictures, height, width, 3) of PNG rows on the card; one group of threads for each colour."""
    import torch

    assert height <= TALLEST
    pixels = torch.empty(rows.shape[0], height, width, 3, dtype=torch.uint8, device=rows.device)
    block = max(32, 1 << (height - 1).bit_length())
    warps = min(16, max(1, block // 64))
    _program()[(rows.shape[0], 3)](rows, pixels, height, width, lanes=block, num_warps=warps, num_stages=1)
    return pixels


@functools.cache
def _program() -> Any:
    import triton
    import triton.language as tl

    def undo(rows: tl.tensor, pixels: tl.tensor, height: tl.tensor, width: tl.tensor, lanes: tl.constexpr) -> None:
        picture, colour = tl.program_id(0).to(tl.int64), tl.program_id(1)
        line = 1 + 3 * width
        row = tl.arange(0, lanes)
        here = row < height
        source = rows + picture * height * line + row * line
        target = pixels + picture * height * width * 3 + row * width * 3 + colour
        kind = tl.load(source, mask=here, other=0).to(tl.int32)
        left = tl.zeros([lanes], tl.int32)
        corner = tl.zeros([lanes], tl.int32)
        for step in range(0, width + height - 1):
            column = step - row
            inside = here & (column >= 0) & (column < width)
            raw = tl.load(source + 1 + 3 * column + colour, mask=inside, other=0).to(tl.int32)
            above = tl.load(target - width * 3 + 3 * column, mask=inside & (row > 0), other=0).to(tl.int32)
            to_left = tl.abs(above - corner)
            to_above = tl.abs(left - corner)
            to_corner = tl.abs(left + above - 2 * corner)
            nearest = tl.where(to_above <= to_corner, above, corner)
            nearest = tl.where((to_left <= to_above) & (to_left <= to_corner), left, nearest)
            predicted = tl.where(kind == 1, left, 0)
            predicted = tl.where(kind == 2, above, predicted)
            predicted = tl.where(kind == 3, (left + above) // 2, predicted)
            predicted = tl.where(kind == 4, nearest, predicted)
            now = (raw + predicted) & 255
            tl.store(target + 3 * column, now.to(tl.uint8), mask=inside)
            tl.debug_barrier()  # the row below reads it in the next step
            left = tl.where(inside, now, left)
            corner = above

    return triton.jit(undo)
