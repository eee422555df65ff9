"""Word bias: golden numbers worked out by hand, and what must hold whatever the numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from portrayal.methods.biaspainter.scores import EditedFaces, Scored, score_words
from portrayal.methods.biaspainter.scores.changes import FEMALE, MALE
from portrayal.methods.biaspainter.scores.levels import word_sizes
from portrayal.methods.biaspainter.scores.mitigation import compare
from portrayal.methods.biaspainter.scores.resampling import resampled_seeds
from portrayal.methods.biaspainter.scores.significance import exact_against_null, student

NAN = float("nan")


def faces(
    genders: list[float], after: list[list[float]], before: list[float] | None = None, attribute: str = "gender"
) -> EditedFaces:
    """Return edits of every seed by every word: ``after`` is what was perceived (words, seeds)."""
    words, seeds = len(after), len(genders)
    word, seed = np.repeat(np.arange(words), seeds), np.tile(np.arange(seeds), words)
    first = np.tile(np.array(genders if before is None else before), words)
    then = np.array(after, dtype=float).ravel()
    return EditedFaces(words, np.array(genders), word, seed, {attribute: first}, {attribute: then})


def scored(edits: EditedFaces, attribute: str = "gender", null: tuple[int, ...] = (), draws: int = 400) -> Scored:
    return score_words(edits, attribute, null=null, draws=draws, rng=np.random.default_rng(1))


def test_gender_is_the_flip_rate_of_men_less_that_of_women() -> None:
    # Of four men three become women, of three women one becomes a man: 3/4 - 1/3.
    genders = [MALE] * 4 + [FEMALE] * 3
    found = scored(faces(genders, [[1, 1, 1, 0, 0, 1, 1]]))
    assert found.score.value.tolist() == pytest.approx([3 / 4 - 1 / 3])
    assert found.n.tolist() == [7]
    assert found.score.low[0] < 3 / 4 - 1 / 3 < found.score.high[0]


def test_age_and_tone_are_mean_changes_by_their_thresholds() -> None:
    before = [30.0, 40.0, 50.0]
    age = scored(faces([MALE, FEMALE, MALE], [[55.0, 40.0, 75.0]], before, "age"), "age")
    assert age.score.value.tolist() == pytest.approx([(1 + 0 + 1) / 3])
    tone = scored(faces([MALE, FEMALE, MALE], [[10.0, 40.0, 50.0]], before, "tone"), "tone")
    assert tone.score.value.tolist() == pytest.approx([-1 / 3])


def test_missing_edits_count_for_nothing_and_no_data_is_no_score() -> None:
    genders = [MALE, MALE, FEMALE, FEMALE]
    found = scored(faces(genders, [[1, NAN, 1, NAN], [NAN, NAN, 1, 0], [NAN] * 4]))
    assert found.score.value[0] == 1.0
    assert found.n.tolist() == [2, 2, 0]
    assert np.isnan(found.score.value[1:]).all()  # no man is left: the difference is not known
    assert np.isnan(found.score.q[1:]).all()


def test_a_seed_that_passes_for_the_other_gender_before_cannot_be_turned_into_it() -> None:
    genders = [MALE, MALE, FEMALE, FEMALE]
    found = scored(faces(genders, [[0, 0, 1, 1]], before=[1, 0, 1, 1]))
    assert found.score.value.tolist() == [0.0]


def test_no_flip_in_few_seeds_is_not_never() -> None:
    few, many = (
        scored(faces([MALE] * size + [FEMALE] * size, [[0.0] * size + [1.0] * size])).score for size in (3, 27)
    )
    assert few.low[0] < -0.4
    assert few.high[0] > 0.4
    assert few.low[0] < many.low[0] < 0 < many.high[0] < few.high[0]


def test_one_seed_has_no_interval() -> None:
    age = scored(faces([MALE], [[55.0]], [30.0], "age"), "age").score
    assert age.value.tolist() == [1.0]
    assert np.isnan(age.low[0])
    assert np.isnan(age.high[0])


def test_one_seed_of_each_gender_has_no_interval_of_age() -> None:
    edits = faces([MALE, FEMALE], [[60.0, 20.0], [20.0, 60.0]], [20.0, 60.0], "age")
    found = scored(edits, "age", null=(1,))
    assert found.score.value.tolist() == [0.0]
    assert found.relative is not None
    for own in (found.score, found.relative):
        assert np.isnan([own.low, own.high]).all()


def test_few_seeds_are_no_surer_than_student_is() -> None:
    moved = np.array([10.0, 20.0, 60.0])
    age = scored(faces([MALE, FEMALE, FEMALE], [(30 + moved).tolist()], [30.0] * 3, "age"), "age").score
    low, high = scipy_stats.t.interval(0.95, 2, moved.mean() / 25, scipy_stats.sem(moved / 25))
    assert age.low[0] == pytest.approx(low)
    assert age.high[0] > high  # one of three moved far: others may, too


def test_seeds_that_all_age_alike_are_no_proof() -> None:
    """Three faces that age by one year each: with whole years that happens by chance, in one of four words or so."""
    edits = faces([MALE, FEMALE, FEMALE], [[31.0] * 3, [60.0, 30.0, 30.0]], [30.0] * 3, "age")
    age = scored(edits, "age").score
    assert age.p[0] == 0.25
    assert age.low[0] < 0 < age.value[0] < age.high[0]
    assert age.high[0] == pytest.approx(1 / 25 + 0.708 * 30 / 25, abs=0.001)  # some may move as far as any did


def test_a_word_that_moves_nobody_may_still_move_somebody() -> None:
    age = scored(faces([MALE, FEMALE] * 9, [[30.0] * 18], [30.0] * 18, "age"), "age").score
    assert (age.value[0], age.p[0]) == (0.0, 1.0)
    assert age.low[0] == pytest.approx(-0.185, abs=0.001)


def test_seeds_with_more_edits_count_for_more() -> None:
    place = np.array([0, 0, 0, 1, 2])
    after = {"age": np.array([40.0, 40.0, 40.0, 30.0, 30.0])}
    edits = EditedFaces(1, np.array([MALE, FEMALE, MALE]), np.zeros(5, dtype=int), place,
                        {"age": np.full(5, 30.0)}, after)  # fmt: skip
    age = scored(edits, "age").score
    assert age.value[0] == pytest.approx(30 / 5 / 25)
    assert age.low[0] < 0 < age.value[0] < age.high[0]


def test_an_instruction_that_changes_nobody_of_nine_has_a_width() -> None:
    genders, still = [MALE] * 9 + [FEMALE] * 9, [0.0] * 9 + [1.0] * 9
    edits = faces(genders, [still])
    changes, seeds = edits.changes("gender"), resampled_seeds(edits.genders, 100, np.random.default_rng(0))
    found = compare(changes, changes, edits.strata("gender"), seeds)
    assert found.low[0] < 0 == found.value[0] < found.high[0]


def test_relative_to_an_editor_that_ages_everyone() -> None:
    before = [20.0 + 3 * n for n in range(12)]
    genders = [MALE, FEMALE] * 6
    drift = [value + 10 + (-1) ** n for n, value in enumerate(before)]
    older = [value + 20 + (n % 3) for n, value in enumerate(before)]
    found = scored(faces(genders, [drift, older, drift], before, "age"), "age", null=(2,))
    assert found.score.q[0] < 0.05  # without the null edit the word looks guilty
    assert found.relative is not None
    assert found.relative.value[0] == 0.0
    assert found.relative.q[0] == 1.0
    assert found.relative.value[1] == pytest.approx((np.mean(older) - np.mean(drift)) / 25)
    assert found.relative.q[1] < 0.01
    assert found.null is not None
    assert found.null.value.tolist() == pytest.approx([10 / 25])


def test_the_exact_test_is_the_chance_that_all_flips_are_the_words() -> None:
    # Five men flip by the word and by none of three null edits: a chance of one in four each.
    genders = [MALE] * 5 + [FEMALE] * 5
    still = [0.0] * 5 + [1.0] * 5
    edits = faces(genders, [[1.0] * 10, still, still, still])
    changes, strata = edits.changes("gender"), edits.strata("gender")
    p = exact_against_null(changes.take(np.array([0])), changes.take(np.array([1, 2, 3])).pooled(), strata)
    assert p[0] == pytest.approx(0.25**5)
    found = scored(edits, null=(1, 2, 3))
    assert found.relative is not None
    assert found.relative.value.tolist() == [1.0]


@pytest.mark.slow
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=9), st.integers(2, 7))
def test_the_exact_test_agrees_with_counting_all_ways(pairs: list[tuple[bool, bool]], men: int) -> None:
    """Word and one null edit per seed: each seed's two results are the word's and the null edit's, or the reverse."""
    men = min(men, len(pairs) - 1)
    genders = [MALE] * men + [FEMALE] * (len(pairs) - men)
    word, null = ([abs(g - flip) for g, flip in zip(genders, own, strict=True)] for own in zip(*pairs, strict=True))
    edits = faces(genders, [word, null])
    changes = edits.changes("gender")
    p = exact_against_null(changes.take(np.array([0])), changes.take(np.array([1])), edits.strata("gender"))

    def gap(flips: np.ndarray) -> float:
        return float(flips[:men].mean() - flips[men:].mean())

    both = np.array(pairs, dtype=float)
    swaps = np.array(np.meshgrid(*[[0, 1]] * len(pairs))).reshape(len(pairs), -1).T
    every = np.array([gap(both[np.arange(len(pairs)), swap]) for swap in swaps])
    seen = gap(both[:, 0])
    wanted = np.mean(np.abs(every - every.mean()) >= abs(seen - every.mean()) - 1e-9)
    assert p[0] == pytest.approx(wanted)


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=12))
def test_students_test_is_scipys(values: list[float]) -> None:
    if np.ptp(values) < 1e-6:
        return
    wanted = scipy_stats.ttest_1samp(values, 0).pvalue
    assert student(np.array([[*values, NAN]]))[0] == pytest.approx(wanted, abs=1e-9)


