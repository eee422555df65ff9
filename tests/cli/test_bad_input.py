"""Bad input is one line that says what, where and what to do; exit code 2; not a byte is written."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]
Make = Callable[..., Path]
Tree = Callable[[Path], dict[str, bytes | None]]

SIMULATED = {"use": "simulated", "images": 3}


@pytest.fixture
def refuse(cli: Run, tmp_path: Path, tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run a command in the test's folder; check the line it must be refused with, and that nothing changed."""

    def check(words: str, *mentioned: str) -> None:
        monkeypatch.chdir(tmp_path)
        before = tree(tmp_path)
        ran = cli(*words.split())
        assert ran.returncode == 2
        assert ran.stdout == ""
        (line,) = ran.stderr.splitlines()
        assert line.startswith("error: ")
        for part in mentioned:
            assert part in line
        assert tree(tmp_path) == before

    return check


@pytest.mark.parametrize(
    ("tables", "mentioned"),
    [
        ({"metods": []}, ("unknown key 'metods'", "did you mean 'methods'")),
        ({"generate": {"bacth": 2}}, ("unknown key 'generate.bacth'", "did you mean 'batch'")),
        ({"generators": [{"use": "simulated", "image": 3}]}, ("generators.1.image", "did you mean 'images'")),
        ({"generators": [SIMULATED | {"options": {"refusd": 1}}]}, ("'simulated'", "did you mean 'refused'")),
        ({"generators": [SIMULATED | {"options": {"refused": 2}}]}, ("'refused'", "got 2")),
        ({"generators": [SIMULATED | {"images": "many"}]}, ("'generators.1.images'", "got 'many'")),
        ({"generators": [SIMULATED | {"images": 0}]}, ("'generators.1.images'", "got 0")),
        ({"generators": SIMULATED}, ("'generators'",)),
        ({"generators": [{"images": 3}]}, ("'generators.1.use' is required",)),
        ({"study": {"title": "x", "seed": -1}}, ("'study.seed'", "got -1")),
        ({"study": {"title": ""}}, ("'study.title'",)),
        ({"study": None}, ("'study' is required",)),
        ({"suite": None}, ("generators need a [suite]",)),
        ({"annotate": {"workers": "all"}}, ("'annotate.workers'", "got 'all'")),
    ],
)  # fmt: skip
def test_a_mistake_in_the_study_file(
    refuse: Callable[..., None], make_study: Make, tables: dict[str, Any], mentioned: tuple[str, ...]
) -> None:
    make_study(**tables)
    refuse("run study", "study/study.toml:", *mentioned)


@pytest.mark.parametrize(
    ("tables", "mentioned"),
    [
        ({"generators": [{"use": "simulatd"}]}, "no generator named 'simulatd'; did you mean 'simulated'?"),
        ({"annotators": [{"use": "facs"}]}, "no annotator named 'facs'; did you mean 'faces'?"),
        ({"methods": [{"use": "representatoin"}]}, "no method named 'representatoin'; did you mean 'representation'?"),
        ({"suite": {"use": "occupation"}}, "no suite named 'occupation'; did you mean 'occupations'?"),
        ({"suite": {"use": "occupations", "options": {"terms": ["Nurze"]}}}, "did you mean 'Nurse'?"),
        ({"annotators": [{"use": "simulated", "options": {"attributes": ["gendr"]}}]}, "did you mean 'gender'?"),
        ({"generators": [{"use": "simulated:x"}]}, "takes no argument, got 'x'"),
    ],
)  # fmt: skip
def test_an_unknown_name(refuse: Callable[..., None], make_study: Make, tables: dict[str, Any], mentioned: str) -> None:
    make_study(**tables)
    refuse("run study", mentioned)


@pytest.mark.parametrize("command", ["plan", "generate", "annotate", "measure", "report", "run", "status"])
def test_every_command_refuses_a_folder_that_is_no_study(
    refuse: Callable[..., None], tmp_path: Path, command: str
) -> None:
    (tmp_path / "study").mkdir()
    refuse(f"{command} study", "study: no study.toml here", "portrayal init study")
    refuse(f"{command} nowhere", "nowhere: no study.toml here", "portrayal init nowhere")


