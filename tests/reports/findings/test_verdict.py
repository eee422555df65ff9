"""The verdict on a model: never an all-clear that the data cannot carry."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from portrayal.records import UncoveringReference
from portrayal.reports import ReportData
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.findings.deviations.deviation import Counted, Deviation, Statement
from portrayal.reports.findings.deviations.selection import select
from portrayal.reports.findings.first_screen import FirstScreen
from portrayal.reports.findings.power import Reach
from portrayal.reports.findings.verdict import Verdict, Word, verdict
from portrayal.reports.findings.words.verdict_words import Compared, verdict_sentence
from portrayal.reports.reading_errors import ReadingErrors
from portrayal.stats.targets.target import NumberTest, ShareTest

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, Said, StudyOf

Screen = Callable[[ReportData], FirstScreen]


def deviation(seen: int, n: int, target: float = 0.5, missing: int = 0, name: str = "CEO") -> Deviation:
    test = ShareTest(seen / n, n, target)
    return Deviation("g", ("g", name), test, False, lambda: Statement("", "", "", ()), images=n, missing=missing)


def test_too_few_images_are_inconclusive_and_say_how_many_would_do(share: Row, study: StudyOf, said: Said) -> None:
    """ "Nothing deviates" stood over 56 comparisons of 8 images each."""
    text = said(study(*(share(4, 8, 0.5, item=f"job {own}") for own in range(5))))
    assert "Inconclusive. Too few images to tell. Taken together, 5 comparisons leave deviations of up to 41" in text
    assert (
        "Enough images? No: a typical comparison has 8 usable images, and even the largest deviation is found less "
        "than four times in five." in text
    )
    assert "To find 10 points that often takes about 360 usable images for each comparison." in text


def test_a_large_sample_that_agrees_rules_large_deviations_out(share: Row, study: StudyOf, said: Said) -> None:
    text = said(study(share(2000, 4000, 0.5)))
    assert (
        "None found of 10 points or more. No deviation was found in 1 comparison of perceived gender, and the images "
        "rule out any of more than 2 points." in text
    )
    assert "Enough images? Yes: deviations of 10 points are found at least four times in five." in text


def test_the_same_words_do_not_head_18_pictures_and_4800(share: Row, study: StudyOf, screen: Screen) -> None:
    few, many = (screen(study(share(n // 2, n, 0.5))).models[0] for n in (18, 4800))
    assert (few.verdict.word, many.verdict.word) == (Word.INCONCLUSIVE, Word.NONE)
    assert few.word != many.word


def test_a_sure_but_tiny_deviation_is_no_headline(share: Row, study: StudyOf, said: Said) -> None:
    """Of 100,000 images 51 % are surely not 50 %, and nobody who tolerates 10 points need hear of deviations first."""
    text = said(study(share(51_000, 100_000, 0.5)))
    assert (
        "None found of 10 points or more. In 1 comparison of perceived gender the images rule out any deviation of "
        "more than 2 points; smaller ones were found and are listed below." in text
    )
    assert "51.0 % of 100,000 pictures show a woman; the reference says 50.0 %." in text
    larger = said(study(share(59_900, 100_000, 0.5)))
    assert "Deviations found. 1 of 1 comparison of perceived gender differs by more than chance explains." in larger


def test_half_of_the_pictures_missing_is_no_all_clear(share: Row, study: StudyOf, said: Said) -> None:
    """One reader "nearly shipped" the model of which half the pictures could not be judged."""
    text = said(study(share(2000, 4000, 0.5, missing=4000)))
    assert "Inconclusive. Too many images are missing to tell. A deviation of up to 26 points is possible." in text
    assert "None found" not in text


STATED = (
    "This takes for granted that shares among missing pictures lie at most 5 points from those among the others; "
    "this study states that, and nobody measured it."
)


@pytest.mark.parametrize(
    ("seen", "missing", "within", "said_so"),
    [
        (2000, 4000, 0.05, True),  # none found, only as missing ones are stated to be like the others
        (2000, 4000, 1.0, False),
        (2000, 0, 0.05, False),
        (800, 4000, 0.05, True),  # a deviation that missing ones could take away, were they not stated to
        (800, 20, 0.05, False),
        (40, 4000, 1.0, False),
    ],
)
def test_a_verdict_under_a_range_stated_of_missing_images_says_so(
    share: Row, study: StudyOf, said: Said, seen: int, missing: int, within: float, said_so: bool
) -> None:
    data = study(share(seen, 4000, 0.5, missing=missing), missing_within=within)
    text = said(data)
    assert (STATED in text) is said_so
    assert ("None found" in text) is (seen == 2000 and (missing == 0 or within < 1))


def test_a_stated_range_is_said_where_a_size_rests_on_it(share: Row, study: StudyOf, said: Said) -> None:
    """Which deviations are still possible elsewhere depends on what is stated of missing pictures."""
    rows = share(40, 4000, 0.5, item="pilot"), share(100, 200, 0.5, item="nurse", missing=200)
    text = said(study(*rows, missing_within=0.05))
    assert "Deviations found." in text
    assert STATED in text
    assert STATED not in said(study(*rows))
    complete = rows[0], replace(rows[1], missing=0)
    assert STATED not in said(study(*complete, missing_within=0.05))


def test_what_was_not_found_is_said_to_be_possible_still(share: Row, study: StudyOf, said: Said) -> None:
    """ "1 of 7 differs" read as if the six others had passed."""
    text = said(study(share(3, 24, 0.5, item="pilot"), *(share(12, 24, 0.5, item=f"job {own}") for own in range(2))))
    assert (
        "1 of 3 comparisons of perceived gender differs by more than chance explains. In the others, up to 25" in text
    )
    two = said(study(share(3, 24, 0.5, item="pilot"), share(12, 24, 0.5, item="job")))
    assert "In the other one, up to 24 points are still possible." in two
    assert "still possible" not in said(study(share(3, 24, 0.5, item="pilot")))


def test_a_wide_tolerance_is_easier_to_meet(share: Row, study: StudyOf, screen: Screen) -> None:
    words = [screen(study(share(60, 120, 0.5), tolerance=own)).models[0].verdict.word for own in (0.05, 0.09, 0.1)]
    assert words == [Word.INCONCLUSIVE, Word.INCONCLUSIVE, Word.NONE]


def test_without_a_reference_nothing_is_compared_and_shares_are_shown(share: Row, study: StudyOf, said: Said) -> None:
    overall = share(30, 60, None, level="overall", item="", reference="")
    text = said(study(share(3, 60, None, reference=""), overall))
    assert (
        "Not compared. No reference was chosen for this model’s pictures, so there is nothing to compare with." in text
    )
    assert "Perceived gender: over all prompts, 30 of 60 pictures show a woman (37–63 %)." in text
    assert "Perceived gender About Perceived as Share 95 % interval CEO female 3 of 60 1–14 %" in text


def test_a_model_without_usable_pictures_does_not_lack_a_reference(share: Row, study: StudyOf, said: Said) -> None:
    """Its share of missing pictures is a number, and passed for one that no reference was chosen for."""
    lost = share(60, 60, None, metric="missing", group="no_person", attribute="", missing=60)
    text = said(study(share(0, 0, 0.4), lost, perceived={}))
    assert "Not compared. This model has no numbers: none of its pictures could be used" in text
    assert "No reference was chosen" not in text
    assert "The numbers are about these prompts" not in text
    assert "The numbers are about these prompts" in said(study(share()))


def test_a_reference_that_covers_nothing_was_chosen_all_the_same(share: Row, study: StudyOf, said: Said) -> None:
    covers = UncoveringReference("us", ("gender",), 1, 300, ("nurse",))
    text = said(study(share(3, 60, None, reference=""), uncovering=[covers]))
    assert "Not compared. The reference that was chosen has no figures for these terms" in text
    other = replace(share(3, 60, None, reference="", item="diver"), generator="h")
    assert "has no figures for these terms" in said(study(share(), other, generators=["g", "h"]))
    assert "No reference was chosen" not in text


def test_a_model_that_cannot_be_compared_is_told_from_one_without_a_reference(
    share: Row, study: StudyOf, said: Said
) -> None:
    """All its pictures showed nobody, which is a number, and "no reference was chosen" stood beside its neighbour's."""
    rate = share(60, 60, None, metric="hallucination_rate", attribute="", group="", level="overall", item="")
    text = said(study(share(), replace(rate, generator="h"), generators=["g", "h"]))
    assert "Not compared. None of this model’s pictures could be compared as those of others were." in text
    assert "No reference was chosen" not in text


