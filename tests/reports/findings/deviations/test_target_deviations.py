"""Rows with a target are compared with it, also of methods whose section says nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from portrayal.language.translation import NBSP
from portrayal.records import Measurement
from portrayal.reports.findings.deviations.target_deviations import target_deviations
from portrayal.reports.section import NamedSection, Section, item_words
from portrayal.stats.targets.target import NumberTest, ShareTest

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, StudyOf


def score(**more: Any) -> Measurement:
    values = {"value": 0.8, "low": 0.7, "high": 0.9, "target": 0.5, "level": "overall", "reference": "census"}
    return Measurement("roles", "leading_roles", "g", "a", **{**values, **more})


def found(study: StudyOf, *rows: Measurement) -> Iterator[tuple[str, str]]:
    for deviation in target_deviations(study(*rows), "roles", item_words):
        statement = deviation.word()
        yield statement.about.replace(NBSP, " "), statement.sentence.replace(NBSP, " ")


def test_a_number_is_compared_with_its_target(study: StudyOf) -> None:
    assert list(found(study, score())) == [("Overall · leading roles", "0.80; the reference says 0.50")]
    (deviation,) = target_deviations(study(score()), "roles", item_words)
    assert isinstance(deviation.test, NumberTest)
    assert deviation.broad
    assert deviation.word().basis.replace(NBSP, " ") == "95 % interval 0.70–0.90, reference: census"


def test_a_share_has_the_exact_test_of_its_images(study: StudyOf, share: Row) -> None:
    row = share(6, 60, 0.4, method="roles")
    (deviation,) = target_deviations(study(row), "roles", item_words)
    assert deviation.test == ShareTest(0.1, 60.0, 0.4)
    assert list(found(study, row)) == [("CEO · perceived gender, female", "10 %; the reference says 40 %")]


@pytest.mark.parametrize("gap", ["value", "low", "high", "target"])
def test_what_lacks_a_number_is_not_compared(study: StudyOf, gap: str) -> None:
    assert list(found(study, score(**{gap: None}))) == []


def test_other_methods_rows_are_theirs(study: StudyOf, share: Row) -> None:
    assert list(found(study, share())) == []


def test_a_section_that_brings_no_deviations_has_those_of_its_rows(study: StudyOf) -> None:
    """The page said that nothing was compared, beside the reference lines of its own charts."""
    assert len(list(NamedSection("roles", "portrayal", Section()).deviations(study(score())))) == 1

    class Silent(Section):
        def deviations(self, data: object) -> tuple[()]:
            return ()

    assert list(NamedSection("roles", "portrayal", Silent()).deviations(study(score()))) == []
