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
    assert said.startswith("No difference between A and B in perceived gender was found for CEO: one of")
    rows = [share(m, term, 150, 300) for term in ("CEO", "nurse") for m in "AB"]
    rows += [share(m, "office", 300, 600, level="category") for m in "AB"]
    assert "was found for office, CEO and nurse: one of" in compared(*rows, margin=0.05).sentences()[0]
    rows += [share(m, "pilot", 150, 300) for m in "AB"]
    assert "was found for any one of 4\xa0terms and categories: one" in compared(*rows, margin=0.05).sentences()[0]


def test_the_images_asked_for_are_more_than_there_are_whatever_the_margin() -> None:
    """With a margin of 20 points, 45 images were too few, and about 33 would show 40 points."""
    for margin in (0.15, 0.2, 0.4):
        found = compared(
            *(share(m, f"term {k}", 20 + 2 * (m == "B"), 45) for k in range(8) for m in "AB"), margin=margin
        )
        few = [each for each in found.pairs[0].differences if each.verdict is V.TOO_FEW]
        assert len(few) == 8 or margin == 0.4
        assert all(each.needed > 45 for each in few)
    [said] = compared(*(share(m, f"term {k}", 20, 45) for k in range(8) for m in "AB"), margin=0.2).sentences()
    assert "of each would probably show 30 points" in said


def test_differences_of_which_none_is_sure_by_itself_are_said_to_be_there() -> None:
    """Two in a list of ten are at most one in twenty chance; by Bonferroni neither is sure: nothing at all was said."""
    rows = [share("A", f"term {k}", 50, 100) for k in range(10)]
    rows += [share("B", f"term {k}", 31 if k < 2 else 50, 100) for k in range(10)]
    found = compared(*rows)
    assert [verdicts(found).count(verdict) for verdict in (V.MORE, V.NONE_FOUND)] == [2, 8]
    assert found.largest() == []
    assert found.sentences() == [
        "Between A and B 2\xa0comparisons differ by more than chance explains, but no single one is sure enough to be "
        "quoted by itself."
    ]
    sure = compared(*rows, share("A", "CEO", 90, 100), share("B", "CEO", 10, 100))
    assert "no single one" not in " ".join(sure.sentences())


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


def test_of_pairs_with_too_few_images_or_nothing_in_common_no_difference_is_claimed() -> None:
    few = compare_models([share(m, "CEO", 2, 4) for m in "ABCD"], list("ABCD"), 0.1, GENDER)
    assert few is not None
    unknown = "further pairs nothing is known: too few images, or nothing that could be compared."
    assert few.sentences()[3:] == [f"Of 3\xa0{unknown}"]
    other = [*(share(m, "CEO", 30, 100) for m in "ABCD"), share("E", "nurse", 30, 100)]
    found = compare_models(other, list("ABCDE"), 0.1, GENDER)
    assert found is not None
    assert found.sentences()[3].startswith("Of 3\xa0further pairs no difference was found either")
    assert found.sentences()[4:] == [f"Of 4\xa0{unknown}"]


def test_sides_that_are_no_models_are_called_by_whose_pictures_they_are() -> None:
    found = replace(compared(share("A", "CEO", 50, 100), share("B", "CEO", 52, 100)), phrases={
        "A": "without an addition", "B": "with “anybody”",
    })  # fmt: skip
    assert found.sentences()[0].startswith(
        "No difference between pictures without an addition and pictures with “anybody” in perceived gender was found"
    )