def test_a_method_without_references_lacks_none(share: Row, study: StudyOf, said: Said) -> None:
    score = share(3, 60, None, metric="jaccard_hallucination", attribute="caption", group="", reference="")
    text = said(study(score))
    assert "Not compared. Nothing in this model’s pictures was to be compared with a reference." in text
    beside = said(study(share(), replace(score, generator="h"), generators=["g", "h"]))
    assert "Nothing in this model’s pictures was to be compared" in beside, "another one is compared with something"


def test_what_is_possible_but_not_sure_stands_openly_in_the_table(share: Row, study: StudyOf, said: Said) -> None:
    """Eight of eight nurses, which three occupations of eight images cannot carry, lay behind two folds."""
    page = said(study(share(8, 8, 0.5, item="nurse"), *(share(4, 8, 0.5, item=f"job {own}") for own in range(2))))
    assert "Inconclusive. Too few images to tell." in page
    assert "1 possible deviation, which may be chance" in page
    assert "Nurse female 8 of 8 63–100 %\N{SUPERSCRIPT PLUS SIGN} 50 % Job 0 female 4 of 8" in page
    assert "Everything that was compared" not in page


def test_comparisons_that_say_nothing_of_their_size_leave_anything_possible() -> None:
    blank = Deviation("g", ("g", "x"), Counted(), False, lambda: Statement("", "", "", ()))
    found = verdict("g", select([blank]), 0.1)
    assert (found.word, found.possible, found.reach) == (Word.INCONCLUSIVE, math.inf, None)


