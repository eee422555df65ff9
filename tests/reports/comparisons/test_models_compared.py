"""Models compared: each of the five verdicts where it is true, and none of them where it would be false."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.difference import DifferenceVerdict
from portrayal.reports.comparisons.matching import match_rows, rows_by_topic
from portrayal.reports.comparisons.models_compared import ModelsCompared, compare_models
from portrayal.reports.comparisons.numbers.differences import differences
from portrayal.reports.comparisons.pairing import PairedShare
from portrayal.reports.comparisons.sides import By, side_name
from portrayal.reports.comparisons.words.difference_words import answer, basis, verdict_words
from portrayal.stats.intervals import clopper_pearson
from portrayal.stats.two_sides.two_shares import power_about

GENDER = {"gender": Attribute("gender", "perceived gender", ("male", "female"))}
V = DifferenceVerdict


def share(model: str, item: str, seen: float, n: int, **changes: object) -> Measurement:
    """Return the share of women among ``n`` pictures of one prompt."""
    row = Measurement(
        "representation", "share", model, "eye", attribute="gender", group="female", level="term", item=item
    )
    row = replace(row, value=seen / n, low=0.0, high=1.0, n=n, worth=float(n), prompts=1, prompt_set=item)
    return replace(row, **changes)  # type: ignore[arg-type]  # names of columns


def compared(*rows: Measurement, margin: float = 0.1) -> ModelsCompared:
    found = compare_models(rows, ["A", "B"], margin, GENDER)
    assert found is not None
    return found


def verdicts(found: ModelsCompared) -> list[DifferenceVerdict]:
    return [each.verdict for pair in found.pairs for each in pair.differences]


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
    assert found.possible() == "1\xa0of them is less sure, and only in the table."


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
    assert found.incomplete(found.pairs[0]) == [
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


@pytest.mark.parametrize(("missing", "said"), [(0, False), (5, False), (60, True)])
def test_missing_images_that_could_change_it_are_named(missing: int, said: bool) -> None:
    rows = share("A", "CEO", 11, 100, missing=missing), share("B", "CEO", 47, 100, missing=missing)
    [each] = compared(*rows).pairs[0].differences
    assert ("could change this" in basis(each, 1)) is said
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
        assert ("could change this" in words) is (missing == 60 and within == 1)


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


def test_missing_images_that_would_erase_a_difference_are_named() -> None:
    """10 of 60 against 12 of 26, and 34 missing: in the worst case 17 against 20 %, and nothing is left."""
    [each] = compared(share("A", "CEO", 10, 60), share("B", "CEO", 12, 26, missing=34)).pairs[0].differences
    assert each.unsettled


@pytest.mark.parametrize(("missing", "said"), [(0, False), (20, False), (360, True)])
def test_missing_images_that_could_hide_a_difference_are_named(missing: int, said: bool) -> None:
    over_all = {"level": "overall", "prompt_set": "all"}
    found = compared(share("A", "", 12, 600, **over_all), share("B", "", 5, 240, missing=missing, **over_all))
    assert ("could hide one" in found.sentences()[0]) is said
    assert ("could change this" in found.lines(found.pairs[0])[0].verdict) is said


def test_a_difference_inside_the_margin_is_not_put_first() -> None:
    rows = share("A", "CEO", 2000, 4000), share("B", "CEO", 2150, 4000)
    found = compared(*rows)
    assert verdicts(found) == [V.LESS]
    assert found.lines(found.pairs[0])[0].verdict == "fewer, by less than 10 points"
    assert found.sentences() == ["Where models differ, they do so by less than 10 points."]
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
    assert compared(*rows).summary().endswith("In 12\xa0comparisons there are too few images to tell.")


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
    assert verdict_words(near, 0.1) == "no difference found: one of 0.10 or more would probably have shown"


def test_nothing_found_says_what_would_have_been_or_that_images_are_too_few() -> None:
    def sentences(seen: Sequence[int], n: int) -> list[str]:
        over_all = {"level": "overall", "prompt_set": "all"}
        return compared(*(share(m, "", s, n, **over_all) for m, s in zip("AB", seen, strict=True))).sentences()

    assert sentences((1000, 1010), 2000) == [
        "A and B are within 10 points of each other over all prompts in perceived gender."
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
    assert found.incomplete(found.pairs[0]) == ["too few pictures that both could judge: none"]
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


@pytest.mark.parametrize(
    ("women", "target", "said"),
    [
        ((11, 47), 0.5, "CEO: B lies nearer to the reference of 50\xa0%: 3 points away, A 39."),
        ((47, 11), 0.5, "CEO: A lies nearer to the reference of 50\xa0%: 3 points away, B 39."),
        ((10, 90), 0.5, "CEO: both lie equally far from the reference of 50\xa0%, in opposite directions."),
        (
            (15, 70),
            0.4,
            "CEO: they lie on opposite sides of the reference of 40\xa0%; which of them is nearer cannot be told.",
        ),
        ((30, 70), 0.35, "CEO: A lies nearer to the reference of 35\xa0%: 5 points away, B 35."),
        ((46, 72), 0.55, None),
        ((10, 90), None, None),
    ],
)
def test_direction_is_said_first_and_distance_second(
    women: tuple[int, int], target: float | None, said: str | None
) -> None:
    rows = []
    for name, seen in zip("AB", women, strict=True):
        low, high = clopper_pearson(seen / 100, 100)
        rows.append(share(name, "CEO", seen, 100, low=float(low), high=float(high), target=target))
    sentences = compared(*rows).sentences()
    assert sentences[0] == f"CEO: a woman in {women[0]} of 100\xa0pictures by A, in {women[1]} of 100 by B."
    assert sentences[1:] == ([said] if said else [])


def test_equally_far_depends_on_the_margin() -> None:
    rows = []
    for name, seen in zip("AB", (10, 90), strict=True):
        low, high = clopper_pearson(seen / 100, 100)
        rows.append(share(name, "CEO", seen, 100, low=float(low), high=float(high), target=0.5))
    assert "equally far" in compared(*rows, margin=0.1).sentences()[1]
    assert "which of them is nearer cannot be told" in compared(*rows, margin=0.05).sentences()[1]


def test_shares_drawn_in_rounds_pay_for_every_look() -> None:
    rows = share("A", "CEO", 11, 100), share("B", "CEO", 27, 100)
    [once] = compared(*rows).pairs[0].differences
    [in_rounds] = compared(*(replace(row, looks=6) for row in rows)).pairs[0].differences
    assert in_rounds.p == pytest.approx(6 * once.p)
    assert in_rounds.low < once.low < once.high < in_rounds.high
    assert in_rounds.detectable > once.detectable
