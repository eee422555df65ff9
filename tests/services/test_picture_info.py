from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image

from portrayal.services.calls import Again
from portrayal.services.picture_info import PictureInfo, read_picture


def test_a_picture_counts_when_it_is_whole(picture: Callable[..., bytes]) -> None:
    assert read_picture(picture("red", "PNG", (8, 4))) == PictureInfo("png", 8, 4, black=False)
    assert read_picture(picture("black", "JPEG")) == PictureInfo("jpg", 8, 8, black=True)
    assert read_picture(picture((0, 0, 1), "WEBP", lossless=True)) == PictureInfo("webp", 8, 8, black=False)
    noise = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(noise, "PNG")
    for broken in (noise.getvalue()[:-200], picture("red", "JPEG")[:-300], b"", b"text", picture("red", "BMP")):
        with pytest.raises(Again) as caught:
            read_picture(broken)
        assert caught.value.reason == "broken_image"


def test_the_size_is_that_of_the_picture_as_it_is_seen() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    Image.new("RGB", (8, 4)).save(buffer, "JPEG", exif=exif)
    assert read_picture(buffer.getvalue()) == PictureInfo("jpg", 4, 8, black=True)


@pytest.mark.slow
def test_what_takes_too_much_memory_to_decode_is_not_decoded(picture: Callable[..., bytes]) -> None:
    for form, size in (("JPEG", (4_100, 4_100)), ("WEBP", (3_300, 3_300))):
        with pytest.raises(Again, match=rf"{size[0]} x {size[1]} pixels are too many to decode"):
            read_picture(picture("red", form, size))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_black_is_told_in_every_mode(mode: str) -> None:
    for colour, black in ((0, True), (1, False)):
        buffer = io.BytesIO()
        Image.new("L", (4, 4), colour * 255).convert("I" if mode == "I;16" else mode).convert(mode).save(buffer, "PNG")
        assert read_picture(buffer.getvalue()).black is black
