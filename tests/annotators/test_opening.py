from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image as Pictures

from portrayal.annotators.annotator import Observed
from portrayal.annotators.opening import look_at_each
from portrayal.records import Abstention, Image, Observation


def test_what_cannot_be_read_is_abstained_from_and_the_rest_is_seen_in_order(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"no picture")
    Pictures.new("L", (3, 2)).save(tmp_path / "good.png")
    images = [Image(name, tmp_path / f"{name}.png") for name in ("broken", "good", "gone")]

    def look(image: Image, picture: Pictures.Image) -> Iterator[Observed]:
        yield Observation(image.id, "mine", 0, "caption", text=f"{picture.mode} {picture.width}")

    assert list(look_at_each(images, "mine", look)) == [
        Abstention("broken", "mine", "unreadable_image"),
        Observation("good", "mine", 0, "caption", text="RGB 3"),
        Abstention("gone", "mine", "missing_file"),
    ]
