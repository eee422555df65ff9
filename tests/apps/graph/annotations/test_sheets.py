from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.apps.graph.annotations.consensus import Rule, agreement, consensus, decisions_csv, read_decisions
from portrayal.apps.graph.annotations.sheets import Sheet, pairs, read_sheet, sheet_csv
from portrayal.errors import InputError
from portrayal.graph import Key, Schema, Triple, Vertex

THERE, BACK = "occupation_to_race", "race_to_occupation"
SCHEMA = Schema({"stereotyped_as": [THERE], "dominant_in": [THERE, BACK]})
CEO, JUDGE, WHITE, BLACK = (
    Key("occupation", "CEO"),
    Key("occupation", "judge"),
    Key("race", "white"),
    Key("race", "black"),
)
VERTICES = [Vertex(*key) for key in (CEO, JUDGE, WHITE, BLACK)]
ALL = list(pairs(VERTICES, SCHEMA))
DOMINANT = Triple(CEO, "dominant_in", WHITE)


def said(annotator: str, *triples: Triple) -> Sheet:
    """Return a whole sheet with these relations."""
    return Sheet(annotator, {p: frozenset(t.type for t in triples if (t.source, t.target) == p) for p in ALL})


def saved(folder: Path, text: str) -> Path:
    path = folder / "ann.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_empty_sheet_has_every_pair_in_both_directions(tmp_path: Path) -> None:
    text = sheet_csv(VERTICES, SCHEMA)
    assert text.splitlines()[:2] == ["direction,occupation,race,relation,comment", "occupation_to_race,CEO,white,,"]
    sheet = read_sheet(saved(tmp_path, text), "Ann", VERTICES, SCHEMA)
    assert set(sheet.judged) == set(ALL)
    assert len(ALL) == 8
    assert set(sheet.judged.values()) == {frozenset()}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    sheet = said("Ann", DOMINANT, Triple(CEO, "stereotyped_as", WHITE), Triple(WHITE, "dominant_in", JUDGE))
    assert read_sheet(saved(tmp_path, sheet_csv(VERTICES, SCHEMA, sheet)), "Ann", VERTICES, SCHEMA) == sheet


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("to_race,CEO,white,", r"ann\.csv:2: column 'direction': no direction 'to_race'; known: "),
        ("occupation_to_race,CEOO,white,", r"ann\.csv:2: column 'occupation': no occupation 'CEOO'"),
        ("occupation_to_race,CEO,whit,", r"ann\.csv:2: column 'race': no race 'whit'; did you mean 'white'"),
        ("occupation_to_race,CEO,white,dominant", r"ann\.csv:2: column 'relation': no relation 'dominant'; did you"),
        ("race_to_occupation,CEO,white,stereotyped_as", r"ann\.csv:2: column 'relation': stereotyped_as does not lead"),
        ("occupation_to_race,CEO,white,dominant_in;dominant_in", r"column 'relation': dominant_in stands there twice"),
        ("occupation_to_race,CEO,white,dominant_in;rare_in", r"ann\.csv:2: column 'relation': dominant_in and rare_in"),
        ("occupation_to_race,CEO,white", r"ann\.csv:2: 3 values, but the header has 4 columns"),
        ("occupation_to_race,ceo,white,\noccupation_to_race,CEO,White,", r"ann\.csv:3: this pair stands already at"),
    ],
)
def test_a_malformed_sheet_names_row_and_column(tmp_path: Path, row: str, told: str) -> None:
    path = saved(tmp_path, f"direction,occupation,race,relation\n{row}\n")
    schema = Schema({**SCHEMA.types, "rare_in": [THERE]}, [("dominant_in", "rare_in")])
    with pytest.raises(InputError, match=told):
        read_sheet(path, "Ann", VERTICES, schema)


def test_agreement_by_type_and_direction() -> None:
    both = said("Ann", DOMINANT), said("Bob", DOMINANT, Triple(JUDGE, "stereotyped_as", BLACK))
    found = {(own.type, own.direction): own for own in agreement(both, SCHEMA)}
    assert set(found) == {("stereotyped_as", THERE), ("dominant_in", THERE), ("dominant_in", BACK)}
    assert found["dominant_in", THERE].alpha == 1.0
    assert (found["dominant_in", THERE].pairs, found["dominant_in", THERE].seen) == (4, 1)
    assert found["stereotyped_as", THERE].alpha == pytest.approx(0.0)  # the only one that anyone sees is disputed
    assert found["dominant_in", BACK].alpha is None  # nobody sees any, so nothing tells agreement from chance


def test_pairs_that_one_annotator_left_out_do_not_count() -> None:
    partly = Sheet("Bob", {(CEO, WHITE): frozenset({"dominant_in"})})
    found = {(own.type, own.direction): own for own in agreement([said("Ann", DOMINANT), partly], SCHEMA)}
    assert found["dominant_in", THERE].pairs == 1


def test_rules_of_consensus() -> None:
    seen = Triple(JUDGE, "dominant_in", WHITE)
    sheets = [said("Ann", DOMINANT, seen), said("Bob", DOMINANT, seen), said("Cem", DOMINANT)]
    kept: dict[Rule, list[Triple]] = {"majority": [DOMINANT, seen], "all": [DOMINANT], "any": [DOMINANT, seen]}
    for rule, edges in kept.items():
        found = consensus(sheets, VERTICES, SCHEMA, rule)
        assert [edge.triple for edge in found.graph.edges] == edges
        assert found.disputed == {seen: (["Ann", "Bob"], 3)}
    assert consensus(sheets, VERTICES, SCHEMA).graph.edges[0].sources == ("Ann", "Bob", "Cem")
    half = consensus(sheets[1:], VERTICES, SCHEMA)
    assert [edge.triple for edge in half.graph.edges] == [DOMINANT]  # one of two is not more than half


def test_decisions_count_more_than_the_rule(tmp_path: Path) -> None:
    seen = Triple(JUDGE, "dominant_in", WHITE)
    sheets = [said("Ann", seen), said("Bob")]
    text = decisions_csv(consensus(sheets, VERTICES, SCHEMA).disputed)
    assert text.splitlines()[1] == "occupation:judge,dominant_in,race:white,Ann,2,"
    by_key = {vertex.key: vertex for vertex in VERTICES}
    assert read_decisions(saved(tmp_path, text), by_key) == {}
    decided = read_decisions(saved(tmp_path, text.replace("Ann,2,", "Ann,2,yes")), by_key)
    (edge,) = consensus(sheets, VERTICES, SCHEMA, decisions=decided).graph.edges
    assert (edge.triple, edge.sources) == (seen, ("Ann", "decided together"))
    with pytest.raises(InputError, match="which is not disputed"):
        consensus([said("Ann")], VERTICES, SCHEMA, decisions=decided)
    both = text.replace("Ann,2,", "Ann,2,yes") + "occupation:judge,dominant_in,race:white,Ann,2,no\n"
    with pytest.raises(InputError, match=r"ann\.csv:3: this edge stands already at .*ann\.csv:2; keep one row"):
        read_decisions(saved(tmp_path, both), by_key)
    with pytest.raises(InputError, match=r"ann\.csv:2: column 'decision' is yes, no or empty, got 'maybe'"):
        read_decisions(saved(tmp_path, text.replace("Ann,2,", "Ann,2,maybe")), by_key)
