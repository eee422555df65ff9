"""PNG rows to pixels: undoing what each row subtracts from its neighbours, for many pictures at once.

A pixel needs those at its left, above, and above at the left. All pixels of an anti-diagonal are independent of each
other, so a picture takes height + width steps, and a batch of pictures as many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["unfilter"]


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
