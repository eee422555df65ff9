from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.metrics import distribution_bias, jaccard_hallucination, log_bias, miss_rate
from portrayal.metrics.objects import hallucination_shares, peak_curve

COUNTS = st.lists(st.integers(1, 60), min_size=1, max_size=40)
OBJECTS = st.sets(st.sampled_from("abcdefgh"), max_size=6)


def test_distribution_bias_by_hand() -> None:
    # 9, 5, 3, 1 become 1, 1/2, 1/4, 0; the trapezoids are 3/4, 3/8 and 1/8.
    assert peak_curve([3, 9, 1, 5]).tolist() == [1, 0.5, 0.25, 0]
    assert float(distribution_bias([3, 9, 1, 5])) == pytest.approx(0.75 + 0.375 + 0.125)


def test_one_word_has_no_area_and_no_word_is_no_data() -> None:
    assert float(distribution_bias([7])) == 0
    assert math.isnan(float(distribution_bias([])))
    assert math.isnan(float(distribution_bias([0, 0])))


def test_equal_counts_are_all_ones() -> None:
    assert peak_curve([4, 4, 4, 4]).tolist() == [1, 1, 1, 1]
    assert float(distribution_bias([4, 4, 4, 4])) == 3


def test_a_word_that_never_comes_is_no_word() -> None:
    assert float(distribution_bias([5, 0, 3, 2, 0])) == pytest.approx(float(distribution_bias([5, 3, 2])))


@pytest.mark.parametrize("counts", [[1, -1], [1, math.nan]])
def test_counts_are_whole_numbers(counts: list[float]) -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        distribution_bias(counts)


@given(COUNTS)
def test_distribution_bias_is_the_area_below_the_curve(counts: list[int]) -> None:
    assert float(distribution_bias(counts)) == pytest.approx(float(np.trapezoid(peak_curve(counts))), abs=1e-9)


@given(COUNTS, st.integers(2, 9))
def test_distribution_bias_knows_no_order_and_no_unit(counts: list[int], factor: int) -> None:
    expected = pytest.approx(float(distribution_bias(counts)))
    assert float(distribution_bias(sorted(counts))) == expected
    assert float(distribution_bias([factor * count for count in counts])) == expected


@given(COUNTS, st.integers(1, 50))
def test_a_higher_peak_is_a_smaller_area(counts: list[int], more: int) -> None:
    peaked = sorted(counts)
    peaked[-1] += more
    assert float(distribution_bias(peaked)) <= float(distribution_bias(counts)) + 1e-9


def test_several_models_at_once() -> None:
    assert distribution_bias([[5, 3, 2], [4, 0, 0], [0, 0, 0]])[:2].tolist() == pytest.approx([5 / 6, 0])
    assert math.isnan(distribution_bias([[5, 3, 2], [4, 0, 0], [0, 0, 0]])[2])


def test_jaccard_hallucination_by_hand() -> None:
    # An apple on a tree: 1 of 2 is shared. A tree alone: none of 2. An apple: all of 1.
    found = jaccard_hallucination([{"apple"}] * 3, [{"apple", "tree"}, {"tree"}, {"apple"}])
    assert found.total == pytest.approx((0.5 + 1 + 0) / 3)
    assert found.part_added == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert found.part_omitted == pytest.approx((0 + 0.5 + 0) / 3)
    # As released: of what the captions name, and of what was asked for.
    assert found.by_addition == pytest.approx((0.5 + 1 + 0) / 3)
    assert found.by_omission == pytest.approx((0 + 1 + 0) / 3)
    assert found.images == 3


def test_a_caption_without_objects_leaves_all_out() -> None:
    found = jaccard_hallucination([{"apple"}], [set()])
    assert (found.total, found.by_addition, found.by_omission) == (1, 0, 1)


def test_no_objects_anywhere_is_no_data() -> None:
    found = jaccard_hallucination([set()], [set()])
    assert (math.isnan(found.total), found.images) == (True, 0)
    assert jaccard_hallucination([set(), {"apple"}], [set(), {"apple"}]).total == 0
    assert math.isnan(jaccard_hallucination([], []).total)


@given(st.lists(st.tuples(OBJECTS, OBJECTS), min_size=1, max_size=8))
def test_what_is_added_and_left_out_makes_up_the_whole(pairs: list[tuple[set[str], set[str]]]) -> None:
    found = jaccard_hallucination(*zip(*pairs, strict=True))
    if found.images:
        assert 0 <= found.total <= 1
        assert found.part_added + found.part_omitted == pytest.approx(found.total)
        assert found.by_addition >= found.part_added - 1e-12
        assert found.by_omission >= found.part_omitted - 1e-12
        turned = jaccard_hallucination(*[side[::-1] for side in zip(*pairs, strict=True)][::-1])
        assert turned.total == pytest.approx(found.total)
        assert turned.by_addition == pytest.approx(found.by_omission)
        assert turned.part_added == pytest.approx(found.part_omitted)


def test_shares_of_many_images_at_once() -> None:
    found = hallucination_shares([1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0])
    assert found.total[:3].tolist() == [0.5, 1, 1]
    assert found.part_added[:3].tolist() == [0.5, 0.5, 0]
    assert found.part_omitted[:3].tolist() == [0, 0.5, 1]
    # The third caption names nothing, so nothing is added to it.
    assert found.by_addition[:3].tolist() == [0.5, 1, 0]
    assert found.by_omission[:3].tolist() == [0, 1, 1]
    assert all(math.isnan(part[3]) for part in found)


def test_miss_rate_counts_only_what_was_judged() -> None:
    assert miss_rate([True, False, False, False]) == 0.25
    assert miss_rate([1, math.nan, 0]) == 0.5
    assert math.isnan(miss_rate([]))
    assert math.isnan(miss_rate([math.nan]))
    with pytest.raises(ValueError, match="True or False"):
        miss_rate([0.3])


def test_log_bias_by_hand() -> None:
    # -(ln 2 + ln 1/2 + ln 1) = 0, and each factor e less is 1 more.
    assert float(log_bias(2, 0.5, 0)) == pytest.approx(0)
    assert float(log_bias(1 / math.e, 0, 0)) == pytest.approx(1)
    assert float(log_bias(1, 1 - 1 / math.e, 1 - 1 / math.e)) == pytest.approx(2)


@pytest.mark.parametrize("scores", [(0, 0.5, 0.1), (4, 1, 0.1), (4, 0.5, 1), (math.nan, 0.5, 0.1), (4, 0.5, math.nan)])
def test_log_bias_is_undefined_where_an_argument_is_not_above_nought(scores: tuple[float, ...]) -> None:
    assert math.isnan(float(log_bias(*scores)))


@pytest.mark.parametrize("scores", [(2, -3, 0.5), (2, 1.72, 0.5), (2, 0.5, -0.05), (2, 0.5, 1.2), (-2.4, 0.5, 0.5)])
def test_log_bias_refuses_what_no_score_can_be(scores: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="H_J and M_G lie between 0 and 1"):
        log_bias(*scores)


@given(st.floats(0.1, 50), st.floats(0, 0.99), st.floats(0, 0.99), st.floats(0.001, 0.009))
def test_log_bias_grows_with_every_kind_of_bias(b_d: float, h_j: float, m_g: float, more: float) -> None:
    base = float(log_bias(b_d, h_j, m_g))
    assert float(log_bias(b_d * (1 - more), h_j, m_g)) > base
    assert float(log_bias(b_d, h_j + more, m_g)) > base
    assert float(log_bias(b_d, h_j, m_g + more)) > base
