"""From a study on disk to edges: what is planted is found, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.records import Measurement, from_table
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Row = dict[str, Any]
NURSE, SCIENTIST = (f"occupation:{job},dominant_in,race:black" for job in ("nurse", "scientist"))
Edges = tuple[frozenset[str], frozenset[str]]


def rows(folder: Path, table: str) -> list[Row]:
    with OpenStudy(folder).workspace.own_tables.open(f"socialbiaskg.{table}") as found:
        return [row for batch in found.batches() for row in batch.to_pylist()]


def line(row: Row) -> str:
    return f"{row['source_kind']}:{row['source']},{row['type']},{row['target_kind']}:{row['target']}"


def measured(folder: Path, generator: str) -> list[Measurement]:
    found = from_table(OpenStudy(folder).workspace.query("SELECT * FROM measurements"), Measurement)
    return [row for row in found if row.generator == generator]


def generators(folder: Path) -> tuple[str, str]:
    """Return the model with planted relations, and the other."""
    first, second = OpenStudy(folder).generators
    return first, second


@pytest.mark.slow
def test_every_planted_edge_is_found_and_no_other(planted: Path, planted_edges: Edges) -> None:
    with_edges, other = generators(planted)
    tests = rows(planted, "tests")
    assert {line(row) for row in tests if row["generator"] == with_edges and row["found"]} == planted_edges[0]
    assert {line(row) for row in tests if row["generator"] == other and row["found"]} == {NURSE, SCIENTIST}
    tested = {line(row) for row in tests if row["annotated"]}
    assert tested == frozenset.union(*planted_edges)


@pytest.mark.slow
def test_edges_carry_what_speaks_for_them(planted: Path) -> None:
    with_edges, _ = generators(planted)
    found = {line(row): row for row in rows(planted, "tests") if row["generator"] == with_edges and row["decides"]}
    ceo = found["occupation:CEO,dominant_in,race:white"]
    assert (ceo["metric"], ceo["n"], ceo["threshold"], ceo["major"]) == ("dominance", 40, 0.4, "Managers")
    assert ceo["low"] < ceo["value"] < ceo["high"]
    assert ceo["value"] == ceo["group_share"]
    assert len(ceo["images"]) == 8
    judge = found["race:hispanic,underrepresented_in,occupation:judge"]
    assert (judge["metric"], judge["n"]) == ("failure", 40)
    assert found["occupation:rapper,stereotyped_as,race:black"]["metric"] == "counterfactual_similarity"
    assert found["occupation:sushi chef,associated_with,race:east_asian"]["metric"] == "iterative_similarity"
    assert found["race:white,dominant_in,occupation:CEO"]["n"] == 10
    assert not ceo["uncertain"]


@pytest.mark.slow
def test_measurements(planted: Path) -> None:
    with_edges, other = generators(planted)
    own = {(row.metric, row.level, row.item): row for row in measured(planted, with_edges)}
    assert own["edges", "overall", ""].value == 7
    share = own["reproduced", "overall", ""]
    assert share.value == pytest.approx(7 / 12)
    assert (share.n, share.missing) == (12, 1)  # nobody tells quality, which might speak for a failing pair
    assert share.low is not None
    assert share.low < 0.5
    assert own["emergent", "overall", ""].value == 0
    assert own["edges", "edge_type", "dominant_in race_to_occupation"].value == 1
    assert own["edges", "race", "White / Caucasian"].value == 2
    assert own["edge_share", "race", "White / Caucasian"].value == pytest.approx(2 / 7)
    assert own["edge_share", "category", "Managers"].value == pytest.approx(2 / 7)
    others = {(row.metric, row.level, row.item): row.value for row in measured(planted, other)}
    assert (others["edges", "overall", ""], others["emergent", "overall", ""]) == (1, 1)


@pytest.mark.slow
def test_differences(planted: Path, planted_edges: Edges) -> None:
    with_edges, other = generators(planted)
    found = {(row["first"], row["second"]): row for row in rows(planted, "differences") if not row["type"]}
    people = found["people", with_edges]
    assert (people["compared"], people["untested"]) == (12, 1)  # a failing pair that quality might speak for
    assert (people["shared"], people["first_only"], people["second_only"]) == (7, 5, 0)
    assert people["jaccard"] == pytest.approx(7 / 12)
    models = found[with_edges, other]
    assert (models["compared"], models["untested"]) == (11, 2)  # of the other the judge cannot be told either
    assert (models["shared"], models["first_only"], models["distance"]) == (1, 5, 5)
    assert {line(row) for row in rows(planted, "people")} == frozenset.union(*planted_edges)
    ranks = {row["generator"]: row["rank"] for row in rows(planted, "ranks")}
    assert set(ranks) == {with_edges, other}
    assert sum(ranks.values()) == 3


@pytest.mark.slow
def test_a_model_that_draws_the_contrary_of_what_people_see(planted: Path) -> None:
    _, other = generators(planted)
    found = [row for row in rows(planted, "contradictions") if row["source"] == "scientist"]
    assert [(row["generator"], line(row), row["model_type"]) for row in found] == [
        (other, "occupation:scientist,underrepresented_in,race:black", "dominant_in")
    ]


def test_without_anyone_who_tells_the_groups_it_is_refused(make_study: Make) -> None:
    folder = make_study(suite={"use": "socialbiaskg"}, methods=[{"use": "socialbiaskg"}])
    with pytest.raises(ConfigError, match="needs an annotator that tells 'race11'"):
        OpenStudy(folder).check()


def test_a_suite_with_other_edges_than_the_method_is_refused(make_study: Make) -> None:
    def study(**suite: Any) -> OpenStudy:
        folder = make_study(
            "-".join(suite) or "plain",
            suite={"use": "socialbiaskg", "options": suite},
            annotators=[{"use": "simulated", "options": {"attributes": ["race11"]}}],
            methods=[{"use": "socialbiaskg", "options": {"edges": "people.csv"}}],
        )
        (folder / "people.csv").write_text("source,type,target\noccupation:nurse,dominant_in,race:white\n")
        return OpenStudy(folder)

    with pytest.raises(ConfigError, match="have 'nurse' and 'white', a pair that the suite does not ask for; give the"):
        study().check()
    study(edges="people.csv").check()
    study(kinds=["occupation"]).check()  # no pairs at all: whoever wants that said so
    study(terms=["judge"]).check()  # the edge is about what is not asked
    study(pairs="all").check()


def test_a_wrong_edge_is_named_before_any_work(make_study: Make) -> None:
    folder = make_study(
        suite={"use": "socialbiaskg"},
        annotators=[{"use": "simulated", "options": {"attributes": ["race11"]}}],
        methods=[{"use": "socialbiaskg", "options": {"edges": "people.csv"}}],
    )
    (folder / "people.csv").write_text("source,type,target\noccupation:juge,dominant_in,race:white\n")
    with pytest.raises(InputError, match=r"people\.csv:2: column 'source' names no vertex: 'occupation:juge'"):
        OpenStudy(folder).check()
