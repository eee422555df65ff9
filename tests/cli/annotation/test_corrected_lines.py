"""Corrected shares in a terminal: a summary, then what does not survive first."""

from __future__ import annotations

from typing import Any

from portrayal.cli.annotation.corrected_lines import lines, score_lines, sign_lines

DOUBTS = {"uneven": False, "chosen": False, "wide": False}


def row(item: str, finding: str | None, **more: Any) -> dict[str, Any]:
    about = {"method": "m", "generator": "g", "annotator": "a", "attribute": "gender", "group": "female"}
    place = {"level": "term", "item": item, "language": "", "variant": "", "by": "matrix"}
    numbers = {"value": 0.4, "low": 0.3, "high": 0.45, "target": 0.5, "labels": 80, "decides": True, **DOUBTS}
    corrected = {"corrected": 0.5, "corrected_low": 0.4, "corrected_high": 0.6, "finding": finding}
    return {**about, **place, **numbers, **corrected, **more}


def test_what_does_not_survive_comes_first() -> None:
    text = list(lines([row("CEO", "stands"), row("nurse", "gone"), row("chef", "appears"), row("judge", None)]))
    assert text[0] == (
        "Deviations from a reference by single 95 % intervals: 2; 1 survives the correction, 1 does not, 0 change "
        "sides, 1 appears."
    )
    assert [line.split()[1] for line in text[3:]] == ["nurse", "chef", "CEO", "judge"]
    assert "0.40 (0.30 to 0.45)  0.50 (0.40 to 0.60)  confusion matrix  80      0.50       does not survive" in text[3]


def test_of_two_ways_the_one_that_decides_is_shown_and_of_two_groups_one() -> None:
    both = [
        row("CEO", "gone", group=group, by=by, decides=by == "sample") for by in ("matrix", "sample") for group in "mf"
    ]
    table = list(lines(both))[3:]
    assert len(table) == 1
    assert "gender: f " in table[0]
    assert "labelled sample" in table[0]


def test_too_few_labels_are_said() -> None:
    text = list(lines([row("CEO", "gone", decides=False, labels=12, corrected=None)]))
    assert text[0] == "Too few labels to decide anything by: 12; label at least 30 images."
    assert "unknown (0.40 to 0.60)" in text[-1]
    assert text[-1].rstrip().endswith("not decided by this")
    assert not any("survive" in line for line in text)


def test_labels_that_were_chosen_decide_nothing_and_that_is_said() -> None:
    text = list(
        lines([row("CEO", "gone", decides=False, chosen=True), row("chef", "gone", decides=False, chosen=True)])
    )
    assert text[0].startswith("The labelled images were not chosen at random: a reads perceived gender there in other")
    assert not any("Too few" in line or "survive" in line for line in text)
    assert sum("not chosen at random" in line for line in text) == 1


def test_errors_that_differ_between_prompts_are_said_instead_of_too_few_labels() -> None:
    text = list(
        lines([row("CEO", "gone", decides=False, uneven=True), row("chef", "gone", decides=False, uneven=True)])
    )
    assert text[0].startswith("The errors of a on perceived gender differ between prompts or models")
    assert "Too few" not in "".join(text)
    assert sum("differ between" in line for line in text) == 1


def test_several_annotators_are_named() -> None:
    rows = [row("CEO", "gone"), row("CEO", "stands", annotator="b")]
    assert list(lines(rows))[2].startswith("annotator")
    assert list(lines(rows[:1]))[2].startswith("model")


def test_distances_are_told_with_those_that_do_not_survive_first_and_at_most_where_0_is_possible() -> None:
    about: dict[str, Any] = {"group": "", "metric": "total_variation"}
    gone = row("nurse", "gone", **about, corrected_low=0.0)
    text = list(score_lines([row("CEO", "stands", **about), gone, row("chef", "gone"), row("judge", None, **about)]))
    assert text[1] == (
        "Distances from a reference by single 95 % intervals: 2; 1 survives the correction, 1 does not, 0 appear."
    )
    assert [line.split()[2] for line in text[4:]] == ["nurse", "CEO"]
    assert "gender: total variation  0.40 (0.30 to 0.45)  at most 0.60" in text[4]
    assert list(score_lines([row("chef", "gone", metric="difference")])) == []


def test_a_distance_without_a_bound_is_at_least() -> None:
    open_ = row("CEO", "stands", group="", metric="mean_total_variation", corrected_high=None)
    assert "at least 0.40" in list(score_lines([open_]))[-1]


def test_an_interval_that_is_wider_than_it_need_be_has_the_sign_and_it_is_explained() -> None:
    text = list(lines([row("CEO", "stands", wide=True), row("nurse", "stands")]))
    assert [("0.60)\N{SUPERSCRIPT PLUS SIGN}" in line) for line in text[3:]] == [True, False]
    [_, meaning] = sign_lines(text)
    assert meaning.startswith("\N{SUPERSCRIPT PLUS SIGN} This interval is wider than it need be")
    assert list(sign_lines(list(lines([row("CEO", "stands")])))) == []
