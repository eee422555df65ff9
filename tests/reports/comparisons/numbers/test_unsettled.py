"""What missing images could do to verdicts: named where they could change one, and only there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.samples.compared_rows import GENDER, compared, share

from portrayal.records import Measurement
from portrayal.reports.comparisons.difference import DifferenceVerdict
from portrayal.reports.comparisons.models_compared import compare_models
from portrayal.reports.comparisons.numbers.differences import differences
from portrayal.reports.comparisons.words.difference_words import basis, verdict_words
from portrayal.stats.two_sides.two_shares import difference_bounds

V = DifferenceVerdict


@pytest.mark.parametrize(("missing", "said"), [(0, False), (5, False), (60, True)])
def test_missing_images_that_could_change_it_are_named(missing: int, said: bool) -> None:
    rows = share("A", "CEO", 11, 100, missing=missing), share("B", "CEO", 47, 100, missing=missing)
    found = compared(*rows)
    [each] = found.pairs[0].differences
    sentence = "CEO: a woman in 11 of 100\xa0pictures by A, in 47 of 100 by B."
    more = f" {2 * missing}\xa0missing images could change this." if said else ""
    assert found.sentences() == [f"{sentence}{more}"], "it is quoted alone"
    assert "could change this" not in basis(each, 1), "the sentence says it"
    assert ("could change this" in verdict_words(each, 0.1)) is said


@pytest.mark.parametrize(("missing", "within", "said"), [(60, 0.2, True), (60, 1.0, False), (5, 0.2, False)])
def test_a_verdict_that_rests_on_a_range_stated_of_missing_images_says_so(
    missing: int, within: float, said: bool
) -> None:
    """With 60 missing on each side only what study.toml states of them carries the difference."""
    rows = share("A", "CEO", 11, 100, missing=missing), share("B", "CEO", 47, 100, missing=missing)
    found = compare_models(rows, ["A", "B"], 0.1, GENDER, within=within)
    assert found is not None
    [each] = found.pairs[0].differences
    stated = (
        "if shares among 120\xa0missing images lie at most 20 points from those among the others, as this study states"
    )
    for words in (basis(each, 1), verdict_words(each, 0.1), found.lines(found.pairs[0])[0].verdict):
        assert (stated in words) is said
        assert "could change this" not in words or (missing == 60 and within == 1)
    assert ("could change this" in verdict_words(each, 0.1)) is (missing == 60 and within == 1)


def test_no_difference_that_rests_on_a_range_stated_of_missing_images_says_so() -> None:
    over_all = {"level": "overall", "prompt_set": "all", "missing": 900}
    rows = share("A", "", 500, 1000, **over_all), share("B", "", 500, 1000, **over_all)
    said = {}
    for within in (0.02, 1.0):
        found = compare_models(rows, ["A", "B"], 0.1, GENDER, within=within)
        assert found is not None
        [said[within]] = found.sentences()
    assert "This takes for granted that shares among missing pictures lie at most 2 points" in said[0.02]
    assert "could hide one" in said[1.0]
    assert "takes for granted" not in said[1.0]


def test_missing_images_that_would_erase_a_difference_are_named() -> None:
    """10 of 60 against 12 of 26, and 34 missing: in the worst case 17 against 20 %, and nothing is left."""
    [each] = compared(share("A", "CEO", 10, 60), share("B", "CEO", 12, 26, missing=34)).pairs[0].differences
    assert each.unsettled


@pytest.mark.parametrize(("missing", "said"), [(0, False), (2, False), (20, True), (360, True)])
def test_missing_images_that_could_hide_a_difference_are_named(missing: int, said: bool) -> None:
    over_all = {"level": "overall", "prompt_set": "all"}
    found = compared(share("A", "", 12, 600, **over_all), share("B", "", 5, 240, missing=missing, **over_all))
    assert ("could hide one" in found.sentences()[0]) is said
    assert ("could change this" in found.lines(found.pairs[0])[0].verdict) is said


@pytest.mark.parametrize(("prompts", "said"), [(1, False), (4, True)])
def test_of_several_prompts_those_that_show_the_group_may_have_lost_the_most(prompts: int, said: bool) -> None:
    """Means of 60 and 24 %, and 72 of 272 missing: had the women's prompts lost them all, 33 % would be left."""
    of = {"prompts": prompts, "prompt_set": "all", "level": "overall"}
    found = compared(share("A", "", 120, 200, missing=72, **of), share("B", "", 48, 200, **of))
    [each] = found.pairs[0].differences
    assert each.verdict is V.MORE
    assert each.unsettled is said


def test_missing_images_that_would_leave_a_difference_to_chance_are_named() -> None:
    """50 against 30 of 100, and 5 missing on each side: in the worst case 50 against 35 of 105, p 0.04 and no less."""
    rows = share("A", "CEO", 50, 100, missing=5), share("B", "CEO", 30, 100, missing=5)
    [each] = compared(*rows).pairs[0].differences
    assert (each.verdict, each.unsettled) == (V.MORE, False)
    rows = share("A", "CEO", 50, 100, missing=7), share("B", "CEO", 30, 100, missing=7)
    [each] = compared(*rows).pairs[0].differences
    assert (each.verdict, each.unsettled) == (V.MORE, True)
    low, _ = difference_bounds(50 / 107, 107, 37 / 107, 107)
    assert float(low) < 0


def test_nobody_knows_how_far_missing_images_move_a_score() -> None:
    row = Measurement("m", "index", "A", "eye", level="overall", n=50, missing=4, value=0.9, low=0.85, high=0.95)
    other = replace(row, generator="B", missing=0, value=0.5, low=0.45, high=0.55)
    [each] = differences([(row, other)], 0.1)
    assert verdict_words(each, 0.1) == "more; nobody knows how far 4\xa0missing images would move a score"
    assert "nobody knows" in basis(each, 1)
    [whole] = differences([(replace(row, missing=0), other)], 0.1)
    assert verdict_words(whole, 0.1) == "more"
