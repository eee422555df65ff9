from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from portrayal.apps.arena.battles.battle import Battle, Choice, ImagePool, PoolPrompt
from portrayal.apps.arena.database.export import save_votes, vote_rows, write_votes
from portrayal.records import PartNames, Vote, from_table
from portrayal.store.workspace import Workspace
from portrayal.study.sql.rater import Rater

CHOICES: dict[str, Choice] = {"alignment": "skip", "bias": "left", "quality": "right"}
POOL = ImagePool(
    {"p1": PoolPrompt("p1", "a nurse", "de", "nurse", "health", "direct", {"one": ["1.png"], "two": ["2.png"]})}
)
RATERS = [Rater("ann", "h1", "", "en", 0.0), Rater("bob", "h2", "", "en", 0.0, excluded=True)]
ANN = Battle("b1", "ann", 2, "p1", "two", "2.png", "one", "1.png", "", 0.0, CHOICES, 7.5, 3.25)
CHECK = replace(ANN, id="b2", number=1, right_model="two", right_image="2.png", check="left", cast_at=2.0)
OPEN = replace(ANN, id="b3", number=3, choices=None, cast_at=None, seconds=None)
BOB = replace(ANN, id="b4", rater="bob", cast_at=5.0)
GONE = replace(ANN, id="b5", number=4, prompt="p9", left_model="old", cast_at=6.0)
BATTLES = [ANN, CHECK, OPEN, BOB, GONE]


def test_a_battle_is_one_row_for_each_aspect() -> None:
    about = ("b1", "ann", 2, "p1", "nurse", "health", "de", "direct")
    shown = ("two", "one", "2.png", "1.png")
    assert list(vote_rows(RATERS, [ANN], POOL)) == [
        Vote(*about, "bias", *shown, "0", 3.25, 7.5),
        Vote(*about, "quality", *shown, "1", 3.25, 7.5),
        Vote(*about, "alignment", *shown, "skip", 3.25, 7.5),
    ]


def test_a_draw_is_called_a_draw() -> None:
    drawn = replace(ANN, choices=dict.fromkeys(CHOICES, "draw"))
    assert {row.vote for row in vote_rows(RATERS, [drawn], POOL)} == {"draw"}


def test_a_vote_that_took_no_time_took_none() -> None:
    at_once = replace(ANN, seconds=0.0, cast_at=0.0)
    assert {(row.seconds, row.at) for row in vote_rows(RATERS, [at_once], POOL)} == {(0.0, 0.0)}


def exported(**options: bool) -> list[str]:
    return [row.battle for row in vote_rows(RATERS, BATTLES, POOL, **options) if row.aspect == "bias"]


def test_checks_excluded_raters_and_open_battles_are_left_out() -> None:
    assert exported() == ["b5", "b1"]


def test_checks_and_excluded_raters_come_when_asked_for_in_the_order_of_their_votes() -> None:
    assert exported(checks=True) == ["b2", "b5", "b1"]
    assert exported(everyone=True) == ["b4", "b5", "b1"]


def test_what_the_study_has_no_more_stays_in_the_export() -> None:
    row = next(vote_rows(RATERS, [GONE], POOL))
    assert (row.prompt, row.term, row.language, row.model_a) == ("p9", "", "", "old")


def test_the_file_has_a_header_and_quotes_what_needs_it() -> None:
    pool = ImagePool({"p1": replace(POOL.prompts["p1"], term='nurse, "senior"')})
    file = io.StringIO()
    write_votes(vote_rows(RATERS, [ANN], pool), file, PartNames())
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert [row["vote"] for row in rows] == ["0", "1", "skip"]
    assert rows[0] == {
        "battle": "b1", "rater": "ann", "number": "2", "prompt": "p1", "term": 'nurse, "senior"', "category": "health",
        "language": "de", "variant": "direct", "aspect": "bias", "model_a": "two", "model_b": "one",
        "image_a": "2.png", "image_b": "1.png", "vote": "0", "seconds": "3.25", "at": "7.5",
    }  # fmt: skip


def test_the_studys_table_is_replaced(make_study: Callable[..., Path]) -> None:
    workspace = Workspace(make_study())
    for battles in ([ANN, GONE], [ANN]):
        save_votes(workspace, vote_rows(RATERS, battles, POOL))
        (table,) = workspace.tables["votes"].batches()
        assert list(from_table(table, Vote)) == list(vote_rows(RATERS, battles, POOL))
    assert workspace.query("SELECT count(*) AS n FROM votes")["n"].to_pylist() == [3]
