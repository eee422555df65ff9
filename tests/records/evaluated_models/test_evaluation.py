from __future__ import annotations

from dataclasses import replace

import pytest

from portrayal.apps.atlas.evaluations.columns import Columns
from portrayal.errors import InputError
from portrayal.records.evaluated_models.evaluation import (
    AtlasRows,
    Evaluation,
    ModelInfo,
    Score,
    evaluation_table,
    evaluations_of,
    model_table,
    models_of,
)

FIRST = Evaluation("a/one", {"log_bias": Score(0.5, 0.4, 0.6)}, "objects", "2024-01", "me", 300)
AGAIN = replace(FIRST, run="2024-06", scores={"log_bias": Score(0.3)})
OTHER = Evaluation("b/two", {"log_bias": Score(-0.2), "miss_rate": Score(0.0)}, "objects")


def test_runs_of_the_same_model_are_versions_and_not_duplicates() -> None:
    rows = AtlasRows().joined([OTHER, AGAIN, FIRST], [])
    assert rows.evaluations == (FIRST, AGAIN, OTHER)
    assert rows.joined([FIRST, replace(AGAIN)], []) == rows


def test_the_order_in_which_rows_come_does_not_show() -> None:
    assert AtlasRows().joined([FIRST], []).joined([OTHER, AGAIN], []) == AtlasRows().joined([AGAIN, OTHER, FIRST], [])


def test_the_same_figures_from_another_file_are_the_same_evaluation() -> None:
    copy = replace(FIRST, source="copy.csv")
    unnamed = replace(FIRST, source="")
    for rows in ([FIRST, copy, unnamed], [unnamed, copy, FIRST], [copy, unnamed, FIRST]):
        assert AtlasRows().joined(rows, []).evaluations == (copy,)


def test_a_run_given_again_with_other_figures_counts_as_given_last() -> None:
    more, less = (replace(FIRST, scores={"log_bias": Score(value)}) for value in (0.9, 0.1))
    for first, last in ((more, less), (less, more), (FIRST, replace(FIRST, images=301))):
        rows = AtlasRows().joined([first, OTHER], [])
        assert rows.joined([last], []).evaluations == (last, OTHER)
        assert AtlasRows().joined([first, OTHER, last], []).evaluations == (last, OTHER)
        assert rows.replaced([last, AGAIN]) == [(first, last)]
        assert rows.replaced([first, AGAIN]) == []


def test_two_figures_of_one_run_that_an_older_version_stored_are_refused_until_the_right_ones_are_given() -> None:
    right = replace(FIRST, scores={"log_bias": Score(0.9)})
    old = AtlasRows((FIRST, right, OTHER), {name: ModelInfo(name) for name in ("a/one", "b/two")})
    message = "'a/one', run '2024-01', twice with different figures; import that row again"
    for ask in (lambda: old.joined([AGAIN], []), lambda: Columns.of(old, "objects")):
        with pytest.raises(InputError, match=message):
            ask()
    assert old.joined([right], []).evaluations == (right, OTHER)


def test_what_is_known_of_a_model_is_added_up() -> None:
    rows = AtlasRows().joined([FIRST], [ModelInfo("a/one", "art", likes=3)])
    rows = rows.joined([], [ModelInfo("a/one", scheduler="DDIMScheduler", likes=5), ModelInfo("c/new", "art")])
    assert rows.models["a/one"] == ModelInfo("a/one", "art", "DDIM", likes=5)
    assert list(rows.models) == ["a/one", "c/new"]


def test_tables_hold_all_of_it() -> None:
    assert evaluations_of(evaluation_table([FIRST, AGAIN, OTHER])) == [FIRST, AGAIN, OTHER]
    infos = [ModelInfo("a", "art", "s", "p", "2022-08", 1, 2), ModelInfo("b")]
    assert models_of(model_table(infos)) == infos


def test_dates_become_years() -> None:
    assert ModelInfo("a", created="2022-01-01").year == 2022
    assert ModelInfo("a", created="2022-07").year is not None
    assert abs((ModelInfo("a", created="2022-07").year or 0) - 2022.54) < 0.01
    assert ModelInfo("a").year is None
