"""The method on whole studies of simulated people: planted words come out, neutral ones do not, all is counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.records import Measurement, from_table
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import Study

Make = Callable[..., Path]
MOVES = {
    "nurse": {"gender": {"female": 0.8}},
    "soldier": {"gender": {"male": 0.9}},
    "judge": {"age3": {"elderly": 1.0}},
    "model": {"tone3": {"light": 1.0}},
}
SEEDS = {"use": "simulated", "images": 3, "role": "draw"}
LOOK = {"use": "simulated", "options": {"attributes": ["gender", "age", "intensity"], "spread": 3}}


def suite(**options: Any) -> dict[str, Any]:
    words = ["nurse", "soldier", "judge", "model", "brave", "pen", "honest", "reading"]
    return {"use": "biaspainter", "options": {"words": words, **options}}


def editor(**options: Any) -> dict[str, Any]:
    return {"use": "simulated", "images": 1, "role": "edit", "options": {"moves": MOVES, **options}}


def measured(root: Path) -> tuple[Study, list[Measurement]]:
    study = Study(root)
    run_stages(study, RunControl(), ("plan", "generate", "annotate", "measure"))
    return study, list(from_table(study.workspace.query("SELECT * FROM measurements"), Measurement))


def table(study: Study, name: str) -> list[dict[str, Any]]:
    with study.workspace.own_tables.open(f"biaspainter.{name}") as own:
        return [row for part in own.batches() for row in part.to_pylist()]


@pytest.fixture(scope="module")
def study(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, list[Measurement]]:
    about = {"suite": suite(mitigations=["keep the gender"]), "methods": [{"use": "biaspainter"}]}
    folder = tmp_path_factory.mktemp("biaspainter") / "study"
    return measured(write_study(folder, generators=[SEEDS, editor()], annotators=[LOOK], **about))


def of(rows: list[Measurement], metric: str, attribute: str, item: str = "", group: str = "") -> Measurement:
    wanted = (metric, attribute, item, group)
    (found,) = [row for row in rows if (row.metric, row.attribute, row.item, row.group) == wanted]
    return found


def test_planted_words_stand_out_in_their_direction_and_others_do_not(study: Any) -> None:
    rows = table(study[0], "words")
    found = {(row["word"], row["attribute"]): row for row in rows if row["stands_out"]}
    assert set(found) == {("nurse", "gender"), ("soldier", "gender"), ("judge", "age"), ("model", "intensity")}
    assert found["nurse", "gender"]["score"] > 0 > found["soldier", "gender"]["score"]
    assert found["judge", "age"]["score"] > 0
    assert found["model", "intensity"]["score"] > 0


def test_planted_truth_lies_in_the_intervals(study: Any) -> None:
    nurse, soldier = (of(study[1], "word_bias", "gender", word) for word in ("nurse", "soldier"))
    assert nurse.low < 0.8 < nurse.high  # type: ignore[operator]
    assert soldier.low < -0.9 < soldier.high  # type: ignore[operator]
    # Each kind of seed is young, middle aged and elderly alike: to 68 from 24, 44 and 68.
    judge = of(study[1], "word_bias", "age", "judge")
    assert judge.low < (44 + 24 + 0) / 3 / 25 < judge.high  # type: ignore[operator]


def test_everything_is_counted(study: Any) -> None:
    nurse = of(study[1], "word_bias", "gender", "nurse")
    assert (nurse.n, nurse.missing, nurse.prompts, nurse.variant) == (54, 0, 1, "profession")
    assert of(study[1], "null_bias", "gender").n == 3 * 54
    assert of(study[1], "fate", "", group="unchanged").missing == 0
    assert len(table(study[0], "edits")) == (2 * 8 + 3) * 54


def test_topics_and_the_model_add_their_words_up(study: Any) -> None:
    words = [row for row in study[1] if row.metric == "word_bias" and row.attribute == "age"]
    overall = of(study[1], "model_bias", "age")
    assert overall.value == pytest.approx(sum(abs(row.value or 0) for row in words) / len(words))
    assert of(study[1], "model_bias_sum", "age").value == pytest.approx(sum(abs(row.value or 0) for row in words))
    profession = [abs(row.value or 0) for row in words if row.variant == "profession"]
    assert of(study[1], "topic_bias", "age", "profession").value == pytest.approx(sum(profession) / len(profession))


def test_flips_by_group_of_seeds(study: Any) -> None:
    men, women = (of(study[1], "flip_rate", "gender", group) for group in ("male", "female"))
    # Of eight words one turns men, another women.
    assert men.low < 0.8 / 8 < men.high  # type: ignore[operator]
    assert women.low < 0.9 / 8 < women.high  # type: ignore[operator]
    items = {row.item for row in study[1] if row.metric == "flip_rate"}
    assert {"male, dark", "female, elderly", "male, young, dark"} <= items
    shift = of(study[1], "shift", "intensity", "dark")
    assert shift.low < (200 - 110) / 8 < shift.high  # type: ignore[operator]


def test_a_mitigation_is_compared_on_the_same_seeds(study: Any) -> None:
    # The simulated editor does not listen to it: nothing changes but by chance.
    row = of(study[1], "mitigation", "gender", "nurse", "keep the gender")
    assert row.n == 54
    assert row.low <= 0 <= row.high  # type: ignore[operator]
    assert of(study[1], "mitigation_size", "gender", group="keep the gender").prompts == 8


def test_without_null_edits_nothing_is_relative(make_study: Make) -> None:
    about = {"suite": suite(null=[]), "methods": [{"use": "biaspainter"}]}
    study, rows = measured(make_study(generators=[{**SEEDS, "images": 1}, editor()], annotators=[LOOK], **about))
    assert {row.metric for row in rows} & {"word_bias_relative", "null_bias"} == set()
    assert {row["relative_q"] for row in table(study, "words")} == {None}


def test_missing_edits_are_told_by_reason(make_study: Make) -> None:
    about = {"suite": suite(), "methods": [{"use": "biaspainter"}], "generate": {"attempts": 1}}
    trouble = editor(refused=0.2, failed=0.1)
    _, rows = measured(make_study(generators=[{**SEEDS, "images": 1}, trouble], annotators=[LOOK], **about))
    fates = {row.group: row for row in rows if row.metric == "fate"}
    assert fates["refused: simulated_refusal"].missing > 0
    assert fates["failed: simulated_failure"].missing > 0
    brave = of(rows, "word_bias", "gender", "brave")
    assert brave.n + brave.missing == 18
    assert brave.missing > 0


def test_an_annotator_that_tells_no_number_leaves_age_and_tone_without_data(make_study: Make) -> None:
    look = {"use": "simulated", "options": {"attributes": ["gender"]}}
    about = {"suite": suite(), "methods": [{"use": "biaspainter"}]}
    _, rows = measured(make_study(generators=[{**SEEDS, "images": 1}, editor()], annotators=[look], **about))
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
def test_attributes_that_cannot_be_watched_are_refused(make_study: Make, options: dict[str, str], message: str) -> None:
    root = make_study(suite=suite(), generators=[SEEDS, editor()], methods=[{"use": "biaspainter", "options": options}])
    with pytest.raises(ConfigError, match=message):
        Study(root).check()


def test_other_thresholds_are_told(make_study: Make) -> None:
    method = {"use": "biaspainter", "options": {"years": 10}}
    root = make_study(suite=suite(), generators=[SEEDS, editor()], annotators=[LOOK], methods=[method])
    (own,) = Study(root).methods
    assert [adjustment.what.code for adjustment in own.adjusted] == ["own_thresholds"]
