"""A package that brings a whole method: all of it is found by the commands, and nothing of it is named in Portrayal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from portrayal.study.study import OpenStudy
from portrayal.suites.isco import isco_of
from portrayal.suites.known import known_occupations

Run = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[..., Path]

PACKAGE = "portrayal_test_bees"
BUNDLE = """
from portrayal.bundles import Bundle
from portrayal.registry import Entry

BUNDLE = Bundle(
    __name__,
    Entry(".parts:Bees", "counts bees"),
    reproduction=Entry(".parts:reproduce", "their one table"),
    commands=Entry(".commands:app", "look after bees"),
    suites={"bees": Entry(".parts:suite", "one beekeeper")},
    references={"hives": Entry(".parts:hives", "by hive")},
    occupations={"bees": Entry(".parts:occupations", "those with bees")},
    layouts={"comb": Entry(".parts:read_comb", "a file for each model")},
    results={"bees-text": Entry(".parts:read_results", "what bees saw")},
    graphs={"meadow": Entry(".parts:meadow", "bees and flowers")},
    study="study.toml.in",
    suite="bees",
    own_suite_only=True,
)
"""
PARTS = """
from portrayal.graph import Schema, Vertex
from portrayal.graph.domain import Domain
from portrayal.graph.guidelines import Guidelines, Meaning
from portrayal.methods.base import Method
from portrayal.methods.reproduction import PrintedNumber, Reproduction
from portrayal.records import FoundImage, ImageResults, Prompt, PromptResults, Reference
from portrayal.settings import Settings
from portrayal.suites import Suite
from portrayal.suites.known import Known

class Bees(Method):
    name = "bees"
    def measure(self, evidence, *, rng): yield from ()

class _Suite:
    Options = Settings
    references = {"gender": "hives"}
    def __call__(self, options, folder):
        return Suite("bees", [Prompt("a photo of a beekeeper", "beekeeper", "bees")])

suite = _Suite()

def reproduce():
    return Reproduction([PrintedNumber(1, "Bees", "queen", 0.5, 0.5, 0.0)], [], [])

def hives(attribute, choice):
    return Reference("hives", attribute.name, {}, dict(zip(attribute.groups, (0.25, 0.75))), "hives")

def meadow(tables=None, kind=""):
    kind = kind or "flower"
    way, likes = f"bee_to_{kind}", {"likes": Meaning("Liking", "it flies there")}
    told = Guidelines("", "Watch.", "None.", "Alone.", {way: "Where to?"}, {way: likes})
    schema = Schema({"likes": [way]}, kinds=("bee", kind))
    return Domain([Vertex("bee", "queen"), Vertex(kind, "rose")], schema, {"en": told})

def occupations():
    yield Known("Beekeeper", "6123")

def read_comb(folder):
    for path in sorted(folder.glob("*.png")):
        yield FoundImage(path, path.stem, Prompt("a photo of a beekeeper", "beekeeper"))

def read_results(path, known, annotator):
    prompt = known["a photo of a beekeeper"]
    rows = [((0, "gender", (1.0, 0.0), None),) for _ in path.read_text()]
    yield PromptResults(prompt, True, [ImageResults(prompt, str(n), n, row) for n, row in enumerate(rows)])
"""
COMMANDS = """
import typer

app = typer.Typer()

@app.command()
def feed(sugar: int = 1) -> None:
    "Feed them."
    typer.echo(f"{sugar} spoons")

@app.command()
def smoke() -> None:
    "Calm them."
"""
STUDY = """
[study]
title = $title
[suite]
use = $suite_use
$suite_options
[[generators]]
use = $generator
[[annotators]]
use = $annotator
[[annotators]]
use = "imported:bees"
[[methods]]
use = "bees"
# compare with: $suggested
# $references
"""


@pytest.fixture(autouse=True)
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution with one method, as if it were installed."""
    site = tmp_path / "site"
    info, package = site / "bees-1.0.dist-info", site / PACKAGE
    info.mkdir(parents=True)
    package.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bees\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[portrayal.methods]\nbees = {PACKAGE}:BUNDLE\n")
    files = {"__init__.py": BUNDLE, "parts.py": PARTS, "commands.py": COMMANDS, "study.toml.in": STUDY}
    for name, text in files.items():
        (package / name).write_text(text)
    monkeypatch.syspath_prepend(site)
    monkeypatch.chdir(tmp_path)
    known_occupations.cache_clear()
    yield
    known_occupations.cache_clear()
    for name in [name for name in sys.modules if name.startswith(PACKAGE)]:
        del sys.modules[name]


def done(ran: subprocess.CompletedProcess[str]) -> str:
    assert ran.returncode == 0, ran.stderr
    return " ".join(ran.stdout.split())


@pytest.fixture
def study(cli: Run) -> Path:
    """A study that ``init`` wrote."""
    done(cli("init", "study", "--method", "bees", "--generator", "simulated", "--annotator", "simulated"))
    return Path("study")


def test_the_suite_is_listed_and_shown(cli: Run) -> None:
    assert "bees one beekeeper" in done(cli("suites"))
    assert done(cli("suites", "show", "bees", "--format", "txt")) == "a photo of a beekeeper"


