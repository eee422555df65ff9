"""Sentences about changes, each where it is true and where it would be false."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.samples.release_rows import ATTRIBUTES, share

from portrayal.apps.history.change_words import change_basis, change_sentence, unchanged_sentence
from portrayal.apps.history.changes import Change, looks
from portrayal.language.translation import speaking
from portrayal.records import Measurement


def change(before: Measurement, after: Measurement) -> Change:
    rows = [{"model": [replace(row, generator=name)]} for row, name in ((before, "v1"), (after, "v2"))]
    (look,) = looks(rows, 0.1, ATTRIBUTES)
    return look.changes[0]


def said(before: Measurement, after: Measurement) -> str:
    return change_sentence(change(before, after), ATTRIBUTES).replace("\xa0", " ")


def unchanged(*pairs: tuple[Measurement, Measurement]) -> str:
    steps = [change(*pair).difference for pair in pairs]
    return unchanged_sentence(steps, "v1", "v2", 0.1).replace("\xa0", " ")


def test_the_direction_is_said_in_counts() -> None:
    assert said(share("nurse", 98), share("nurse", 56)) == (
        "Nurse: women went from 98 of 100 pictures to 56 of 100 between v1 and v2."
    )
    assert said(share("nurse", 56), share("nurse", 98)).startswith("Nurse: women went from 56 of 100 pictures to 98")


def test_means_over_prompts_are_no_counts() -> None:
    mean: dict[str, Any] = {"prompts": 3, "level": "overall", "item": "", "prompt_set": "abc"}
    assert said(share("", 98, **mean), share("", 56, **mean)) == (
        "All prompts: women went from 98 % to 56 % of the pictures between v1 and v2 "
        "(mean of 3 prompts; 100 pictures, then 100)."
    )


def test_probabilities_are_no_counts_either() -> None:
    assert "from 98 % of 100 pictures to 56 % of 100" in said(share("nurse", 97.6), share("nurse", 56.3))


def test_other_groups_are_perceived() -> None:
    rows = [share("nurse", women, attribute="race5", group="east_asian") for women in (98, 56)]
    assert "people perceived as east asian went from" in said(*rows)


def test_scores_are_given_with_their_intervals() -> None:
    score: dict[str, Any] = {
        "metric": "score",
        "attribute": "",
        "group": "",
        "worth": None,
        "level": "overall",
        "item": "",
    }
    rows = [replace(share("", 50), **score, value=value, low=value - 0.01, high=value + 0.01) for value in (0.2, 0.6)]
    assert said(*rows) == "All prompts: score went from 0.200 (0.190–0.210) to 0.600 (0.590–0.610) between v1 and v2."


def test_german() -> None:
    with speaking("de"):
        assert said(share("nurse", 98), share("nurse", 56)) == (
            "Nurse: Frauen bei v1 auf 98 von 100 Bildern, bei v2 auf 56 von 100."
        )


def test_the_basis_names_the_interval_and_the_correction() -> None:
    text = change_basis(change(share("nurse", 98), share("nurse", 56)), 12).replace("\xa0", " ")
    assert text.startswith("difference −42 points, 95 % interval −")
    assert text.endswith("p below 0.001, corrected for 12 comparisons of this release and for all releases")


@pytest.mark.parametrize(
    ("n", "women", "expected"),
    [
        (4, (2, 2), "Too few images to tell whether anything changed between v1 and v2."),
        (20, (10, 10), "Too few images to tell whether anything changed between v1 and v2."),
        (2000, (1000, 1003), "v2 is within 10 points of v1 over all prompts."),
    ],
)
def test_nothing_changed_as_far_as_images_can_tell(n: int, women: tuple[int, int], expected: str) -> None:
    before, after = (share("", number, n, level="overall", item="") for number in women)
    assert unchanged((before, after)) == expected


def test_what_would_have_shown_is_said_of_terms_where_prompts_differ() -> None:
    overall = unchanged((share("", 50, level="overall", item=""), share("", 52, level="overall", item="")))
    assert overall.startswith("No change between v1 and v2 was found over all prompts: one of 2")
    terms = unchanged((share("nurse", 50), share("nurse", 52)))
    assert "was found in any term that both answered: one of 2" in terms


def test_missing_images_could_hide_a_change() -> None:
    rows = [share("nurse", 50, missing=120), share("nurse", 52)]
    assert unchanged((rows[0], rows[1])).endswith("but 120 missing images could hide one.")


def test_a_change_that_missing_images_could_undo_says_so_when_quoted_alone() -> None:
    lost = [share("nurse", women, missing=400) for women in (98, 60)]
    assert said(*lost).endswith("between v1 and v2. 800 missing images could change this.")
    few = [share("nurse", women, missing=1) for women in (98, 60)]
    assert said(*few).endswith("between v1 and v2.")


def test_nothing_compared_is_not_no_change() -> None:
    assert unchanged() == "Nothing of v1 and v2 could be compared."
