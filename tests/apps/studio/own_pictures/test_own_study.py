"""From files that came in to a study: what must be told, and the study.toml that the command line reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from portrayal.api.study import Study
from portrayal.apps.studio.own_pictures.own_study import create_from_pictures, look_through
from portrayal.apps.studio.own_pictures.right_endings import put_endings_right
from portrayal.apps.studio.own_pictures.staged import MOST_LOTS, StagedPictures, StagedStore
from portrayal.errors import InputError
from portrayal.language.translation import speaking
from portrayal.study.config import parse_config, read_config

FORM = {"title": "Our nurses", "layout": "flat", "model": "Service", "prompt": "a photo of one nurse"}


def lot(root: Path, *names: str) -> StagedPictures:
    staged = StagedStore(root).new()
    for number, name in enumerate(names):
        path = staged.pictures / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 8), (number, 0, 0)).save(path)
    return staged


def test_pictures_become_a_study_that_runs(tmp_path: Path) -> None:
    staged = lot(tmp_path, "IMG_1.png", "IMG_2.png")
    assert [each.layout for each in look_through(staged).sortings] == ["flat"]
    folder = create_from_pictures(tmp_path, staged, {**FORM, "reference": "uniform"})
    assert folder == tmp_path / "our-nurses"
    config = parse_config(read_config(folder), folder)
    (declared,) = config.imports
    assert (declared.model, declared.prompt, str(declared.images)) == ("Service", "a photo of one nurse", "pictures")
    assert config.methods[0].options["references"] == {"gender": "uniform"}
    assert str(staged.folder).encode() not in read_config(folder)
    assert not staged.folder.exists()
    Study(folder).plan(progress=False)
    assert Study(folder).status.outcomes == {"Service": {"made": 2}}


def test_a_study_from_a_german_page_reports_in_german(tmp_path: Path) -> None:
    with speaking("de"):
        folder = create_from_pictures(tmp_path, lot(tmp_path, "a.png"), FORM)
    config = parse_config(read_config(folder), folder)
    assert (config.report.language, config.methods[0].options["references"]) == ("de", {})


@pytest.mark.parametrize(
    ("names", "layouts", "models", "prompts"),
    [
        (["sd/a nurse/1.png", "xl/a nurse/2.png"], ["found", "flat", "prompts", "models"], ("sd", "xl"), ("a nurse",)),
        (["a nurse/1.png", "a CEO/2.png"], ["flat", "prompts", "models"], (), ()),
        (["a_photo_of_a_nurse_001.png", "a_photo_of_a_CEO_002.png"], ["names", "flat"], (), ()),
    ],
)  # fmt: skip
def test_folders_and_names_say_how_pictures_may_be_sorted(
    tmp_path: Path, names: list[str], layouts: list[str], models: tuple[str, ...], prompts: tuple[str, ...]
) -> None:
    came = look_through(lot(tmp_path, *names))
    assert [each.layout for each in came.sortings] == layouts
    assert (came.models, came.prompts) == (models, prompts)


def test_a_list_without_models_asks_for_the_model(tmp_path: Path) -> None:
    staged = lot(tmp_path, "1.png")
    (staged.pictures / "manifest.csv").write_text("path,prompt\n1.png,a nurse\n")
    first = look_through(staged).sortings[0]
    assert (first.layout, first.asks_model, first.asks_prompt) == ("found", True, False)
    folder = create_from_pictures(tmp_path, staged, {**FORM, "layout": "found"})
    assert parse_config(read_config(folder), folder).imports[0].model == "Service"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"title": ""}, "title"),
        ({"model": " "}, "who made"),
        ({"prompt": ""}, "were meant to show"),
        ({"prompt": "x" * 2_000}, "1000 characters"),
        ({"layout": "manifest"}, "how the pictures are sorted"),
        ({"layout": "found"}, "how the pictures are sorted"),
        ({"reference": "/etc/passwd"}, "cannot be chosen"),
    ],
)
def test_what_is_lacking_is_said_and_nothing_is_lost(tmp_path: Path, changed: dict[str, str], said: str) -> None:
    staged = lot(tmp_path, "1.png")
    with pytest.raises(InputError, match=said):
        create_from_pictures(tmp_path, staged, {**FORM, **changed})
    assert [path.name for path in tmp_path.iterdir()] == [".portrayal-studio"]
    assert create_from_pictures(tmp_path, staged, FORM).is_dir()
    with pytest.raises(InputError, match="already"):
        create_from_pictures(tmp_path, lot(tmp_path, "1.png"), FORM)


def test_no_picture_is_an_error(tmp_path: Path) -> None:
    staged = lot(tmp_path)
    (staged.pictures / "a.csv").write_text("x")
    with pytest.raises(InputError, match="No picture"):
        look_through(staged)


def test_endings_are_put_right_unless_a_list_names_the_files(tmp_path: Path) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "a.png", "JPEG")
    Image.new("RGB", (8, 8)).save(tmp_path / "b.jpeg", "JPEG")
    (tmp_path / "c.png").write_bytes(b"no picture")
    (tmp_path / "list.csv").write_text("path\na.png\n")
    assert put_endings_right(tmp_path) == 0
    (tmp_path / "list.csv").unlink()
    assert put_endings_right(tmp_path) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jpg", "b.jpeg", "c.png"]


def test_lots_are_found_by_their_keys_alone_and_the_oldest_goes(tmp_path: Path) -> None:
    store = StagedStore(tmp_path)
    lots = [store.new() for _ in range(MOST_LOTS + 2)]
    assert sum(store.find(each.key) is not None for each in lots) == MOST_LOTS
    assert store.find(lots[-1].key)
    assert store.find(f"../uploads/{lots[-1].key}") is None
    store.clear()
    assert store.find(lots[-1].key) is None
