"""A page says of annotators only what they did."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.sections.annotators_used import lead, lookers

NAMES = ["faces@1", "imported:humans"]


def study(*names: str, **more: Any) -> ReportData:
    values: dict[str, Any] = {"outcomes": {"g": {"made": 12}}, **more}
    attributes = {name: attribute_table()[name] for name in ("gender", "age")}
    return ReportData("T", ["g"], names, [("nurse", "", "a nurse")], 12, attributes, values.pop("measurements", []),
                      values.pop("outcomes"), {}, **values)  # fmt: skip


COMPARED = [Measurement("m", "share", "g", "faces@1", "gender", value=0.5, target=0.5, reference="uniform")]


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("judged", "perceived", "told"),
    [
        ({}, {}, "12 images, at which nobody has looked yet."),
        ({"faces@1": 12}, {}, "12 images, none of which an annotator could judge."),
        ({"faces@1": 12}, {"faces@1": 9}, "what one annotator perceived in 9 pictures, against"),
        (dict.fromkeys(NAMES, 12), dict.fromkeys(NAMES, 9), "what 2 annotators perceived in 9 pictures, against"),
        (dict.fromkeys(NAMES, 12), {"faces@1": 9, "imported:humans": 1}, "what 2 annotators perceived in 1 to 9 pict"),
    ],
)
def test_the_lead_tells_in_how_many_pictures_anything_was_perceived(
    judged: dict[str, int], perceived: dict[str, int], told: str
) -> None:
    sources = {"uniform": ""}
    data = study(*NAMES, judged=judged, perceived=perceived, reference_sources=sources, measurements=COMPARED)
    assert plain(lead(data, 12, 12)).startswith(f"How g portrays people: {told}")
    assert told in plain(render_report(data))


@pytest.mark.parametrize(
    ("perceived", "told"),
    [
        ({"faces@1": 9}, "what one annotator perceived in 9 different pictures, with"),
        (dict.fromkeys(NAMES, 9), "what 2 annotators perceived in 9 different pictures, with"),
        ({"faces@1": 9, "imported:humans": 1}, "what 2 annotators perceived in 1 to 9 different pictures, with"),
    ],
)
def test_pictures_that_were_made_several_times_are_said_to_be_counted_once(
    perceived: dict[str, int], told: str
) -> None:
    """Of 288 images 269 were different: the lead said 268 pictures, and a finding below it 282."""
    data = study(*NAMES, judged=dict.fromkeys(NAMES, 10), perceived=perceived)
    for more in ({"distinct": {"g": 10}}, {"distinct": {"g": 12}, "shared": [("g", "h", 2)]}):
        assert told in plain(lead(replace(data, **more), 12, 12))
    assert "different" not in lead(replace(data, distinct={"g": 12}), 12, 12)


def test_the_lead_names_a_reference_only_where_there_is_one() -> None:
    data = study("faces@1", judged={"faces@1": 9}, perceived={"faces@1": 9})
    assert "what one annotator perceived in 9 pictures, with the uncertainty" in plain(lead(data, 12, 12))


def test_a_study_without_models_without_images_or_about_things_is_not_said_to_show_people() -> None:
    nobody = ReportData("T", [], ["imported:people"], [], 0, {}, [], {}, {})
    assert lead(nobody, 0, 0) == "No image has been asked for or brought in yet."
    assert "No image has been asked for or brought in yet." in render_report(nobody)
    refused = study("faces@1", outcomes={"g": {"refused: content_policy": 24}})
    assert plain(lead(refused, 24, 0)) == (
        "How g portrays people: nothing can be said, since none of 24 images exists."
    )
    assert lead(study("faces@1"), 12, 12, people=False).startswith("What g draws: ")


def test_only_who_looked_is_said_to_have_looked() -> None:
    assert lookers(study("faces@1", judged={"faces@1": 3})) == "The images were looked at by faces@1."
    assert lookers(study(*NAMES, judged={"faces@1": 3, "imported:humans": 0})) == (
        "The images were looked at by faces@1. No annotation has come from imported:humans yet."
    )
    assert lookers(study("faces@1", judged={"faces@1": 0})) == (
        "The images were looked at by no annotator. No annotation has come from faces@1 yet."
    )


def test_attributes_without_data_are_all_usable_in_no_image() -> None:
    rows = [
        Measurement("representation", metric, "g", "faces@1", attribute, missing=12)
        for metric, attribute in (("share", "gender"), ("mean", "age"))
    ]
    page = render_report(study("faces@1", measurements=rows))
    assert page.count('<td class="r">12</td><td class="r">12</td><td class="r">0</td><td class="r">0</td>') == 1


def test_prompts_of_imported_images_were_not_sent() -> None:
    assert "Every prompt, as it was sent" in render_report(study("faces@1"))
    page = render_report(study("faces@1", imported=["g"]))
    assert "as it was sent" not in page
    assert "Every prompt of which images were asked for or imported" in page


@pytest.mark.parametrize(("rows", "told"), [(COMPARED, True), ([], False)])
def test_a_reference_is_named_only_where_anything_is_compared_with_it(rows: list[Measurement], told: bool) -> None:
    about = {"reference_sources": {"uniform": "", "none": "no comparison"}, "measurements": rows}
    data = study(*NAMES[:1], judged={"faces@1": 12}, perceived={"faces@1": 12}, **about)
    assert ("against a reference" in lead(data, 12, 12)) is told
    assert lead(data, 12, 12).endswith("with the uncertainty of every number and the reason for every missing image.")


def test_an_attribute_that_stands_in_the_tables_is_not_called_without_data() -> None:
    rows = [Measurement("m", "shift", "g", "faces@1", "age", value=0.5)]
    page = plain(render_report(study(*NAMES[:1], judged={"faces@1": 12}, measurements=rows)))
    assert "Not measured in this report: perceived gender." in page
    assert "Not measured in this report: perceived gender and perceived age" in plain(render_report(study(*NAMES[:1])))


def test_the_lead_names_models_as_study_toml_does() -> None:
    data = replace(study(), generators=["B", "A"], declared=["A", "B"])
    assert lead(data, 12, 12).startswith("How A and B portray people:")