@pytest.mark.parametrize(
    ("data", "mentioned"),
    [
        (b"[study", "study/study.toml: not valid TOML"),
        (b"[study]\ntitle = 'caf\xe9'\n", "study/study.toml: not UTF-8"),
        (b"'two\\nlines' = 1\n[study]\ntitle = 'x'\n", "study/study.toml:1: unknown key"),
        (b'"two\\nlines" = 1\n[study]\ntitle = "x"\n', "study/study.toml: unknown key"),
        (b"", "'study' is required"),
    ],
)
def test_a_study_file_that_cannot_be_read(
    refuse: Callable[..., None], make_study: Make, data: bytes, mentioned: str
) -> None:
    (make_study() / "study.toml").write_bytes(data)
    refuse("run study", mentioned)


@pytest.mark.parametrize(
    ("data", "mentioned"),
    [
        (b"", "prompts.csv: the file is empty"),
        (b"text\n", "prompts.csv: the file has a header but no rows"),
        (b"text,term\na nurse,nurse\n,CEO\n", "prompts.csv:3: empty prompt"),
        (b"text\na nurse\na nurse\n", "prompts.csv:3: prompt 'a nurse' stands already at"),
        (b"text\ncaf\xe9\n", "prompts.csv: not UTF-8 (byte 8); save the file as UTF-8"),
        (b"txt\na nurse\n", "prompts.csv: column 'text' is missing"),
        (b"text,trem\na nurse,x\n", "did you mean 'term'"),
        (b"text,weight\na nurse,heavy\n", "prompts.csv:2: column 'weight' must be a number, got 'heavy'"),
        (b"text,weight\na nurse,0\n", "prompts.csv:2: weight must lie between 0.000001 and 1,000,000, got 0"),
        (b"text,term\na nurse\n", "prompts.csv:2: 1 values, but the header has 2 columns"),
    ],
)
def test_bad_prompts(refuse: Callable[..., None], make_study: Make, data: bytes, mentioned: str) -> None:
    (make_study() / "prompts.csv").write_bytes(data)
    refuse("run study", mentioned)


def test_a_missing_prompt_file(refuse: Callable[..., None], make_study: Make) -> None:
    (make_study() / "prompts.csv").unlink()
    refuse("run study", "study/prompts.csv: no such file; check the path")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "mentioned"),
    [
        ("import study --images nowhere --layout faintbench", ("nowhere: no such folder", "--images")),
        ("import study --images images --layout faintbench", ("images: no files laid out as 'faintbench'", "--help")),
        ("import study --images images --layout bafis", ("images/metadata.json:1: not valid JSON",)),
        ("import study --images images --layout manifest", ("images/manifest.csv: not UTF-8",)),
        ("import study --images images --layout manifest --manifest gone.csv", ("gone.csv: no such file",)),
        ("import study --images images --layout manifest --manifest ab.csv", ("ab.csv: column 'path' is missing",)),
        ("import study --images images --layout manifest --manifest far.csv", ("none of the 1 files", "--images")),
        ("import study --images images --layout bafis --manifest ab.csv", ("--manifest goes with --layout manifest",)),
        ("import study --images texts --layout faintbench", ("texts: none of the 1 files here is an image",)),
        ("import study --images images --layout faintbnch", ("no layout named", "did you mean 'faintbench'")),
        ("import study --layout bafis", ("--images", "portrayal import --help")),
        ("import nowhere --images images --layout bafis", ("nowhere: no study.toml here",)),
        ("export study --to out --table outcome", ("no table named 'outcome'", "did you mean 'outcomes'")),
        ("export study --to out --format xlsx", ("xlsx", "csv", "portrayal export --help")),
        ("export study --to ab.csv", ("ab.csv",)),
        ("init study", ("study/study.toml: there is a study here already",)),
        ("init new --generator facegn", ("no generator named 'facegn'", "did you mean 'facegan'")),
        ("init new --annotator simulated:x", ("takes no argument",)),
        ("init new --suite nowhere.csv", ("nowhere.csv: no such file",)),
        ("init ab.csv --generator simulated --annotator simulated", ("ab.csv",)),
        ("demo study", ("study/study.toml: this is not the demo's study",)),
        ("suites show occupation", ("no suite named 'occupation'", "did you mean 'occupations'")),
        ("suites show file", ("give its path",)),
        ("suites show ab.csv", ("ab.csv: column 'text' is missing",)),
        ("suites show occupations --format xml", ("xml", "portrayal suites show --help")),
        ("stauts study", ("stauts", "portrayal --help")),
        ("status", ("STUDY", "portrayal status --help")),
        ("status study --jsn", ("--jsn", "--json")),
        ("run study twice", ("twice", "portrayal run --help")),
    ],
)  # fmt: skip
def test_a_command_that_cannot_be_done(
    refuse: Callable[..., None], make_study: Make, tmp_path: Path, words: str, mentioned: tuple[str, ...]
) -> None:
    make_study()
    files = {
        "images/metadata.json": b"{",
        "images/manifest.csv": b"path,model,prompt\ncaf\xe9.png,m,p\n",
        "texts/sdxl/a nurse/notes.txt": b"notes",
        "ab.csv": b"a,b\n1,2\n",
        "far.csv": b"path,model,prompt\ngone.png,m,p\n",
    }
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    refuse(words, *mentioned)


