"""A new study runs as it is written; nothing is ever overwritten, and nothing is written for a name that is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.bundles import bundles
from portrayal.errors import ConfigError, InputError, PortrayalError, StudyError, UnknownNameError
from portrayal.study.config import PartConfig, load_config
from portrayal.study.create.create_study import create_demo, create_study, suite_config
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Tree = Callable[[Path], dict[str, bytes | None]]


def create(folder: Path, **changes: Any) -> Path:
    wanted = {"title": "", "generator": "simulated", "annotator": "simulated", **changes}
    path, lacking = create_study(folder, **wanted)
    assert lacking == ()
    return path


def prompt_file(folder: Path, name: str = "prompts.csv") -> Path:
    path = folder / name
    path.write_text("text,term\na photo of a nurse,nurse\n", encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_new_study_runs_to_its_report(tmp_path: Path) -> None:
    create(tmp_path / "study", suite=str(prompt_file(tmp_path)))
    page = run_stages(OpenStudy(tmp_path / "study"), RunControl())
    assert page.is_file()
    assert OpenStudy(tmp_path / "study").workspace.tables["outcomes"].count() == 10


def test_the_shipped_suite_is_compared_with_its_reference(tmp_path: Path) -> None:
    create(tmp_path / "study")
    study = OpenStudy(tmp_path / "study")
    study.check()
    assert study.suite is not None
    assert len(study.suite.prompts) == 179
    assert study.config.methods[0].options["references"] == {"gender": "faintbench", "age3": "faintbench"}


def test_a_prompt_file_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prompt_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    create(Path("study"), suite="prompts.csv")
    monkeypatch.chdir("/")
    (tmp_path / "moved").mkdir()
    for name in ("study", "prompts.csv"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    study = OpenStudy(tmp_path / "moved/study")
    assert study.suite is not None
    assert [prompt.term for prompt in study.suite.prompts] == ["nurse"]


@pytest.mark.parametrize("title", ['Who is a "nurse"?', "C:\\new", "看護師 😀", "two\nlines\t\x7f", "{title}"])
def test_any_title_is_read_back(tmp_path: Path, title: str) -> None:
    create(tmp_path / "study", title=title)
    assert OpenStudy(tmp_path / "study").config.study.title == title


@pytest.mark.parametrize("name", ["my study", "étude 😀", "two\nlines", 'a "b"'])
def test_the_title_is_the_folders_name_unless_given(tmp_path: Path, name: str) -> None:
    create(tmp_path / name)
    assert OpenStudy(tmp_path / name).config.study.title == name


def test_the_file_tells_how_to_run_it(tmp_path: Path) -> None:
    text = create(tmp_path / "my study").read_text(encoding="utf-8")
    assert f"portrayal run '{tmp_path}/my study'" in text.splitlines()[0]


def test_a_study_is_never_overwritten(tmp_path: Path, tree: Tree) -> None:
    create(tmp_path / "study")
    before = tree(tmp_path)
    with pytest.raises(StudyError, match=r"study\.toml: there is a study here already; choose another folder"):
        create(tmp_path / "study", title="another")
    assert tree(tmp_path) == before


def test_a_folder_with_other_files_may_become_a_study(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    create(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"generator": "simulatd"}, UnknownNameError, "no generator named 'simulatd'; did you mean 'simulated'"),
        ({"generator": ""}, UnknownNameError, "no generator named ''"),
        ({"generator": "simulated:what"}, ConfigError, "takes no argument, got 'what'"),
        ({"annotator": "facs"}, UnknownNameError, "no annotator named 'facs'; did you mean 'faces'"),
        ({"annotator": "simulated:what"}, ConfigError, "takes no argument, got 'what'"),
        ({"suite": "occupation"}, UnknownNameError, "no suite named 'occupation'; did you mean 'occupations'"),
        ({"suite": ""}, UnknownNameError, "no suite named ''"),
        ({"suite": "file"}, InputError, "give its path instead"),
        ({"method": "faintbenc"}, UnknownNameError, "a method named 'faintbenc'; did you mean 'faintbench'"),
        (
            {"method": "faintbench", "suite": "occupations"},
            ConfigError,
            "scores the suite 'faintbench', not 'occupations'; leave the suite out",
        ),
        ({"suite": "nowhere.csv"}, InputError, r"nowhere\.csv: no such file"),
    ],
)
def test_a_bad_name_is_refused_before_anything_is_written(
    tmp_path: Path, changes: dict[str, str], error: type[PortrayalError], message: str
) -> None:
    with pytest.raises(error, match=message):
        create(tmp_path / "study", **changes)
    assert not (tmp_path / "study").exists()


def test_a_bad_prompt_file_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "prompts.csv").write_text("text,term\na nurse,nurse\n,CEO\n")
    with pytest.raises(InputError, match=r"prompts\.csv:3: empty prompt"):
        create(tmp_path / "study", suite=str(tmp_path / "prompts.csv"))
    assert not (tmp_path / "study").exists()


def test_the_demo_is_a_study_and_may_be_created_again(tmp_path: Path, tree: Tree) -> None:
    create_demo(tmp_path / "demo", "representation")
    before = tree(tmp_path)
    create_demo(tmp_path / "demo", "representation")
    assert tree(tmp_path) == before
    study = OpenStudy(tmp_path / "demo")
    assert study.suite is not None
    assert len(study.suite.prompts) > 1


def test_the_demo_does_not_take_another_studys_folder(tmp_path: Path, tree: Tree) -> None:
    create(tmp_path / "study")
    before = tree(tmp_path)
    with pytest.raises(StudyError, match="this is not the demo's study; choose another folder"):
        create_demo(tmp_path / "study", "representation")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("name", ["mine.csv", "mine.toml"])
def test_a_name_that_ends_like_a_file_is_a_file(name: str) -> None:
    config = suite_config(name)
    assert (config.use, config.options["path"]) == ("file", str(Path(name).resolve()))


def test_without_a_suite_the_method_asks_its_own(tmp_path: Path) -> None:
    create(tmp_path / "one")
    assert load_config(tmp_path / "one").suite == PartConfig(use="occupations")
    create(tmp_path / "other", method="bafis")
    assert load_config(tmp_path / "other").suite == PartConfig(use="bafis")


def test_the_references_are_the_suites(tmp_path: Path) -> None:
    create(tmp_path / "study", suite="bafis")
    assert load_config(tmp_path / "study").methods[0].options["references"] == {"gender": "us"}
    create(tmp_path / "mine", suite=str(prompt_file(tmp_path)))
    assert load_config(tmp_path / "mine").methods[0].options["references"] == {}


def test_a_part_that_cannot_do_without_an_option_is_written_and_said(tmp_path: Path) -> None:
    parts: Any = {"generator": "comfyui:http://127.0.0.1:8188", "annotator": "clip:owner/name"}
    path, lacking = create_study(tmp_path, title="", **parts)
    assert tomllib.loads(path.read_text(encoding="utf-8"))["generators"][0]["use"] == parts["generator"]
    assert ["'workflow' is required" in lacking[0], "set options.revision" in lacking[1]] == [True, True]


SMALLER = {"use": "simulated", "images": 3, "options": {"size": 4, "terms": {"a nurse": {"gender": {"female": 1.0}}}}}


def test_several_parts_with_options_become_tables(tmp_path: Path) -> None:
    looks = ["simulated", {"use": "imported:humans", "options": {"attributes": ["gender"]}}]
    path = create(tmp_path / "study", generator=["simulated", SMALLER], annotator=looks, images=7, seed=5)
    config = load_config(path.parent)
    assert [(own.use, own.images) for own in config.generators] == [("simulated", 7), ("simulated", 3)]
    assert dict(config.generators[1].options) == SMALLER["options"]
    assert [own.use for own in config.annotators] == ["simulated", "imported:humans"]
    assert config.annotators[1].options == {"attributes": ["gender"]}
    assert config.study.seed == 5
    OpenStudy(path.parent).check()


def test_what_is_said_beside_a_key_stays_where_it_is(tmp_path: Path) -> None:
    plain, changed = (
        create(tmp_path / name, **own).read_text(encoding="utf-8").splitlines()
        for name, own in (("plain", {}), ("changed", {"images": 128, "seed": 77, "method": DRAWS}))
    )
    differ = [(one, two) for one, two in zip(plain, changed, strict=True) if one != two]
    told = [(one, two) for one, two in differ if "#" in one and "portrayal run" not in one]
    assert [(one.partition("#")[2], one.index("#")) for one, _ in told] == [
        (two.partition("#")[2], two.index("#")) for _, two in told
    ]
    assert [two.partition("#")[0].rstrip() for _, two in told] == ["seed = 77", "images = 128", "draws = 100"]


DRAWS = {"use": "representation", "options": {"draws": 100}}


@pytest.mark.parametrize("method", [name for name, bundle in bundles().items() if bundle.study])
def test_every_method_takes_several_generators_and_a_number_of_images(tmp_path: Path, method: str) -> None:
    edits = method == "biaspainter"  # whose generators edit what facegan draws
    parts: Any = ["facegan", "simulated"] if edits else ["simulated", {"use": "simulated", "images": 2}]
    create_study(tmp_path, generator=parts, annotator="simulated", method=method, images=5)
    config = load_config(tmp_path)
    own = config.generators[1:] if edits else config.generators
    assert [part.images for part in own] == ([5, 5] if edits else [5, 2])
    assert {part.role for part in own} == ({"edit"} if edits else {""})


def test_options_of_a_methods_own_suite_are_set_where_its_file_explains_them(tmp_path: Path) -> None:
    suite = {"use": "faintbench", "options": {"sample": 150, "words": {"gender": {"male": "man", "female": "woman"}}}}
    weights = {"use": "faintbench", "options": {"draws": 100, "weights": {"gender": 1.0}}}
    path = create(tmp_path / "study", suite=suite, method=weights)
    study = OpenStudy(path.parent)
    assert study.suite is not None
    assert len(study.suite.prompts) == 150
    assert study.config.methods[0].options["weights"] == {"gender": 1.0, "race5": 0.4, "age3": 0.2}
    assert "# a sample of so many prompts" in path.read_text(encoding="utf-8")


def test_prompts_become_a_file_in_the_folder(tmp_path: Path) -> None:
    prompts = ["a photo of one nurse", {"text": 'a "CEO", at work', "term": "CEO", "category": "office"}]
    create(tmp_path / "study", prompts=prompts)
    (tmp_path / "study").rename(tmp_path / "moved")
    study = OpenStudy(tmp_path / "moved")
    assert study.suite is not None
    told = [(prompt.text, prompt.term, prompt.category) for prompt in study.suite.prompts]
    assert told == [("a photo of one nurse", "a photo of one nurse", ""), ('a "CEO", at work', "CEO", "office")]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"prompts": []}, InputError, "prompts must be a list of texts"),
        ({"prompts": "a photo of one nurse"}, InputError, "prompts must be a list of texts"),
        ({"prompts": ["a nurse", " "]}, InputError, r"prompts\[1\]: empty prompt"),
        (
            {"prompts": ["a nurse", "a nurse"]},
            InputError,
            r"prompts\[1\]: prompt 'a nurse' stands already at prompts\[0\]",
        ),
        ({"prompts": [{"txt": "a nurse"}]}, InputError, r"prompts\[0\]: unknown column 'txt'; did you mean 'text'"),
        ({"prompts": ["a nurse"], "suite": "occupations"}, ConfigError, "prompts or a suite, not both"),
        ({"prompts": ["a nurse"], "method": "faintbench"}, ConfigError, "'faintbench', not prompts of your own"),
        ({"generator": {"options": {}}}, ConfigError, "generator: 'use' is required"),
        ({"generator": {"use": "simulated", "options": {"sise": 4}}}, ConfigError, "'sise'; did you mean 'size'"),
        ({"annotator": {"use": "simulated", "images": 4}}, ConfigError, "annotator: unknown key 'images'"),
        ({"method": {"use": "representation", "options": {"drows": 4}}}, ConfigError, "'drows'; did you mean 'draws'"),
        ({"images": 0}, ConfigError, "images"),
        ({"seed": -1}, ConfigError, "seed"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_written(
    tmp_path: Path, changes: dict[str, Any], error: type[PortrayalError], message: str
) -> None:
    with pytest.raises(error, match=message):
        create(tmp_path / "study", **changes)
    assert not (tmp_path / "study").exists()


def test_prompts_of_someone_else_are_not_overwritten(tmp_path: Path) -> None:
    prompt_file(tmp_path)
    with pytest.raises(StudyError, match=r"prompts\.csv: there is a study here already"):
        create(tmp_path, prompts=["a nurse"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["prompts.csv"]


def test_parts_keep_the_names_they_were_given(tmp_path: Path) -> None:
    other = {"use": "simulated", "name": "Other", "options": {"size": 4}}
    draws: list[dict[str, Any]] = [{"use": "simulated", "name": "SDXL base"}, other]
    looks = {"use": "simulated", "name": "CLIP"}
    create_study(tmp_path / "study", generator=draws, annotator=looks)
    config = load_config(tmp_path / "study")
    assert [own.name for own in config.generators] == ["SDXL base", "Other"]
    assert [own.name for own in config.annotators] == ["CLIP"]