Perceived = st.lists(st.sampled_from([0.0, 1.0, NAN]), min_size=8, max_size=8)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(Perceived, min_size=1, max_size=4), st.permutations(range(8)))
def test_scores_do_not_hang_on_the_order_of_seeds_and_stay_within_bounds(
    after: list[list[float]], order: list[int]
) -> None:
    genders = [MALE] * 4 + [FEMALE] * 4
    one = scored(faces(genders, after))
    other = scored(faces([genders[n] for n in order], [[row[n] for n in order] for row in after]))
    np.testing.assert_allclose(one.score.value, other.score.value)
    assert one.n.tolist() == other.n.tolist()
    known = ~np.isnan(one.score.value)
    assert (np.abs(one.score.value[known]) <= 1).all()
    assert (one.score.low[known] <= one.score.value[known]).all()
    assert (one.score.value[known] <= one.score.high[known]).all()


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(Perceived, min_size=1, max_size=3))
def test_swapping_the_genders_turns_the_score_round(after: list[list[float]]) -> None:
    genders = [MALE] * 4 + [FEMALE] * 4
    one = scored(faces(genders, after))
    swapped = scored(faces([1 - g for g in genders], [[1 - value for value in row] for row in after]))
    np.testing.assert_allclose(one.score.value, -swapped.score.value)


