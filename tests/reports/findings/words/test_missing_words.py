"""What is missing of a model's pictures, in its own box."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from portrayal.language.translation import NBSP
from portrayal.records import Measurement
from portrayal.reports.findings.words.missing_words import missing_lines

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, StudyOf


def lost(reason: str, missing: int, n: int, item: str = "", **more: Any) -> Measurement:
    level = "term" if item else "overall"
    return Measurement(
        "representation", "missing", "g", "a", group=reason, level=level, item=item, n=n, missing=missing, **more
    )


def lines(study: StudyOf, *rows: Measurement) -> list[str]:
    asked = {"g": {"nurse": 30, "diver": 30}}
    data = study(*rows, outcomes={"g": {"made": 57, "refused: policy": 3}}, asked=asked)
    return [line.replace(NBSP, " ") for line in missing_lines(data, "g")]


def test_reasons_and_the_worst_term_are_named(study: StudyOf) -> None:
    rows = [
        lost("no_face", 10, 60), lost("refused: policy", 3, 60),
        lost("no_face", 10, 30, "diver"), lost("refused: policy", 3, 30, "nurse"),
    ]  # fmt: skip
    assert lines(study, *rows) == [
        "13 of 60 pictures do not count (no face 10, refused: policy 3). “diver” lost most: 10 of 30."
    ]


def test_no_term_is_named_where_all_lost_about_as_many(study: StudyOf) -> None:
    """ "Most of them in “nurse”: 22 of 40" stood there though the other term had lost 22, too."""
    rows = [lost("no_face", 13, 60), lost("no_face", 7, 30, "diver"), lost("no_face", 6, 30, "nurse")]
    assert lines(study, *rows) == ["13 of 60 pictures do not count (no face 13)."]


def test_languages_and_ways_of_asking_are_added_up(study: StudyOf) -> None:
    """Of a study in two languages one language's refusals were said to be all."""
    cells = [("en", "direct", 4), ("de", "direct", 5), ("de", "feminine", 6), ("en", "", 4), ("de", "", 5)]
    rows = [lost("refused", number, 20, language=code, variant=way) for code, way, number in cells]
    assert lines(study, *rows) == ["15 of 60 pictures do not count (refused 15)."]


def test_one_picture_is_one(study: StudyOf) -> None:
    assert lines(study, lost("no_face", 1, 60), lost("no_face", 1, 30, "diver")) == [
        "1 of 60 pictures does not count (no face), in “diver”."
    ]


def test_many_reasons_are_added_up(study: StudyOf) -> None:
    rows = [
        lost(name, 10 - place, 60) for place, name in enumerate(("no_face", "tiny_face", "tie", "pending", "other"))
    ]
    (line,) = lines(study, *rows)
    assert "(no face 10, tiny face 9, tie 8, others 13)" in line


def test_without_rows_about_it_what_was_not_made_is_missing(study: StudyOf, share: Row) -> None:
    assert lines(study, share()) == ["3 of 60 pictures do not count (refused: policy 3)."]


def test_attributes_and_other_models_are_no_pictures(study: StudyOf) -> None:
    of_age, other = replace(lost("tie", 5, 60), attribute="age3"), replace(lost("no_face", 5, 60), generator="h")
    assert lines(study, of_age, other) == [
        "3 of 60 pictures do not count (refused: policy 3).",
        "5 of 60 pictures could not be judged by perceived age group.",
    ]


def test_none_is_said_to_be_missing_only_where_the_annotator_could_judge_all(study: StudyOf) -> None:
    """An annotator said nothing of 152 pictures, not even why: beside that stood "None of 662 pictures"."""
    made = {"outcomes": {"g": {"made": 60}}, "asked": {"g": {"nurse": 60}}}
    assert missing_lines(study(**made), "g") == [f"None of 60{NBSP}pictures."]
    assert missing_lines(study(**made, judged={"a": 60}, perceived={"a": 59}), "g") == []


def test_prompts_that_do_not_count_are_not_said_to_be_judged(study: StudyOf) -> None:
    """Of 60 pictures none could be judged by age, and the page said 40 of 60: the others ask for women themselves."""
    cells = [replace(lost("no_age", 20, 20, language=code), attribute="age3") for code in ("en", "de")]
    assert "40 of 40 pictures could not be judged by perceived age group." in lines(study, *cells)


def test_pictures_of_nobody_that_a_method_sets_aside_are_not_said_to_be_there(study: StudyOf, share: Row) -> None:
    """Of 60 pictures that all show nobody the page said that none of 60 is missing."""
    outcomes = {"g": {"made": 60}}
    rate = Measurement("faintbench", "hallucination_rate", "g", "a", value=0.25, n=60)
    score = Measurement("faintbench", "explicit_score", "g", "a", value=0.5, n=45, missing=15)
    assert missing_lines(study(rate, score, outcomes=outcomes), "g")[0].replace(NBSP, " ") == (
        "15 of 60 pictures show nobody, and are in no other score."
    )
    weighted = replace(rate, value=0.2512)
    assert missing_lines(study(weighted, outcomes=outcomes), "g")[0].startswith("25")
    assert missing_lines(study(score, outcomes=outcomes), "g") == []
    none = replace(rate, value=0.0)
    assert missing_lines(study(none, share(), outcomes=outcomes), "g")[0].replace(NBSP, " ") == "None of 60 pictures."
