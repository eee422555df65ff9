"""Shares over all prompts: which prompts they are about, and on which side of the reference they surely lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from portrayal.records import Measurement
from portrayal.reports import ReportData
from portrayal.reports.reading_errors import ReadingErrors

Row = Callable[..., Measurement]
StudyOf = Callable[..., ReportData]
Said = Callable[[ReportData], str]
GERMAN: dict[str, Any] = {"method": "magbig", "level": "overall", "item": "", "language": "de", "reference": "uniform"}
FEMININE: dict[str, Any] = {"requesting": {"eine Chefin"}, "languages": {"eine Chefin": "de"}}


@pytest.mark.parametrize(
    ("seen", "side"),
    [
        (130, "; fewer than the 50 % that the reference says."),
        (370, "; more than the 50 % that the reference says."),
        (240, "; the reference says 50 %."),
    ],
)
def test_the_side_of_the_reference_is_said_where_it_is_sure(
    seen: int, side: str, share: Row, study: StudyOf, said: Said
) -> None:
    line = said(study(share(seen, 500, 0.5, **GERMAN))).split("Perceived gender (German): over all prompts, ")[1]
    assert line.split(side)[0].endswith(" %)"), line[:200]


def test_what_the_annotator_may_have_made_is_on_no_side(share: Row, study: StudyOf, said: Said) -> None:
    row = share(130, 500, 0.5, **GERMAN)
    errs = ReadingErrors("labels", {("female", "male"): 60, ("female", "female"): 40, ("male", "male"): 100})
    assert "; fewer than the 50 %" in said(study(row))
    assert "; fewer than the 50 %" not in said(study(row, errors={("a", "gender"): errs}))


def test_where_some_prompts_ask_for_a_group_the_share_is_of_the_neutral_ones(
    share: Row, study: StudyOf, said: Said
) -> None:
    rows = [share(130, 500, 0.5, **GERMAN), share(500, 500, None, **{**GERMAN, "variant": "feminine"})]
    plain, asking = said(study(rows[0])), said(study(*rows, **FEMININE))
    assert "(German): over all prompts, 26 % of 500 pictures show a woman" in plain
    assert "(German): over all neutral wordings, 26 % of 500 pictures show a woman" in asking
    assert "over all prompts" not in asking
    assert "neutral" not in plain
    assert "over all neutral wordings" in said(study(*rows))  # imported prompts do not say whom they ask for


def test_models_side_by_side_say_so_too(share: Row, study: StudyOf, said: Said) -> None:
    rows = [share(seen, 500, 0.5, generator=name, **GERMAN) for name, seen in (("A", 130), ("B", 250))]
    two = study(*rows, generators=["A", "B"])
    assert "Perceived gender (German), female; the reference says 50 %: A 26 %" in said(two)
    asking = said(replace(two, **FEMININE))
    assert "Perceived gender (German, neutral wordings), female; the reference says 50 %: A 26 %" in asking


def test_shares_of_a_method_that_counts_all_prompts_alike_are_of_all(share: Row, study: StudyOf, said: Said) -> None:
    text = said(study(share(130, 500, 0.5, level="overall", item=""), **FEMININE))
    assert "Perceived gender: over all prompts, 26 %" in text


@pytest.mark.parametrize(("sections", "link"), [((), " All measurements"), (("magbig",), "")])
def test_terms_that_are_not_listed_are_counted(
    sections: tuple[str, ...], link: str, share: Row, study: StudyOf, said: Said
) -> None:
    """A page said that they stand in the charts below, where no chart of the method has single terms."""
    terms = [share(3, 6, None, method="magbig", language="de", item=f"job {n}") for n in range(11)]
    text = said(study(share(130, 500, 0.5, **GERMAN), *terms, sections=sections))
    assert f"3 more are not listed here.{link} " in text
    assert ("All measurements" in text) is bool(link)
