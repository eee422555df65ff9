"""What each worker of a part asks a cluster for, and which nodes may read a study's images."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from portrayal.errors import InputError, StudyError
from portrayal.processes.resources import Resources
from portrayal.store.images.image_folder import ImageFolder
from portrayal.study.config import ResourcesConfig
from portrayal.study.parts.spreading import SharedFolder, reading_images, resources_of

WISHES = Resources(3, 0.5, 7 * 2**30, or_no_gpu=True)
PART = SimpleNamespace(resources=WISHES)


def test_what_study_toml_does_not_say_is_as_the_part_wishes() -> None:
    assert resources_of(PART, ResourcesConfig()) == WISHES
    assert resources_of(PART, ResourcesConfig(cpus=0)) == Resources(0, 0.5, 7 * 2**30, or_no_gpu=True)
    assert resources_of(PART, ResourcesConfig(gib=2.5)) == Resources(3, 0.5, 5 * 2**29, or_no_gpu=True)


def test_whoever_asks_for_graphics_cards_gets_them_or_waits() -> None:
    assert resources_of(PART, ResourcesConfig(gpus=2)) == Resources(3, 2, 7 * 2**30, or_no_gpu=False)
    assert resources_of(PART, ResourcesConfig(gpus=0)) == Resources(3, 0, 7 * 2**30, or_no_gpu=False)


def test_work_is_built_only_where_the_same_study_lies(tmp_path: Path) -> None:
    toml = tmp_path / "study.toml"
    toml.write_text("one", encoding="utf-8")
    build = reading_images(partial(eval, "len"), ImageFolder(tmp_path / "images"), tmp_path)
    assert isinstance(build, SharedFolder)
    assert build() is len
    toml.write_text("two", encoding="utf-8")
    with pytest.raises(InputError, match="is another one here; put it on a file system that all nodes share"):
        build()
    toml.unlink()
    with pytest.raises(InputError, match="is not here; put it on"):
        build()


def test_of_a_store_that_all_reach_only_the_store_is_asked(tmp_path: Path) -> None:
    store = ImageFolder(tmp_path / "images", shared=True)
    build = reading_images(partial(eval, "len"), store, tmp_path / "no study here")
    with pytest.raises(StudyError, match="mount or create it"):
        build()
    store.folder.mkdir()
    assert build() is len
