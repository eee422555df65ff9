"""One flipped bit in any file of a study: it is found, or nothing is different for it.

``PORTRAYAL_ATTACK=50`` flips fifty times as many.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

from portrayal.errors import DamagedError
from portrayal.records import (
    COMPARISON_SCHEMA,
    PRECISION_SCHEMA,
    ROUND_SCHEMA,
    SPENDING_SCHEMA,
    VOTE_SCHEMA,
    Comparison,
    DrawnRound,
    PrecisionCheck,
    Spending,
    Vote,
    to_table,
)
from portrayal.store.workspace import SCHEMAS, Workspace
from portrayal.study.checking.verify import verify
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.vision.pictures import open_rgb

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Ran = subprocess.CompletedProcess[str]
Cli = Callable[..., Ran]
Rows = Callable[[Path], dict[str, list[str]]]
FLIPS = 20 * int(os.environ.get("PORTRAYAL_ATTACK", "1"))
"""In each table, and in pictures."""
OWN = "biaspainter.edits"
BIASPAINTER = {
    "suite": {"use": "biaspainter", "options": {"words": ["nurse", "brave", "pen"], "null": ["a photo"]}},
    "generators": [
        {"use": "simulated", "images": 1, "role": "draw", "options": {"size": 8}},
        {"use": "simulated", "images": 1, "role": "edit", "options": {"size": 8, "failed": 0.2}},
    ],
    "methods": [{"use": "biaspainter"}, {"use": "representation", "options": {"draws": 100}}],
}
PLANNED = ("prompts", "truths", "jobs")
READ_BY_STATUS = ("jobs", "prompts", "truths", "outcomes", "observations", "measurements", "spending")
READ_BY_RUN = ("imports", "outcomes", "observations", "measurements", "spending")
MUST_SAY = {
    *(("status", name) for name in READ_BY_STATUS),
    *(("export", name) for name in (*SCHEMAS, OWN)),
    *(("run", name) for name in READ_BY_RUN),
}
"""Commands and the tables that they cannot do without."""


@pytest.fixture(scope="module")
def whole(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with rows in every table; only to be read."""
    folder = tmp_path_factory.mktemp("whole")
    root = write_study(folder / "study", **BIASPAINTER)
    pictures = folder / "images" / "model" / "a photo of a beekeeper"
    pictures.mkdir(parents=True)
    for number in range(3):
        noise = Image.effect_noise((32, 32), 40 + number)
        noise.convert("RGB").save(pictures / f"{number}.jpg")
    study = OpenStudy(root)
    with study.workspace.writing():
        import_images(study, read_layout("faintbench", folder / "images"), RunControl())
        tables = study.workspace.tables
        paid = [Spending(f"{n}", "shop@1", "a job", 0.25, settled=True) for n in range(9)]
        tables["spending"].append(to_table(paid, SPENDING_SCHEMA))
        alike = [Comparison(f"{n}", f"{n + 1}", "somebody", n / 7) for n in range(9)]
        tables["comparisons"].append(to_table(alike, COMPARISON_SCHEMA))
        texts = ("p", "t", "c", "en", "v", "bias", "one", "other", "a", "b", "0")
        votes = [Vote(f"{n}", "rater", n, *texts, n / 3, n / 9) for n in range(9)]
        tables["votes"].append(to_table(votes, VOTE_SCHEMA))
        rounds = [DrawnRound(n, "simulated@1", "p", 4, 4, "", "nurse", 4, n / 7, 9, 0.95, "rule") for n in range(1, 10)]
        tables["rounds"].append(to_table(rounds, ROUND_SCHEMA))
        shifts = ("bf16", "gender", "male", 9, 0)
        rounding = [PrecisionCheck(f"{n}", *shifts, n / 7, n / 3, 0.1, -0.1, n / 9) for n in range(9)]
        tables["precision"].append(to_table(rounding, PRECISION_SCHEMA))
    run_stages(study, RunControl())
    assert all(table.count() for name, table in tables.items() if name != "truths")
    assert OWN in study.workspace.own_tables.names()
    return root


@pytest.fixture
def study(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "study")


def file_of(root: Path, name: str) -> Path:
    """The largest file of a table."""
    return max((root / "tables" / name).glob("*.parquet"), key=lambda path: path.stat().st_size)