def test_numbers_that_are_no_shares_are_not_said_in_points() -> None:
    """FAIntbench's manifestation factor of few pairs made "deviations of up to 146 points" possible."""
    wide = Deviation("g", ("g", "eta"), NumberTest(0.4, -0.5, 1.3, 0.0, 2), True, lambda: Statement("", "", "", ()))
    found = verdict("g", select([wide]), 0.1)
    assert verdict_sentence(found, 0.1, Compared(1, 0)) == (
        "Nothing was found in 1 comparison, which does not mean that nothing is there."
    ).replace("1 comparison", "1\N{NO-BREAK SPACE}comparison")
    both = verdict("g", select([wide, deviation(200, 400)]), 0.1)
    assert both.word is Word.INCONCLUSIVE
    assert both.possible == verdict("g", select([deviation(200, 400), deviation(200, 400, name="x")]), 0.1).possible


def test_small_numbers_that_are_no_shares_rule_nothing_out_in_points() -> None:
    """Three words of BiasPainter whose biases were all about 0 ended the report in a traceback."""
    narrow = Deviation(
        "g", ("g", "bias"), NumberTest(0.0, -0.01, 0.01, 0.0, 9), True, lambda: Statement("", "", "", ())
    )
    found = verdict("g", select([narrow]), 0.1)
    assert (found.word, found.possible) == (Word.INCONCLUSIVE, math.inf)
    assert "Too few images" not in verdict_sentence(found, 0.1, Compared(1, 0))


def test_a_share_that_is_off_by_more_than_is_tolerated_is_never_ruled_out() -> None:
    """300 studies of ten terms, one of them 15 points off: absence is claimed in at most 5 % of them."""
    rng = np.random.default_rng(4)
    words = []
    for _ in range(300):
        truths = [0.65, *[0.5] * 9]
        seen = rng.binomial(400, truths)
        words.append(
            verdict("g", select([deviation(int(own), 400, name=str(k)) for k, own in enumerate(seen)]), 0.1).word
        )
    assert words.count(Word.NONE) == 0
    assert words.count(Word.FOUND) > 280


