"""What is missing behind a number: bounded by the prompt whose images weigh most."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.samples.policies import asked, shares

from portrayal.apps.check.numbers import AskedPrompt, Numbers
from portrayal.apps.check.question import Row, sure_worth
from portrayal.records import Measurement

OVERALL = Measurement(
    "m", "share", "A", "looks", "gender", "female", value=0.5, n=180, missing=20, prompts=2, worth=180
)


def test_missing_images_of_one_prompt_are_their_share() -> None:
    row = shares("A", "CEO", 45, 90, missing=10)[0]
    assert Numbers([row], asked("A")).moved(row) == pytest.approx(0.1)
    assert Numbers([row]).moved(row) == pytest.approx(0.1)
    assert Numbers([row], asked("A")).missing_share(row) == pytest.approx(0.1)


def test_missing_images_of_several_prompts_weigh_as_the_heaviest_does() -> None:
    even = Numbers([OVERALL], asked("A"))
    assert even.moved(OVERALL) == pytest.approx(0.1)
    heavy = [AskedPrompt("a", "a", "", "", "", 3.0, 100), AskedPrompt("b", "b", "", "", "", 1.0, 100)]
    assert Numbers([OVERALL], {"A": heavy}).moved(OVERALL) == pytest.approx(20 * 0.75 / 100)
    rare = [AskedPrompt("a", "a", "", "", "", 1.0, 190), AskedPrompt("b", "b", "", "", "", 1.0, 10)]
    assert Numbers([OVERALL], {"A": rare}).moved(OVERALL) == 1.0


def test_prompts_of_a_term_a_category_and_a_language() -> None:
    prompts = [AskedPrompt(str(n), term, "office", language, "", 1.0, 5) for n, (term, language) in enumerate(
        [("CEO", "en"), ("CEO", "de"), ("nurse", "en")])]  # fmt: skip
    numbers = Numbers([], {"A": prompts})
    about = {"term": "CEO", "category": "office", "overall": ""}
    counts = [len(numbers.prompts(replace(OVERALL, level=level, item=item))) for level, item in about.items()]
    assert counts == [2, 3, 3]
    assert len(numbers.prompts(replace(OVERALL, language="de"))) == 1
    assert numbers.items("term") == ["CEO", "nurse"]


def test_images_worth_more_than_there_are_pay_for_more_confidence() -> None:
    row = replace(OVERALL, missing=0, n=200, worth=800.0)
    numbers = Numbers([row], asked("A"))
    usual, sure = sure_worth(Row(row, numbers), 0.025), sure_worth(Row(row, numbers), 0.0001)
    assert usual == pytest.approx(800)
    assert 600 < sure < 800
    few = replace(row, n=20, worth=80.0)
    assert sure_worth(Row(few, Numbers([few], asked("A", images=10))), 1e-6) >= 20
    single = shares("A", "CEO", 45, 90)[0]
    assert sure_worth(Row(single, Numbers([single], asked("A"))), 1e-6) == 90
