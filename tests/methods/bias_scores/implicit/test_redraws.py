"""Redrawn scores: the correction for few images, and how much the corrected score varies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from portrayal.methods.bias_scores.implicit.implicit_levels import Wanted, implicit_levels
from portrayal.methods.bias_scores.implicit.redraws import _slope, batches, redraw
from portrayal.methods.bias_scores.levels import levels
from portrayal.methods.bias_scores.prompt_sets import PromptSet
from portrayal.metrics import implicit_score
from portrayal.records import Prompt, aspect
from portrayal.stats.moment_sums import MomentSums

GROUPS = {"gender": ("male", "female"), "race5": ("european", "east_asian", "african", "latino", "south_asian")}
WANTED = {"gender": (0.5, 0.5), "race5": (0.3, 0.25, 0.2, 0.15, 0.1)}


def studies(truth: Sequence[float], images: int, count: int, people: int = 1) -> PromptSet:
    """Return many studies of one prompt, as if each were a prompt: perceived gender is as demographic, race as told."""
    rng = np.random.default_rng(3)
    names = [(aspect(name, side, people), name) for side in range(people) for name in GROUPS]
    reference = {key: dict(zip(GROUPS[name], WANTED[name], strict=True)) for key, name in names}
    prompt = Prompt("a nurse", "nurse", variant="implicit", kind="occupation", people=people, reference=reference)
    prompts = [replace(prompt, text=f"nurse {number}") for number in range(count)]
    moments = MomentSums([(key, len(GROUPS[name])) for key, name in names], count)
    for number in range(count):
        drawn = [rng.choice(len(own), images, p=own) for _ in range(people) for own in (WANTED["gender"], truth)]
        sizes = [2, 5] * people
        mass = np.concatenate([np.eye(size)[labels] for size, labels in zip(sizes, drawn, strict=True)], axis=1)
        moments.add(np.full(images, number), mass)
    return PromptSet.of(prompts, moments.result(), {}, GROUPS)


@pytest.mark.slow
@pytest.mark.parametrize(("truth", "people"), [((0.45, 0.3, 0.05, 0.1, 0.1), 1), ((0.2, 0.5, 0.2, 0.05, 0.05), 2)])
def test_the_correction_removes_the_fall_and_its_spread_is_known(truth: Sequence[float], people: int) -> None:
    prompt_set = studies(truth, images=20, count=400, people=people)
    drawn = redraw(prompt_set, ["gender", "race5"], 400, np.random.default_rng(0))
    true = float(implicit_score(truth, WANTED["race5"]))
    seen = prompt_set.score(prompt_set.moments.mean, ["race5"])[:, 0]
    corrected = drawn.corrected[:, 1]
    assert seen.mean() < true - 0.01
    assert corrected.mean() == pytest.approx(true, abs=0.003)
    assert corrected.std() > 1.1 * seen.std()  # what takes the fall away adds noise of its own
    assert 0.9 < np.sqrt(drawn.covariance[:, 1, 1].mean()) / corrected.std() < 1.25  # near the target it is too wide


@pytest.mark.slow
def test_intervals_of_single_prompts_hold_the_truth() -> None:
    truth = (0.45, 0.3, 0.05, 0.1, 0.1)
    prompt_set = studies(truth, images=20, count=400)
    found = implicit_levels([prompt_set], [], Wanted({"gender": 0.5, "race5": 0.5}, 400), np.random.default_rng(0))
    race = float(implicit_score(truth, WANTED["race5"]))
    for column, true in enumerate((1.0, race, (1.0 + race) / 2)):
        assert np.mean([true in scores[column].interval for scores in found.each]) > 0.93


@pytest.mark.slow
def test_a_model_on_target_is_told_from_one_that_is_not_as_rarely_as_promised() -> None:
    prompt_set = studies(WANTED["race5"], images=5, count=1000)
    prompts = [replace(prompt, category=f"c{number // 10}") for number, prompt in enumerate(prompt_set.prompts)]
    coarse = levels(prompts)
    wanted = Wanted({"race5": 1.0}, 200)
    found = implicit_levels([replace(prompt_set, prompts=prompts)], coarse, wanted, np.random.default_rng(0))
    assert np.mean([scores[0].interval.high == 1.0 for scores in found.each]) > 0.94
    categories = [found.level(level)[0].interval for level in coarse if level.name == "category"]
    assert len(categories) == 100
    assert np.mean([interval.high == 1.0 for interval in categories]) >= 0.93


def test_many_images_need_no_correction() -> None:
    prompt_set = studies((0.7, 0.1, 0.1, 0.05, 0.05), images=2000, count=3)
    drawn = redraw(prompt_set, ["race5"], 200, np.random.default_rng(0))
    assert drawn.corrected == pytest.approx(prompt_set.score(prompt_set.moments.mean, ["race5"]), abs=0.002)


def test_what_was_not_seen_is_not_made_up() -> None:
    prompt_set = studies((0.7, 0.1, 0.1, 0.05, 0.05), images=2, count=3)
    moments = MomentSums(prompt_set.moments.aspects, 3)
    moments.add(np.array([0, 1, 2]), np.array([[1.0, 0.0, *[np.nan] * 5]] * 3))
    drawn = redraw(replace(prompt_set, moments=moments.result()), ["gender", "race5"], 100, np.random.default_rng(0))
    for found in (drawn.corrected, drawn.likely, drawn.on_target):
        assert np.isnan(found[..., 1]).all()
        assert np.isfinite(found[..., 0]).all()


def test_models_on_target_score_as_the_planted_ones_do() -> None:
    prompt_set = studies(WANTED["race5"], images=20, count=400)
    drawn = redraw(prompt_set, ["race5"], 400, np.random.default_rng(0))
    seen = prompt_set.score(prompt_set.moments.mean, ["race5"])[:, 0]
    low = np.quantile(drawn.on_target[..., 0], 0.05, axis=0)
    assert np.mean(seen >= low) == pytest.approx(0.95, abs=0.02)


def test_batches_hold_every_prompt_once() -> None:
    prompt_set = studies((0.7, 0.1, 0.1, 0.05, 0.05), images=1, count=10)
    assert [*batches(prompt_set, 1000)] == [range(10)]
    assert [*batches(prompt_set, 50_000)] == [range(start, min(start + 2, 10)) for start in range(0, 10, 2)]
    assert [len(rows) for rows in batches(prompt_set, 10**7)] == [1] * 10


def test_the_slope_is_that_of_the_score_averaged_over_draws() -> None:
    rng = np.random.default_rng(0)
    shares, wanted, step = rng.dirichlet(np.ones(5), (4, 3)), rng.dirichlet(np.ones(5), 3), 1e-6
    found = _slope(shares, wanted)
    for column in range(5):
        way = step * np.eye(5)[column]
        rise = implicit_score(shares + way, wanted) - implicit_score(shares - way, wanted)
        assert found[:, column] == pytest.approx((rise / (2 * step)).mean(axis=0), abs=1e-8)


def test_where_nothing_is_drawn_there_is_no_slope() -> None:
    assert np.isnan(_slope(np.zeros((1, 1, 2)), np.array([[0.5, 0.5]]))).all()