def test_a_study_that_another_process_works_on(refuse: Callable[..., None], make_study: Make) -> None:
    from portrayal.store.workspace import Workspace

    with Workspace(make_study()).writing():
        refuse("run study", "study: another portrayal process (pid ", "--wait")


def test_nothing_to_look_with(cli: Run, make_study: Make) -> None:
    ran = cli("measure", make_study(annotators=None))
    assert ran.returncode == 2
    assert "study: no [[annotators]] in study.toml" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize("reference", ["census", "gone.csv"])
def test_a_reference_that_is_not_there(refuse: Callable[..., None], make_study: Make, reference: str) -> None:
    make_study(methods=[{"use": "representation", "options": {"references": {"gender": reference}}}])
    refuse("run study", reference)


@pytest.mark.parametrize(
    "words",
    [
        ("init", ""),
        ("run", ""),
        ("status", ""),
        ("demo", ""),
        ("export", "study", "--to", ""),
        ("labels", "study", "--to", ""),
        ("import", "study", "--images", "", "--layout", "faintbench"),
        ("import", "study", "--faintbench-json", ""),
        ("arena", "rate", ""),
    ],
    ids=" ".join,
)
def test_an_empty_path_is_not_the_current_folder(
    cli: Run, tmp_path: Path, tree: Tree, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli(*words)
    assert ran.returncode == 2
    (line,) = ran.stderr.splitlines()
    assert "the path is empty; give a file or a folder" in line
    assert tree(tmp_path) == {}


def test_exporting_to_a_file_says_that_a_folder_is_needed(refuse: Callable[..., None], make_study: Make) -> None:
    (make_study().parent / "notes.txt").touch()
    refuse("export study --to notes.txt", "a file is where a folder is needed; choose another folder")


@pytest.mark.parametrize(("name", "empty"), [("v.csv", "model_a,model_b,vote\n"), ("v.json", "[]")])
def test_rating_no_votes_says_what_to_do(refuse: Callable[..., None], tmp_path: Path, name: str, empty: str) -> None:
    (tmp_path / name).write_text(empty)
    refuse(f"arena rate {name}", "collect some first, then export them anew")


def test_a_name_that_no_file_could_hold(refuse: Callable[..., None]) -> None:
    refuse("init st\udcffudy", "'STUDY': the name is not UTF-8; choose another")


def test_commands_that_are_advised_can_be_pasted(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``portrayal init b> c`` in a shell would have written to a file ``c``."""
    monkeypatch.chdir(tmp_path)
    for words, said in (
        (("status", "b> c"), "portrayal init 'b> c' "),
        (("init", "b> c", "--title", "b>"), "portrayal run 'b> c'"),
        (("atlas", "report", "b> c"), "/b> c' FILE"),
    ):
        ran = cli(*words)
        lines = (ran.stdout + ran.stderr).splitlines()
        assert said in lines[-1], lines
