from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from portrayal.generators import GENERATORS
from portrayal.generators.facegan.splits import gather_channels

pytestmark = pytest.mark.skipif(
    bool(GENERATORS.entries()["facegan"].missing()), reason="the extra 'faces' is not installed"
)


def wavelet(openvino: Any) -> Any:
    """Return a network that takes eight channels apart as facegan's does, and puts the four parts side by side."""
    ops = openvino.opset13
    channels = ops.parameter([1, 8, 3, 3], np.float32, name="channels")
    low, high = ops.variadic_split(channels, 1, [2, 6]).outputs()
    reshaped = ops.reshape(high, [1, 2, 3, 3, 3], False)
    parts = [ops.squeeze(part, [2]) for part in ops.variadic_split(reshaped, 2, [1, 1, 1]).outputs()]
    return openvino.Model([ops.concat([ops.relu(low), *map(ops.relu, parts)], 3)], [channels])


def test_channels_are_the_same_and_no_longer_split() -> None:
    openvino = pytest.importorskip("openvino")
    core, channels = openvino.Core(), np.arange(72, dtype=np.float32).reshape(1, 8, 3, 3)
    before, after = wavelet(openvino), wavelet(openvino)
    gather_channels(after)
    assert "VariadicSplit" not in [node.get_type_name() for node in after.get_ordered_ops()]
    answers = [core.compile_model(network, "CPU")({"channels": channels})[0] for network in (before, after)]
    assert np.array_equal(*answers)
    assert answers[0][0, :, 0, 3].tolist() == [18, 45], "the second part: channels 2 and 5"
