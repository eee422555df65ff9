"""BAFIS from the command line: created, asked in two languages, measured and reported."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.records import Measurement, from_table
from portrayal.reports.text.notes import plain_notes
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

STUDY = """\
[study]
title = "Nurses and others"
seed = 2

[suite]
use = "bafis"
options.terms = ["nurse", "ceo", "cook", "clerk", "painter", "baker"]

# No nurse is a man; then, pictures that show one person more than asked for.
[[generators]]
use = "simulated"
images = 6
[generators.options]
pixels = false
no_person = 0.1
shares.gender = { male = 0.8, female = 0.2 }
terms.nurse.gender = { male = 0.0, female = 1.0 }

[[generators]]
use = "simulated"
images = 2
[generators.options]
pixels = false
several = 1.0
shares.gender = { male = 0.0, female = 1.0 }

[[annotators]]
use = "simulated"
options.attributes = ["gender"]

[[methods]]
use = "bafis"
options.draws = 200
options.references.gender = { table = "us", region = "US" }

[annotate]
batch = 400
workers = 1

[generate]
batch = 400
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Measurement]:
    """Return the measurements of a small study that was run as a user runs it."""
    folder = tmp_path_factory.mktemp("bafis") / "study"
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    portrayal = Path(sys.executable).with_name("portrayal")
    ran = subprocess.run([portrayal, "run", folder], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert (folder / "report" / "index.html").is_file()
    study = OpenStudy(folder)
    places = {name: str(place) for place, name in enumerate(study.generators)}  # in the order of study.toml
    found = from_table(study.workspace.query("SELECT * FROM measurements"), Measurement)
    return [replace(row, generator=places[row.generator]) for row in found]


def find(rows: list[Measurement], generator: int, **wanted: Any) -> list[Measurement]:
    wanted["generator"] = str(generator)
    return [row for row in rows if all(getattr(row, field) == value for field, value in wanted.items())]


def test_every_language_and_way_of_asking_has_its_rows(rows: list[Measurement]) -> None:
    shares = find(rows, 0, metric="share", level="overall", group="female")
    cells = {(row.language, row.variant) for row in shares}
    ways = ("", "direct", "indirect", "group")
    assert cells == {*((language, way) for language in ("en", "de") for way in ways), ("de", "feminine")}
    assert {row.level for row in rows} == {"overall", "category", "term"}


def test_the_intervals_hold_what_was_planted(rows: list[Measurement]) -> None:
    for metric in ("share", "paired_difference", "total_variation"):
        for row in find(rows, 0, metric=metric, level="overall"):
            assert row.planted is not None
            assert row.low is not None
            assert row.high is not None
            assert row.low - 1e-9 <= row.planted <= row.high + 1e-9, row
    (feminine,) = find(rows, 0, metric="paired_difference", variant="feminine", level="overall", group="female")
    assert feminine.reference == "de direct"
    assert feminine.planted == pytest.approx(1 - (5 * 0.2 + 1) / 6)


def test_every_pair_is_used_or_missing(rows: list[Measurement]) -> None:
    pairs = find(rows, 0, metric="paired_difference", level="overall", variant="direct")
    assert {(row.language, row.reference, row.n + row.missing) for row in pairs} == {("de", "en direct", 36)}
    assert all(row.missing > 0 for row in pairs)
    assert not any("seeds" in plain_notes(row.notes) for row in rows)


def test_of_groups_every_person_counts_and_of_portraits_one(rows: list[Measurement]) -> None:
    (crowd,) = find(rows, 0, metric="share", language="de", variant="group", level="overall", group="female")
    assert crowd.n >= 2 * (36 - crowd.missing) > 0  # pictures of two to six people
    (paired,) = find(rows, 0, metric="paired_difference", variant="group", reference="en group", group="female")[:1]
    assert paired.n + paired.missing == 36  # pictures, not people
    (alone,) = find(rows, 1, metric="share", language="de", variant="direct", level="overall")
    assert plain_notes(alone.notes) == "no usable image (several people 12)"


def test_the_reference_covers_what_it_has(rows: list[Measurement]) -> None:
    (row,) = find(rows, 0, metric="difference", language="en", variant="direct", level="overall", group="female")
    assert row.reference == "us"
    assert plain_notes(row.notes).startswith("reference covers 4 of 6 prompts")  # no clerk and no house painter in it
    (nurses,) = find(
        rows, 0, metric="share", variant="direct", language="en", item="Healthcare & Social Services", group="female"
    )
    assert (nurses.value, nurses.target) == (1.0, 0.862)


def test_a_study_is_created_for_it(cli: Run, tmp_path: Path) -> None:
    made = cli("init", tmp_path / "mine", "--method", "bafis", "--generator", "simulated", "--annotator", "simulated")
    assert made.returncode == 0, made.stderr
    study = OpenStudy(tmp_path / "mine")
    study.check()
    assert study.suite is not None
    assert len(study.suite.prompts) == 1057
    (method,) = study.config.methods
    assert (method.use, method.options["references"]) == ("bafis", {"gender": "us"})
    assert study.config.generators[0].images == 4
    assert cli("plan", tmp_path / "mine").returncode == 0
    assert study.workspace.tables["jobs"].count() == 4 * 1057


def test_a_wrong_region_is_one_line(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    wrong = STUDY.replace('region = "US"', 'region = "Germany"')
    (tmp_path / "study" / "study.toml").write_text(wrong, encoding="utf-8")
    ran = cli("run", tmp_path / "study")
    assert ran.returncode == 2
    assert "reference_us.csv: no region 'Germany'; there is US" in ran.stderr.replace("\n", "")
