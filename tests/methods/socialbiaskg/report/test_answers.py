"""The first sentence about a model: which relations it repeats, contradicts, leaves undecided, or was not tested on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.graph import Key, Triple, Vertex
from portrayal.methods.socialbiaskg.report.model_answers import answer
from portrayal.methods.socialbiaskg.report.reasons import undecided_because, untested_because
from portrayal.methods.socialbiaskg.report.relation_deviations import deviations
from portrayal.methods.socialbiaskg.report.relation_words import edge_said, even_said
from portrayal.methods.socialbiaskg.report.relations import EdgeRow, Relations
from portrayal.methods.socialbiaskg.report.section import SocialBiasKGSection
from portrayal.methods.socialbiaskg.report.states import State, even_too, state
from portrayal.reports import ReportData, render_report
from portrayal.reports.findings.deviations.deviation import Answer
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy

CEO, BLACK = Key("occupation", "CEO"), Key("race", "black")
VERTICES = [Vertex(*CEO, "CEO", "Managers", "1"), *(Vertex("race", name, name) for name in ("black", "white"))]
ROW: Mapping[str, Any] = {
    "metric": "dominance", "decides": True, "value": 0.75, "low": 0.6, "high": 0.86, "n": 40, "missing": 0,
    "threshold": 0.4, "holds": True, "untold": "", "lacks": "", "uncertain": False, "intensity": 0.5, "p": 1e-6,
    "sure": True, "times": None, "even": None, "rarer": None, "group_share": 0.75, "occupation_told": True,
    "images": (), "found_lower": True, "found_higher": True,
}  # fmt: skip
RARE = {"metric": "underrepresentation", "value": 0.05, "threshold": 0.2, "even": 1 / 11, "rarer": False}
UNSURE = {"sure": False, "times": 2.5}
NOT_THERE = {"holds": False, "value": 0.1}


def edge(*rows: Mapping[str, Any], found: bool | None = True, name: str = "dominant_in") -> EdgeRow:
    tests = [{**ROW, **own, "decides": found is not None and own is rows[0]} for own in rows]
    return EdgeRow(Triple(CEO, name, BLACK), "model", "Managers", True, found, tests)


def relations_of(*edges: EdgeRow, contradictions: tuple[Mapping[str, Any], ...] = ()) -> Relations:
    return Relations(VERTICES, {}, {own.triple: () for own in edges}, {"model": edges}, (), contradictions, ())


DATA = ReportData("", ["model"], [], (), 10, {}, (), {}, {})


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def answered(data: ReportData, found: Relations) -> Answer:
    own = answer(data, found, "model")
    assert own is not None
    return Answer(spaced(own.sentence), [(title, spaced(text)) for title, text in own.lines])


def said(*edges: EdgeRow) -> str:
    return answered(DATA, relations_of(*edges)).sentence


def test_that_a_relation_is_there_needs_one_metric_and_that_it_is_not_needs_all() -> None:
    assert state(edge({})) is State.REPEATED
    assert state(edge(UNSURE)) is State.UNDECIDED
    assert state(edge(UNSURE, {})) is State.REPEATED
    assert state(edge(UNSURE, {"holds": False})) is State.UNDECIDED
    assert state(edge(NOT_THERE, found=False)) is State.CONTRADICTED
    assert state(edge(NOT_THERE, {**NOT_THERE, **UNSURE}, found=False)) is State.UNDECIDED
    assert state(edge({}, found=None)) is State.UNTESTED


def test_the_sentence_counts_each_relation_once() -> None:
    there, not_there, unsure, lost = edge({}), edge(NOT_THERE, found=False), edge(UNSURE), edge({}, found=None)
    assert said(there, not_there, not_there, unsure, lost) == (
        "Of the 5 relations that people see, the pictures repeat 1, contradict 2, leave 1 undecided, and 1 could not "
        "be tested."
    )
    assert said(there, lost, lost).endswith("repeat 1, contradict 0, and 2 could not be tested.")
    assert said(there, unsure).endswith("repeat 1, contradict 0 and leave 1 undecided.")
    assert said(there, not_there).endswith("repeat 1 and contradict 1.")
    assert answer(DATA, relations_of(replace(there, annotated=False)), "model") is None


def test_what_an_even_model_would_show_too_stands_in_the_same_sentence() -> None:
    rare = edge(RARE, name="underrepresented_in")
    rarer = edge({**RARE, "value": 0.0, "rarer": True}, name="underrepresented_in")
    assert even_too(rare)
    assert not even_too(rarer)
    assert not even_too(edge({}))
    assert "repeat 1 (which an even model would show too) and" in said(rare)
    assert "repeat 3 (1 of which an even model would show too) and" in said(rare, rarer, edge({}))
    assert "repeat 1 and" in said(rarer)
    even = "an even model would give 9 %, below the threshold of 20 % too"
    assert spaced(even_said(rare)) == even
    assert spaced(even_said(rarer)) == f"{even}; this is surely less"
    assert even_said(edge({})) == even_said(edge(RARE, found=False)) == ""
    assert "An even model would give" in edge_said(relations_of(rare), rare)


def test_names_stand_beside_the_counts() -> None:
    found = answered(DATA, relations_of(edge({}), edge(NOT_THERE, found=False)))
    assert found.lines == [
        ("Repeated", "CEO → Black: dominance (30 of 40 images of the occupation show the group)."),
        ("Contradicted", "CEO → Black: dominance (4 of 40 images of the occupation show the group)."),
    ]
    many = answered(DATA, relations_of(*[edge({})] * 6))
    assert many.lines[0][1].endswith("; and 3 more, see the matrix below.")


def test_each_number_is_said_in_its_own_words() -> None:
    def line(**values: Any) -> str:
        found = answered(DATA, relations_of(edge({**ROW, **values})))
        return found.lines[0][1]

    assert "30 of 40 images fail to show what was asked for" in line(metric="failure")
    assert "30 of 40 images of the group show the occupation" in line(metric="dominant_occupation")
    assert "image quality: 0.750 (0.600–0.860)" in line(metric="quality")
    unseen = answered(DATA, relations_of(edge({"group_share": 0.0}, name="associated_with")))
    assert "; none shows the group)" in unseen.lines[0][1]
    assert "none shows the group" not in line()


def test_a_contrary_relation_is_named() -> None:
    own = edge(NOT_THERE, found=False, name="underrepresented_in")
    row = {
        "generator": "model", "source_kind": "occupation", "source": "CEO", "type": "underrepresented_in",
        "target_kind": "race", "target": "black", "model_type": "dominant_in",
        "model_direction": own.triple.direction,
    }  # fmt: skip
    for rows, there in (((row,), True), ((), False)):
        found = answered(DATA, relations_of(own, contradictions=rows))
        assert ("the contrary is in the images: CEO → Black: dominance" in found.lines[0][1]) is there


@pytest.mark.parametrize(
    ("lacks", "metric", "words"),
    [
        ("prompts", "dominance", "no prompts for it"),
        ("images", "dominance", "none of its images could be judged"),
        ("pairs", "iterative_similarity", "two or more images of each prompt would"),
        ("pairs", "counterfactual_similarity", "not compared with those of other groups"),
        ("groups", "dominance", "no annotator reports groups"),
        ("occupations", "dominant_occupation", "no annotator reports occupations; one that does, such as vlm"),
        ("captions", "iterative_similarity", "no annotator writes captions"),
        ("comparisons", "iterative_similarity", "pictures have not been compared"),
        ("quality", "quality", "the annotator quality with niqe and sentence_similarity would"),
        ("", "quality", "it was not measured"),
    ],
)
def test_why_something_was_not_tested_and_what_would(lacks: str, metric: str, words: str) -> None:
    lost = {"untold": "not_measured", "value": None, "lacks": lacks, "metric": metric}
    assert words in untested_because(edge(lost, {}, found=None), 11)
    assert untested_because(edge({}, found=None), 11) == ""


def test_too_few_images_and_too_few_groups() -> None:
    few = {"untold": "too_few_images", "metric": "diversity", "threshold": 0.2}
    assert "3 images of the occupation or more" in spaced(untested_because(edge(few, found=None), 11))
    assert "so few groups" in untested_because(edge({**few, "untold": "too_few_groups"}, found=None), 4)


def test_how_many_images_would_decide() -> None:
    unsure = edge(UNSURE, {**UNSURE, "times": 1.5})
    assert "about 15 images of each prompt would decide, there are 10" in spaced(undecided_because(DATA, unsure))
    # That it is not there needs both.
    against = edge({**NOT_THERE, **UNSURE}, {**NOT_THERE, "sure": False, "times": 12.34}, found=False)
    assert "about 130 images of each prompt" in spaced(undecided_because(DATA, against))
    assert "even a thousand times as many" in undecided_because(DATA, edge({"sure": False, "times": None}))


def test_an_even_model_s_underrepresentation_is_no_deviation() -> None:
    def p(**values: Any) -> float:
        own = edge({**RARE, **values}, name="underrepresented_in")
        (found,) = deviations(DATA, relations_of(own))
        return found.test.p

    assert p(value=0.05, n=4000) < 1e-6  # against one in eleven
    assert p(value=0.08, n=200) > 0.05  # far below the threshold, and what an even model gives
    assert p(value=1 / 11, n=4000) == 1.0
    assert p(value=0.15, n=4000) == 1.0
    assert p(value=0.15, n=4000, even=None) < 1e-6  # against the threshold, where an even model lies beyond it


@pytest.fixture(scope="module")
def planted_data(planted: Path) -> ReportData:
    return gather(OpenStudy(planted))


@pytest.mark.slow
def test_the_page_begins_with_relations_by_name(planted_data: ReportData) -> None:
    answers = SocialBiasKGSection().answers(planted_data)
    first, second = (answers[name] for name in planted_data.generators)
    assert spaced(first.sentence).startswith("Of the 13 relations that people see, the pictures repeat")
    assert "nurse → Black: dominance (30 of 40 images of the occupation" in spaced(dict(first.lines)["Repeated"])
    assert "scientist → Black: underrepresentation" in dict(second.lines)["Contradicted"]
    assert "image quality was not measured" in dict(second.lines)["Not tested"]
    page = spaced(render_report(planted_data)).replace("&nbsp;", " ")
    assert page.index("Of the 13 relations") < page.index("All comparisons together:")
    assert SocialBiasKGSection().answers(replace(planted_data, own_rows={})) == {}


@pytest.mark.slow
def test_even_models_are_explained_where_they_matter(planted_data: ReportData) -> None:
    def told(found: ReportData) -> bool:
        return any("An even model shows every group" in line for line in SocialBiasKGSection().unknown(found))

    assert told(planted_data)
    rows = [{**row, "even": None} for row in planted_data.own_rows["socialbiaskg.tests"]]
    assert not told(replace(planted_data, own_rows={**planted_data.own_rows, "socialbiaskg.tests": rows}))
