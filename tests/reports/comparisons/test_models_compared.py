"""Models compared: each of the five verdicts where it is true, and none of them where it would be false."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.samples.compared_rows import GENDER, compared, share, verdicts

from portrayal.records import Measurement
from portrayal.reports.comparisons.difference import DifferenceVerdict
from portrayal.reports.comparisons.matching import match_rows, rows_by_topic
from portrayal.reports.comparisons.models_compared import ModelsCompared, compare_models
from portrayal.reports.comparisons.numbers.differences import differences
from portrayal.reports.comparisons.pairing import PairedShare
from portrayal.reports.comparisons.sides import By, side_name
from portrayal.reports.comparisons.words.answer_words import answer
from portrayal.reports.comparisons.words.difference_words import basis, verdict_words
from portrayal.stats.two_sides.two_shares import power_about

V = DifferenceVerdict


def test_the_first_sentence_says_who_is_drawn_more_often() -> None:
    found = compared(
        share("A", "CEO", 11, 100),
        share("B", "CEO", 47, 100),
        share("A", "nurse", 98, 100),
        share("B", "nurse", 56, 100),
    )
    assert found.sentences() == [
        "Nurse: a woman in 98 of 100\xa0pictures by A, in 56 of 100 by B.",
        "CEO: a woman in 11 of 100\xa0pictures by A, in 47 of 100 by B.",
    ]
    assert verdicts(found) == [V.MORE, V.LESS]
    assert found.summary().startswith("2 of 2\xa0comparisons differ by more than chance explains")


@pytest.mark.parametrize(
    ("seen", "n", "other", "m", "verdict"),
    [
        (90, 100, 10, 100, V.MORE),
        (0, 24, 24, 24, V.LESS),
        (1000, 2000, 1010, 2000, V.EQUIVALENT),
        (50, 100, 52, 100, V.NONE_FOUND),
        (4, 8, 6, 8, V.TOO_FEW),
        (0, 4, 4, 4, V.TOO_FEW),
        (0, 30, 0, 30, V.NONE_FOUND),
        (300, 300, 300, 300, V.EQUIVALENT),
    ],
)
def test_each_verdict_is_said_where_it_is_true(
    seen: int, n: int, other: int, m: int, verdict: DifferenceVerdict
) -> None:
    assert verdicts(compared(share("A", "CEO", seen, n), share("B", "CEO", other, m))) == [verdict]


def test_equivalent_depends_on_the_margin_that_was_stated() -> None:
    rows = share("A", "CEO", 1000, 2000), share("B", "CEO", 1010, 2000)
    assert verdicts(compared(*rows, margin=0.1)) == [V.EQUIVALENT]
    assert verdicts(compared(*rows, margin=0.02)) == [V.NONE_FOUND]
    [each] = compared(*rows).pairs[0].differences
    assert verdict_words(each, 0.1) == "within 10 points of each other"


@pytest.mark.parametrize(("margin", "said"), [(0.125, "12.5"), (0.014, "1.4"), (0.002, "0.2")])
def test_the_margin_is_said_as_it_was_stated(margin: float, said: str) -> None:
    """Rounded, "within 12 points" was said of what lies within 12.5."""
    rows = share("A", "CEO", 500_000, 1_000_000), share("B", "CEO", 500_001, 1_000_000)
    found = compared(*rows, margin=margin)
    [each] = found.pairs[0].differences
    assert verdict_words(each, margin) == f"within {said} points of each other"
    assert found.sentences() == [f"In perceived gender, A and B are within {said} points of each other for CEO."]


def test_four_images_have_no_statistics() -> None:
    [each] = compared(share("A", "CEO", 0, 4), share("B", "CEO", 4, 4)).pairs[0].differences
    assert np.isnan([each.p, each.low, each.high, each.adjusted]).all()
    assert verdict_words(each, 0.1).startswith("too few images to tell: about ")


@pytest.mark.slow
def test_what_would_have_shown_does_show() -> None:
    """The size in the sentence, taken for the truth, is found four times in five after the same correction."""
    [each] = compared(share("A", "CEO", 50, 100), share("B", "CEO", 52, 100)).pairs[0].differences
    rng = np.random.default_rng(3)
    x, y = rng.binomial(100, 0.51, 400), rng.binomial(100, 0.51 + each.detectable, 400)
    found = [
        verdicts(compared(share("A", "CEO", a, 100), share("B", "CEO", b, 100)))[0] for a, b in zip(x, y, strict=True)
    ]
    assert np.mean([verdict is V.LESS for verdict in found]) == pytest.approx(0.8, abs=0.07)


def test_a_difference_among_many_terms_must_be_surer_to_stand_first() -> None:
    """13 against 27 of 60 would differ alone; among 40 terms it stands nowhere, and 12 against 40 stands first."""
    alone = compared(share("A", "CEO", 13, 60), share("B", "CEO", 27, 60))
    assert verdicts(alone) == [V.LESS]
    others = [share(model, f"term {i}", 30, 60) for i in range(40) for model in "AB"]
    assert not compared(share("A", "CEO", 13, 60), share("B", "CEO", 27, 60), *others).largest()
    [first] = compared(share("A", "CEO", 12, 60), share("B", "CEO", 40, 60), *others).largest()
    assert first.one.item == "CEO"


def test_differences_that_may_be_chance_are_in_the_table_alone() -> None:
    strong = [share(m, f"t{i}", s, 100) for i in range(9) for m, s in (("A", 5), ("B", 95))]
    found = compared(*strong, share("A", "weak", 40, 100), share("B", "weak", 55, 100))
    assert verdicts(found).count(V.LESS) == 10
    assert all(each.one.item != "weak" for each in found.largest())
    assert found.possible() == "1\xa0of the differences found is less sure, and only in the table."


def test_other_prompts_and_missing_counterparts_are_listed_and_not_compared() -> None:
    found = compared(
        share("A", "CEO", 10, 100),
        share("B", "CEO", 90, 100, prompt_set="others"),
        share("A", "nurse", 50, 100),
        share("B", "pilot", 50, 100),
        share("A", "cook", 50, 100),
        share("B", "cook", 51, 100),
    )
    assert [each.one.item for each in found.pairs[0].differences] == ["cook"]
    assert found.pairs[0].incomplete() == [
        "only A has numbers: nurse",
        "only B has numbers: pilot",
        "usable pictures are of different prompts, or these have other weights: CEO",
    ]


def test_of_two_groups_one_is_compared() -> None:
    men = [replace(share(m, "CEO", 100 - s, 100), group="male") for m, s in (("A", 11), ("B", 47))]
    sides = [share("A", "CEO", 11, 100), men[0]], [share("B", "CEO", 47, 100), men[1]]
    matched = match_rows(*(rows_by_topic(side, GENDER) for side in sides))
    assert [one.group for one, _ in matched.pairs] == ["female"]
    assert not matched.only_one
    assert not matched.only_other


@pytest.mark.parametrize("terms", [1, 12])
def test_how_many_images_would_do_is_said_after_the_correction_for_all(terms: int) -> None:
    """About 93 images would show 20 points in one comparison; in twelve they would not."""
    rows = [share(m, f"job {own}", 2, 4) for own in range(terms) for m in ("A", "B")]
    found = compared(*rows)
    needed = {each.needed for each in found.pairs[0].differences}
    [n] = needed
    assert power_about(0.5, 0.7, n, p=0.05 / terms) == pytest.approx(0.8, abs=0.01)
    words = f"about {n}\xa0images of each would probably show 20 points, after the correction for all comparisons"
    assert words in found.lines(found.pairs[0])[0].verdict
    assert words in found.sentences()[0]
    assert (n == 93) is (terms == 1)


def test_probabilities_are_no_counts() -> None:
    """An annotator gave each picture a probability; 47.4 of 100 were said to be 47 pictures that show a woman."""
    found = compared(share("A", "CEO", 11.2, 100), share("B", "CEO", 47.4, 100))
    assert found.sentences() == ["CEO: a woman in 11\xa0% of 100\xa0pictures by A, in 47\xa0% of 100 by B."]


@pytest.mark.parametrize("named", [True, False])
def test_what_was_named_is_all_that_is_corrected_for(named: bool) -> None:
    others = [share(model, f"term {i}", 30, 60) for i in range(40) for model in "AB"]
    rows = [share("A", "CEO", 13, 60), share("B", "CEO", 27, 60), *others]
    wants = (lambda row: row.item == "CEO") if named else None
    found = compare_models(rows, ["A", "B"], 0.1, GENDER, correction="holm", wanted=wants)
    assert found is not None
    assert found.looked_at == (1 if named else 41)
    assert bool(found.largest()) is named


def test_a_difference_inside_the_margin_is_not_put_first() -> None:
    rows = share("A", "CEO", 2000, 4000), share("B", "CEO", 2150, 4000)
    found = compared(*rows)
    assert verdicts(found) == [V.LESS]
    assert found.lines(found.pairs[0])[0].verdict == "fewer, by less than 10 points"
    assert found.sentences() == ["Every difference that was found between A and B is smaller than 10 points."]
    assert compared(*rows, margin=0.02).largest()


def test_a_category_of_one_term_is_not_said_beside_the_term() -> None:
    """Office, CEO and health stood first, all of one term each, and nurse not at all."""
    rows = []
    for item, level, prompts, a, b in (
        ("office", "category", "CEO", 10, 50),
        ("CEO", "term", "CEO", 10, 50),
        ("health", "category", "nurse", 98, 60),
        ("nurse", "term", "nurse", 98, 60),
        ("sport", "category", "both", 10, 40),
        ("runner", "term", "runner", 10, 40),
    ):
        rows += [share(m, item, s, 100, level=level, prompt_set=prompts) for m, s in (("A", a), ("B", b))]
    assert [each.one.item for each in compared(*rows).largest()] == ["nurse", "CEO", "sport"]


def test_annotators_that_differ_are_named_in_every_line() -> None:
    rows = [
        share(m, "CEO", s, 100, annotator=who)
        for who, a, b in (("good", 0, 50), ("bad", 46, 54))
        for m, s in (("A", a), ("B", b))
    ]
    found = compared(*rows)
    assert found.sentences()[0].startswith("CEO, seen by good: a woman in 0 of 100")
    assert {line.about for line in found.lines(found.pairs[0])} == {"CEO, seen by good", "CEO, seen by bad"}


def test_a_share_does_not_depend_on_its_reference() -> None:
    assert compared(share("A", "CEO", 11, 100, reference="uniform"), share("B", "CEO", 47, 100)).largest()


def test_four_pictures_counted_twice_are_four() -> None:
    [each] = compared(share("A", "CEO", 6, 8, worth=4.0), share("B", "CEO", 15, 80)).pairs[0].differences
    assert each.verdict is V.TOO_FEW


def test_how_many_comparisons_cannot_tell_is_in_the_summary() -> None:
    rows = [share(m, f"t{i}", s, 20) for i in range(12) for m, s in (("A", 8), ("B", 12))]
    assert compared(*rows).summary().endswith("In 12 of 12\xa0comparisons there are too few images to tell.")


def test_what_could_not_be_tested_is_not_among_what_was() -> None:
    """It said: none of 1 comparison; in 3 comparisons there are too few images."""
    rows = [share(m, f"t{i}", s, n) for i, n in enumerate((20, 3, 3)) for m, s in (("A", 1), ("B", 2))]
    assert compared(*rows).summary().replace("\xa0", " ") == (
        "Of 1 comparison none shows more than chance explains. In 1 of 1 comparison there are too few images to tell. "
        "2 further comparisons could not be tested: a side has fewer than 5 different pictures."
    )


def test_of_many_models_each_is_compared_with_the_first_and_that_is_said() -> None:
    names = [f"m{i}" for i in range(9)]
    found = compare_models([share(name, "CEO", 30, 60) for name in names], names, 0.1, GENDER)
    assert found is not None
    assert {pair.one for pair in found.pairs} == {"m0"}
    assert found.left_out == ["of more than 8 models each is compared with m0 alone"]


def test_scores_are_compared_by_their_intervals() -> None:
    def score(model: str, value: float, reach: float) -> Measurement:
        row = Measurement("m", "index", model, "eye", level="overall", n=50, value=value)
        return replace(row, low=value - reach, high=value + reach)

    [far] = differences([(score("A", 0.9, 0.05), score("B", 0.5, 0.05))], 0.1)
    assert far.verdict is V.MORE
    assert (far.low, far.high) == pytest.approx((0.4 - 0.05 * 2**0.5, 0.4 + 0.05 * 2**0.5))
    assert answer(far, {}) == "All prompts: index 0.900 (0.850–0.950) for A, 0.500 (0.450–0.550) for B"
    [near] = differences([(score("A", 0.52, 0.05), score("B", 0.5, 0.05))], 0.1)
    assert near.verdict is V.NONE_FOUND
    assert verdict_words(near, 0.1) == "no difference found: one of 0.11 or more would probably have shown"
    small = [score("A", 0.0052, 0.0009), score("B", 0.005, 0.0009)]
    [tiny] = differences([(small[0], small[1])], 0.1)
    assert verdict_words(tiny, 0.1) == "no difference found: one of 0.0019 or more would probably have shown"


def test_a_distance_on_the_scale_of_shares_needs_as_many_images() -> None:
    """With three images of each prompt it said: one of 0.57 or more would have shown. None is larger than 0.5."""

    def distance(model: str, reach: float) -> Measurement:
        row = Measurement("m", "total_variation", model, "eye", level="overall", n=50, value=0.2)
        return replace(row, low=0.2 - reach, high=0.2 + reach)

    for reach, verdict in ((0.19, V.TOO_FEW), (0.1, V.NONE_FOUND)):
        [each] = differences([(distance("A", reach), distance("B", reach))], 0.1)
        assert each.verdict is verdict
    [index] = differences(
        [(replace(distance("A", 0.19), metric="index"), replace(distance("B", 0.19), metric="index"))], 0.1
    )
    assert index.verdict is V.NONE_FOUND, "how large an index may be nobody knows"


@pytest.mark.parametrize("seen", [0, 1])
def test_one_image_of_each_does_not_show_how_many_are_needed(seen: int) -> None:
    """Where both showed the group, or neither did, half as many were said to be needed as where one did."""
    [alike] = compared(share("A", "CEO", seen, 1), share("B", "CEO", seen, 1)).every()
    [apart] = compared(share("A", "CEO", 1, 1), share("B", "CEO", 0, 1)).every()
    assert alike.needed == pytest.approx(apart.needed, rel=0.1)
    assert power_about(0.4, 0.6, alike.needed, p=0.05) > 0.75


def test_one_model_is_compared_with_nothing() -> None:
    assert compare_models([share("A", "CEO", 5, 10)], ["A"], 0.1, GENDER) is None


@pytest.mark.slow
@pytest.mark.parametrize("images", [10, 60])
def test_of_pages_where_nothing_differs_few_say_that_something_does(images: int) -> None:
    rng = np.random.default_rng(images)
    wrong = 0
    for _ in range(80):
        truth = rng.uniform(0, 1, 60)
        seen = {model: rng.binomial(images, truth) for model in "AB"}
        rows = [share(model, f"t{i}", int(seen[model][i]), images) for model in "AB" for i in range(60)]
        wrong += bool(compared(*rows).pairs[0].different)
    assert wrong <= 9


@dataclass(frozen=True)
class Partners:
    """All pictures but some have a partner; of the term ``none`` no picture has."""

    difference: float
    apart: float
    alone: int = 0
    required: bool = False

    def __call__(self, one: Measurement, other: Measurement) -> PairedShare | None:
        n = min(one.n, other.n) - self.alone
        return None if one.item == "none" else PairedShare(self.difference, self.apart, float(n), n, self.alone)


def by_pairs(*rows: Measurement, apart: float, difference: float, alone: int = 0) -> ModelsCompared:
    """Return rows compared, of which all pictures but some have a partner."""
    found = compare_models(rows, ["A", "B"], 0.1, GENDER, pairing=Partners(difference, apart, alone))
    assert found is not None
    return found


def test_identical_pictures_are_equivalent_once_there_are_enough() -> None:
    def verdict(n: int) -> DifferenceVerdict:
        rows = share("A", "CEO", n // 2, n), share("B", "CEO", n // 2, n)
        [found] = verdicts(by_pairs(*rows, apart=0.0, difference=0.0))
        return found

    assert (verdict(10), verdict(20), verdict(40)) == (V.TOO_FEW, V.NONE_FOUND, V.EQUIVALENT)


def test_pairs_find_what_independent_pictures_do_not() -> None:
    rows = share("A", "CEO", 50, 100), share("B", "CEO", 40, 100)
    assert verdicts(compared(*rows)) == [V.NONE_FOUND]
    found = by_pairs(*rows, apart=0.1, difference=0.1)
    assert verdicts(found) == [V.MORE]
    [each] = found.pairs[0].differences
    assert "100\xa0pairs drawn with the same seed" in basis(each, 1)
    assert "no partner" not in basis(each, 1)
    assert found.pairs_words() == "1\xa0comparison is made pair by pair, by the same seeds."


def test_pictures_without_a_partner_are_named() -> None:
    found = by_pairs(share("A", "CEO", 50, 100), share("B", "CEO", 40, 100), apart=0.2, difference=0.1, alone=4)
    [each] = found.pairs[0].differences
    assert "96\xa0pairs drawn with the same seed; 4\xa0pictures have no partner" in basis(each, 1)
    assert "up to 4 of a comparison" in found.pairs_words()


def test_four_pictures_have_no_statistics_in_pairs_either() -> None:
    found = by_pairs(share("A", "CEO", 0, 4), share("B", "CEO", 4, 4), apart=1.0, difference=-1.0)
    assert verdicts(found) == [V.TOO_FEW]
    assert np.isnan(found.pairs[0].differences[0].p)


def test_rows_without_pairs_are_not_compared_where_these_are_required() -> None:
    rows = [share(m, item, s, 100) for item in ("CEO", "none") for m, s in (("A", 50), ("B", 40))]
    found = compare_models(rows, ["A", "B"], 0.1, GENDER, pairing=Partners(0.1, 0.1, required=True))
    assert found is not None
    assert [each.one.item for each in found.pairs[0].differences] == ["CEO"]
    assert found.pairs[0].incomplete() == ["too few pictures that both could judge: none"]
    both = compare_models(rows, ["A", "B"], 0.1, GENDER, pairing=Partners(0.1, 0.1))
    assert both is not None
    assert "1\xa0takes pictures as independent" in both.pairs_words()


@pytest.mark.parametrize(
    ("by", "values", "sentence"),
    [
        (By.LANGUAGE, ("en", "de"), "asked for in English, in 47 of 100 asked for in German"),
        (By.MITIGATION, ("", "anybody"), "without an addition, in 47 of 100 with “anybody”"),
        (By.ANNOTATOR, ("good", "bad"), "as good sees them, in 47 of 100 as bad sees them"),
    ],
)
def test_sentences_say_what_sides_are(by: By, values: tuple[str, str], sentence: str) -> None:
    names = [side_name(by, value, "") for value in values]
    rows = [share(name.label, "CEO", seen, 100) for name, seen in zip(names, (11, 47), strict=True)]
    found = compare_models(rows, [name.label for name in names], 0.1, GENDER)
    assert found is not None
    said = replace(found, phrases={name.label: name.phrase for name in names})
    assert said.sentences() == [f"CEO: a woman in 11 of 100\xa0pictures {sentence}."]


def test_shares_drawn_in_rounds_pay_for_every_look() -> None:
    rows = share("A", "CEO", 11, 100), share("B", "CEO", 27, 100)
    [once] = compared(*rows).pairs[0].differences
    [in_rounds] = compared(*(replace(row, looks=6) for row in rows)).pairs[0].differences
    assert in_rounds.p == pytest.approx(6 * once.p)
    assert in_rounds.low < once.low < once.high < in_rounds.high
    assert in_rounds.detectable > once.detectable


def test_no_difference_of_two_distances_exceeds_what_both_can_be() -> None:
    """Widened for thirty looks, the interval of two distances at opposite ends reached beyond 1."""
    row = share("A", "", 98, 100, metric="total_variation", group="", level="overall", worth=None, looks=30)
    row = replace(row, value=0.9, low=0.7, high=1.0)
    [found] = compared(row, replace(row, generator="B", value=0.1, low=0.0, high=0.3)).pairs[0].differences
    assert found.value == pytest.approx(0.8)
    assert (found.low < 0.42, found.high) == (True, 1.0)