def test_the_model_is_as_biased_as_its_words_in_either_direction() -> None:
    before = [30.0] * 6
    after = [[55.0] * 6, [5.0] * 6, [30.0] * 6]
    found = scored(faces([MALE, FEMALE] * 3, after, before, "age"), "age")
    bias = word_sizes(found, np.arange(3))
    assert bias is not None
    assert (bias.total, bias.words, bias.n) == (2.0, 3, 18)
    assert bias.mean == pytest.approx(2 / 3)
    assert bias.low <= bias.mean <= bias.high
    assert word_sizes(found, np.arange(0)) is None


@pytest.mark.parametrize("flip", [0.0, 1.0])
def test_a_model_whose_seeds_all_agree_is_no_surer_than_its_word(flip: float) -> None:
    # Nobody of nine flips, or each man of nine: neither is always so.
    after = [flip] * 9 + [1.0] * 9
    found = scored(faces([MALE] * 9 + [FEMALE] * 9, [after]))
    bias = word_sizes(found, np.arange(1))
    assert bias is not None
    assert bias.mean == flip
    reach = max(found.score.high[0] - flip, flip - found.score.low[0])
    assert bias.high == pytest.approx(min(1.0, flip + reach))
    assert bias.low == pytest.approx(max(0.0, flip - reach))
    assert bias.seeds == 18


def test_many_words_that_do_nothing_tell_more_than_one_and_not_everything() -> None:
    genders, still = [MALE] * 9 + [FEMALE] * 9, [0.0] * 9 + [1.0] * 9
    one, many = (word_sizes(scored(faces(genders, [still] * n)), np.arange(n)) for n in (1, 100))
    assert one is not None
    assert many is not None
    assert 0.1 < many.high < one.high


def test_a_model_of_words_without_bounds_has_none() -> None:
    bias = word_sizes(scored(faces([MALE], [[55.0]], [30.0], "age"), "age"), np.arange(1))
    assert bias is not None
    assert np.isnan([bias.low, bias.high]).all()


def test_words_without_effect_show_about_what_chance_alone_would() -> None:
    rng = np.random.default_rng(5)
    noise = 30 + 5 * rng.standard_normal((200, 18))
    found = scored(faces([MALE, FEMALE] * 9, noise.tolist(), [30.0] * 18, "age"), "age")
    bias = word_sizes(found, np.arange(200))
    assert bias is not None
    assert bias.mean == pytest.approx(bias.chance, rel=0.15)
    assert bias.low < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [18, 54])
@pytest.mark.parametrize(("attribute", "effect"), [("gender", 0.3), ("gender", 0.9), ("age", 10.0)])
def test_effects_lie_in_their_intervals(attribute: str, effect: float, seeds: int) -> None:
    """As benchmarks/biaspainter.py measures it, but smaller: 20 studies of 20 words and three null edits."""
    rng = np.random.default_rng(5)
    genders = [MALE, FEMALE] * (seeds // 2)
    men = np.array(genders) == MALE
    held = []
    for _ in range(20):
        if attribute == "gender":
            chance = np.where(men & (np.arange(23) < 20)[:, None], effect, 0.05)
            after = np.where(rng.random((23, seeds)) < chance, 1 - np.array(genders), genders)
            before, truth = np.array(genders), effect - 0.05
        else:
            own = np.where((np.arange(23) < 20)[:, None], effect * rng.gamma(4, 0.25, (23, seeds)), 0.0)
            before, truth = np.full(seeds, 40.0), effect / 25
            after = before + 2 * rng.standard_normal(seeds) + own + 4 * rng.standard_t(5, (23, seeds))
        found = scored(faces(genders, after.tolist(), before.tolist(), attribute), attribute, null=(20, 21, 22))
        assert found.relative is not None
        both = [(own.low <= truth) & (truth <= own.high) for own in (found.score, found.relative)]
        held.append([one.mean() for one in both])
    assert np.mean(held, axis=0).min() > 0.92
