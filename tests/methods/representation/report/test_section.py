from __future__ import annotations

from dataclasses import replace

from portrayal.language.translation import NBSP
from portrayal.methods.representation.report.section import RepresentationSection
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
