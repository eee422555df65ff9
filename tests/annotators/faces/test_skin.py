from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from skimage.color import rgb2lab

from portrayal.annotators.faces.skin import CHIP_SIZE, MONK_HEX, ToneRule, read_skin, skin_mask

Chip = NDArray[np.uint8]


def monk_colour(tone: int) -> NDArray[np.float64]:
    return np.array(list(bytes.fromhex(MONK_HEX[tone - 1])), dtype=np.float64)


def flat(colour: NDArray[np.float64], shade: float = 0.0, noise: float = 0.0) -> Chip:
    """A patch of one colour, lit from the top by ``shade`` more than at the bottom, with sensor noise."""
    light = np.linspace(1 + shade, 1 - shade, CHIP_SIZE)[:, np.newaxis, np.newaxis]
    grain = np.random.default_rng(7).normal(0, 1, (CHIP_SIZE, CHIP_SIZE, 3)) * noise
    return np.clip(np.rint(colour * light + grain), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("tone", range(1, 11))
@pytest.mark.parametrize("gain", [0.92, 0.97, 1.0, 1.03, 1.06])
def test_every_monk_tone_is_reached_under_mild_changes_of_light(tone: int, gain: float) -> None:
    for shade, noise in [(0.0, 0.0), (0.03, 0.0), (0.0, 4.0), (0.03, 4.0)]:
        assert read_skin(flat(monk_colour(tone) * gain, shade, noise)).tone == tone


@pytest.mark.parametrize("tone", range(1, 11))
def test_the_colour_difference_rule_finds_the_published_colours_too(tone: int) -> None:
    assert read_skin(flat(monk_colour(tone)), "ciede2000").tone == tone


def test_a_stronger_change_of_light_moves_the_tone_by_one_at_most() -> None:
    for tone in range(1, 11):
        for gain in (0.85, 1.08):
            assert abs((read_skin(flat(monk_colour(tone) * gain)).tone or 99) - tone) <= 1


def test_darkening_never_lightens_the_tone() -> None:
    tones = [read_skin(flat(np.array([240.0, 200.0, 170.0]) * gain)).tone for gain in np.linspace(1.0, 0.1, 40)]
    assert None not in tones
    known = [tone for tone in tones if tone is not None]
    assert known == sorted(known)
    assert tones[-1] == 10


def test_intensity_is_the_mean_of_the_three_channels() -> None:
    skin = read_skin(flat(np.array([200.0, 150.0, 100.0])))
    assert skin.intensity == pytest.approx(150.0)
    lightness, _, yellow = rgb2lab(np.array([200, 150, 100]) / 255)
    assert skin.ita == pytest.approx(np.degrees(np.arctan((lightness - 50) / yellow)))


def test_the_region_leaves_out_eyes_and_mouth() -> None:
    chip = flat(monk_colour(5))
    plain = read_skin(chip)
    for left, top, right, bottom in [(0.17, 0.20, 0.43, 0.36), (0.57, 0.20, 0.83, 0.36), (0.28, 0.62, 0.72, 0.85)]:
        rows, columns = (
            slice(int(top * CHIP_SIZE), int(bottom * CHIP_SIZE)),
            slice(int(left * CHIP_SIZE), int(right * CHIP_SIZE)),
        )
        assert not skin_mask()[rows, columns].any()
        chip[rows, columns] = 0
    assert read_skin(chip) == plain
    assert 0.05 < skin_mask().mean() < 0.15


def test_a_fringe_over_the_forehead_counts_little() -> None:
    chip = flat(monk_colour(4))
    chip[: int(0.09 * CHIP_SIZE)] = 20
    assert read_skin(chip).tone == 4


def test_clipped_pixels_are_dropped() -> None:
    chip = flat(monk_colour(6))
    inside = np.argwhere(skin_mask())
    for (y, x), level in zip(inside[::3], np.resize([0, 255], len(inside)), strict=False):
        chip[y, x] = level
    assert read_skin(chip) == read_skin(flat(monk_colour(6)))


@pytest.mark.parametrize(
    ("level", "reason"), [(255, "overexposed_face"), (250, "overexposed_face"), (5, "underexposed_face")]
)
def test_mostly_clipped_skin_says_nothing(level: int, reason: str) -> None:
    skin = read_skin(np.full((CHIP_SIZE, CHIP_SIZE, 3), level, dtype=np.uint8))
    assert (skin.intensity, skin.ita, skin.tone, skin.reason) == (None, None, None, reason)


@pytest.mark.parametrize(
    ("colour", "reason"),
    [
        ((128, 128, 128), "colourless_face"),
        ((90, 110, 190), "coloured_light"),
        ((90, 190, 110), "coloured_light"),
        ((170, 90, 190), "coloured_light"),
    ],
)
def test_grey_and_tinted_skin_has_brightness_but_no_tone(colour: tuple[int, int, int], reason: str) -> None:
    skin = read_skin(flat(np.array(colour, dtype=np.float64)))
    assert skin.intensity == pytest.approx(np.mean(colour))
    assert (skin.ita, skin.tone, skin.reason) == (None, None, reason)


@settings(max_examples=60)
@given(
    colour=st.tuples(*[st.integers(0, 255)] * 3),
    noise=st.floats(0, 80),
    rule=st.sampled_from(["ita", "ciede2000"]),
)
def test_any_skin_is_read_or_has_a_reason(colour: tuple[int, int, int], noise: float, rule: ToneRule) -> None:
    skin = read_skin(flat(np.array(colour, dtype=np.float64), noise=noise), rule)
    assert (skin.tone in range(1, 11)) != bool(skin.reason)
    assert (skin.ita is None) == (skin.tone is None)
    assert skin.intensity is None or 0 <= skin.intensity <= 255