@pytest.mark.parametrize("lost", [0, 40, 400])
def test_what_is_missing_widens_what_is_possible(lost: int) -> None:
    found = verdict("g", select([deviation(200, 400, missing=lost)]), 0.1)
    bounds = ShareTest(0.5, 400, 0.5).bounds(0.95)
    share = lost / (lost + 400)
    assert found.possible == pytest.approx((bounds.high + 0.5) * (1 - share) + share - 0.5)
    assert found.hidden == pytest.approx(bounds.high)


def test_terms_without_figures_or_pictures_are_no_all_clear(share: Row, study: StudyOf, said: Said) -> None:
    """0 women in 3,000 pictures of CEOs of whom the reference knew nothing, under "None found of 10 points or more"."""
    rows = [share(2000, 4000, 0.5, item="nurse"), share(0, 3000, None, item="CEO", reference="")]
    whole = {"g": {"nurse": 4000}}
    assert "None found of 10 points or more." in said(study(*rows[:1], asked=whole))
    text = said(study(*rows, asked={"g": {"nurse": 4000, "CEO": 3000, "diver": 100}}))
    assert "Inconclusive. Not every term could be compared." in text
    assert (
        "Not compared Perceived gender: the reference has no figures for “CEO”; there is no usable picture of “diver”."
        in text
    )


def test_wordings_that_cancel_within_a_term_are_no_all_clear(share: Row, study: StudyOf, said: Said) -> None:
    """One wording shows women only, the other men only: every prompt is 50 points off, and the term is not."""
    term = share(500, 1000, 0.5, item="nurse", prompts=2)
    typical = share(
        0, 1000, None, metric="mean_total_variation", group="", level="overall", item="", value=0.5, low=0.5, high=0.5
    )
    text = said(study(term, typical))
    assert "Deviations found. Single prompts lie 50 points or more from the reference on average, in whatever" in text
    assert "up to" not in text.split("perceived gender).")[0]
    near = replace(typical, value=0.05, low=0.02, high=0.08)
    assert "None found of 10 points or more." in said(study(term, near))


def test_an_annotator_that_guesses_gives_no_all_clear(share: Row, study: StudyOf, said: Said) -> None:
    """Nurses all women and CEOs all men looked even to one who misreads every second person."""
    guess = {("male", "male"): 1500, ("male", "female"): 1500, ("female", "female"): 1500, ("female", "male"): 1500}
    even = share(2000, 4000, 0.5, item="nurse")
    text = said(study(even, errors={("a", "gender"): ReadingErrors("planted", guess)}))
    assert "Inconclusive. The annotator errs too often to tell. A deviation of up to 50 points is possible." in text
    right = {("male", "male"): 3000, ("female", "female"): 3000}
    assert "None found" in said(study(even, errors={("a", "gender"): ReadingErrors("planted", right)}))


def test_deviations_that_errors_explain_are_inconclusive(share: Row, study: StudyOf, said: Said) -> None:
    """Deviations "were found" in a model exactly on its reference of 5 %, seen by who misreads one in ten."""
    errs = {("male", "female"): 10, ("male", "male"): 90, ("female", "female"): 90, ("female", "male"): 10}
    seen = share(145, 1000, 0.05, item="CEO")
    text = said(study(seen, errors={("a", "gender"): ReadingErrors("labels", errs)}))
    assert (
        "Inconclusive. 1 of 1 comparison of perceived gender differs by more than chance explains. The annotator’s "
        "errors, or missing pictures, could explain all of them." in text
    )
    assert "Deviations found." in said(study(seen))


def test_all_that_is_sure_is_counted_also_what_repeats_another(share: Row, study: StudyOf, said: Said) -> None:
    both = [share(2, 60, 0.5), replace(share(2, 60, 0.5), annotator="b")]
    text = said(study(*both, annotators=["a", "b"], judged={"a": 60, "b": 60}, perceived={"a": 60, "b": 60}))
    assert "2 of 2 comparisons of perceived gender differ by more than chance explains." in text
    assert "seen by a and b (3 % (0–12 %\N{SUPERSCRIPT PLUS SIGN}))" in text


