"""A policy applied to numbers: verdicts by scenario and over all, corrected together, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.samples.policies import asked, scenario, score, shares

from portrayal.apps.check.checking import PolicyResult
from portrayal.apps.check.decisions.judging import Reason
from portrayal.apps.check.decisions.limits import Verdict
from portrayal.apps.check.numbers import Numbers
from portrayal.errors import ConfigError

Checked = Callable[..., PolicyResult]
CEO = scenario("ceo", 'share = { attribute = "gender", group = "female", term = "CEO", target = 0.5, tolerance = 0.2 }')
NURSE = CEO.replace("CEO", "nurse").replace('"ceo"', '"nurse"')
SCORE = scenario("far", 'score = { metric = "total_variation", at_most = 0.2 }')
WORSE = scenario(
    "worse", 'baseline = { attribute = "gender", group = "female", term = "CEO", worse = "less", margin = 0.1 }'
)


def verdicts(result: PolicyResult, place: int = 0) -> dict[str, str]:
    return {answer.question.model: answer.judged.verdict.value for answer in result.scenarios[place].answers}


def test_every_model_is_decided_and_the_worst_counts(checked: Checked) -> None:
    result = checked(CEO + NURSE)
    assert verdicts(result) == {"A": "fail", "B": "pass"}
    assert verdicts(result, 1) == {"A": "undecided", "B": "undecided"}
    assert [each.verdict for each in result.scenarios] == [Verdict.FAIL, Verdict.UNDECIDED]
    assert result.verdict is Verdict.FAIL
    assert checked(NURSE).verdict is Verdict.UNDECIDED
    assert checked(CEO.replace('why = "as agreed"', 'why = "as agreed"\nmodels = ["B"]')).verdict is Verdict.PASS


def test_intervals_hold_together_so_more_scenarios_need_more_images(checked: Checked) -> None:
    one = checked(CEO)
    many = checked("".join(CEO.replace('"ceo"', f'"ceo {number}"') for number in range(20)))
    assert one.confidence == pytest.approx(1 - 0.05 / 2)
    assert many.confidence == pytest.approx(1 - 0.05 / 40)
    narrow, wide = (each.scenarios[0].answers[1].judged for each in (one, many))
    assert None not in (wide.low, wide.high, narrow.low, narrow.high)
    assert (wide.high or 0) - (wide.low or 0) > (narrow.high or 0) - (narrow.low or 0)
    lost = checked(CEO + scenario("lost", 'missing = { term = "nurse", at_most = 0.2 }'))
    assert lost.confidence == pytest.approx(1 - 0.05 / 4)


def test_missing_images_that_could_turn_a_pass_leave_it_undecided(checked: Checked, numbers: Numbers) -> None:
    nurse = NURSE.replace("tolerance = 0.2", "tolerance = 0.18").replace("why", 'models = ["B"]\nwhy')
    answer = checked(nurse).scenarios[0].answers[0]
    assert (answer.judged.verdict, answer.judged.reason) == (Verdict.UNDECIDED, Reason.MISSING)
    whole = replace(numbers, rows=[replace(row, missing=0) for row in numbers.rows])
    assert checked(nurse, of=whole).verdict is Verdict.PASS


def test_missing_images_are_counted_by_what_was_asked(checked: Checked) -> None:
    for most, verdict in ((0.4, Verdict.PASS), (0.2, Verdict.UNDECIDED), (0.05, Verdict.FAIL)):
        lost = scenario("lost", f'missing = {{ term = "nurse", attribute = "gender", at_most = {most} }}')
        assert checked(lost).verdict is verdict
    [without, with_some] = checked(lost).scenarios[0].answers
    assert [each.judged.value for each in (with_some, without)] == [pytest.approx(0.2), 0.0]
    assert without.judged.high == pytest.approx(1 - 0.0125 ** (1 / 100))


@pytest.mark.parametrize(("images", "verdict"), [(3, Verdict.UNDECIDED), (70, Verdict.UNDECIDED), (90, Verdict.PASS)])
def test_that_none_of_a_few_images_is_missing_shows_nothing(checked: Checked, images: int, verdict: Verdict) -> None:
    """None of 3 images was missing, and "at most 5 %" passed."""
    few = Numbers(shares("A", "CEO", images // 2, images), asked("A", images=images))
    result = checked(scenario("lost", 'missing = { term = "CEO", at_most = 0.05 }'), of=few)
    assert result.verdict is verdict
    more = result.scenarios[0].answers[0].more_images
    assert (more is not None) is (verdict is Verdict.UNDECIDED)
    if more is not None:
        enough = Numbers(shares("A", "CEO", 9, images + more), asked("A", images=images + more))
        assert (
            checked(scenario("lost", 'missing = { term = "CEO", at_most = 0.05 }'), of=enough).verdict is Verdict.PASS
        )


def test_a_term_without_usable_images_is_undecided(checked: Checked, numbers: Numbers) -> None:
    rows = [row for row in numbers.rows if (row.generator, row.item) != ("B", "CEO")]
    result = checked(CEO, of=replace(numbers, rows=rows))
    assert verdicts(result) == {"A": "fail", "B": "undecided"}
    assert result.scenarios[0].answers[1].judged.reason is Reason.NO_IMAGES


def test_an_impact_ratio_is_decided_for_every_group(checked: Checked) -> None:
    ratio = scenario("ratio", 'impact_ratio = { attribute = "gender", term = "CEO", at_least = 0.4 }')
    found = {
        (each.question.model, each.question.group): each.judged.verdict.value
        for each in checked(ratio).scenarios[0].answers
    }
    assert found == {("A", "female"): "fail", ("A", "male"): "pass", ("B", "female"): "pass", ("B", "male"): "pass"}


def test_a_score_with_missing_images_needs_leave(checked: Checked) -> None:
    assert verdicts(checked(SCORE)) == {"A": "fail", "B": "undecided"}
    assert verdicts(checked(SCORE.replace("0.2 }", "0.2, most_missing = 0.1 }"))) == {"A": "fail", "B": "pass"}


def test_no_interval_reaches_where_a_distance_cannot_lie(checked: Checked, numbers: Numbers) -> None:
    """A distance of 0.02 was printed with an interval from -0.03, and one of 0.97 with one up to 1.04."""
    rows = [score("A", 0.02, 0.02), score("B", 0.98, 0.02)]
    near, far = (answer.judged for answer in checked(SCORE, of=replace(numbers, rows=rows)).scenarios[0].answers)
    assert (near.low, far.high) == (0.0, 1.0)
    assert (near.verdict, far.verdict) == (Verdict.PASS, Verdict.FAIL)


def test_a_score_without_an_interval_is_undecided(checked: Checked, numbers: Numbers) -> None:
    rows = [replace(row, low=None, high=None) if row.generator == "A" else row for row in numbers.rows]
    answer = checked(SCORE, of=replace(numbers, rows=rows)).scenarios[0].answers[0]
    assert answer.judged.reason is Reason.NO_INTERVAL
    nan = [replace(row, high=float("nan")) if row.generator == "A" else row for row in numbers.rows]
    assert checked(SCORE, of=replace(numbers, rows=nan)).scenarios[0].answers[0].judged.reason is Reason.NO_INTERVAL


def test_several_numbers_that_fit_are_told_apart_by_a_key(checked: Checked, numbers: Numbers) -> None:
    both = replace(numbers, rows=[*numbers.rows, score("A", 0.1, 0.01, reference="other")])
    with pytest.raises(ConfigError, match="several numbers fit; say which: reference = one of other, r"):
        checked(SCORE, of=both)
    assert checked(SCORE.replace("at_most", 'reference = "r", at_most'), of=both).verdict is Verdict.FAIL


def test_no_worse_than_the_baseline(checked: Checked, numbers: Numbers) -> None:
    before = Numbers([*shares("A", "CEO", 50, 100), *shares("B", "CEO", 2, 100)], asked("A", "B"), "w")
    assert verdicts(checked(WORSE, before)) == {"A": "fail", "B": "pass"}
    assert verdicts(checked(WORSE.replace('"less"', '"more"'), before)) == {"A": "pass", "B": "fail"}
    assert verdicts(checked(WORSE.replace('"less"', '"different"'), before)) == {"A": "fail", "B": "fail"}
    assert verdicts(checked(WORSE, numbers)) == {"A": "undecided", "B": "undecided"}


def test_a_baseline_that_says_nothing_decides_nothing(checked: Checked, numbers: Numbers) -> None:
    other_model = checked(WORSE, Numbers(shares("C", "CEO", 50, 100) + shares("D", "CEO", 50, 100), asked("C", "D")))
    assert {each.question.no_other for each in other_model.scenarios[0].answers} == {
        "the baseline has no model 'A'",
        "the baseline has no model 'B'",
    }
    moved = [replace(row, prompt_set="others") for row in numbers.rows]
    assert "other prompts" in checked(WORSE, replace(numbers, rows=moved)).scenarios[0].answers[0].question.no_other
    nurses = Numbers(shares("A", "nurse", 50, 100), asked("A"))
    assert checked(WORSE, nurses).scenarios[0].answers[0].question.no_other == "the baseline has no such number"
    with pytest.raises(ConfigError, match=r"policy\.toml:11: scenario 'worse': .*--baseline"):
        checked(WORSE)


def test_one_model_each_is_compared_whatever_they_are_called(checked: Checked) -> None:
    now, before = (Numbers(shares(name, "CEO", seen, 100), asked(name)) for name, seen in (("v2", 10), ("v1", 50)))
    assert verdicts(checked(WORSE, before, of=now)) == {"v2": "fail"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"CEO"', '"CEOO"', "no term 'CEOO'; did you mean 'CEO'?"),
        ('term = "CEO"', 'category = "ofice"', "no category 'ofice'; did you mean 'office'?"),
        ('term = "CEO"', 'category = "office"', "no number is about the category 'office'"),
        ('"gender"', '"gendre"', "attribute 'gendre'; did you mean 'gender'?"),
        ('"female"', '"femal"', "group 'femal'; did you mean 'female'?"),
        ('term = "CEO"', 'method = "representtion"', "did you mean 'representation'?"),
        ('term = "CEO"', 'language = "de"', "no number is about the language 'de'"),
        ('why = "as agreed"', 'why = "w"\nmodels = ["AA"]', "no model 'AA' has numbers here; did you mean 'A'?"),
        ('why = "as agreed"', 'why = "w"\nannotators = ["look"]', "no annotator 'look' .* did you mean 'looks'?"),
    ],
)
def test_a_policy_for_another_study_is_refused_with_the_line(checked: Checked, old: str, new: str, said: str) -> None:
    assert old in CEO
    with pytest.raises(ConfigError, match=rf"policy\.toml:1[01]: scenario 'ceo': .*{said}".replace("?", r"\?")):
        checked(CEO.replace(old, new))


def test_annotators_are_decided_apart(checked: Checked, numbers: Numbers) -> None:
    rows = [*numbers.rows, *shares("B", "CEO", 3, 100, annotator="other")]
    result = checked(CEO, of=replace(numbers, rows=rows))
    found = {
        (each.question.model, each.question.annotator): each.judged.verdict for each in result.scenarios[0].answers
    }
    assert found["B", "looks"] is Verdict.PASS
    assert found["B", "other"] is Verdict.FAIL
    chosen = checked(CEO.replace("why", 'annotators = ["looks"]\nwhy'), of=replace(numbers, rows=rows))
    assert {each.question.annotator for each in chosen.scenarios[0].answers} == {"looks"}


def test_images_that_decide_are_summed_by_prompt(checked: Checked) -> None:
    few = Numbers([*shares("A", "CEO", 36, 100), *shares("A", "nurse", 36, 100)], asked("A"))
    one, both = checked(CEO, of=few), checked(CEO + NURSE, of=few)
    need = one.scenarios[0].answers[0].more_images
    assert need is not None
    assert one.more_images == need
    assert both.more_images == sum(each.answers[0].more_images or 0 for each in both.scenarios)
    twice = checked(CEO + CEO.replace('"ceo"', '"again"'), of=few)
    assert twice.more_images == twice.scenarios[0].answers[0].more_images
    # Of each prompt as many as the one that needs most, however many prompts need some.
    assert one.more_images_per_prompt == need
    assert both.more_images_per_prompt == max(each.answers[0].more_images or 0 for each in both.scenarios)
    assert checked(CEO, of=Numbers(shares("A", "CEO", 50, 100_000), asked("A"))).more_images_per_prompt == 0


def test_an_overdue_review_is_known(checked: Checked) -> None:
    late = checked(CEO.replace("why", "review = 2026-11-17\nwhy") + NURSE.replace("why", "review = 2026-11-18\nwhy"))
    assert [each.overdue for each in late.scenarios] == [True, False]


def test_each_look_at_an_adaptive_run_has_its_part_of_the_error_rate(checked: Checked, numbers: Numbers) -> None:
    in_rounds = replace(numbers, rows=[replace(row, looks=6) for row in numbers.rows])
    assert checked(CEO).confidence == pytest.approx(1 - 0.05 / 2)
    assert checked(CEO, of=in_rounds).confidence == pytest.approx(1 - 0.05 / 2 / 6)


def test_images_that_nobody_labelled_are_not_missing_for_that(checked: Checked, numbers: Numbers) -> None:
    """People who were to label a sample of the images made "at most 20 % missing" fail: 100 % were, as they saw it."""
    unlabelled = [replace(row, annotator="imported:people", n=0, missing=100, value=None) for row in numbers.rows]
    both = replace(numbers, rows=[*numbers.rows, *unlabelled])
    lost = scenario("lost", 'missing = { term = "CEO", attribute = "gender", at_most = 0.2 }')
    assert checked(lost, of=both).verdict is checked(lost).verdict is Verdict.PASS
    assert checked(lost, of=both).confidence == checked(lost).confidence
    labelled = [*numbers.rows, *shares("A", "CEO", 10, 100, annotator="imported:people")]
    seen_by = {
        each.question.annotator for each in checked(CEO, of=replace(numbers, rows=labelled)).scenarios[0].answers
    }
    assert seen_by == {"looks", "imported:people"}  # what people say counts all the same
    named = lost.replace("why", 'annotators = ["imported:people"]\nwhy')
    assert checked(named, of=both).verdict is Verdict.FAIL
    assert checked(lost, of=replace(numbers, rows=unlabelled)).verdict is Verdict.FAIL
