"""That nothing was found to differ: with what would have been found, and of what was looked at alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.samples.compared_rows import GENDER, compared, share, verdicts

from portrayal.records import Measurement
from portrayal.reports.comparisons.difference import DifferenceVerdict
from portrayal.reports.comparisons.models_compared import compare_models

V = DifferenceVerdict


def test_nothing_found_says_what_would_have_been_or_that_images_are_too_few() -> None:
    def sentences(seen: Sequence[int], n: int) -> list[str]:
        over_all = {"level": "overall", "prompt_set": "all"}
        return compared(*(share(m, "", s, n, **over_all) for m, s in zip("AB", seen, strict=True))).sentences()

    assert sentences((1000, 1010), 2000) == [
        "In perceived gender, A and B are within 10 points of each other over all prompts."
    ]
    assert sentences((50, 55), 100) == [
        "No difference between A and B in perceived gender was found over all prompts: one of 20 points or more would "
        "probably have shown."
    ]
    assert sentences((2, 6), 8)[0].startswith("Too few images to tell whether A and B differ: about ")


def test_no_difference_is_said_only_of_what_there_are_enough_images_for() -> None:
    """Two attributes, of which one is known of a part of the pictures: the sentence named both."""
    over_all = {"level": "overall", "prompt_set": "all"}
    rows = [share(m, "", 150, 300, **over_all) for m in "AB"]
    rows += [share(m, "", 15, 30, attribute="age", group="old", **over_all) for m in "AB"]
    [said] = compared(*rows, margin=0.05).sentences()
    assert said.startswith("No difference between A and B in perceived gender was found over all prompts: one of 13")
    assert said.endswith("For perceived age there are too few images to tell.")
    assert "too few" not in compared(*rows[:2], margin=0.05).sentences()[0]


def test_no_difference_in_terms_alone_is_not_said_of_all_prompts() -> None:
    rows = [share(m, "CEO", 150, 300) for m in "AB"]
    [said] = compared(*rows, margin=0.05).sentences()
    assert said.startswith("No difference between A and B in perceived gender was found in any single term: one of")


def test_small_differences_between_several_models_are_said_of_those_found_alone() -> None:
    rows = [share(m, "CEO", s, 4000) for m, s in (("A", 2000), ("B", 2150), ("C", 2300))]
    found = compare_models(rows, ["A", "B", "C"], 0.1, GENDER)
    assert found is not None
    assert found.sentences() == ["Every difference that was found between models is smaller than 10 points."]


def test_sides_without_a_common_number_are_not_called_too_few_images() -> None:
    rows = [share("A", "CEO", 90, 100), share("B", "CEO", 10, 100), share("C", "nurse", 10, 100)]
    found = compare_models(rows, ["A", "B", "C"], 0.1, GENDER)
    assert found is not None
    assert found.nothing() == ["Nothing in A and C could be compared.", "Nothing in B and C could be compared."]


def test_scores_without_a_difference_are_not_called_too_few_images() -> None:
    row = Measurement("m", "index", "A", "eye", level="overall", n=50, value=0.52, low=0.47, high=0.57)
    found = compared(row, replace(row, generator="B", value=0.5, low=0.45, high=0.55))
    assert verdicts(found) == [V.NONE_FOUND]
    assert found.sentences() == [
        "No difference between A and B was found in index; beside each comparison stands how large one had to be to "
        "show."
    ]


def test_pairs_of_models_without_a_sentence_are_counted() -> None:
    rows = [share(m, "CEO", 30, 100) for m in "ABCD"]
    found = compare_models(rows, list("ABCD"), 0.1, GENDER)
    assert found is not None
    assert len(found.sentences()) == 4
    assert found.sentences()[-1].startswith("Of 3\xa0further pairs no difference was found either")


def test_sides_that_are_no_models_are_called_by_whose_pictures_they_are() -> None:
    found = replace(compared(share("A", "CEO", 50, 100), share("B", "CEO", 52, 100)), phrases={
        "A": "without an addition", "B": "with “anybody”",
    })  # fmt: skip
    assert found.sentences()[0].startswith(
        "No difference between pictures without an addition and pictures with “anybody” in perceived gender was found"
    )
