from __future__ import annotations

from dataclasses import replace

from portrayal.language.translation import NBSP
from portrayal.methods.representation.report.section import RepresentationContent, RepresentationSection
from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData


def test_prompts_that_ask_for_a_group_themselves_are_said_to_count() -> None:
    """Four of 28 prompts asked for women, and the page called 56 % women a deviation without a word about them."""
    row = Measurement("representation", "share", "g", "a", "gender", "female", value=0.56, target=0.5, n=100)
    prompts = [("nurse", "", f"a nurse {number}") for number in range(28)]
    data = ReportData("T", ["g"], ["a"], prompts, 1, {"gender": attribute_table()["gender"]}, [row], {}, {})
    (line,) = RepresentationSection().unknown(replace(data, requested={"gender": 4, "age3": 2}))
    assert line.replace(NBSP, " ") == (
        "4 of 28 prompts ask for a certain perceived gender themselves, and count like the others."
    )
    assert list(RepresentationSection().unknown(data)) == []


def _looks(*names: str, chosen: tuple[str, ...] = ()) -> RepresentationContent:
    known = attribute_table()
    rows = [
        Measurement(
            "representation", "share" if known[name].groups else "mean", "g", "a", name, group,
            level=level, item=item, value=0.4, low=0.3, high=0.5, n=50, prompts=1,
        )
        for name in names
        for group in known[name].groups or ("",)
        for level, item in (("overall", ""), ("term", "nurse"))
    ]  # fmt: skip
    attributes = {name: known[name] for name in names}
    shown = RepresentationSection().show(
        ReportData("T", ["g"], ["a"], [("nurse", "", "a nurse")], 50, attributes, rows, {}, {}, chosen=chosen)
    )
    assert shown is not None
    assert isinstance(shown.content, RepresentationContent)
    return shown.content


def test_finer_readings_are_folded_beside_the_others() -> None:
    content = _looks("gender", "tone3", "skin_tone", "ita", "intensity")
    folded = {section.id.removeprefix("attribute-") for section in content.attributes if section.folded}
    assert folded == {"skin_tone", "ita", "intensity"}
    ((_, open_, below),) = content.headline.generators
    assert (len(open_), len(below)) == (2, 3)
    assert content.headline.finer is not None


def test_what_is_asked_for_by_name_or_stands_alone_is_not_folded() -> None:
    for content in (_looks("gender", "ita", chosen=("gender", "ita")), _looks("ita", "intensity"), _looks("gender")):
        assert not any(section.folded for section in content.attributes)
        assert content.headline.finer is None
        assert content.headline.overall is not None


def test_a_model_of_which_nothing_could_be_judged_was_measured_all_the_same() -> None:
    """Of 60 pictures of nobody the page said "Not measured for this generator"."""
    known = {"gender": attribute_table()["gender"]}
    seen = Measurement("representation", "share", "g", "a", "gender", "female", value=0.4, low=0.3, high=0.5, n=50)
    lost = replace(seen, generator="h", metric="missing", attribute="", group="no_person", value=1.0, n=60, missing=60)
    data = ReportData("T", ["g", "h", "i"], ["a"], [("nurse", "", "a nurse")], 60, known, [seen, lost], {}, {})
    shown = RepresentationSection().show(data)
    assert shown is not None
    assert isinstance(shown.content, RepresentationContent)
    said = {model: open_[0].data for model, open_, _ in shown.content.headline.generators}
    assert said["h"] == "It has no image that could be judged."
    assert said["i"] == "Not measured for this generator."
