"""A method may bring tables of its own: stored with its measurements, exported, and linked from the report."""

from __future__ import annotations

import csv
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.plugins import write_plugin

from portrayal.errors import UnknownNameError
from portrayal.methods.base import OwnTable
from portrayal.store.tables.table import Table
from portrayal.study.measure.measure_study import measure
from portrayal.study.plan.make_plan import plan
from portrayal.study.report.report_page import report
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.study.tables.exporting import export_tables

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]
PLUGIN = '''
import pyarrow as pa
from portrayal.evidence import GroupCounts, Rule
from portrayal.methods.base import Method, OwnTable
from portrayal.records import Measurement
from portrayal.settings import Settings


class Graph(Method):
    """Counts edges from prompts to groups."""

    class Options(Settings):
        twice: bool = False

    name = "graph"
    needs = (GroupCounts(Rule("one")),)

    def measure(self, evidence, *, rng):
        yield Measurement("graph", "edges", "", value=float(len(evidence.plan.cells)))
        rows = [
            {"generator": generator, "prompt": prompt, "attribute": attribute, "counts": counts[place].tolist()}
            for (annotator, attribute), counts in evidence[self.needs[0]].items()
            for place, (generator, prompt) in enumerate(evidence.plan.cells)
        ]
        yield OwnTable("edges", pa.Table.from_pylist(rows))
        yield OwnTable("edges" if self.options.twice else "seeds", pa.table({"n": rng.integers(100, size=3)}))
'''


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the method, for this process."""
    folder = tmp_path / "plugin"
    write_plugin(folder, "graph_method", PLUGIN, "[portrayal.methods]\ngraph = graph_method:Graph\n")
    monkeypatch.syspath_prepend(str(folder))


BOTH = [{"use": "representation", "options": {"draws": 100}}, {"use": "graph"}]


@pytest.fixture
def measured(plugin: None, make_measured: Make) -> OpenStudy:
    return OpenStudy(make_measured(methods=BOTH))


def rows(study: OpenStudy, name: str) -> list[dict[str, Any]]:
    with study.workspace.own_tables.open(name) as table:
        found: list[dict[str, Any]] = pa.concat_tables(table.batches()).to_pylist()
        return found


def change(study: OpenStudy, old: str, new: str) -> OpenStudy:
    path = study.root / "study.toml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    return OpenStudy(study.root)


def test_they_are_stored_with_the_measurements(measured: OpenStudy) -> None:
    assert measured.workspace.own_tables.names() == ["graph.edges", "graph.seeds"]
    edges = rows(measured, "graph.edges")
    assert {edge["attribute"] for edge in edges} == {"gender", "age3", "tone3"}
    assert sum(sum(edge["counts"]) for edge in edges if edge["attribute"] == "gender") == 6
    assert measured.workspace.query("SELECT value FROM measurements WHERE method = 'graph'").to_pylist() == [
        {"value": 2}
    ]


def test_measuring_again_replaces_them(measured: OpenStudy) -> None:
    before = rows(measured, "graph.seeds")
    edges = rows(measured, "graph.edges")
    again = OpenStudy(measured.root)
    measure(again, RunControl())
    assert (rows(again, "graph.seeds"), rows(again, "graph.edges")) == (before, edges)
    assert len(list((measured.root / "tables" / "graph.edges").iterdir())) == 1


def test_another_method_measured_alone_keeps_them_and_a_method_that_is_gone_drops_them(measured: OpenStudy) -> None:
    study = OpenStudy(measured.root)
    study.narrow("representation")
    measure(study, RunControl())
    assert study.workspace.own_tables.names() == ["graph.edges", "graph.seeds"]
    gone = change(measured, ', { "use" = "graph" }', "")
    run_stages(gone, RunControl())
    assert gone.workspace.own_tables.names() == []
    assert not (gone.root / "tables" / "graph.edges").exists()
    assert not (gone.root / "report" / "tables").exists()


def test_what_cannot_be_committed_changes_nothing(measured: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(measured, "graph.edges")
    images = change(measured, '"images" = 3', '"images" = 2')

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    plan(images, RunControl())
    monkeypatch.setattr(Table, "replace", full)
    with pytest.raises(OSError, match="No space"):
        measure(images, RunControl())
    assert rows(images, "graph.edges") == before


def test_a_name_stands_once(plugin: None, make_study: Make) -> None:
    study = OpenStudy(make_study(methods=[{"use": "graph", "options": {"twice": True}}]))
    with pytest.raises(ValueError, match="the method graph has two tables named 'edges'"):
        run_stages(study, RunControl())


@pytest.mark.parametrize("name", ["", "Edges", "a.b", "1st", "a-b", "x" * 41])
def test_a_name_that_could_be_mistaken_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a method's own table is named in up to 40 of a-z, 0-9 and _, not"):
        OwnTable(name, pa.table({}))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (pa.table({"b": [b"x"]}), "column 'b' has the type binary"),
        (pa.table({"a": [{"x": b"x"}]}), "column 'a' has the type struct<x: binary>"),
        (pa.table({"d": pa.array([1], pa.duration("s"))}), "column 'd' has the type"),
        (pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), "column 'a' stands there twice"),
        ([{"a": 1}], "is a pyarrow.Table, not a list"),
    ],
)
def test_what_no_file_can_hold_is_refused_before_it_is_stored(rows: Any, why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(why)):
        OwnTable("edges", rows)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_they_are_exported(measured: OpenStudy, tmp_path: Path, form: str) -> None:
    (path,) = export_tables(measured, tmp_path / "out", form, ["graph.edges"])
    assert path.name == f"graph.edges.{form}"
    expected = rows(measured, "graph.edges")
    if form == "csv":
        with path.open(newline="") as file:
            back = [{**row, "counts": json.loads(row["counts"])} for row in csv.DictReader(file)]
    elif form == "jsonl":
        back = [json.loads(line) for line in path.read_text().splitlines()]
    else:
        back = pq.read_table(path).to_pylist()
    assert back == expected
    everything = [path.name for path in export_tables(measured, tmp_path / "all", form)]
    assert everything[-2:] == [f"graph.edges.{form}", f"graph.seeds.{form}"]


def test_a_mistyped_one_gets_a_hint(measured: OpenStudy, tmp_path: Path, cli: Run) -> None:
    with pytest.raises(UnknownNameError, match=r"no table named 'graph\.edge'; did you mean 'graph\.edges'"):
        export_tables(measured, tmp_path / "out", "csv", ["graph.edge"])
    ran = cli("export", measured.root, "--to", tmp_path / "out", "--table", "graph.seeds")
    assert ran.returncode == 0
    assert ran.stdout.strip().endswith("graph.seeds.csv")


def test_the_report_links_them(measured: OpenStudy) -> None:
    page = (measured.root / "report" / "index.html").read_text()
    assert '<a href="tables/graph.edges.csv">graph.edges</a>, 6\N{NO-BREAK SPACE}rows' in page
    with (measured.root / "report" / "tables" / "graph.edges.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 6
    mine = measured.root / "report" / "tables" / "mine.txt"
    mine.touch()
    (measured.root / "report" / "tables" / "graph.old.csv").touch()
    report(OpenStudy(measured.root), RunControl())
    assert sorted(path.name for path in mine.parent.iterdir()) == ["graph.edges.csv", "graph.seeds.csv", "mine.txt"]


def test_the_german_page_says_so_in_german(measured: OpenStudy) -> None:
    path = measured.root / "study.toml"
    path.write_text(path.read_text() + '\nreport = { "language" = "de" }\n')
    report(OpenStudy(measured.root), RunControl())
    page = (measured.root / "report" / "index.html").read_text()
    assert "Tabellen der Methoden, neben dieser Seite:" in page
    assert '<a href="tables/graph.edges.csv">graph.edges</a>, 6\N{NO-BREAK SPACE}Zeilen' in page
