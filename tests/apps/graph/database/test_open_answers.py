"""Answers on disk: what was written is read back, the later answer counts, and nobody takes them from the server."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from portrayal.apps.graph.annotations.judgements import Annotator, AnswerChange, Judgement
from portrayal.apps.graph.database.open_answers import open_answers, read_answers
from portrayal.errors import StudyError
from portrayal.graph import Key, Schema, Vertex
from portrayal.graph.domain import Domain

DOCS = Path(__file__).parents[4] / "docs" / "methods" / "socialbiaskg.md"
JUDGE, RED = Key("occupation", "judge"), Key("race", "red")
ANN = Annotator("a1", "Ann", "hash", "de", 1.0, 2.0)
DOMAIN = Domain([Vertex(*JUDGE), Vertex(*RED)], Schema({"dominant_in": ["occupation_to_race"]}), {})


def test_what_was_written_is_read_back_also_while_a_server_has_it(tmp_path: Path) -> None:
    seen = Judgement("a1", (JUDGE, RED), frozenset({"dominant_in"}), 3.0)
    unjudged = Judgement("a1", (RED, JUDGE), None, 3.0)
    with closing(open_answers(tmp_path)) as store:
        store.write([AnswerChange([ANN]), AnswerChange(judgements=[seen, unjudged])])
        found = read_answers(tmp_path, DOMAIN)
        assert (list(found.annotators), set(found.judgements)) == ([ANN], {seen, unjudged})
        nothing = Judgement("a1", (JUDGE, RED), frozenset(), 4.0)
        store.write([AnswerChange(judgements=[seen]), AnswerChange(judgements=[nothing])])  # in one transaction
    assert set(read_answers(tmp_path, DOMAIN).judgements) == {nothing, unjudged}


def test_what_the_docs_say_deletes_an_annotator_and_no_other(tmp_path: Path) -> None:
    bob = Annotator("b1", "Bob", "other", "en", 1.0, 2.0)
    judged = [Judgement(own.id, (JUDGE, RED), frozenset({"dominant_in"}), 3.0) for own in (ANN, bob)]
    with closing(open_answers(tmp_path)) as store:
        store.write([AnswerChange([ANN, bob], judged)])
    (script,) = re.findall(r"```sql\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    with closing(sqlite3.connect(tmp_path / "answers.sqlite", isolation_level=None)) as database:
        database.executescript(script.replace("…", "Ann"))
    found = read_answers(tmp_path, DOMAIN)
    assert (list(found.annotators), list(found.judgements)) == ([bob], [judged[1]])
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.name.startswith("answers.sqlite"))
    assert (b"Ann" in left, b"Bob" in left) == (False, True)


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    open_answers(tmp_path / "new").close()
    assert (tmp_path / "new" / "answers.sqlite").stat().st_mode & 0o077 == 0


def test_answers_about_what_is_not_asked_are_refused(tmp_path: Path) -> None:
    with closing(open_answers(tmp_path)) as store:
        store.write([AnswerChange([ANN], [Judgement("a1", (Key("occupation", "cook"), RED), None, 3.0)])])
    with pytest.raises(StudyError, match="holds answers about occupation 'cook', which is not asked for"):
        read_answers(tmp_path, DOMAIN)
