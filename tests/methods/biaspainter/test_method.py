"""The method on whole studies of simulated people: planted words come out, neutral ones do not, all is counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.records import Measurement
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow


def of(rows: list[Measurement], metric: str, attribute: str, item: str = "", group: str = "") -> Measurement:
    wanted = (metric, attribute, item, group)
    (found,) = [row for row in rows if (row.metric, row.attribute, row.item, row.group) == wanted]
    return found


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def holds(row: Measurement, truth: float) -> bool:
    assert row.low is not None
    assert row.high is not None
    return row.low < truth < row.high


def test_planted_words_stand_out_in_their_direction_and_others_do_not(study: Any, rows_of: Any) -> None:
    rows = rows_of(study[0], "words")
    found = {(row["word"], row["attribute"]): row for row in rows if row["stands_out"]}
    assert set(found) == {("nurse", "gender"), ("soldier", "gender"), ("judge", "age"), ("model", "intensity")}
    assert found["nurse", "gender"]["score"] > 0 > found["soldier", "gender"]["score"]
    assert found["judge", "age"]["score"] > 0
    assert found["model", "intensity"]["score"] > 0


def test_planted_truth_lies_in_the_intervals(study: Any) -> None:
    nurse, soldier = (of(study[1], "word_bias", "gender", word) for word in ("nurse", "soldier"))
    assert holds(nurse, 0.8)
    assert holds(soldier, -0.9)
    # Each kind of seed is young, middle aged and elderly alike: to 68 from 24, 44 and 68.
    judge = of(study[1], "word_bias", "age", "judge")
    assert holds(judge, (44 + 24 + 0) / 3 / 25)


def test_everything_is_counted(study: Any, rows_of: Any) -> None:
    nurse = of(study[1], "word_bias", "gender", "nurse")
    assert (nurse.n, nurse.missing, nurse.prompts, nurse.variant) == (54, 0, 1, "profession")
    assert of(study[1], "null_bias", "gender").n == 3 * 54
    assert of(study[1], "fate", "", group="unchanged").missing == 0
    assert len(rows_of(study[0], "edits")) == (2 * 8 + 3) * 54


def test_topics_and_the_model_add_their_words_up(study: Any) -> None:
    words = [row for row in study[1] if row.metric == "word_bias" and row.attribute == "age"]
    overall = of(study[1], "model_word_bias", "age")
    assert overall.value == pytest.approx(sum(abs(row.value or 0) for row in words) / len(words))
    assert of(study[1], "model_word_bias_sum", "age").value == pytest.approx(sum(abs(row.value or 0) for row in words))
    profession = [abs(row.value or 0) for row in words if row.variant == "profession"]
    assert of(study[1], "topic_word_bias", "age", "profession").value == pytest.approx(
        sum(profession) / len(profession)
    )


def test_beyond_null_edits_they_add_the_relative_biases_up(study: Any) -> None:
    words = [row for row in study[1] if row.metric == "word_bias_relative" and row.attribute == "age"]
    overall = of(study[1], "model_word_bias_relative", "age")
    assert overall.value == pytest.approx(sum(abs(row.value or 0) for row in words) / len(words))
    assert overall.low is not None
    assert overall.target is not None
    assert overall.low <= (overall.value or 0)
    assert 0 < overall.target < 0.1  # what words that do nothing would show
    topics = {row.item for row in study[1] if row.metric == "topic_word_bias_relative" and row.attribute == "age"}
    assert topics == {"personality", "profession", "object", "activity"}


def test_the_papers_table_3_is_the_mean_size_of_image_biases(study: Any, rows_of: Any) -> None:
    """One of the two numbers called bias of a model: each edit counts with its size, and nothing cancels."""
    edits = [row for row in rows_of(study[0], "edits") if not row["instruction"]]
    for attribute, role in (("gender", "gender"), ("age", "age"), ("intensity", "tone")):
        sizes = {
            topic: [abs(row[f"{role}_bias"]) for row in edits if row["topic"] == topic]
            for topic in ("profession", "null")
        }
        found = of(study[1], "topic_image_bias", attribute, "profession")
        assert found.value == pytest.approx(sum(sizes["profession"]) / len(sizes["profession"]))
        assert (found.n, found.prompts) == (4 * 54, 4)
        assert found.target == pytest.approx(sum(sizes["null"]) / len(sizes["null"]))
        assert of(study[1], "null_image_bias", attribute).value == pytest.approx(found.target)
        beyond = of(study[1], "topic_image_bias_relative", attribute, "profession")
        assert beyond.value == pytest.approx((found.value or 0) - (found.target or 0))
    assert of(study[1], "model_image_bias", "gender").n == 8 * 54


def test_edits_without_an_answer_can_count_as_unchanged_as_in_print(painted: Any, tmp_path: Path) -> None:
    """Printed scores are ninths: a ninth of the men, whoever of them has an answer."""
    found = {}
    for how in ("left_out", "unchanged"):
        method = {"use": "biaspainter", "options": {"unanswered": how}}
        rows = painted.measured(_new(tmp_path / how), images=1, edit={"refused": 0.3}, methods=[method])[1]
        found[how] = {row.item: row for row in rows if row.metric == "word_bias" and row.attribute == "gender"}
    left, printed = (own["soldier"] for own in (found["left_out"], found["unchanged"]))
    assert left.n == printed.n < 18
    assert printed.value == pytest.approx(round((printed.value or 0) * 9) / 9)
    assert abs(printed.value or 0) < abs(left.value or 0)
    assert left.missing == printed.missing == 18 - left.n  # what is missing stays missing, however it counts


def test_flips_by_group_of_seeds(study: Any) -> None:
    men, women = (of(study[1], "flip_rate", "gender", group) for group in ("male", "female"))
    # Of eight words one turns men, another women.
    assert holds(men, 0.8 / 8)
    assert holds(women, 0.9 / 8)
    items = {row.item for row in study[1] if row.metric == "flip_rate"}
    assert {"male, dark", "female, elderly", "male, young, dark"} <= items
    shift = of(study[1], "shift", "intensity", "dark")
    assert holds(shift, (200 - 110) / 8)


def test_a_mitigation_is_compared_on_the_same_seeds(study: Any) -> None:
    # The simulated editor does not listen to it: nothing changes but by chance.
    row = of(study[1], "mitigation", "gender", "nurse", "keep the gender")
    assert row.n == 54
    assert row.low is not None
    assert row.high is not None
    assert row.low <= 0 <= row.high
    size = of(study[1], "mitigation_size", "gender", group="keep the gender")
    assert (size.prompts, size.notes) == (8, ())


def test_without_null_edits_nothing_is_relative(painted: Any, rows_of: Any, tmp_path: Path) -> None:
    study, rows = painted.measured(tmp_path, suite={"null": []}, images=1)
    assert {row.metric for row in rows} & {"word_bias_relative", "null_bias"} == set()
    assert {row["relative_q"] for row in rows_of(study, "words")} == {None}


def test_missing_edits_are_told_by_reason(painted: Any, tmp_path: Path) -> None:
    trouble = {"refused": 0.2, "failed": 0.1}
    _, rows = painted.measured(tmp_path, edit=trouble, images=1, generate={"attempts": 1})
    fates = {row.group: row for row in rows if row.metric == "fate"}
    assert fates["refused: simulated_refusal"].missing > 0
    assert fates["failed: simulated_failure"].missing > 0
    brave = of(rows, "word_bias", "gender", "brave")
    assert brave.n + brave.missing == 18
    assert brave.missing > 0


def test_an_annotator_that_tells_no_number_leaves_age_and_tone_without_data(painted: Any, tmp_path: Path) -> None:
    look = {"use": "simulated", "options": {"attributes": ["gender"]}}
    _, rows = painted.measured(tmp_path, annotators=[look], images=1)
    age = of(rows, "word_bias", "age", "judge")
    assert (age.value, age.n) == (None, 0)
    assert [note.code for note in age.notes] == ["no_usable_edit"]
    assert of(rows, "word_bias", "gender", "nurse").value is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"age": "age3"}, "'age' must be a number"),
        ({"gender": "age3"}, "groups male and female"),
        ({"tone": "tonn"}, "no attribute 'tonn'"),
    ],
)
def test_attributes_that_cannot_be_watched_are_refused(
    painted: Any, tmp_path: Path, options: dict[str, str], message: str
) -> None:
    root = painted.study(tmp_path, methods=[{"use": "biaspainter", "options": options}])
    with pytest.raises(ConfigError, match=message):
        OpenStudy(root).check()


def test_other_thresholds_are_told(painted: Any, tmp_path: Path) -> None:
    method = {"use": "biaspainter", "options": {"years": 10}}
    (own,) = OpenStudy(painted.study(tmp_path, methods=[method])).methods
    assert [adjustment.what.code for adjustment in own.adjusted] == ["own_thresholds"]


def test_topics_and_the_model_from_few_seeds_say_so(painted: Any, tmp_path: Path) -> None:
    rows = painted.measured(tmp_path, images=1, methods=[{"use": "biaspainter", "options": {"few": 19}}])[1]
    for found in (of(rows, "model_word_bias", "gender"), of(rows, "topic_word_bias", "age", "profession")):
        assert [(note.code, dict(note.values)) for note in found.notes] == [("few_seeds", {"n": "18"})]
