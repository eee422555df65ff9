"""Every call to a bucket fails once, is cut short once, is the last one once; the bucket is a folder behind fsspec."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from tests.faults.faulty_disk import FaultyDisk
from tests.faults.small_studies import STUDIES
from tests.faults.walk import Walk, content

from portrayal.store.images.remote_images import RemoteImages
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow


def in_bucket(root: Path) -> OpenStudy:
    """Open a study whose images lie in a bucket."""
    study = OpenStudy(root)
    study.workspace.images = RemoteImages("s3://bucket/study")
    return study


class BucketWalk(Walk):
    """Hits calls to the bucket alone, a folder in that of the study; those to the disk are walked through elsewhere."""

    @contextmanager
    def faults(self, disk: FaultyDisk) -> Iterator[None]:
        with disk.bucket(DirFileSystem(str(self.root / "objects"), LocalFileSystem(auto_mkdir=True))):
            yield

    def content(self) -> dict[str, Any]:
        objects = (path for path in (self.root / "objects").rglob("*") if path.is_file())
        return {**content(self.root), **{path.name: path.read_bytes() for path in objects}}


def test_the_next_run_ends_with_the_same_tables_and_objects(write_study: Callable[..., Path], tmp_path: Path) -> None:
    root = write_study(tmp_path / "study", **STUDIES["representation"])
    (root / "objects" / "bucket").mkdir(parents=True)
    problems, names = [], set[str]()
    for stage in ("plan", "generate", "annotate", "measure", "report"):
        walk = BucketWalk(root, stage, in_bucket)
        for trial in walk.trials():
            walk.hit(*trial)
        problems += walk.problems
        names |= {call.partition(" ")[0] for call in walk.calls}
        walk.finish()
        root = shutil.copytree(walk.root, tmp_path / stage)
    assert names >= {"ls", "pipe_file", "cat_file"}
    assert problems == []
