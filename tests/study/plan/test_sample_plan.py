"""What a sample is planned with, and what so many images of a prompt will show."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.errors import InputError, StudyError
from portrayal.stats.targets.target import ShareTest
from portrayal.study.plan.sample_assumptions import Assumptions, assumptions, expected
from portrayal.study.plan.sample_plan import QUESTIONS, images_a_prompt, sample_row, size_answered
from portrayal.study.plan.sample_words import answer_words, assumption_words, often, sees_words
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
PROMPTS = "".join(
    f"a photo of one {term} {place},{term}\n" for term in ("nurse", "CEO", "cook") for place in ("at work", "at home")
)


@pytest.fixture
def make(make_study: Make) -> Callable[..., Path]:
    """Return a study of three terms with two prompts each."""

    def made(name: str = "study", **changes: Any) -> Path:
        suite = {"use": "file", "options": {"path": "prompts.csv"}}
        methods = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]
        return make_study(name, suite=suite, methods=methods, prompts="text,term\n" + PROMPTS, **changes)

    return made


def _generator(images: int, **options: Any) -> dict[str, Any]:
    return {"use": "simulated", "images": images, "options": {"pixels": False, **options}}


def test_before_anything_is_drawn_the_suite_says_how_many_prompts_and_terms_there_are(make: Make) -> None:
    study = OpenStudy(make(generators=[{**_generator(5), "name": "A"}, {**_generator(9, refused=0.1), "name": "B"}]))
    given = expected(study)
    assert given == assumptions(study) == Assumptions(prompts=2, comparisons=6, all_prompts=6)


def test_a_pilot_shows_share_missing_and_comparisons(make: Make) -> None:
    shares = {"gender": {"female": 0.05, "male": 0.95}}
    folder = make(generators=[_generator(60, shares=shares, refused=0.25)])
    Study(folder).run(progress=False)
    given = assumptions(OpenStudy(folder))
    assert given.pilot > 0
    assert given.missing == pytest.approx(0.25, abs=0.08)
    assert 0 < given.share < 0.5
    assert given.target == 0.5
    assert given.comparisons == 4  # women: of each term, and over all
    assert given.icc < 0.1


def test_what_is_stated_counts_and_nonsense_is_refused() -> None:
    given = Assumptions().stated(share=0.2, missing=None, prompts=3)
    assert (given.share, given.missing, given.prompts) == (0.2, 0.0, 3)
    for wrong in ({"share": 1.2}, {"icc": math.nan}, {"missing": 1.0}, {"prompts": 0}, {"comparisons": 1.5}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            Assumptions().stated(**wrong)


def test_a_study_that_draws_nothing_has_no_sample_to_plan(make: Make) -> None:
    with pytest.raises(StudyError, match="nothing is drawn"):
        assumptions(OpenStudy(make(generators=[])))


def test_deviations_are_those_of_the_first_screen() -> None:
    given = Assumptions(prompts=2, comparisons=12, target=0.3)
    wanted = ShareTest(0.3, 40, 0.3).detectable(0.8, 0.02 / 12)
    assert size_answered(given, "deviation", 20, 0.8) == pytest.approx(wanted, abs=1e-3)


def test_more_images_show_smaller_sizes() -> None:
    given = Assumptions(prompts=2, icc=0.1)
    few, many = sample_row(given, 10, 0.8), sample_row(given, 100, 0.8)
    for name in ("half_width", "like_half_width", "deviation", "difference", "decision"):
        assert getattr(many, name) < getattr(few, name)
    assert many.like_half_width > many.half_width
    assert math.isnan(sample_row(Assumptions(), 10, 0.8).like_half_width)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_is_enough_and_four_fifths_of_it_are_not(name: str) -> None:
    given = Assumptions(prompts=2, comparisons=3)
    images = images_a_prompt(given, name, 0.15, 0.8)
    assert images is not None
    question = QUESTIONS[name](0.15, given)
    assert question.power(2 * images) >= 0.8
    assert question.power(2 * int(0.8 * images)) < 0.8


def test_words_say_what_is_seen_and_what_is_not() -> None:
    assert sees_words(10, 0.0611, 0.31, 0.8) == (
        "with 10 images a prompt you will see deviations from a reference of 7 points or more over all prompts, four "
        "times in five; for a single term 31 points or more"
    )
    assert sees_words(10, 0.06, math.inf, 0.9).endswith("for a single term none will be certain, however large")
    assert sees_words(1, math.inf, None, 0.8).startswith("with 1 image a prompt no deviation")
    assert sees_words(9, 0.2, None, 0.85).endswith("20 points or more, 85 times in 100")
    assert often(0.5) == "half of the time"
    assert answer_words("deviation", 0.1, None, 0).endswith("no number of images that could be drawn answers that")
    assert answer_words("half_width", 0.05, 99, 1188) == "a share known to 5 points: 99 images a prompt, 1,188 in all"
    assert "nothing is measured yet" in assumption_words(Assumptions())[0]
    assert "as 9 numbers of this study show it" in assumption_words(Assumptions(pilot=9))[0]


def test_a_pilot_without_any_woman_says_what_is_assumed_instead(make: Make) -> None:
    """Of 0 of 10 images it said: a share of 5 %, as this study shows it."""
    folder = make(generators=[_generator(10, shares={"gender": {"female": 0.0, "male": 1.0}})])
    Study(folder).run(progress=False)
    given = assumptions(OpenStudy(folder))
    assert "a share of 2% (0% or 100% seen, which few images do not prove)" in assumption_words(given)[0]
    assert "seen" not in assumption_words(Assumptions(pilot=2, share=0.05, seen=0.05))[0]


def test_a_model_without_usable_images_counts_as_missing(make: Make) -> None:
    """Of two models of which one was refused every image, 0 % were said to be missing."""
    refused = _generator(10, refused=1.0)
    folder = make(generators=[{**_generator(10), "name": "A"}, {**refused, "name": "B"}])
    Study(folder).run(progress=False)
    assert assumptions(OpenStudy(folder)).missing == 0.5
    alone = make("alone", generators=[refused])
    Study(alone).run(progress=False)
    given = assumptions(OpenStudy(alone))
    assert (given.lost, given.missing) == (60, 0.0)
    said = "assumed (all 60 images of this study are missing, which is not assumed to go on)"
    assert assumption_words(given)[0].startswith(said)
