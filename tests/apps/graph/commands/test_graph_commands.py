"""The commands on graphs: from empty sheets to people's graph, and from one form to another."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.graph import Graph
from portrayal.graph.graph_csv import read_edges
from portrayal.graph.turtle import turtle
from portrayal.methods.socialbiaskg.vertices import read_vertices, schema

Cli = Callable[..., Any]
PAIR = "occupation_to_race,CEO,white,"
RARE = "race_to_occupation,judge,hispanic,"


@pytest.fixture
def sheets(cli: Cli, tmp_path: Path) -> list[Path]:
    """Three filled sheets: all see a dominance, two of three an underrepresentation."""
    made = []
    for name in ("Ann", "Bob", "Cem"):
        path = tmp_path / f"{name}.csv"
        assert cli("graph", "annotate", path).returncode == 0
        text = path.read_text(encoding="utf-8").replace(PAIR, f"{PAIR}dominant_in")
        path.write_text(text if name == "Cem" else text.replace(RARE, f"{RARE}underrepresented_in"), encoding="utf-8")
        made.append(path)
    return made


def test_an_empty_sheet_has_every_pair(cli: Cli, tmp_path: Path) -> None:
    ran = cli("graph", "annotate", tmp_path / "a.csv")
    assert all(name in ran.stdout for name in schema().types)  # the guidelines explain every relation
    assert len((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()) == 1 + 2 * 1100
    again = cli("graph", "annotate", tmp_path / "a.csv")
    assert (again.returncode, "is there already" in again.stderr) == (2, True)


@pytest.mark.slow
def test_agreement(cli: Cli, sheets: list[Path]) -> None:
    ran = cli("graph", "agreement", *sheets)
    assert "dominant_in\toccupation_to_race\t1.000\t1100\t1" in ran.stdout
    assert "stereotyped_as\toccupation_to_race\tundefined\t1100\t0" in ran.stdout
    told = json.loads(cli("graph", "agreement", *sheets, "--json").stdout)
    (rare,) = [own for own in told if own["type"] == "underrepresented_in" and own["seen"]]
    assert (rare["direction"], rare["alpha"] < 1) == ("race_to_occupation", True)


def test_consensus_makes_the_table_that_a_study_takes(cli: Cli, sheets: list[Path], tmp_path: Path) -> None:
    out, disputed = tmp_path / "people.csv", tmp_path / "disputed.csv"
    ran = cli("graph", "consensus", *sheets, "--out", out, "--disputed", disputed)
    assert "2 edges; 1 disputed ones were left to the rule 'majority'" in ran.stdout
    edges = read_vertices().edges(out)
    assert [(edge.type, edge.sources) for edge in edges] == [
        ("dominant_in", ("Ann", "Bob", "Cem")),
        ("underrepresented_in", ("Ann", "Bob")),
    ]
    text = disputed.read_text(encoding="utf-8")
    disputed.write_text(text.replace("Ann; Bob,3,", "Ann; Bob,3,no"), encoding="utf-8")
    decided = tmp_path / "decided.csv"
    cli("graph", "consensus", *sheets, "--out", decided, "--decisions", disputed)
    assert len(read_vertices().edges(decided)) == 1


def test_what_people_wrote_is_never_overwritten(cli: Cli, sheets: list[Path], tmp_path: Path) -> None:
    decided, new = tmp_path / "decided.csv", tmp_path / "new.csv"
    decided.write_text("source,type,target,decision\noccupation:CEO,dominant_in,race:white,yes\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in (*sheets, decided)}
    mapping = ("--map", "occupation=occupation", "--map", "race=race")
    for arguments, told in (
        (("consensus", *sheets, "--out", new, "--disputed", decided), f"{decided}: is there already"),
        (("consensus", *sheets, "--out", sheets[1]), f"{sheets[1]}: is there already"),
        (("consensus", *sheets, "--out", new, "--disputed", new), f"{new}: is to be written twice"),
        (("collect", sheets[0], "--out", sheets[0], *mapping), f"{sheets[0]}: is there already"),
        (("convert", decided, decided), f"{decided}: is there already"),
    ):
        ran = cli("graph", *arguments)
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
        assert told in ran.stderr
    assert {path: path.read_bytes() for path in before} == before
    assert not new.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--rule", "most"), "--rule: no rule 'most'"),
        (("--decisions", "nowhere.csv"), "nowhere.csv: no such file"),
    ],
)
def test_mistakes_are_one_line(cli: Cli, sheets: list[Path], tmp_path: Path, arguments: Any, told: str) -> None:
    ran = cli("graph", "consensus", *sheets, "--out", tmp_path / "o.csv", *arguments)
    assert ran.returncode == 2
    assert told in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_malformed_sheet_names_row_and_column(cli: Cli, sheets: list[Path]) -> None:
    text = sheets[0].read_text(encoding="utf-8")
    sheets[0].write_text(text.replace(PAIR, "occupation_to_race,CEO,whyte,"), encoding="utf-8")
    ran = cli("graph", "agreement", *sheets)
    assert ran.returncode == 2
    assert "Ann.csv:12: column 'race': no race 'whyte'; did you mean 'white'?" in ran.stderr


@pytest.mark.slow
def test_convert_there_and_back(cli: Cli, sheets: list[Path], tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    cli("graph", "consensus", *sheets, "--out", people)
    last = people
    for form in ("graphml", "ttl", "jsonld", "csv"):
        target = tmp_path / f"again.{form}"
        assert cli("graph", "convert", last, target).returncode == 0
        last = target
    assert last.read_text(encoding="utf-8") == people.read_text(encoding="utf-8")
    assert "a graph is a file with one of the endings" in cli("graph", "convert", people, tmp_path / "g.xml").stderr


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("race:white,stereotyped_as,occupation:CEO,,,", "stereotyped_as leads only from occupation to race"),
        ("occupation:CEO,fond_of,race:white,,,", "no relation 'fond_of'"),
        ("occupation:CEO,dominant_in,race:white,0.9,0.1,", "low 0.9 is more than high 0.1"),
        ("occupation:CEO,dominant_in,race:white,,,7", "intensity 7 does not lie from 0 to 1"),
    ],
)
def test_what_cannot_be_an_edge_is_neither_converted_nor_compared(
    cli: Cli, tmp_path: Path, row: str, told: str
) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(f"source,type,target,low,high,intensity\n{row}\n", encoding="utf-8")
    (rows,) = read_edges(path, read_vertices().by_key)
    rdf = tmp_path / "edges.ttl"
    rdf.write_text(turtle(Graph("edges", list(read_vertices().by_key.values()), [rows[1]])), encoding="utf-8")
    for source, where in ((path, f"{path}:2"), (rdf, str(rdf))):
        for arguments in (("convert", source, tmp_path / "o.jsonld"), ("compare", source, source)):
            ran = cli("graph", *arguments)
            assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
            assert f"{where}: " in ran.stderr
            assert told in ran.stderr
    assert not (tmp_path / "o.jsonld").exists()


@pytest.mark.slow
def test_compare(cli: Cli, sheets: list[Path], tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    cli("graph", "consensus", *sheets, "--out", one)
    cli("graph", "consensus", *sheets, "--out", other, "--rule", "all")
    ran = cli("graph", "compare", one, other)
    assert ran.stdout.splitlines()[1] == "all\tboth\t1\t1\t0\t0\t0.5\t1"
    told = json.loads(cli("graph", "compare", one, other, "--json").stdout)
    assert [row["jaccard"] for row in told if row["type"] == "dominant_in"] == [1.0, None]


def test_a_collection_of_others(cli: Cli, tmp_path: Path) -> None:
    path, out = tmp_path / "seegull.csv", tmp_path / "edges.csv"
    path.write_text("identity,attribute,region\nWhite,judge,EU\nMexican,gardener,NA\nWhite,kind,EU\n")
    (tmp_path / "names.csv").write_text("name,vertex\nMexican,hispanic\n")
    mapping = ("--map", "occupation=attribute", "--map", "race=identity", "--map", "source=region")
    ran = cli("graph", "collect", path, "--out", out, *mapping, "--names", tmp_path / "names.csv")
    assert ran.returncode == 0
    assert "2 edges" in ran.stdout
    assert "left out 1 times: no occupation 'kind'" in ran.stderr
    assert {edge.sources for edge in read_vertices().edges(out)} == {("EU",), ("NA",)}
    twice = cli("graph", "collect", path, "--out", tmp_path / "o.csv", *mapping, "--map", "race=region")
    assert "--map race=region: 'race' is given already, as identity" in twice.stderr
    (tmp_path / "names.csv").write_text("name,vertex\nMexican,hispanik\n")
    strange = cli("graph", "collect", path, "--out", tmp_path / "o.csv", *mapping, "--names", tmp_path / "names.csv")
    assert f"{tmp_path / 'names.csv'}:2: column 'vertex' names no vertex: 'hispanik'" in strange.stderr
    wrong = cli("graph", "collect", path, "--out", tmp_path / "o.csv", "--map", "occupation=attribute")
    assert "--map: say which column holds 'race'" in wrong.stderr


def test_vertices_of_ones_own(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "groups.csv").write_text("name,title,terms\nmuslim,Muslim,Muslim\nsikh,Sikh,Sikh\n")
    ran = cli("graph", "annotate", tmp_path / "a.csv", "--vertices", tmp_path, "--kind", "religion")
    assert ran.returncode == 0
    text = (tmp_path / "a.csv").read_text(encoding="utf-8")
    assert text.splitlines()[0] == "direction,occupation,religion,relation,comment"
    assert len(text.splitlines()) == 1 + 2 * 200
    assert "holds neither" in cli("graph", "annotate", tmp_path / "b.csv", "--vertices", tmp_path / "none").stderr


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("occupation", "groups are no occupations; call them otherwise"),
        ("religion", "no groups of religion are known; give a table of them (groups.csv)"),
        ('a b"<', "groups are of a kind that is called by small letters and digits"),
    ],
)
def test_a_kind_that_cannot_be(cli: Cli, tmp_path: Path, kind: str, told: str) -> None:
    ran = cli("graph", "annotate", tmp_path / "a.csv", "--kind", kind)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert told in ran.stderr
    assert not (tmp_path / "a.csv").exists()
