"""Sentences about changes, each where it is true and where it would be false."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.samples.release_rows import ATTRIBUTES, share

from portrayal.apps.history.change_words import change_basis, change_sentence
from portrayal.apps.history.changes import Change, looks
from portrayal.language.translation import speaking
from portrayal.records import Measurement


def change(before: Measurement, after: Measurement) -> Change:
    rows = [{"model": [replace(row, generator=name)]} for row, name in ((before, "v1"), (after, "v2"))]
    (look,) = looks(rows, 0.1, ATTRIBUTES)
    return look.changes[0]


def said(before: Measurement, after: Measurement) -> str:
    return change_sentence(change(before, after), ATTRIBUTES).replace("\xa0", " ")


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


def test_a_change_that_missing_images_could_undo_says_so_when_quoted_alone() -> None:
    lost = [share("nurse", women, missing=400) for women in (98, 60)]
    assert said(*lost).endswith("between v1 and v2. 800 missing images could change this.")
    few = [share("nurse", women, missing=1) for women in (98, 60)]
    assert said(*few).endswith("between v1 and v2.")
