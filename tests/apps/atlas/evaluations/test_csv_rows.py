from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.apps.atlas.evaluations.csv_rows import read_atlas_csv
from portrayal.errors import InputError
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, ModelInfo, Score

TODAY = date(2024, 5, 31)
GOOD = """\
model,category,created,likes,downloads,scheduler,protocol,run,images,accuracy,accuracy_low,accuracy_high,b_log
a/one,art,2022-08-22T10:00:00.000Z,10,200,DDIMScheduler,mine,1,300,0.5,0.4,0.6,1.5
b/two,foundation,2023-05,,,,mine,,,,,,-0.25
c/three,art,,7,,,,,,,,,
"""


def test_known_columns_are_metadata_and_all_others_scores() -> None:
    found = read_atlas_csv(GOOD, "mine.csv", "mine.csv", today=TODAY)
    assert found.problems == []
    assert found.evaluations == [
        Evaluation("a/one", {"accuracy": Score(0.5, 0.4, 0.6), "b_log": Score(1.5)}, "mine", "1", "mine.csv", 300),
        Evaluation("b/two", {"b_log": Score(-0.25)}, "mine", "", "mine.csv"),
    ]
    assert found.models == [
        ModelInfo("a/one", "art", "DDIM", "", "2022-08-22", 10, 200),
        ModelInfo("b/two", "foundation", created="2023-05"),
        ModelInfo("c/three", "art", likes=7),
    ]


def test_scores_that_follow_from_others_are_computed_unless_given() -> None:
    text = "model,distribution_bias,jaccard_hallucination,miss_rate,log_bias\na,2,0.5,0,\nb,2,0.5,0,7\nc,2,1,0,\n"
    logs = [row.scores.get("log_bias") for row in read_atlas_csv(text, "f", today=TODAY).evaluations]
    assert [score and (score.value, score.low, score.high) for score in logs] == [
        (pytest.approx(0), None, None), (7, None, None), None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (",art,,1", "f.csv:3: column 'model' is empty"),
        ("x,art,2022,1", "f.csv:3: column 'created' must be a date such as 2022-08-22 or 2022-08, got '2022'"),
        ("x,art,2022-13,1", "f.csv:3: column 'created' must be a date such as 2022-08-22 or 2022-08, got '2022-13'"),
        ("x,art,,high", "f.csv:3: column 'score' must be a number, got 'high'"),
        ("x,art,,nan", "f.csv:3: column 'score' must be a number, got 'nan'"),
        ("x,art", "f.csv:3: 2 values, but the header has 4 columns"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_and_the_rest_is_kept(line: str, problem: str) -> None:
    found = read_atlas_csv(f"model,category,created,score\na,art,,1\n{line}\nb,art,,2\n", "f.csv", today=TODAY)
    assert found.problems == [problem]
    assert [row.model for row in found.evaluations] == ["a", "b"]


@pytest.mark.parametrize(
    ("columns", "cells", "problem"),
    [
        ("miss_rate", "-0.05", "column 'miss_rate' must be from 0 to 1, got '-0.05'"),
        ("jaccard_hallucination", "1.72", "column 'jaccard_hallucination' must be from 0 to 1, got '1.72'"),
        ("distribution_bias", "-2.4", "column 'distribution_bias' must be 0 or more, got '-2.4'"),
        ("miss_rate,miss_rate_low", "0.1,-0.2", "column 'miss_rate_low' must be from 0 to 1, got '-0.2'"),
        ("b,b_low,b_high", "1,2,0", "column 'b_low' must not be above 'b_high', got 2 and 0"),
        ("b", "1e308", "column 'b' must not be beyond 1e+15, got '1e308'"),
        ("likes", "9" * 23, f"column 'likes' must not be beyond 1e+15, got '{'9' * 23}'"),
        ("created", "2023-02-30", "column 'created' must be a date such as 2022-08-22 or 2022-08, got '2023-02-30'"),
        ("created", "1822-04", "column 'created' must be a date such as 2022-08-22 or 2022-08, got '1822-04'"),
    ],
)
def test_impossible_figures_are_named_and_the_rest_is_kept(columns: str, cells: str, problem: str) -> None:
    empty = "," * columns.count(",")
    found = read_atlas_csv(f"model,x,{columns}\na,1,{empty}\nb,1,{cells}\nc,1,{empty}\n", "f.csv", today=TODAY)
    assert found.problems == [f"f.csv:3: {problem}"]
    assert [row.model for row in found.evaluations] == ["a", "c"]


def test_a_model_of_the_future_is_refused_with_its_line_and_date() -> None:
    text = "model,created,x\na,2024-05-31,1\nb,2024-06-01,1\nc,2024-06,1\nd,2024-05,1\ne,2031-01-01T00:00Z,1\n"
    found = read_atlas_csv(text, "f.csv", today=TODAY)
    assert found.problems == [
        f"f.csv:{line}: column 'created' must not be after today, 2024-05-31, got {given!r}"
        for line, given in ((3, "2024-06-01"), (4, "2024-06"), (6, "2031-01-01T00:00Z"))
    ]
    assert [row.model for row in found.evaluations] == ["a", "d"]
    assert not read_atlas_csv(text, "f.csv", today=date(2031, 1, 1)).problems


def test_of_two_figures_of_one_run_the_last_in_the_file_counts_and_both_lines_are_named() -> None:
    text = "model,protocol,run,x\na,p,r,{}\na,p,r,{}\na,p,other,5\na,q,r,6\nb,,,1\nb,,,1\n"
    for first, last in ((1, 2), (2, 1)):
        found = read_atlas_csv(text.format(first, last), "f.csv", today=TODAY)
        assert found.repeats == ["f.csv:3: 'a', run 'r', stands in line 2 with other figures; line 3 counts"]
        values = {row.key: row.scores["x"].value for row in AtlasRows().joined(found.evaluations, []).evaluations}
        assert values == {("a", "p", "r"): last, ("a", "p", "other"): 5, ("a", "q", "r"): 6, ("b", "", ""): 1}
    unnamed = read_atlas_csv("model,x\na,1\na,2\n", "f.csv", today=TODAY)
    assert unnamed.repeats == ["f.csv:3: 'a', a run without a name, stands in line 2 with other figures; line 3 counts"]


@pytest.mark.parametrize("value", ["-1", "1.5", "many"])
def test_likes_are_whole_numbers(value: str) -> None:
    found = read_atlas_csv(f"model,likes\na,{value}\n", "f.csv", today=TODAY)
    assert len(found.problems) == 1
    assert "f.csv:2: column 'likes' must be a" in found.problems[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,likes\na,1\n", "f.csv: column 'model' is missing; the file has name, likes"),
        ("", "f.csv: column 'model' is missing"),
        ("model,x,x\na,1,2\n", "f.csv: column 'x' stands twice"),
        ("model,\na,1\n", "f.csv: a column has no name"),
    ],
)
def test_a_header_that_makes_no_sense_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_atlas_csv(text, "f.csv", today=TODAY)
    assert str(caught.value) == message


@given(st.lists(st.text(max_size=20), max_size=8))
def test_any_lines_are_read_or_named(lines: list[str]) -> None:
    text = "\n".join(["model,likes,score", *lines])
    found = read_atlas_csv(text, "f", today=TODAY)
    assert all(problem.startswith("f:") for problem in found.problems)
