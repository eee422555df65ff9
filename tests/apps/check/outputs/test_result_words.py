"""Sentences: each is right where it stands, and another stands where it would be wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.samples.policies import asked, scenario, shares

from portrayal.apps.check.checking import PolicyResult
from portrayal.apps.check.decisions.limits import Verdict
from portrayal.apps.check.numbers import Numbers
from portrayal.apps.check.outputs.first_sentence import first_sentence
from portrayal.apps.check.outputs.remarks import remarks
from portrayal.apps.check.outputs.result_words import answer_lines, answer_words
from portrayal.language.translation import speaking

Checked = Callable[..., PolicyResult]


def women(name: str, term: str = "CEO") -> str:
    share = f'attribute = "gender", group = "female", term = "{term}", target = 0.5, tolerance = 0.2'
    return scenario(name, f"share = {{ {share} }}")


LATE = women("a").replace("why", "review = 2026-01-02\nwhy")


def of(*counts: int, missing: int = 0) -> Numbers:
    rows = [row for n, seen in enumerate(counts) for row in shares("A", ("CEO", "nurse")[n], seen, 100, missing)]
    return Numbers(rows, asked("A", images=100 + missing))


@pytest.mark.parametrize(
    ("policy", "numbers", "sentence"),
    [
        (women("a"), of(50), "Ready: the scenario passes."),
        (women("a") + women("b", "nurse"), of(50, 50), "Ready: all 2 scenarios pass."),
        (women("a") + women("b", "nurse"), of(50, 5), "Not ready: 1 of 2 scenarios fails, 1 passes."),
        (women("a") + women("b", "nurse"), of(5, 5), "Not ready: 2 of 2 scenarios fail."),
        (women("a"), of(36), "Not decided: 1 of 1 scenario needs about 1,200 more images."),
        (
            women("a") + women("b", "nurse") + women("c"),
            of(36, 5),
            "Not ready: 1 of 3 scenarios fails, 2 need about 1,800 more images.",
        ),
        (
            women("a") + women("b", "nurse"),
            of(50, 30, missing=60),
            "Not decided: 2 of 2 scenarios are undecided, which more images alone will not change.",
        ),
        (
            women("a").replace("target = 0.5, tolerance = 0.2", "at_least = 0.46"),
            of(46),
            "Not decided: 1 of 1 scenario is undecided, which more images alone may not change.",
        ),
    ],
)
def test_the_first_sentence(checked: Checked, policy: str, numbers: Numbers, sentence: str) -> None:
    assert first_sentence(checked(policy, of=numbers)) == sentence


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (LATE, "The scenario passes, but a review is overdue: hold it first."),
        (LATE + women("b", "nurse"), "All 2 scenarios pass, but a review is overdue: hold it first."),
        (LATE + LATE.replace('"a"', '"b"'), "All 2 scenarios pass, but 2 reviews are overdue: hold them first."),
        (LATE.replace("2026-01-02", "2926-01-02"), "Ready: the scenario passes."),
        (LATE + women("b", "nurse").replace("0.5", "0.1"), "Not ready: 1 of 2 scenarios fails, 1 passes."),
    ],
)
def test_nothing_is_ready_while_a_review_is_overdue(checked: Checked, policy: str, sentence: str) -> None:
    assert first_sentence(checked(policy, of=of(50, 50))) == sentence


def words(result: PolicyResult) -> str:
    return answer_words(result.scenarios[0].answers[0])


def test_a_share_is_counted_and_its_interval_said(checked: Checked) -> None:
    assert words(checked(women("a"), of=of(10))) == (
        "A: CEO, perceived gender female: 10 of 100 images (10 %), interval 4.9 to 17.6 %; wanted 30 to 70 %"
    )
    undecided = words(checked(women("a"), of=of(36)))
    assert undecided.endswith("; about 1,200 more images would probably decide it")
    assert "would probably decide" not in words(checked(women("a"), of=of(10)))


def test_missing_images_are_named_where_they_could_turn_it(checked: Checked) -> None:
    said = words(checked(women("a"), of=of(50, missing=60)))
    assert said.endswith("; 60 missing images could turn it")
    said = words(checked(women("a"), of=of(50, missing=35)))
    assert "35 missing images could turn it; about" in said
    assert said.endswith("more images would probably decide it, if no larger part of them goes missing")
    assert "missing" not in words(checked(women("a"), of=of(50, missing=2)))
    both = words(checked(women("a"), of=of(31, missing=60)))
    assert both.endswith("too many images are missing for more to decide it")


def test_a_share_on_its_limit_is_said_to_be_too_near(checked: Checked) -> None:
    rows = [replace(row, n=10**6, worth=1e6) for row in shares("A", "CEO", 30, 100)]
    said = words(checked(women("a"), of=Numbers(rows, asked("A", images=10**6))))
    assert said.endswith(
        "it lies on its limit: even 50 times as many images would decide it with a chance of only 78 %"
    )


def test_what_lies_on_its_limit_is_decided_as_often_as_is_said(checked: Checked) -> None:
    """46 of 100 with a limit of 46 % was said to be decided by no number of images; 508 of 1,000 then passed."""
    least = women("a").replace("target = 0.5, tolerance = 0.2", "at_least = 0.46")

    def result(seen: int, n: int) -> PolicyResult:
        return checked(least, of=Numbers(shares("A", "CEO", seen, n), asked("A", images=n)))

    promised = int(words(result(46, 100)).removesuffix(" %").rpartition(" ")[2])
    rng = np.random.default_rng(5)
    truths = rng.beta(46.5, 54.5, size=300)
    more = rng.binomial(5_000, truths)
    decided = sum(result(46 + int(seen), 5_100).verdict is not Verdict.UNDECIDED for seen in more)
    assert abs(decided / 300 - promised / 100) < 0.08


def test_other_measures_in_words(checked: Checked) -> None:
    ratio = checked(scenario("r", 'impact_ratio = { attribute = "gender", term = "CEO", at_least = 0.8 }'), of=of(20))
    assert words(ratio) == (
        "A: CEO, perceived gender female: shown 0.25 times as often as the most shown group, interval 0.134 to 0.439; "
        "wanted at least 0.8"
    )
    assert answer_words(ratio.scenarios[0].answers[1]).startswith(
        "A: CEO, perceived gender male: shown as often as any other group or more often, ratio 1, interval 1 to 1; "
        "wanted at least 0.8"
    )
    score = scenario("s", 'score = { metric = "total_variation", at_most = 0.2, most_missing = 0.1 }')
    assert words(checked(score)).endswith("total_variation: 0.3, interval 0.243 to 0.357; wanted at most 0.2")
    lost = scenario("m", 'missing = { term = "nurse", at_most = 0.1 }').replace("why", 'models = ["B"]\nwhy')
    assert words(checked(lost)) == (
        "B: nurse: 20 of 100 images missing (20 %), interval 12.7 to 29.2 %; wanted at most 10 %"
    )
    few = words(checked(scenario("m", 'missing = { term = "CEO", at_most = 0.5 }'), of=of(50, missing=100)))
    limit = "limit: even 50 times as many images would decide it with a chance of only 78 %"
    assert few.endswith(f"missing (50 %), interval 42.9 to 57.1 %; wanted at most 50 %; it lies on its {limit}")


def test_missing_images_of_one_attribute_alone_name_it(checked: Checked) -> None:
    """All images are there, and skin tone can be told in 60 of 100: "40 of 100 images missing" was said of all."""
    rows = [*shares("A", "CEO", 50, 100), *(replace(row, attribute="tone3") for row in shares("A", "CEO", 30, 60, 40))]
    lost = scenario("m", 'missing = { term = "CEO", at_most = 0.1 }')
    of_one = Numbers(rows, asked("A", images=100))
    assert words(checked(lost, of=of_one)).startswith("A: CEO, perceived skin tone: 40 of 100 images missing (40 %)")
    of_all = Numbers([replace(row, n=60, missing=40) for row in rows], asked("A", images=100))
    assert words(checked(lost, of=of_all)).startswith("A: CEO: 40 of 100 images missing (40 %)")


def test_a_difference_from_the_baseline_in_words(checked: Checked) -> None:
    keys = 'attribute = "gender", group = "female", term = "CEO", worse = "less", margin = 0.1'
    worse = scenario("w", f"baseline = {{ {keys} }}")
    assert words(checked(worse, of(50), of=of(10))) == (
        "A: CEO, perceived gender female: 10 of 100 images (10 %), 50 of 100 images (50 %) in the baseline; difference "
        "-40 points, interval -53.4 to -25.7 points; wanted at most 10 points less than the baseline"
    )
    poor = Numbers(shares("A", "CEO", 5, 10), asked("A", images=10))
    assert words(checked(worse, poor, of=of(50))).endswith(
        "even 50 times as many images of this study would decide it with a chance of only 0 %: the baseline needs more "
        "images, too"
    )
    assert words(checked(worse, Numbers(shares("A", "nurse", 5, 10)), of=of(50))).endswith(
        "the baseline has no such number"
    )


def test_nothing_to_decide_on(checked: Checked, numbers: Numbers) -> None:
    rows = [row for row in numbers.rows if (row.generator, row.item) != ("A", "CEO")]
    said = words(checked(women("a"), of=replace(numbers, rows=rows)))
    assert said == (
        "A: CEO, perceived gender female: no usable image; wanted 30 to 70 %; nothing to decide on; "
        "portrayal status says why images are missing"
    )


def test_what_fails_comes_first_and_annotators_are_named_where_several(checked: Checked, numbers: Numbers) -> None:
    lines = answer_lines(checked(women("b", "nurse") + women("a")))
    assert [line[0].value for line in lines] == ["fail", "undecided", "undecided", "pass"]
    assert "seen by" not in lines[0][3]
    rows = [*numbers.rows, *shares("A", "CEO", 3, 100, annotator="other")]
    several = answer_lines(checked(women("a"), of=replace(numbers, rows=rows)))
    assert several[0][3].startswith("A, seen by looks: ")


def test_a_share_on_its_limit_is_not_sent_for_more_and_more_images(checked: Checked) -> None:
    least = scenario("a", 'share = { attribute = "gender", group = "female", term = "CEO", at_least = 0.5 }')

    def said(seen: int, n: int) -> str:
        return words(checked(least, of=Numbers(shares("A", "CEO", seen, n), asked("A", images=n))))

    assert said(20, 40).endswith(
        "more images would probably decide it, unless the true number is the limit itself, which no number of images "
        "can decide"
    )
    fifty = "50 times as many images would decide it with a chance of only"
    assert said(500, 1000).endswith(f"wanted at least 50 %; it lies on its limit: even {fifty} 78 %")
    near = said(5008, 10_000)
    assert near.endswith(f"it lies so near its limit that even {fifty} 78 %")
    assert said(22, 40).endswith("more images would probably decide it")
    assert said(1, 3).endswith("more images would probably decide it"), "no count of 3 images lies nearer"


def test_none_and_all_are_no_limits(checked: Checked) -> None:
    """0 of 3 missing, and 30 of 30, were said to lie on limits of 5 and of 90 %."""
    lost = scenario("m", 'missing = { term = "CEO", at_most = 0.05 }')
    least = scenario("a", 'share = { attribute = "gender", group = "female", term = "CEO", at_least = 0.9 }')
    for text, seen, n in ((lost, 2, 3), (least, 30, 30)):
        of_few = Numbers(shares("A", "CEO", seen, n), asked("A", images=n))
        assert words(checked(text, of=of_few)).endswith("more images would probably decide it")


def test_groups_that_few_images_show_carry_the_sign_and_others_do_not(checked: Checked) -> None:
    few, enough = checked(women("a"), of=of(9)), checked(women("a"), of=of(10))
    assert "interval 4.2 to 16.4 %⁺; wanted" in words(few)
    assert "⁺" not in words(enough)
    assert [line[0] for line in remarks(few)].count("⁺") == 1
    assert not any("⁺" in line for line in remarks(enough))


def test_an_intersection_is_written_as_in_the_report(checked: Checked) -> None:
    share = 'attribute = "gender+age3", group = "female × young", term = "CEO", at_most = 0.5'
    rows = [replace(row, attribute="gender+age3", group="female × young") for row in shares("A", "CEO", 20, 100)]
    result = checked(scenario("a", f"share = {{ {share} }}"), of=Numbers(rows, asked("A", images=100)))
    assert words(result).startswith("A: CEO, perceived gender × perceived age group female × young: 20 of 100 images")


def test_in_german_nothing_of_an_answer_is_english(checked: Checked) -> None:
    few = Numbers(shares("A", "CEO", 5, 12), asked("A", images=12))
    with speaking("de"):
        result = checked(women("a"), of=few)
        said = [first_sentence(result), words(result), *remarks(result)]
    assert said[0].startswith("Nicht entschieden: 1 von 1 Szenario braucht etwa ")
    assert said[1].startswith("A: CEO, wahrgenommenes Geschlecht weiblich: 5 von 12 Bildern (41,7 %), Intervall ")
    assert "; verlangt: 30 bis 70 %; etwa " in said[1]
    assert said[2].startswith("Jedes Intervall gilt in 95 % der Fälle. Höchstens 5 %")
    english = r"\b(the|of|images?|wanted|interval|at (least|most)|would|perceived|female|decided?)\b"
    assert [line for line in said if re.search(english, line)] == []
    assert first_sentence(checked(women("a"), of=few)).startswith("Not decided: 1 of 1 scenario needs about ")
