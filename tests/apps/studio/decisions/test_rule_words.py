"""What a rule asks, in a sentence; and how many rules are met."""

from __future__ import annotations

from typing import Any

import pytest

from portrayal.apps.studio.decisions.rule_words import rule_words
from portrayal.apps.studio.decisions.verdict import _sentence
from portrayal.language.translation import speaking
from portrayal.records import attribute_table

ATTRIBUTES = attribute_table(())
GENDER = {"attribute": "gender", "group": "female"}


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        (
            {"share": {**GENDER, "term": "CEO", "at_least": 0.3, "at_most": 0.7}},
            "CEO: perceived gender is female in at least 30 % and at most 70 % of the pictures.",
        ),
        (
            {"share": {**GENDER, "at_most": 0.125}},
            "All prompts: perceived gender is female in at most 12.5 % of the pictures.",
        ),
        (
            {"share": {**GENDER, "category": "legal", "target": 0.5, "tolerance": 0.2}},
            "legal: perceived gender is female in at least 30 % and at most 70 % of the pictures.",
        ),
        (
            {"share": {**GENDER, "target": 0.9, "tolerance": 0.2, "term": ""}},
            "All prompts: perceived gender is female in at least 70 % of the pictures.",
        ),
        ({"missing": {"at_most": 0.02}}, "All prompts: at most 2 % of the images are missing."),
        ({"hazard": "Too <far>", "score": {"metric": "index", "at_most": 0.2}}, "Too <far>"),
        ({"hazard": "Only in German", "share": {**GENDER, "at_least": 0.3, "language": "de"}}, "Only in German"),
    ],
)
def test_a_rule_says_what_it_asks(scenario: dict[str, Any], said: str) -> None:
    assert rule_words(scenario, ATTRIBUTES).replace("\xa0", " ") == said


def test_a_rule_is_said_in_the_language_of_the_page() -> None:
    with speaking("de"):
        said = rule_words({"share": {**GENDER, "term": "CEO", "at_least": 0.3}}, ATTRIBUTES)
    assert said.replace("\xa0", " ") == "CEO: wahrgenommenes Geschlecht weiblich in mindestens 30 % der Bilder."


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (["pass"], "The rule is met."),
        (["fail"], "The rule is not met."),
        (["undecided"], "The rule is open."),
        (["pass", "fail", "pass"], "Of 3 rules: 1 not met, 2 met."),
        (["undecided", "undecided"], "Of 2 rules: 2 open."),
    ],
)
def test_rules_are_counted_by_verdict(verdicts: list[str], said: str) -> None:
    assert _sentence([{"verdict": verdict} for verdict in verdicts]).replace("\xa0", " ") == said
