"""What a page says of images that were drawn in rounds; of others it says nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portrayal.language.translation import speaking
from portrayal.records import Stop, attribute_table
from portrayal.reports import ReportData
from portrayal.reports.drawn_in_rounds import DrawnInRounds, DrawnPrompt, stop_words
from portrayal.reports.sections.sampling import sampling

PROMPTS = [
    DrawnPrompt("g", "a nurse", "nurse", 24, 120, "narrow", 0.08),
    DrawnPrompt("g", "a clerk", "clerk", 120, 120, "most_of_prompt", 0.12),
]
DRAWN = DrawnInRounds(3, 6, 6, 0.965, PROMPTS, attribute="gender", unit="term", half_width=0.1)
BLANK = ReportData("", (), (), (), 0, {"gender": attribute_table()["gender"]}, (), {}, {})


def said(drawn: DrawnInRounds) -> str:
    with speaking("en"):
        found = sampling(replace(BLANK, rounds=drawn))
    assert found is not None
    return " ".join(found.sentences).replace("\N{NO-BREAK SPACE}", " ")


def test_images_drawn_at_once_need_no_word() -> None:
    assert sampling(BLANK) is None


def test_what_was_wanted_and_what_is_allowed_for_is_said() -> None:
    text = said(DRAWN)
    assert "only where the interval of a share of a term was wider than 20 points (perceived gender)" in text
    assert "intervals are made for 96.5 %" in text
    assert "so they hold in 95 % of cases" in text
    assert "hold in 99 % of cases" in said(replace(DRAWN, confidence=0.993, error_rate=0.01))
    assert "hold in 99.9 % of cases" in said(replace(DRAWN, confidence=0.9993, error_rate=0.001))
    assert "count 6 times" in text
    assert "Of at most 240 images, 144 were asked for" in text
    assert "not over" not in text
    assert "After each of" not in said(replace(DRAWN, looks=0))


def test_a_policy_is_named_and_a_run_that_goes_on_too() -> None:
    going_on = [replace(PROMPTS[0], reason=""), PROMPTS[1]]
    text = said(replace(DRAWN, policy="policy.toml", prompts=going_on))
    assert "a scenario of policy.toml that was not decided" in text
    assert "a share" not in text.split("After each")[0]
    assert "The run is not over" in text


def test_a_run_that_has_not_begun_is_not_over() -> None:
    assert DRAWN.is_over
    assert not replace(DRAWN, prompts=[]).is_over


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_prompt_says_why_it_was_stopped(language: str) -> None:
    with speaking(language):
        words = [stop_words(reason) for reason in Stop]
        found = sampling(replace(BLANK, rounds=DRAWN))
    assert len(set(words)) == len(Stop)
    assert found is not None
    assert [(line.images, line.reason) for line in found.lines] == [(24, words[1]), (120, words[5])]


def test_a_share_of_none_is_not_said_to_be_known_within_half_its_interval() -> None:
    """None of 12: the interval is 0 to 29 %, and "± 14 points" around 0 would be false."""
    none = DrawnPrompt("g", "a CEO", "CEO", 12, 60, "narrow", 0.143)
    with speaking("en"):
        found = sampling(replace(BLANK, rounds=replace(DRAWN, prompts=[none])))
    assert found is not None
    assert [line.width for line in found.lines] == ["29\N{NO-BREAK SPACE}points wide"]
    assert "±" not in " ".join(found.sentences)
