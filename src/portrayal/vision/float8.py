"""Matrix products in eight bits: each row of pictures' numbers, and each of weights, with a scale of its own.

Numbers have four digits of exponent and three of fraction (e4m3). A row whose largest number is many times its others
loses those: what that costs is for whoever asks for this precision to measure.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from portrayal.errors import ConfigError

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["require_float8", "to_float8"]

_LARGEST = 448.0
"""The largest number of e4m3."""
_SMALLEST = 1e-12
_SINCE = (8, 9)
"""The first cards whose matrix units take these numbers, by compute capability."""
_MULTIPLE = 16
"""Widths that those units take."""


def require_float8(device: str, part: str) -> None:
    """Refuse a device whose processor has no products of this kind."""
    import torch

    if device.startswith("cuda") and torch.cuda.get_device_capability(device) >= _SINCE:
        return
    what = torch.cuda.get_device_name(device) if device.startswith("cuda") else f"device {device!r}"
    raise ConfigError(
        f"{part}: {what} does not multiply in eight bits (fp8), which takes a CUDA card such as an H100 or L40S; set "
        'options.precision = "bf16"'
    )


def to_float8(layer: Any) -> None:
    """Replace the linear parts of a layer, in place; those of other widths stay as they are."""
    import torch

    for name, part in list(layer.named_children()):
        if isinstance(part, torch.nn.Linear):
            if part.in_features % _MULTIPLE == 0 and part.out_features % _MULTIPLE == 0:
                setattr(layer, name, _linear_class()(part))
        else:
            to_float8(part)


@functools.cache
def _linear_class() -> Any:
    import torch

    class Float8Linear(torch.nn.Module):  # type: ignore[misc]
        """A linear part; without matrix units for it the rounding is the same, and the product in 32 bits."""

        weight: Tensor
        scale: Tensor
        bias: Tensor | None

        def __init__(self, linear: torch.nn.Linear) -> None:
            super().__init__()
            weight, scale = _rounded(linear.weight.detach().float())
            self.register_buffer("weight", weight)
            self.register_buffer("scale", scale.T.contiguous())
            self.register_buffer("bias", None if linear.bias is None else linear.bias.detach().to(torch.bfloat16))

        def _apply(self, move: Any, recurse: bool = True) -> Any:
            # Moved to a device but never to another precision: that is what this is about.
            kept = self.weight, self.scale, self.bias
            super()._apply(move, recurse)
            self.weight, self.scale = (old.to(self.weight.device) for old in kept[:2])
            self.bias = None if kept[2] is None else kept[2].to(self.weight.device)
            return self

        def forward(self, numbers: Tensor) -> Tensor:
            rows, scales = _rounded(numbers.reshape(-1, numbers.shape[-1]))
            if rows.is_cuda:
                product = torch._scaled_mm(
                    rows, self.weight.t(), scale_a=scales, scale_b=self.scale, bias=self.bias,
                    out_dtype=torch.bfloat16, use_fast_accum=True,
                )  # fmt: skip
            else:
                product = (rows.float() @ self.weight.float().T) * scales * self.scale
                product = (product if self.bias is None else product + self.bias.float()).to(torch.bfloat16)
            return product.view(*numbers.shape[:-1], -1)

    return Float8Linear


def _rounded(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Return rows in eight bits, and what each is to be multiplied with."""
    import torch

    wide = rows.float()
    scales = wide.abs().amax(dim=1, keepdim=True).clamp(min=_SMALLEST) / _LARGEST
    return (wide / scales).clamp(-_LARGEST, _LARGEST).to(torch.float8_e4m3fn), scales
