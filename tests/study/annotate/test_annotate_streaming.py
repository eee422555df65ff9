from __future__ import annotations

from pathlib import Path

from tests.samples.deadly import StreamingLooker

from portrayal.records import Image
from portrayal.study.annotate.annotate_images import _fed_together
from portrayal.study.annotate.run_annotator import AnnotateWork
from portrayal.study.config import PartConfig
from portrayal.study.parts.specs import AnnotatorSpec


def test_a_batch_is_a_stream_of_its_own_and_every_image_has_a_row() -> None:
    looker = StreamingLooker()
    spec = AnnotatorSpec(PartConfig(use="python:looker@1"), Path(), looker)
    images = [Image(f"{number:064x}", None) for number in range(10)]
    seen = AnnotateWork(spec, streams=4)()(images)
    assert seen.images == [image.id for image in images]
    assert seen.rows["image"].to_pylist() == seen.images
    assert looker.came == [4, 4, 2]


def test_a_device_is_handed_as_many_as_are_put_together_or_a_multiple() -> None:
    looker = StreamingLooker()
    assert _fed_together(looker, 5) == 5  # it says nothing of how many
    looker.together = 8  # type: ignore[attr-defined]
    assert [_fed_together(looker, batch) for batch in (1, 7, 8, 15, 16)] == [8, 8, 8, 8, 16]
