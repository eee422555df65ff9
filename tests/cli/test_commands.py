"""Every command does what its help says, on a small study; listings speak JSON when asked."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import __version__
from portrayal.bundles import bundles
from portrayal.study.status import Status

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]
Make = Callable[..., Path]
Tree = Callable[[Path], dict[str, bytes | None]]
COMMANDS = (
    "init", "plan", "generate", "annotate", "measure", "report", "run", "status", "sources", "doctor", "demo", "suites",
    "import", "export", "figures", "labels", "reproduce", "verify", "annotators", "arena", "atlas", "bench", "compare",
    "biaspainter", "tbyb", "graph", "keys", "stores", "engine", "open", "findings", "power", "check",
    "history", "studio", "publish",
)  # fmt: skip
LASTING = ("images", "tables/prompts", "tables/truths", "tables/jobs", "tables/outcomes", "tables/observations")


def done(ran: Ran) -> str:
    """Return what a command that must have worked has printed."""
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def listing(ran: Ran) -> Any:
    return json.loads(done(ran))


@pytest.mark.parametrize("group", ["arena", "atlas", "biaspainter", "graph", "tbyb"])
def test_a_group_of_commands_alone_says_that_one_is_missing(cli: Run, group: str) -> None:
    ran = cli(group)
    assert (ran.returncode, ran.stderr) == (2, f"error: Missing command; see: portrayal {group} --help\n")


def test_help_lists_every_command(command: Run) -> None:
    panels = done(command("--help")).partition("A study:")[2].splitlines()
    assert sorted(line.split()[0] for line in panels if line.startswith("  ")) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(cli: Run, name: str) -> None:
    assert f"Usage: portrayal {name}" in done(cli(name, "--help"))


def test_version(command: Run) -> None:
    assert done(command("--version")) == f"portrayal {__version__}\n"


def test_no_command_shows_the_help(cli: Run) -> None:
    ran = cli()
    assert "People who judge:" in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.slow
def test_init_then_run_as_the_installed_command(command: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("text,term\na photo of a nurse,nurse\na photo of a CEO,CEO\n")
    parts = ("--generator", "simulated", "--annotator", "simulated", "--suite", "mine.csv", "--title", "Mine")
    said = done(command("init", "my study", *parts, cwd=tmp_path))
    assert said.endswith("\nmy study/study.toml written; edit it, then: portrayal run 'my study'\n")
    assert done(command("run", "my study", cwd=tmp_path)).splitlines()[-1] == "my study/report/index.html"
    assert "Mine" in (tmp_path / "my study/report/index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_run_ends_with_the_reports_path_alone_on_standard_output(cli: Run, make_study: Make) -> None:
    study = make_study()
    ran = cli("run", study)
    assert done(ran) == f"{study / 'report' / 'index.html'}\n"
    assert (study / "report" / "index.html").is_file()


@pytest.mark.slow
def test_a_second_run_draws_and_judges_nothing(cli: Run, finished_copy: Path, tree: Tree) -> None:
    before = tree(finished_copy)
    ran = cli("run", finished_copy)
    after = tree(finished_copy)
    done(ran)
    assert re.search(r"^generate simulated@1#\w+: nothing to do$", ran.stderr, re.MULTILINE)
    assert re.search(r"^annotate simulated@1: nothing to do$", ran.stderr, re.MULTILINE)
    for part in LASTING:
        mine = {name: data for name, data in before.items() if name.startswith(f"{part}/")}
        assert mine
        assert {name: data for name, data in after.items() if name.startswith(f"{part}/")} == mine
    assert after["report/index.html"] == before["report/index.html"]


@pytest.mark.slow
def test_the_stages_can_be_run_one_by_one(cli: Run, make_study: Make) -> None:
    study = make_study()
    seen = []
    for stage in ("plan", "generate", "annotate", "measure"):
        assert done(cli(stage, study)) == ""
        seen.append(listing(cli("status", study, "--json")))
    assert [status["outcomes"] for status in seen] == [
        {"simulated@1": {"pending": 6}},
        *[{"simulated@1": {"made": 6}}] * 3,
    ]
    assert [status["judged"]["simulated@1"] for status in seen] == [0, 0, 6, 6]
    assert [status["measurements"] > 0 for status in seen] == [False, False, False, True]
    assert done(cli("report", study)) == f"{study / 'report' / 'index.html'}\n"


@pytest.mark.slow
def test_status_tells_what_is_done_and_why_not(cli: Run, finished: Path) -> None:
    counts = listing(cli("status", finished, "--json"))
    said = done(cli("status", finished))
    assert said.splitlines()[0] == "A small study: 2 prompts, 24 images planned"
    for word in ("made", "refused: simulated_refusal", "failed: simulated_failure", "judged", "abstained: no_person"):
        assert word in said
    (outcomes,) = counts["outcomes"].values()
    for label, count in outcomes.items():
        assert any(label in line and line.endswith(f" {count}") for line in said.splitlines())
    assert f"report: {counts['report']}" in said


@pytest.mark.slow
def test_status_counts_rejected_attempts(cli: Run, make_study: Make) -> None:
    suite = {"use": "biaspainter", "options": {"words": ["nurse", "pen"], "null": []}}
    parts = [
        {"use": "simulated", "images": 1, "role": role, "options": {"several": several}}
        for role, several in (("draw", 0.0), ("edit", 0.6))
    ]
    study = make_study(suite=suite, generators=parts, methods=[{"use": "biaspainter"}])
    done(cli("run", study))
    (editor, counts), *others = listing(cli("status", study, "--json"))["rejected"].items()
    assert not others
    lines = [line.split() for line in done(cli("status", study)).splitlines()]
    assert ["generate", editor, "rejected:", "inconsistent_gender", str(counts["inconsistent_gender"])] in lines


@pytest.mark.parametrize(
    ("asked", "prompts", "jobs", "told"),
    [(4, 183, 132, "4 of 183 prompts, 132 images"), (1, 1, 1, "1 prompt, 1 image"), (0, 0, 0, "0 prompts, 0 images")],
)
def test_status_opens_with_the_prompts_that_have_images(asked: int, prompts: int, jobs: int, told: str) -> None:
    assert Status("T", prompts, jobs, asked).heading == f"T: {told} planned"


def test_status_of_a_new_study_says_that_there_is_nothing_yet(cli: Run, make_study: Make) -> None:
    said = done(cli("status", make_study()))
    assert "0 images planned" in said
    assert "report: none yet" in said


@pytest.mark.slow
def test_measure_prints_the_measurements_as_json(cli: Run, finished_copy: Path) -> None:
    rows = listing(cli("measure", finished_copy, "--json"))
    shares = [
        row["value"]
        for row in rows
        if (row["metric"], row["attribute"], row["level"]) == ("share", "gender", "overall")
    ]
    assert sum(shares) == pytest.approx(1)


def test_suites_are_listed(cli: Run) -> None:
    names = [suite["name"] for suite in listing(cli("suites", "--json"))]
    assert names[:2] == ["file", "occupations"]
    assert all(name in done(cli("suites")) for name in names)


def test_a_suite_is_shown_in_every_format(cli: Run) -> None:
    shown = listing(cli("suites", "show", "occupations", "--json"))
    texts = [row["text"] for row in shown]
    assert len(texts) == 179
    assert done(cli("suites", "show", "occupations", "--format", "txt")).splitlines() == texts
    lines = done(cli("suites", "show", "occupations", "--format", "jsonl")).splitlines()
    assert [json.loads(line) for line in lines] == shown
    table = csv.DictReader(io.StringIO(done(cli("suites", "show", "occupations"))))
    assert [row["text"] for row in table] == texts


def test_a_shown_suite_can_be_asked_again(cli: Run, tmp_path: Path, make_study: Make) -> None:
    shown = done(cli("suites", "show", make_study() / "prompts.csv"))
    kept = [{key: row[key] for key in ("text", "term", "category")} for row in csv.DictReader(io.StringIO(shown))]
    assert kept == [
        {"text": "a photo of a nurse", "term": "nurse", "category": "health"},
        {"text": "a photo of a CEO", "term": "CEO", "category": "office"},
    ]


@pytest.mark.slow
def test_doctor_lists_the_parts(cli: Run) -> None:
    found = listing(cli("doctor", "--json"))
    said = done(cli("doctor"))
    assert said.startswith(f"portrayal {__version__}, Python ")
    for part in found["parts"]:
        assert any(" ".join(line.split()).startswith(f"{part['kind']} {part['name']} ") for line in said.splitlines())


def test_export_prints_the_files(cli: Run, finished: Path, tmp_path: Path) -> None:
    only = ("--table", "outcomes", "--table", "prompts")
    assert listing(cli("export", finished, "--to", tmp_path, "--format", "jsonl", *only, "--json")) == [
        str(tmp_path / "outcomes.jsonl"),
        str(tmp_path / "prompts.jsonl"),
    ]
    paths = done(cli("export", finished, "--to", tmp_path)).splitlines()
    assert len(paths) == 12
    assert all(Path(path).is_file() for path in paths)


@pytest.mark.parametrize("words", [("export",), ("arena", "rate")])
def test_help_shows_no_types_of_python(cli: Run, words: tuple[str, ...]) -> None:
    assert "list[" not in done(cli(*words, "--help"))


@pytest.mark.slow
def test_import_prints_what_came_in(cli: Run, make_study: Make, tmp_path: Path, picture: Callable[..., bytes]) -> None:
    folder = tmp_path / "images/sdxl/a nurse"
    folder.mkdir(parents=True)
    (folder / "0.png").write_bytes(picture())
    (folder / "1.png").write_bytes(b"no picture")
    (folder / "Thumbs.db").write_bytes(b"thumbs")
    (folder.parent / "notes.txt").write_bytes(b"notes")
    study = make_study(suite=None, generators=None)
    words = ("import", study, "--images", tmp_path / "images", "--layout", "faintbench")
    assert listing(cli(*words, "--json")) == {
        "made": 1,
        "failed: unreadable_image": 1,
        "ignored: not an image": 1,
        "ignored: outside the layout": 1,
    }
    again = cli(*words)
    assert [line.rsplit(maxsplit=1) for line in done(again).splitlines()] == [
        ["imported", "count"],
        ["already there", "1"],
        ["failed: unreadable_image", "1"],
        ["ignored: not an image", "1"],
        ["ignored: outside the layout", "1"],
    ]
    assert "ignored, as they are no images: Thumbs.db\n" in again.stderr
    assert "ignored, as the layout faintbench has no place for them: sdxl/notes.txt\n" in again.stderr


@pytest.mark.slow
def test_import_names_prompts_that_the_suite_does_not_have(
    cli: Run, make_study: Make, tmp_path: Path, picture: Callable[..., bytes]
) -> None:
    for text in ("a photo of one Nurse", "a photo of one dragon"):
        (tmp_path / "images/sdxl" / text).mkdir(parents=True)
        (tmp_path / "images/sdxl" / text / "0.png").write_bytes(picture())
    study = make_study(suite={"use": "faintbench"}, generators=None)
    said = cli("import", study, "--images", tmp_path / "images", "--layout", "faintbench")
    assert "prompts the suite does not have  1\n" in done(said)
    assert "prompts that the suite does not have: 'a photo of one dragon'\n" in said.stderr


@pytest.mark.slow
def test_run_and_import_name_a_reference_that_covers_no_term(
    cli: Run, make_study: Make, tmp_path: Path, picture: Callable[..., bytes]
) -> None:
    method = {"use": "representation", "options": {"references": {"gender": "faintbench", "age3": "faintbench"}}}
    study = make_study(suite=None, generators=None, methods=[method])
    (tmp_path / "images/sdxl/a photo of a dragon").mkdir(parents=True)
    (tmp_path / "images/sdxl/a photo of a dragon/0.png").write_bytes(picture())
    said = cli("import", study, "--images", tmp_path / "images", "--layout", "faintbench")
    assert "reference 'faintbench' (gender, age3) covers 0 of 1 term of this study" in said.stderr
    again = cli("run", study)
    assert done(again) == f"{study / 'report/index.html'}\n"
    assert again.stderr.count("reference 'faintbench' (gender, age3) covers 0 of 1 term of this study") == 1


@pytest.mark.slow
def test_demo_ends_with_the_reports_path(
    cli: Run, make_study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from portrayal.study.create import create_study as create

    study = make_study("portrayal-demo")  # the demo's own parts take minutes; here only its way is walked
    monkeypatch.setattr(create, "create_demo", lambda folder, method: None)
    monkeypatch.chdir(tmp_path)
    assert done(cli("demo")).splitlines()[-1] == "portrayal-demo/report/index.html"
    assert (study / "report/index.html").is_file()


def test_help_names_the_methods_that_a_study_can_be_created_for(cli: Run) -> None:
    *others, last = [name for name, bundle in bundles().items() if bundle.study]
    assert f"{', '.join(others)} or {last}" in " ".join(done(cli("init", "--help")).split())


def test_a_demo_of_a_method_that_has_none_is_refused(cli: Run, tmp_path: Path) -> None:
    ran = cli("demo", "biaspaintr", tmp_path / "here")
    assert ran.returncode == 2
    said = "no demo of a method named 'biaspaintr' (demos: representation, biaspainter); did you mean 'biaspainter'?"
    assert said in ran.stderr


def test_the_name_of_a_method_is_no_folder_for_a_demo(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("demo", "faintbench").stderr == (
        "error: there is no demo of 'faintbench' (demos: representation, biaspainter); a study of it, offline: "
        "portrayal init STUDY --method faintbench --generator simulated --annotator simulated; for a folder of "
        "that name: portrayal demo ./faintbench\n"
    )
    slip = cli("demo", "biaspaintr").stderr
    assert slip.endswith("did you mean 'biaspainter'?; for a folder of that name: portrayal demo ./biaspaintr\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_quiet_prints_the_result_alone_and_errors_all_the_same(cli: Run, make_study: Make) -> None:
    folder = make_study()
    for stage in ("plan", "generate", "annotate"):
        ran = cli(stage, str(folder), "--quiet")
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    ran = cli("run", str(folder), "-q")
    assert ran.stderr == ""
    assert ran.stdout.rstrip("\n").endswith("index.html")
    ran = cli("run", str(folder / "nowhere"), "-q")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: ")


@pytest.mark.slow
def test_nothing_is_coloured_also_where_colour_is_asked_for(
    cli: Run, make_study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    folder = make_study()
    for words in (["--help"], ["run", str(folder)], ["status", str(folder)]):
        ran = cli(*words)
        assert "\x1b" not in ran.stdout + ran.stderr
