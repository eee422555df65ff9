"""Where a model lies and which version it is, with folders and a cache of the hub as its download would leave them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from huggingface_hub import constants

from portrayal.errors import ConfigError, InputError, PortrayalError
from portrayal.hub import REVISION, ModelFiles, check_complete, find_model, loading, quiet

PART = "annotator 'clip'"
EXAMPLE = "clip:openai/clip-vit-large-patch14"
COMMIT = "0123456789" * 4


def find(argument: str, revision: str = "", pinned: dict[str, str] | None = None) -> ModelFiles:
    return find_model(PART, argument, revision, example=EXAMPLE, pinned=pinned)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    (folder / "unet").mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "unet" / "weights.safetensors").write_bytes(bytes(range(256)) * 2000)
    return folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    snapshot = folder / "models--me--tiny" / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    return folder


def test_a_folder_is_named_by_its_content(model: Path) -> None:
    found = find(str(model))
    assert found.folder() == model
    assert found.title == f"model@{found.revision[:12]}"
    assert len(found.revision) == 64


def test_the_digest_stays_what_it_was(model: Path) -> None:
    """Under another one, whatever was annotated before would be annotated again."""
    assert find(str(model)).revision == "592467437dc10bc016e84df62fa2e6564fb8af51815fa3c147610dab424fc24d"


def test_moving_it_or_adding_a_note_changes_nothing(model: Path, tmp_path: Path) -> None:
    before = find(str(model)).revision
    moved = model.rename(tmp_path / "elsewhere")
    (moved / "README.md").write_text("a note")
    assert find(str(moved)).revision == before


@pytest.mark.parametrize("place", [0, 1000, 255_999, 511_999])
def test_other_weights_are_another_model(model: Path, place: int) -> None:
    before = find(str(model)).revision
    weights = model / "unet" / "weights.safetensors"
    data = bytearray(weights.read_bytes())
    data[place] ^= 1
    weights.write_bytes(data)
    assert find(str(model)).revision != before


def test_a_file_of_another_name_is_another_model(model: Path) -> None:
    before = find(str(model)).revision
    (model / "config.json").rename(model / "settings.json")
    assert find(str(model)).revision != before


def test_home_is_found(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(model.parent))
    assert find("~/model").folder() == model


def test_a_folder_has_no_revision(model: Path) -> None:
    with pytest.raises(ConfigError, match="is a folder and has no revision; leave the option out"):
        find(str(model), COMMIT)


def test_an_id_needs_a_commit(cache: Path) -> None:
    with pytest.raises(ConfigError, match=r"set options\.revision to a commit of me/tiny"):
        find("me/tiny")
    assert find("me/tiny", COMMIT).title == "me/tiny@012345678901"
    assert find("me/tiny", pinned={"me/tiny": COMMIT}) == find("me/tiny", COMMIT)
    assert find("me/tiny", "f" * 40, pinned={"me/tiny": COMMIT}).revision == "f" * 40
    assert find("me/tiny", COMMIT).folder() == cache / "models--me--tiny" / "snapshots" / COMMIT


@pytest.mark.usefixtures("cache")
def test_what_is_not_on_this_machine_is_not_fetched_but_it_says_how() -> None:
    with pytest.raises(InputError) as missing:
        find("me/large", COMMIT).folder(("*.json", "*.bin"))
    assert str(missing.value) == (
        f"annotator 'clip': me/large is not on this machine; fetch it once with: "
        f"hf download me/large --revision {COMMIT} --include '*.json' --include '*.bin'"
    )


def test_no_model_is_given() -> None:
    with pytest.raises(ConfigError, match=f"needs a model, such as {EXAMPLE}"):
        find("")


@pytest.mark.parametrize("argument", ["no/such/folder", "./gone", "../gone", "gone", "~nobody-at-all/model", "a b/c"])
def test_neither_a_folder_nor_an_id(argument: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"no folder {argument}; give a folder or a model's id")):
        find(argument, COMMIT)


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("argument", ["me/a..b", "me--you/tiny", "me/tiny.git", f"me/{'x' * 100}"])
def test_an_id_that_the_hub_does_not_allow(argument: str) -> None:
    with pytest.raises(InputError, match=f"{re.escape(argument)} can be no model on the hub"):
        find(argument, COMMIT).folder()


def test_what_a_revision_looks_like() -> None:
    assert re.match(REVISION, "")
    assert re.match(REVISION, COMMIT)
    assert not re.match(REVISION, "main")


@pytest.mark.slow
def test_trouble_while_loading_is_one_line() -> None:
    with pytest.raises(InputError) as trouble, loading(PART, "here"):
        raise OSError("no weights\nand forty lines of advice")
    assert str(trouble.value) == "annotator 'clip': the model in here cannot be loaded: no weights"
    assert trouble.value.__cause__ is None


def test_trouble_without_words_has_a_name() -> None:
    with pytest.raises(InputError, match="cannot be loaded: AssertionError"), loading(PART, "here"):
        raise AssertionError


@pytest.mark.parametrize("error", [MemoryError("too large"), PortrayalError("known already"), KeyboardInterrupt()])
def test_what_is_no_trouble_with_the_files_is_left_as_it_is(error: BaseException) -> None:
    with pytest.raises(type(error)) as passed, loading(PART, "here"):
        raise error
    assert passed.value is error


@pytest.mark.slow
def test_the_library_is_quiet_for_a_while() -> None:
    from transformers.utils import logging

    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    with quiet():
        assert logging.get_verbosity() == logging.ERROR
        assert not logging.is_progress_bar_enabled()
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


@pytest.mark.parametrize("lack", ["missing_keys", "mismatched_keys"])
def test_a_model_without_all_its_weights_is_refused(lack: str) -> None:
    found = {"missing_keys": [], "mismatched_keys": [], "unexpected_keys": ["head"]}
    check_complete(PART, "here", found)
    with pytest.raises(InputError, match="here lacks some of the model's weights; fetch them anew"):
        check_complete(PART, "here", {**found, lack: ["vision.weight"]})
