"""A faster way for MobileStyleGAN to take a layer's channels apart before it joins them to a larger picture."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["gather_channels"]


def gather_channels(network: Any) -> None:
    """Have ``network`` pick the channels of each of the four parts of a wavelet where it would split them twice.

    OpenVINO splits in a slow way when the channels lie beside each other in memory: a fifth of the time of a picture.
    The numbers are the same, to the last bit.
    """
    for node in network.get_ordered_ops():
        if node.get_type_name() == "VariadicSplit" and node.get_output_size() == 2:
            low, high = node.outputs()
            count = low.get_shape()[1]
            _replace(low, node.input_value(0), range(count))
            for place, part in enumerate(_parts(high)):
                _replace(part, node.input_value(0), range(count + place, 4 * count, 3))


def _parts(high: Any) -> list[Any]:
    """Return the three parts that the higher channels are reshaped, split and squeezed into."""
    (split,) = _after(_after(high)[0].output(0))
    return [_after(part)[0].output(0) for part in split.outputs()]


def _after(output: Any) -> list[Any]:
    return [target.get_node() for target in output.get_target_inputs()]


def _replace(output: Any, source: Any, channels: range) -> None:
    from openvino import opset13

    picked = opset13.gather(source, np.array(channels, dtype=np.int32), np.int32(1)).output(0)
    for target in output.get_target_inputs():
        target.replace_source_output(picked)