def test_init_writes_the_methods_own_study(cli: Run, study: Path) -> None:
    assert " or bees; the first" in done(cli("init", "--help"))
    text = (study / "study.toml").read_text()
    assert '# compare with: "hives" (by hive)' in text
    assert '# gender = "hives"' in text
    opened = OpenStudy(study)
    opened.check()
    assert [method.name for method in opened.methods] == ["bees"]
    ran = cli("init", "other", "--method", "bees", "--suite", "occupations")
    assert "the method 'bees' scores the suite 'bees', not 'occupations'" in ran.stderr


def test_a_suite_whose_name_is_taken_is_refused(cli: Run, tmp_path: Path) -> None:
    parts = tmp_path / "site" / PACKAGE / "__init__.py"
    text = parts.read_text().replace('suite="bees"', 'suite="occupations"')
    parts.write_text(text.replace('suites={"bees"', 'suites={"occupations"'))
    ran = cli("init", "study", "--method", "bees", "--generator", "simulated", "--annotator", "simulated")
    assert ran.returncode == 2
    assert "two suites are named 'occupations'" in ran.stderr
    assert not Path("study").exists()


def test_a_study_file_that_the_package_lacks_is_told(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "site" / PACKAGE / "study.toml.in").unlink()
    ran = cli("init", "study", "--method", "bees", "--generator", "simulated", "--annotator", "simulated")
    assert ran.returncode == 2
    assert "has no file 'study.toml.in', which its bundle names" in ran.stderr


@pytest.mark.slow
def test_images_and_results_come_in(cli: Run, study: Path, picture: Callable[..., bytes]) -> None:
    shown = done(cli("import", "--help"))
    assert "comb: a file for each model" in shown
    assert "--bees-text FILE What bees saw." in shown
    comb = Path("comb")
    comb.mkdir()
    (comb / "queen.png").write_bytes(picture())
    assert done(cli("import", study, "--images", comb, "--layout", "comb")) == "imported count made 1"
    Path("drone.txt").write_text("zzz")
    ran = cli("import", study, "--bees-text", "drone.txt", "--annotator", "bees", "--json")
    assert json.loads(ran.stdout) == {"images": 3, "prompts": 1}
    rows = OpenStudy(study).workspace.query("SELECT generator, source FROM imports ORDER BY position").to_pylist()
    assert [row["generator"] for row in rows] == ["queen", "drone", "drone", "drone"]
    assert rows[-1]["source"] == "bees-text:2"
    ran = cli("import", study, "--bees-text", "drone.txt", "--faintbench-json", "drone.txt")
    assert "--bees-text and --faintbench-json exclude each other" in ran.stderr


@pytest.mark.slow
def test_references_and_occupations_are_found_by_name(cli: Run, make_study: Make) -> None:
    methods = [{"use": "representation", "options": {"references": {"gender": "hives"}, "draws": 100}}]
    made = make_study("mine", methods=methods)
    done(cli("run", made))
    rows = OpenStudy(made).workspace.query("SELECT DISTINCT reference FROM measurements").to_pylist()
    assert {"reference": "hives"} in rows
    assert known_occupations()["beekeeper"].isco == isco_of("beekeeper", "bees") == "6123"


def test_the_paper_is_reproduced(cli: Run) -> None:
    assert " or bees. [required]" in done(cli("reproduce", "--help"))
    assert "1 of 1 totals agree" in done(cli("reproduce", "bees"))


@pytest.mark.slow
def test_doctor_names_every_part(cli: Run) -> None:
    parts = {(part["kind"], part["name"]) for part in json.loads(cli("doctor", "--json").stdout)["parts"]}
    kinds = {"method": "bees", "suite": "bees", "reference": "hives", "occupation list": "bees", "layout": "comb"}
    assert {*kinds.items(), ("results reader", "bees-text"), ("reproduction", "bees")} <= parts


def test_its_graphs_can_be_annotated(cli: Run, tmp_path: Path) -> None:
    assert "likes" in done(cli("graph", "annotate", tmp_path / "a.csv", "--kind", "meadow:"))
    assert (tmp_path / "a.csv").read_text() == "direction,bee,flower,relation,comment\nbee_to_flower,queen,rose,,\n"
    done(cli("graph", "annotate", tmp_path / "b.csv", "--kind", "meadow:tree"))
    assert "bee_to_tree,queen,rose,," in (tmp_path / "b.csv").read_text()
    done(cli("graph", "annotate", tmp_path / "c.csv"))
    assert "occupation_to_race,CEO,white,," in (tmp_path / "c.csv").read_text()  # what comes with Portrayal is first


def test_its_commands_are_named_in_the_help_and_imported_when_used(cli: Run) -> None:
    assert "bees Look after bees." in done(cli("--help"))
    assert f"{PACKAGE}.commands" not in sys.modules
    assert "feed Feed them." in done(cli("bees", "--help"))
    assert done(cli("bees", "feed", "--sugar", "3")) == "3 spoons"
    assert "bee" in cli("bee").stderr