def flip(path: Path, rng: random.Random) -> bytes:
    """Flip a bit and return what was there."""
    before = path.read_bytes()
    data = bytearray(before)
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    return before


def reading(root: Path, name: str) -> list[Callable[[], object]]:
    """Every way to read a table."""
    if name == OWN:

        def read_own() -> object:
            with Workspace(root).own_tables.open(name) as own:
                return pa.concat_tables(own.batches())

        return [read_own]
    return [
        lambda: list(Workspace(root).tables[name].batches()),
        lambda: list(Workspace(root).tables[name].scan(SCHEMAS[name].names[:1])),
        lambda: Workspace(root).tables[name].count(),
        lambda: Workspace(root).query(f"SELECT count(*) FROM {name}"),
    ]


@pytest.mark.parametrize("name", [*SCHEMAS, OWN])
def test_every_flip_in_a_table_is_found_however_it_is_read(study: Path, name: str) -> None:
    rng, path = random.Random(name), file_of(study, name)
    for _ in range(FLIPS):
        before = flip(path, rng)
        for read in reading(study, name):
            with pytest.raises(DamagedError, match=path.name):
                read()
        path.write_bytes(before)
    for read in reading(study, name):
        read()


@pytest.mark.parametrize("name", [*SCHEMAS, OWN])
def test_damage_is_one_line_in_every_command_or_repaired(
    study: Path, whole: Path, name: str, cli: Cli, rows: Rows, tmp_path: Path
) -> None:
    path = file_of(study, name)
    flip(path, random.Random(name))
    for command, words in {"status": (), "export": ("--to", tmp_path / "out"), "run": ()}.items():
        ran = cli(command, study, *words)
        if ran.returncode:
            said = [line for line in ran.stderr.splitlines() if line.startswith("error: ")]
            assert (ran.returncode, len(said)) == (2, 1), ran.stderr
            assert ran.stderr.rstrip().endswith(said[0])
            assert path.name in said[0]
        assert ran.returncode == 2 or (command, name) not in MUST_SAY
    repaired = name in (*PLANNED, OWN)  # by the command that makes them
    assert cli("verify", study).returncode == (0 if repaired else 2)
    if repaired:
        assert rows(study) == rows(whole)


@pytest.mark.parametrize("name", ["outcomes", "observations", "measurements", OWN])
def test_what_verify_says_brings_the_rows_back(study: Path, whole: Path, name: str, cli: Cli, rows: Rows) -> None:
    path = file_of(study, name)
    flip(path, random.Random(name))
    (damage,) = verify(OpenStudy(study), RunControl()).damage
    assert damage.path == path.relative_to(study).as_posix()
    assert damage.remedy.startswith("delete it: portrayal ")
    path.unlink()
    source = whole.parent / "images"
    if name == "outcomes":
        assert "imported again" in damage.remedy
        assert cli("import", study, "--images", source, "--layout", "faintbench").returncode == 0
    assert cli("run", study).returncode == 0
    assert answered(rows(study)) == answered(rows(whole))
    assert verify(OpenStudy(study), RunControl()).damage == []


def answered(rows: dict[str, list[str]]) -> dict[str, list[str]]:
    """All rows but those of attempts that failed: which of them are lost nobody can tell."""
    return {**rows, "outcomes": [row for row in rows["outcomes"] if '"status": "failed"' not in row]}


def test_every_flip_in_a_picture_is_found(study: Path) -> None:
    rng = random.Random(7)
    for ending in ("jpg", "png"):
        paths = sorted((study / "images").rglob(f"*.{ending}"))
        for _ in range(FLIPS):
            path = rng.choice(paths)
            before = flip(path, rng)
            with pytest.raises(DamagedError, match=path.name):
                open_rgb(path)
            path.write_bytes(before)
            open_rgb(path)


def test_a_damaged_picture_stops_who_opens_it_in_one_line(study: Path, cli: Cli) -> None:
    path = next((study / "images").rglob("*.jpg"))
    flip(path, random.Random(3))
    for command in ("report", "run"):
        ran = cli(command, study)
        assert ran.returncode == 2
        assert path.name in ran.stderr.splitlines()[-1]
    assert cli("status", study).returncode == 0
    found = cli("verify", study)
    assert found.returncode == 2
    assert path.name in found.stdout
    path.unlink()
    assert cli("run", study).returncode == 0
