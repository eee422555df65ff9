from __future__ import annotations

from pathlib import Path

from tests.samples.deadly import StreamingLooker

from portrayal.records import Image
from portrayal.study.config import PartConfig
from portrayal.study.run_annotator import AnnotateWork
from portrayal.study.specs import AnnotatorSpec


def test_a_batch_is_a_stream_of_its_own_and_every_image_has_a_row() -> None:
    looker = StreamingLooker()
    spec = AnnotatorSpec(PartConfig(use="python:looker@1"), Path(), looker)
    images = [Image(f"{number:064x}", None) for number in range(10)]
    seen = AnnotateWork(spec, streams=4)()(images)
    assert seen.images == [image.id for image in images]
    assert seen.rows["image"].to_pylist() == seen.images
    assert looker.came == [4, 4, 2]
