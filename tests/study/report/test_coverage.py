"""A reference that covers none of a study's terms is named: when it runs, and in its report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.records import UncoveringReference
from portrayal.study.report.coverage import coverage_remarks, uncovering_references
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
OWN = "term,attribute,group,share,source\nbeekeeper,gender,female,0.4,me\nbeekeeper,gender,male,0.6,me\n"


def with_reference(make_study: Make, reference: str, text: str = OWN) -> OpenStudy:
    method = {"use": "representation", "options": {"references": {"gender": reference}}}
    root = make_study(methods=[method])
    (root / "own.csv").write_text(text, encoding="utf-8")
    return OpenStudy(root)


@pytest.mark.slow
def test_a_reference_that_covers_no_term_is_named_before_the_work_and_in_the_report(make_study: Make) -> None:
    study = with_reference(make_study, "own.csv")
    remarks: list[str] = []
    page = run_stages(study, RunControl(remark=remarks.append)).read_text(encoding="utf-8")
    assert remarks == [
        "reference 'own.csv' (gender) covers 0 of 2 terms of this study, so nothing is compared with it; "
        "it covers 1, such as 'beekeeper'"
    ]
    assert uncovering_references(study) == [UncoveringReference("own.csv", ("gender",), 2, 1, ("beekeeper",))]
    text = page.replace("\N{NO-BREAK SPACE}", " ")
    assert "the reference “own.csv” for perceived gender covers 0 of 2 terms of this study." in text
    assert "It covers 1 other, such as “beekeeper”." in text


@pytest.mark.parametrize(
    ("reference", "text"), [("own.csv", OWN.replace("beekeeper", "nurse")), ("uniform", ""), ("none", "")]
)
def test_references_that_cover_a_term_or_are_none_are_not_named(make_study: Make, reference: str, text: str) -> None:
    study = with_reference(make_study, reference, text)
    run_stages(study, RunControl(), ("plan",))
    assert coverage_remarks(study) == []
