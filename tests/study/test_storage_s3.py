"""Everything that reads or writes pictures does so in S3."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from tests.samples.s3 import S3Proxy, s3_proxy

import portrayal
from portrayal.apps.arena.database.image_pool import read_image_pool
from portrayal.picturefile import open_picture
from portrayal.store.images.allowed_stores import allow_store
from portrayal.store.images.image_store import read_image
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.vision.decoding import decode_files, files_of
from portrayal.vision.preprocessing import Preprocessing
from portrayal.web.picture_cache import PictureCache

pytestmark = pytest.mark.slow

Cli = Callable[..., subprocess.CompletedProcess[str]]
MODELS = [{"use": "simulated", "images": 3, "options": {"size": size}} for size in (32, 40)]


class Far(NamedTuple):
    """A study with its images in S3, and the way there."""

    root: Path
    s3: S3Proxy

    @property
    def study(self) -> OpenStudy:
        return OpenStudy(self.root)

    def objects(self) -> list[str]:
        return sorted(self.s3.objects())


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory, s3_server: int, write_study: Callable[..., Path]) -> Iterator[Far]:
    """Twelve images of two models, looked at by two worker processes."""
    with s3_proxy(s3_server) as s3:
        allow_store(s3.address)
        tables = {"generators": MODELS, "annotate": {"batch": 6, "workers": 2}}
        annotators = [{"use": "imported:people"}, {"use": "quality", "options": {"metrics": ["niqe"]}}]
        root = write_study(
            tmp_path_factory.mktemp("far") / "study", storage={"images": s3.address}, annotators=annotators, **tables
        )
        portrayal.Study(root).run()
        yield Far(root, s3)


def test_workers_read_and_nothing_lies_in_the_folder(far: Far) -> None:
    assert len(far.objects()) == 12
    assert not (far.root / "images").exists()
    rows = [row for row in portrayal.Study(far.root).observations() if row["annotator"].startswith("quality")]
    assert [row["reason"] for row in rows] == ["too_small"] * 12
    assert (far.root / "report" / "index.html").read_text().count("data:image/webp") >= 12


def test_rows_name_addresses_and_pictures_are_shown(far: Far) -> None:
    images = portrayal.Study(far.root).images()
    assert {row["file"] for row in images} == {f"s3://{far.s3.bucket}/{name}" for name in far.objects()}
    assert images.show(4).html.count("data:image/webp") == 4


def test_a_sheet_of_labels_names_addresses(far: Far, cli: Cli, tmp_path: Path) -> None:
    sheet = tmp_path / "labels.csv"
    done = cli("labels", far.root, "--to", sheet)
    assert done.returncode == 0, done.stderr
    assert f"{far.s3.address}/" in sheet.read_text()


def test_raters_see_pictures(far: Far, tmp_path: Path) -> None:
    study = far.study
    pool = read_image_pool(study)
    names = {name for prompt in pool.prompts.values() for shown in prompt.images.values() for name in shown}
    assert len(names) == 12
    cache = PictureCache(study.workspace.images, tmp_path)
    for _ in range(2):
        far.s3.asked.clear()
        with open_picture(asyncio.run(cache.get(min(names)))) as picture:
            assert picture.format == "JPEG"
    assert far.s3.asked == []  # the second time it is the arena's own copy


def test_processes_of_a_model_that_streams_decode_by_themselves(far: Far) -> None:
    study = far.study
    paths = [path for folder in study.workspace.images.folders() for path in study.workspace.images.paths(folder)]
    gone = study.workspace.images.path("a" * 64, "png")
    preprocessing = Preprocessing(24, (24, 24), 3, (0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
    found = files_of(decode_files([*paths, None, gone], preprocessing, "exact"))
    assert [file.reason for file in found[-2:]] == ["missing_file", "missing_file"]
    for path, file in zip(paths, found, strict=False):
        with open_picture(read_image(path)) as picture:
            np.testing.assert_array_equal(file.pixels, preprocessing.apply(picture.convert("RGB")))


def test_images_are_imported_to_the_store(far: Far, tmp_path: Path, picture: Callable[..., bytes]) -> None:
    folder = tmp_path / "given" / "sdxl" / "a photo of a nurse"
    folder.mkdir(parents=True)
    (folder / "0.png").write_bytes(picture("green"))
    study = far.study
    with study.workspace.writing():
        import_images(study, read_layout("faintbench", tmp_path / "given"), RunControl())
    name = hashlib.sha256(picture("green")).hexdigest()
    assert far.s3.objects()[f"study/{name[:2]}/{name}.png"] == picture("green")


def test_verify_finds_what_is_damaged_and_what_is_gone(far: Far, cli: Cli) -> None:
    damaged, gone = far.objects()[:2]
    kept = {name: far.s3.objects()[name] for name in (damaged, gone)}
    far.s3.request("PUT", f"/{far.s3.bucket}/{damaged}", b"rotten")
    far.s3.request("DELETE", f"/{far.s3.bucket}/{gone}")
    try:
        found = json.loads(cli("verify", far.root, "--json").stdout)["damage"]
        assert [one["path"] for one in found] == [f"s3://{far.s3.bucket}/{name}" for name in (damaged, gone)]
        assert found[0]["what"] == "the image is damaged: its bytes are not those that were stored"
        assert found[1]["what"] == "not there"
        far.s3.always = "403"
        refused = cli("verify", far.root)
        assert (refused.returncode, "the store refuses" in refused.stderr) == (2, True)
    finally:
        far.s3.always = ""
        for name, data in kept.items():
            far.s3.request("PUT", f"/{far.s3.bucket}/{name}", data)
    assert cli("verify", far.root).returncode == 0
