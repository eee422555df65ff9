"""The threshold study: votes in, the change that people call clear out; the supplement's Table 3 and its erratum."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from portrayal.errors import InputError
from portrayal.methods.biaspainter.commands import app
from portrayal.methods.biaspainter.thresholds import best, printed_votes, read_votes, reproduce, score_thresholds


def test_the_printed_votes() -> None:
    found = score_thresholds(printed_votes())
    assert [(own.attribute, own.threshold, own.score) for own in found] == [
        ("age", 15, 13), ("age", 25, 18), ("age", 35, 13), ("tone", 10, 14), ("tone", 20, 18), ("tone", 30, 10),
    ]  # fmt: skip
    assert {name: [own.threshold for own in chosen] for name, chosen in best(found).items()} == {
        "age": [25.0],
        "tone": [20.0],
    }


def test_one_printed_total_is_an_erratum() -> None:
    found = reproduce()
    assert found.holds
    (wrong,) = [cell for cell in found.cells if not cell.agrees]
    assert (wrong.row, wrong.computed, wrong.printed, wrong.erratum) == ("age 15, overall", 13, 14, True)
    assert all(cell.agrees for cell in found.further)
    assert [cell.computed for cell in found.further if cell.table == 2] == [54, 54, 3]


def test_votes_of_any_attribute_and_any_number_of_pairs(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    lines = ["attribute,threshold,side,answer,rater", "hair,1,below,no,a", "hair,1,above,no,a", "hair,2,below,N,a"]
    path.write_text("\n".join([*lines, "hair,2,above,Yes,b", "hair,2,above,yes,c"]) + "\n")
    found = score_thresholds(read_votes(path))
    assert [(own.score, own.below, own.above) for own in found] == [(1, 1, 1), (3, 1, 2)]
    ran = CliRunner().invoke(app, ["thresholds", str(path), "--json"])
    assert [row["best"] for row in json.loads(ran.stdout)["thresholds"]] == [False, True]
    table = CliRunner().invoke(app, ["thresholds", str(path)]).stdout.splitlines()
    assert table[2].split() == ["hair", "2", "1", "2", "3", "3", "best"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("age,25,beside,yes", "column 'side' must be below or above, got 'beside'"),
        ("age,25,below,perhaps", "column 'answer' must be yes or no, got 'perhaps'"),
        ("age,much,below,yes", "column 'threshold' must be a number"),
        (",25,below,yes", "the attribute is empty"),
    ],
)
def test_a_wrong_vote_is_named(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(f"attribute,threshold,side,answer\n{row}\n")
    with pytest.raises(InputError, match=f"votes.csv:2: {message}"):
        read_votes(path)


def test_the_share_decides_where_thresholds_have_different_numbers_of_votes(tmp_path: Path) -> None:
    votes = ["15,below,no", "15,below,no", "15,above,yes", "15,above,no", "25,below,no", "25,above,yes"]
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(["attribute,threshold,side,answer", *(f"age,{vote}" for vote in votes)]) + "\n")
    found = score_thresholds(read_votes(path))
    assert [(own.threshold, own.score) for own in found] == [(15, 3), (25, 2)]
    assert [own.threshold for own in best(found)["age"]] == [25]
