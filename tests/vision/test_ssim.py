from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from portrayal.vision.ssim import Grey, ssim


def plain(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    from skimage import metrics

    compare: Any = metrics.structural_similarity
    return float(compare(one, other, win_size=7, data_range=255))


def picture(seed: int, height: int, width: int) -> NDArray[np.uint8]:
    """Return smooth noise: neighbours are alike, as in a photograph."""
    small = np.random.default_rng(seed).integers(0, 256, (height // 4 + 2, width // 4 + 2), dtype=np.uint8)
    return np.asarray(Image.fromarray(small).resize((width, height), Image.Resampling.BICUBIC))


@pytest.mark.parametrize(("height", "width"), [(7, 7), (64, 64), (40, 97), (97, 40), (300, 260)])
def test_as_scikit_image_computes_it(height: int, width: int) -> None:
    one, other = picture(1, height, width), picture(2, height, width)
    expected = plain(one, other)
    assert ssim(Grey.of(one), Grey.of(other)) == pytest.approx(expected, abs=2e-6)
    assert ssim(Grey.of(other), Grey.of(one)) == ssim(Grey.of(one), Grey.of(other))


def test_extremes_keep_their_digits() -> None:
    checks = (np.indices((50, 50)).sum(axis=0) % 2 * 255).astype(np.uint8)
    for one, other in ((checks, checks), (checks, 255 - checks), (checks, np.full_like(checks, 255))):
        expected = plain(one, other)
        assert ssim(Grey.of(one), Grey.of(other)) == pytest.approx(expected, abs=2e-6)


def test_sizes() -> None:
    with pytest.raises(ValueError, match="7 pixels or more"):
        Grey.of(picture(1, 6, 20))
    with pytest.raises(ValueError, match="of the same size"):
        ssim(Grey.of(picture(1, 20, 30)), Grey.of(picture(1, 30, 20)))
