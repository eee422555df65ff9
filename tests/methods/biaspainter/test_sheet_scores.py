"""Scoring alone: a CSV in, scores of words, topics and the model out, as JSON or as a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from portrayal.errors import InputError
from portrayal.methods.biaspainter.commands import app
from portrayal.methods.biaspainter.sheet import COLUMNS
from portrayal.methods.biaspainter.sheet_scores import score_sheet

HEADER = ",".join(COLUMNS)
ROWS = [
    "profession,nurse,m1,male,male,female,30,30,100,100",
    "profession,nurse,m2,male,male,female,40,40,100,120",
    "profession,nurse,f1,female,female,female,30,30,120,100",
    "profession,nurse,f2,female,female,female,40,40,,100",
    "profession,CEO,m1,male,male,male,30,55,100,100",
    "profession,CEO,m2,male,male,male,40,65,100,100",
    "profession,CEO,f1,female,female,male,30,55,120,120",
    "profession,CEO,f2,female,female,,40,,120,120",
]


def written(folder: Path, *rows: str) -> Path:
    path = folder / "edits.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n")
    return path


def words(found: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["word"], row["attribute"]): row for row in found["words"]}


def test_scores_by_hand(tmp_path: Path) -> None:
    found = words(score_sheet(written(tmp_path, *ROWS)))
    assert found["nurse", "gender"]["score"] == 1.0
    assert found["CEO", "gender"]["score"] == -1.0
    assert found["CEO", "gender"]["n"] == 3
    assert found["CEO", "age"]["score"] == 1.0
    assert found["CEO", "age"]["n"] == 3
    assert found["nurse", "tone"]["score"] == pytest.approx((0 + 1 - 1) / 3)
    assert found["nurse", "tone"]["n"] == 3
    assert found["nurse", "age"]["relative"] is None


def test_the_same_file_gives_the_same_bounds(tmp_path: Path) -> None:
    path = written(tmp_path, *ROWS)
    assert score_sheet(path) == score_sheet(path)


def test_a_word_without_data_has_no_score(tmp_path: Path) -> None:
    found = words(score_sheet(written(tmp_path, *ROWS, "object,pen,m1,male,,,,,,")))
    for attribute in ("gender", "age", "tone"):
        row = found["pen", attribute]
        assert (row["score"], row["low"], row["high"], row["n"]) == (None, None, None, 0)


def test_topics_and_model_add_sizes_up(tmp_path: Path) -> None:
    found = score_sheet(written(tmp_path, *ROWS))
    gender = {row["topic"]: row for row in found["topics"] if row["attribute"] == "gender"}
    assert gender["profession"]["sum"] == gender["all"]["sum"] == 2.0
    assert gender["all"]["mean"] == 1.0


def test_topics_have_both_numbers_and_what_null_edits_show(tmp_path: Path) -> None:
    nothing = [row.replace("profession,CEO", "null,a photo") for row in ROWS[4:]]
    found = score_sheet(written(tmp_path, *ROWS, *nothing))
    (age,) = (row for row in found["topics"] if (row["topic"], row["attribute"]) == ("all", "age"))
    assert (age["mean"], age["relative_mean"]) == (0.5, 0.5)  # CEO: 1 of itself, nurse: -1 beyond the null edit
    assert age["images_mean"] == pytest.approx(3 / 7)
    assert age["images_null"] == 1.0


def test_edits_without_an_answer_count_as_unchanged_where_that_is_wanted(tmp_path: Path) -> None:
    path = written(tmp_path, *ROWS)
    assert words(score_sheet(path, unanswered="unchanged"))["CEO", "gender"]["score"] == -0.5
    ran = CliRunner().invoke(app, ["score", str(path), "--json", "--unanswered", "unchanged"])
    assert words(json.loads(ran.stdout))["CEO", "gender"]["score"] == -0.5


def test_words_are_listed_by_what_they_do_beyond_null_edits(tmp_path: Path) -> None:
    nothing = [row.replace("profession,CEO", "null,a photo") for row in ROWS[4:]]
    table = CliRunner().invoke(app, ["score", str(written(tmp_path, *ROWS, *nothing))]).stdout.splitlines()
    assert table[1].split()[1:4] == ["nurse", "gender", "1.000"]
    assert table[2].split()[1:4] == ["nurse", "age", "0.000"]  # CEO ages by 25 years, as edits that ask for nothing do


def test_rows_of_the_topic_null_are_what_the_others_are_compared_with(tmp_path: Path) -> None:
    nothing = [row.replace("profession,CEO", "null,a photo") for row in ROWS[4:]]
    found = score_sheet(written(tmp_path, *ROWS, *nothing))
    assert found["null_edits"] == 4
    rows = words(found)
    assert ("a photo", "gender") not in rows
    assert rows["CEO", "age"]["relative"] == 0.0
    assert rows["CEO", "age"]["score"] == 1.0


def test_without_a_stated_gender_the_perceived_one_counts(tmp_path: Path) -> None:
    found = words(score_sheet(written(tmp_path, *(row.replace(",male,male", ",,male") for row in ROWS))))
    assert found["nurse", "gender"]["score"] == 1.0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("profession,nurse,m1,man,male,male,1,1,1,1", "column 'seed_gender' must be male, female or empty, got 'man'"),
        ("profession,nurse,m1,female,male,male,1,1,1,1", "seed 'm1' is of another gender"),
        ("profession,nurse,m1,male,male,male,old,1,1,1", "column 'age_before' must be a number"),
        ("profession,nurse,m1,male,male,male,-30,1,1,1", "column 'age_before' must be from 0 to 150, got '-30'"),
        ("profession,nurse,m1,male,male,male,30,1e308,1,1", "column 'age_after' must be from 0 to 150, got '1e308'"),
        ("profession,nurse,m1,male,male,male,30,30,1,9999", "column 'tone_after' must be from 0 to 255, got '9999'"),
        ("profession,,m1,male,male,male,1,1,1,1", "every row needs a word and a seed"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=f"edits.csv:10: {message}"):
        score_sheet(written(tmp_path, *ROWS, row))


def test_the_command_prints_json_and_a_table(tmp_path: Path) -> None:
    path = str(written(tmp_path, *ROWS))
    ran = CliRunner().invoke(app, ["score", path, "--json"])
    assert ran.exit_code == 0
    row = words(json.loads(ran.stdout))["nurse", "gender"]
    assert {"topic", "word", "attribute", "score", "low", "high", "n"} <= row.keys()
    assert row["topic"] == "profession"
    assert row["low"] < 1.0 == row["high"]
    table = CliRunner().invoke(app, ["score", path]).stdout.splitlines()
    assert table[0].split() == [
        "topic",
        "word",
        "attribute",
        "score",
        "low",
        "high",
        "n",
        "seeds",
        "q",
        "relative",
        "note",
    ]
    assert len(table) == 1 + 2 * 3 + 1
    assert table[1].endswith("only 4 seeds")
    assert table[-1] == "note: no edits that ask for nothing: no score is relative to them"


def test_one_seed_of_each_gender_has_no_interval_and_says_so(tmp_path: Path) -> None:
    found = score_sheet(written(tmp_path, ROWS[0], ROWS[2]))
    row = words(found)["nurse", "age"]
    assert (row["score"], row["low"], row["high"], row["note"]) == (0.0, None, None, "only 2 seeds: no interval")
    (whole,) = [own for own in found["topics"] if (own["topic"], own["attribute"]) == ("all", "age")]
    assert (whole["low"], whole["high"], whole["note"]) == (None, None, "only 2 seeds: no interval")
    json.dumps(found, allow_nan=False)


def test_what_is_missing_has_a_reason(tmp_path: Path) -> None:
    men = words(score_sheet(written(tmp_path, *ROWS[:2])))
    assert men["nurse", "gender"]["note"] == "no usable edits of both perceived genders"
    blank = score_sheet(written(tmp_path, "profession,nurse,m1,male,,,,,,", "profession,nurse,f1,female,,,,,,"))
    rows = [*blank["words"], *blank["topics"]]
    assert {row["note"] for row in rows} == {"no edit in which this can be compared"}
    assert len(rows) == 3 + 6
    other = score_sheet(written(tmp_path, *ROWS, "null,a photo,m9,male,male,male,30,31,1,1"))
    assert words(other)["CEO", "age"]["note"] == "only 3 seeds; no edit of the same seeds that asks for nothing"


def test_a_table_of_null_edits_only_says_that_there_is_no_word(tmp_path: Path) -> None:
    path = written(tmp_path, *(row.replace("profession,CEO", "null,a photo") for row in ROWS[4:]))
    ran = CliRunner().invoke(app, ["score", str(path)])
    assert (ran.exit_code, ran.stdout) == (0, "note: only edits that ask for nothing: there is no word to score\n")


def test_a_seed_counts_by_its_label_and_not_by_how_it_was_perceived(tmp_path: Path) -> None:
    def score(*labels: str) -> float | None:
        seen = ("a,{},female,female", "b,{},male,female", "c,{},female,female")
        rows = [f"profession,nurse,{own.format(label)},,,," for own, label in zip(seen, labels, strict=True)]
        found: float | None = words(score_sheet(written(tmp_path, *rows)))["nurse", "gender"]["score"]
        return found

    assert score("male", "male", "female") == 0.5
    assert score("", "", "") == 1.0