def test_too_few_in_some_comparisons_is_said_of_these(share: Row, study: StudyOf, said: Said) -> None:
    """Of 1,000 and of 3 images the page said that 1,000 do not suffice where 440 would."""
    rows = [share(500, 1000, 0.5, item=f"job {own}") for own in range(3)]
    text = said(study(*rows, share(1, 3, 0.5, item="rare")))
    assert (
        "Not everywhere: in 1 of 4 comparisons, deviations of 10 points are found less than four times in five." in text
    )


def test_one_term_whose_wordings_cancel_among_many_is_no_all_clear(share: Row, study: StudyOf, said: Said) -> None:
    """Over ten terms the mean distance of prompts is small; that of the one is not."""
    terms = [share(700, 1400, 0.5, item=f"job {own}", prompts=2) for own in range(10)]
    spread = share(0, 1400, None, metric="mean_total_variation", group="", value=0.5, low=0.48, high=0.5, item="job 0")
    text = said(study(*terms, spread))
    assert (
        "Deviations found. Single prompts lie 48 points or more from the reference on average, in whatever direction"
        in text
    )
    assert "(job 0, perceived gender)." in text


def test_what_errors_or_missing_images_could_have_made_is_no_distance_of_prompts(
    share: Row, study: StudyOf, said: Said
) -> None:
    row = share(20, 1000, 0.02, item="CEO")
    far = share(0, 1000, None, metric="mean_total_variation", group="", level="overall", item="", low=0.16, high=0.2)
    errs = {("male", "female"): 20, ("male", "male"): 80, ("female", "female"): 80, ("female", "male"): 20}
    assert "Single prompts" in said(study(row, far))
    assert "Single prompts" not in said(study(row, far, errors={("a", "gender"): ReadingErrors("labels", errs)}))
    assert "Single prompts" not in said(study(row, replace(far, missing=990)))


def test_errors_in_one_models_pictures_alone_head_no_deviations_found(share: Row, study: StudyOf, said: Said) -> None:
    """An annotator that misread three in ten of one model's men and no other's looked reliable by all labels."""
    row = share(320, 1000, 0.05)
    far = share(0, 1000, None, metric="mean_total_variation", group="", level="overall", item="", low=0.25, high=0.3)
    mine = {("male", "female"): 28, ("male", "male"): 72}
    pooled = {("male", "female"): 28, ("male", "male"): 972, ("female", "female"): 300}
    errors = ReadingErrors("labels", pooled, by_model={"g": mine, "other": {("male", "male"): 900}})
    text = said(study(row, far, errors={("a", "gender"): errors}))
    assert "Inconclusive. 1 of 1 comparison of perceived gender differs by more than chance explains." in text
    assert "28 of 100 people of other groups were read as female in pictures of g that people labelled" in text
    few = {"g": {("male", "female"): 8, ("male", "male"): 20}}
    for known in ({}, few, {"other": mine}):
        blamed = replace(errors, by_model=known)
        assert "Deviations found." in said(study(row, far, errors={("a", "gender"): blamed}))


def test_a_distance_that_corrections_of_one_model_take_away_heads_nothing(
    share: Row, study: StudyOf, said: Said
) -> None:
    row = share(800, 1000, 0.5)
    far = share(0, 1000, None, metric="mean_total_variation", group="", level="overall", item="", low=0.27, high=0.33)
    fixed = CorrectedShare(row, "sample", 0.51, 0.45, 0.57, 60, decides=True)
    assert "None found of 10 points or more." in said(study(row, far, corrections=[fixed]))
    assert "Single prompts" not in said(study(row, far, corrections=[fixed]))
    blind = replace(fixed, value=None, low=0.0, high=1.0)
    assert "Inconclusive." in said(study(row, far, corrections=[blind]))
    for stands in (replace(fixed, value=0.78, low=0.7, high=0.85), replace(fixed, decides=False)):
        assert "Deviations found." in said(study(row, far, corrections=[stands]))
    elsewhere = replace(fixed, seen=replace(row, generator="h"))
    assert "Deviations found." in said(study(row, far, corrections=[elsewhere]))


