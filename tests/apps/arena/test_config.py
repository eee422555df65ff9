from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.apps.arena.battles.battle import BattleRules
from portrayal.apps.arena.config import ArenaConfig
from portrayal.errors import ConfigError
from portrayal.study.config import load_config

Make = Callable[..., Path]
QUESTION: dict[str, Any] = {"key": "age", "label": {"en": "Your age", "de": "Ihr Alter"}}


def test_without_a_table_the_arena_has_its_defaults(make_study: Make) -> None:
    arena = load_config(make_study()).of_app(ArenaConfig)
    assert arena.rules == BattleRules(quota=30, checks=0.1, repeats=0.2, pairing="balanced", prompt_language="any")
    assert (arena.open, arena.questionnaire, arena.leaderboard, arena.questions) == (False, True, False, ())


def test_the_table_is_read(make_study: Make) -> None:
    options = [{"en": "under 30", "de": "unter 30"}, {"en": "30 or older", "de": "30 oder älter"}]
    table = {
        "quota": 12,
        "checks": 0,
        "pairing": "uncertain",
        "languages": ["de"],
        "questions": [{**QUESTION, "options": options}],
        "consent": {"de": "Ich bin einverstanden."},
    }
    arena = load_config(make_study(arena=table)).of_app(ArenaConfig)
    assert arena.rules == BattleRules(12, 0.0, 0.2, "uncertain", "any")
    assert arena.questions[0].options[1]["de"] == "30 oder älter"
    assert arena.consent == {"de": "Ich bin einverstanden."}


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"quotta": 3}, "unknown key 'arena.quotta'; did you mean 'quota'?"),
        ({"quota": 0}, "'arena.quota'"),
        ({"checks": 0.6}, "'arena.checks'"),
        ({"repeats": -0.1}, "'arena.repeats'"),
        ({"pairing": "random"}, "'arena.pairing'"),
        ({"questions": [QUESTION, QUESTION]}, "two questions have the key 'age'"),
        ({"questions": [{**QUESTION, "key": "Your age"}]}, "'arena.questions.1.key'"),
        ({"questions": [{**QUESTION, "label": {}}]}, "'arena.questions.1.label'"),
    ],
)
def test_a_mistake_is_one_line(make_study: Make, table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(make_study(arena=table))
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
