"""Against transformers' own image processors and Pillow's own resize."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image
from transformers.models.bit.image_processing_pil_bit import BitImageProcessorPil
from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.convnext.image_processing_pil_convnext import ConvNextImageProcessorPil
from transformers.models.efficientnet.image_processing_pil_efficientnet import EfficientNetImageProcessorPil
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil
from transformers.models.siglip2.image_processing_pil_siglip2 import Siglip2ImageProcessorPil
from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

from portrayal.errors import InputError
from portrayal.vision.preprocessing import Preprocessing, resampling

pytestmark = pytest.mark.slow

PROCESSORS = {
    "clip": CLIPImageProcessorPil(size={"shortest_edge": 30}, crop_size={"height": 30, "width": 30}),
    "clip, a smaller crop": CLIPImageProcessorPil(size={"shortest_edge": 35}, crop_size={"height": 30, "width": 24}),
    "clip, a larger crop": CLIPImageProcessorPil(size={"shortest_edge": 20}, crop_size={"height": 27, "width": 32}),
    "clip, bilinear": CLIPImageProcessorPil(
        size={"shortest_edge": 31}, resample=2, crop_size={"height": 30, "width": 30}
    ),
    "clip, squeezed": CLIPImageProcessorPil(size={"height": 33, "width": 29}, crop_size={"height": 30, "width": 20}),
    "siglip": SiglipImageProcessorPil(size={"height": 30, "width": 30}),
    "siglip, oblong": SiglipImageProcessorPil(size={"height": 20, "width": 41}, resample=2),
    "siglip, sharper": SiglipImageProcessorPil(size={"height": 30, "width": 30}, resample=1),
    "vit": ViTImageProcessorPil(size={"height": 30, "width": 30}),
    "blip": BlipImageProcessorPil(size={"height": 30, "width": 30}),
    "bit": BitImageProcessorPil(size={"shortest_edge": 30}, crop_size={"height": 30, "width": 30}),
}
SIDES = st.integers(1, 90)


def preprocessing_of(processor: Any) -> Preprocessing:
    return Preprocessing.of(processor, part="annotator 'clip'")


def shrunk(picture: Image.Image, found: tuple[Any, Any]) -> Any:
    pixels = np.asarray(picture, dtype=np.float32).transpose(2, 0, 1)
    return (found[0] @ pixels @ found[1].T).transpose(1, 2, 0)


def noise(width: int, height: int, seed: int = 0) -> Image.Image:
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8))


@pytest.mark.parametrize("name", PROCESSORS)
@settings(max_examples=40)
@given(width=SIDES, height=SIDES, seed=st.integers(0, 99))
@example(width=1, height=1, seed=1)
@example(width=1, height=90, seed=1)
@example(width=500, height=3, seed=1)
@example(width=30, height=30, seed=1)
@example(width=31, height=30, seed=1)
@example(width=301, height=299, seed=1)
def test_pixels_are_those_of_the_models_own_code(name: str, width: int, height: int, seed: int) -> None:
    processor, picture = PROCESSORS[name], noise(width, height, seed)
    preprocessing = preprocessing_of(processor)
    ours = preprocessing.apply(picture)
    assert ours.dtype == np.uint8
    assert ours.shape == (*preprocessing.crop, 3)
    assert ours.flags["C_CONTIGUOUS"]
    theirs = processor(picture, return_tensors="np", do_rescale=False, do_normalize=False)["pixel_values"][0]
    np.testing.assert_array_equal(ours, theirs.transpose(1, 2, 0))


@pytest.mark.parametrize("name", ["clip", "siglip"])
def test_the_scale_is_that_of_the_models_own_code(name: str) -> None:
    processor, picture = PROCESSORS[name], noise(50, 40)
    preprocessing = preprocessing_of(processor)
    ours = (preprocessing.apply(picture) * preprocessing.factor - np.array(preprocessing.mean)) / np.array(
        preprocessing.std
    )
    theirs = processor(picture, return_tensors="np")["pixel_values"][0]
    np.testing.assert_allclose(ours.transpose(2, 0, 1), theirs, atol=1e-6)


@pytest.mark.parametrize(("kind", "reach"), [(Image.Resampling.BICUBIC, 2), (Image.Resampling.BILINEAR, 1)])
@settings(max_examples=60)
@given(before=st.integers(1, 200), after=st.integers(1, 200))
@example(before=1024, after=224)
def test_weights_are_those_of_pillow(kind: Image.Resampling, reach: int, before: int, after: int) -> None:
    weights = resampling(before, after, kind)
    assert weights.shape == (after, before)
    np.testing.assert_array_equal(resampling(before, after, kind, (after // 3, after)), weights[after // 3 :])
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert (weights != 0).sum(axis=1).max() <= 2 * reach * max(before / after, 1) + 2
    line = noise(before, 1)
    theirs = np.asarray(line.resize((after, 1), kind), dtype=float)
    ours = np.clip(weights @ np.asarray(line, dtype=float)[0], 0, 255)
    assert np.abs(ours - theirs[0]).max() <= 1


@pytest.mark.parametrize("name", ["clip", "clip, a smaller crop", "clip, bilinear", "clip, squeezed", "siglip, oblong"])
@settings(max_examples=30)
@given(width=SIDES, height=SIDES)
@example(width=1024, height=768)
def test_two_products_shrink_and_cut_in_one_go(name: str, width: int, height: int) -> None:
    preprocessing, picture = preprocessing_of(PROCESSORS[name]), noise(width, height)
    assert preprocessing.multiplies
    found = preprocessing.matrices(width, height)
    assert (found[0].shape, found[1].shape) == ((preprocessing.crop[0], height), (preprocessing.crop[1], width))
    product = shrunk(picture, found).clip(0, 255)
    # Pillow rounds, and cuts off what overshoots, after the first of the two steps already.
    cut = np.abs(product - preprocessing.apply(picture))
    assert np.quantile(cut, 0.9) <= 1.5
    soft = picture.point(lambda level: 64 + level // 2)
    product = shrunk(soft, found)
    assert np.abs(product - preprocessing.apply(soft)).max() <= 1.5


def test_no_products_where_a_margin_is_added_or_the_kind_is_unknown() -> None:
    assert not preprocessing_of(PROCESSORS["clip, a larger crop"]).multiplies
    assert not preprocessing_of(PROCESSORS["siglip, sharper"]).multiplies


CROP = {"height": 8, "width": 8}


@pytest.mark.parametrize(
    "processor",
    [
        CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size=CROP, do_resize=False),
        CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size=CROP, do_rescale=False),
        CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size=CROP, do_normalize=False),
        CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size=CROP, do_center_crop=False),
        CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size=CROP, do_pad=True),
        CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size=CROP, resample=None),
        CLIPImageProcessorPil(size={"shortest_edge": 8, "longest_edge": 9}, crop_size=CROP),
        CLIPImageProcessorPil(size={"longest_edge": 8}, crop_size=CROP),
        CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size=CROP, image_mean=0.5, image_std=0.5),
        CLIPImageProcessorPil(size={"shortest_edge": 8}, crop_size=CROP, image_mean=[0.5], image_std=[0.5]),
        Siglip2ImageProcessorPil(),
        EfficientNetImageProcessorPil(size={"height": 8, "width": 8}, resample=3),
        ConvNextImageProcessorPil(size={"shortest_edge": 224}),
    ],
    ids=lambda processor: type(processor).__name__,
)
def test_what_is_prepared_in_another_way_is_refused(processor: Any) -> None:
    """Guessing would give numbers that look like results."""
    with pytest.raises(InputError, match=r"^annotator 'clip': pictures as \w+ prepares them are not supported; take a"):
        preprocessing_of(processor)


def test_a_processor_with_steps_of_its_own_is_refused() -> None:
    changed = {"resize": lambda self, image, **options: image}
    sharpening = type("Sharpening", (CLIPImageProcessorPil,), changed)
    with pytest.raises(InputError, match="pictures as Sharpening prepares them"):
        preprocessing_of(sharpening())
