"""PNG rows to pixels: undoing what each row subtracts from its neighbours, for many pictures at once.

A pixel needs those at its left, above, and above at the left. All pixels of an anti-diagonal are independent of each
other, so a picture takes height + width steps, and a batch of pictures as many.

The same is done in plain torch, and on a GPU by one program for all steps.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from portrayal.vision.headers import TALLEST

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["can_unfilter", "unfilter", "unfilter_on_gpu"]

_TRIED = (37, 41)


def unfilter(rows: Tensor, height: int, width: int) -> Tensor:
    """Return pixels (pictures, height, width, 3) of PNG rows (pictures, height * (1 + 3 * width)), all as bytes.

    Worked through in place: rows are laid out with so much room between them that an anti-diagonal is a regularly
    spaced slice of memory.
    """
    import torch

    lines = rows.view(rows.shape[0], height, 1 + 3 * width)
    pictures, pitch = rows.shape[0], width + height
    room = torch.zeros(pictures, height * pitch + height, 3, dtype=torch.uint8, device=rows.device)
    placed = room[:, : height * pitch].view(pictures, height, pitch, 3)
    placed[:, :, :width] = lines[:, :, 1:].view(pictures, height, width, 3)
    # Step t is, in each row r, the pixel t - r: where there is none, the room between the rows holds zeros.
    slant = room.as_strided((pictures, height, width + height - 1, 3), (room.stride(0), 3 * (pitch - 1), 3, 1))
    kinds = lines[:, :, :1].to(torch.int16)
    before = torch.zeros(pictures, height + 1, 3, dtype=torch.int16, device=rows.device)
    last, now = before.clone(), before.clone()
    for place in range(width + height - 1):
        now[:, 1:] = _undo(slant[:, :, place], kinds, last, before)
        slant[:, :, place] = now[:, 1:].to(torch.uint8)
        before, last, now = last, now, before
    return placed[:, :, :width]


def _undo(raw: Tensor, kinds: Tensor, last: Tensor, before: Tensor) -> Tensor:
    """Return the pixels of one anti-diagonal: what is written plus what its kind of row predicts."""
    import torch

    left, above, corner = last[:, 1:], last[:, :-1], before[:, :-1]
    to_left, to_above, to_corner = (above - corner).abs(), (left - corner).abs(), (left + above - 2 * corner).abs()
    nearest = torch.where(to_above <= to_corner, above, corner)
    nearest = torch.where((to_left <= to_above) & (to_left <= to_corner), left, nearest)
    predicted = torch.where(kinds == 1, left, 0)
    predicted = torch.where(kinds == 2, above, predicted)
    predicted = torch.where(kinds == 3, (left + above) // 2, predicted)
    predicted = torch.where(kinds == 4, nearest, predicted)
    return (raw.to(torch.int16) + predicted) & 255


@functools.cache
def can_unfilter(device: str) -> bool:
    """Return whether the GPU's program can be built, and gives what the plain one gives on rows of every kind."""
    import torch

    try:
        height, width = _TRIED
        rows = torch.randint(0, 256, (2, height, 1 + 3 * width), dtype=torch.uint8)
        rows[:, :, 0] = torch.arange(height) % 5
        rows = rows.view(2, -1)
        on_gpu = unfilter_on_gpu(rows.to(device), height, width).cpu()
    except Exception:  # no compiler, another version, another kind of GPU: the plain way is always there
        return False
    return bool(torch.equal(on_gpu, unfilter(rows, height, width)))


def unfilter_on_gpu(rows: Tensor, height: int, width: int) -> Tensor:
    """Return pixels (pictures, height, width, 3) of PNG rows on the GPU; one group of threads for each colour."""
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
