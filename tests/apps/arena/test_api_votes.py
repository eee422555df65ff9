"""Votes of the arena from Python: those that count, all of them when asked for, and ready to be rated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import portrayal
from portrayal import Arena, Study
from portrayal.apps.arena.battles.battle import Battle
from portrayal.apps.arena.database import open_arena
from portrayal.errors import MissingExtraError, StudyError
from portrayal.registry import Entry
from portrayal.study.sql.rater import Rater
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
ALICE = Battle(
    "b1", "alice", 1, "p1", "simulated@1", "1.png", "other", "2.png", "", 0.0,
    {"bias": "left", "quality": "right", "alignment": "skip"}, 7.5, 3.25,
)  # fmt: skip
RATERS = [Rater("alice", "h1", "", "en", 0.0), Rater("bo", "h2", "", "en", 0.0, excluded=True)]
BATTLES = [ALICE, replace(ALICE, id="b2", rater="bo"), replace(ALICE, id="b3", number=2, check="left")]


@pytest.fixture
def arena(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Return an arena in which one rater counts and one was left out."""
    monkeypatch.setattr(open_arena, "read_arena", lambda *_: SimpleNamespace(raters=RATERS, battles=BATTLES))
    return Arena(make_study(generators=[{"use": "simulated", "name": "Model A", "images": 1}]))


def test_votes_are_rows_by_the_names_of_models(arena: Arena) -> None:
    rows = arena.votes()
    assert [(row["battle"], row["aspect"], row["vote"]) for row in rows] == [
        ("b1", "bias", "0"),
        ("b1", "quality", "1"),
        ("b1", "alignment", "skip"),
    ]
    assert {(row["model_a"], row["model_a_id"]) for row in rows} == {("Model A", "simulated@1")}
    assert {(row["model_b"], row["model_b_id"]) for row in rows} == {("other", "other")}
    assert {row["battle"] for row in arena.votes(everyone=True)} == {"b1", "b2", "b3"}


def test_votes_can_be_rated(arena: Arena) -> None:
    board = portrayal.rate(arena.votes(), aspects=["bias"], draws=100)
    assert [(row.model, row.wins) for row in board.sections[0].ratings] == [("Model A", 1), ("other", 0)]


def test_a_file_of_votes_is_written_and_kept_in_the_tables(arena: Arena, tmp_path: Path) -> None:
    tables = OpenStudy.to_read(arena.folder).workspace.tables
    assert arena.export_votes(tmp_path / "all.csv", everyone=True) == 9
    assert tables["votes"].count() == 0
    assert arena.export_votes(tmp_path / "votes.csv") == 3
    assert tables["votes"].count() == 3
    assert "Model A" in (tmp_path / "votes.csv").read_text()
    board = portrayal.rate(tmp_path / "votes.csv", aspects=["bias"], draws=100)
    assert board.sections[0].votes == 1


def test_without_an_arena_or_its_extra_that_is_said(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    arena = Arena(Study(make_study()))
    with pytest.raises(StudyError, match="portrayal arena serve"):
        arena.votes()
    monkeypatch.setattr(Entry, "missing", lambda _: ("no_such_package",))
    with pytest.raises(MissingExtraError, match="the arena needs no_such_package: run pip install"):
        arena.votes()


def test_ratings_are_compared_with_scores_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("model,score,value\na,bias,0.5\nb,bias,0.25\nc,bias,0.1\n")
    votes = [("a", "b", 0), ("b", "a", 1), ("b", "c", 0), ("c", "a", "draw")]
    given = {"bias": {"a": 0.5, "b": 0.25, "c": 0.1}}
    found = portrayal.rate(votes, scores=tmp_path / "scores.csv", draws=100)
    assert found.sections[0].correlations == portrayal.rate(votes, scores=given, draws=100).sections[0].correlations
    assert found.sections[0].correlations