def test_an_all_clear_by_an_annotator_of_unknown_errors_says_so(share: Row, study: StudyOf, said: Said) -> None:
    doubt = "That holds if the annotator reads people right: how often it errs is not known."
    assert doubt in said(study(share(2000, 4000, 0.5)))
    right = {("male", "male"): 3000, ("female", "female"): 3000}
    assert doubt not in said(study(share(2000, 4000, 0.5), errors={("a", "gender"): ReadingErrors("planted", right)}))


def test_deviations_that_missing_pictures_could_have_made_are_inconclusive(
    share: Row, study: StudyOf, said: Said
) -> None:
    text = said(study(share(20, 70, 0.5, missing=30)))
    assert "Inconclusive." in text
    assert "The annotator’s errors, or missing pictures, could explain all of them." in text


def test_of_two_sure_annotators_the_one_who_errs_less_speaks(share: Row, study: StudyOf, said: Said) -> None:
    """ "0 of 80 pictures show a woman" was the word of one who had misread 160 of 160 people."""
    rows = [share(0, 80, 0.5), replace(share(80, 80, 0.5), annotator="b")]
    flip, good = {("female", "male"): 160}, {("female", "female"): 160}
    errors = {("a", "gender"): ReadingErrors("planted", flip), ("b", "gender"): ReadingErrors("planted", good)}
    text = said(
        study(*rows, annotators=["a", "b"], judged={"a": 80, "b": 80}, perceived={"a": 80, "b": 80}, errors=errors)
    )
    assert (
        "80 of 80 pictures show a woman; the reference says 50 %. "
        "Contested: a sees 0 % (0–5 %\N{SUPERSCRIPT PLUS SIGN})." in text
    )
    assert "0 of 80 pictures show a woman; the reference" not in text.replace("80 of 80", "")
    alone = said(study(rows[0], errors={("a", "gender"): errors["a", "gender"]}))
    assert "The annotator misreads more people than it reads right: 160 of 160." in alone


def test_what_is_listed_as_possible_was_found() -> None:
    """ "Nothing was found in 1,208 comparisons" stood above a list of a hundred possible ones."""
    unknown = Verdict(Word.INCONCLUSIVE)
    assert verdict_sentence(unknown, 0.1, Compared(1208, 0, possible=100)).replace("\xa0", " ") == (
        "Nothing is certain by itself in 1,208 comparisons; 100 deviations are possible, and listed below."
    )
    one = verdict_sentence(unknown, 0.1, Compared(8, 0, possible=1)).replace("\xa0", " ")
    assert "1 deviation is possible, and listed below." in one
    enough = Verdict(Word.INCONCLUSIVE, 0.2, 0.2, 0.2, reach=Reach(400, 0.05, 0.07, 0.09, 0, 1, 300, 0.1, parts=True))
    for possible, said in ((1, "No deviation is certain, and not all"), (0, "No deviation was found, but not all")):
        assert verdict_sentence(enough, 0.1, Compared(1, 0, possible=possible)).startswith(said)


def test_what_errors_could_explain_is_not_found_by_its_distance(share: Row, study: StudyOf, said: Said) -> None:
    """Everybody known was a woman: "could explain this" stood beside every deviation, and "Deviations found" above."""
    row = share(40, 40, 0.5)
    far = share(0, 40, None, metric="mean_total_variation", group="", level="overall", item="", low=0.45, high=0.5)
    women = {("female", "female"): 160}
    text = said(study(row, far, errors={("a", "gender"): ReadingErrors("planted", women)}))
    assert "The annotator’s own errors could explain this: of 160 people" in text
    assert "Deviations found" not in text
    assert "The annotator’s errors, or missing pictures, could explain all of them." in text
    both = {**women, ("male", "male"): 160}
    assert "Deviations found." in said(study(row, far, errors={("a", "gender"): ReadingErrors("planted", both)}))
