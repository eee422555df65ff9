"""Answers on disk: what was written is read back, the later answer counts, and nobody takes them from the server."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from portrayal.errors import StudyError
from portrayal.graph import Key, Schema, Vertex
from portrayal.graph.answers import Annotator, AnswerChange, Judgement
from portrayal.graph.domain import Domain
from portrayal.study.graph.store import open_answers, read_answers

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


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    open_answers(tmp_path / "new").close()
    assert (tmp_path / "new" / "answers.sqlite").stat().st_mode & 0o077 == 0


def test_answers_about_what_is_not_asked_are_refused(tmp_path: Path) -> None:
    with closing(open_answers(tmp_path)) as store:
        store.write([AnswerChange([ANN], [Judgement("a1", (Key("occupation", "cook"), RED), None, 3.0)])])
    with pytest.raises(StudyError, match="holds answers about occupation 'cook', which is not asked for"):
        read_answers(tmp_path, DOMAIN)
