"""``[measure] intersections``: shares, distances, findings and comparisons of attributes together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.errors import ConfigError
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
AGES = {"age3": {"young": 0.6, "middle_aged": 0.3, "elderly": 0.1}}


def _study(make_study: Make, report: dict[str, Any] | None = None) -> Study:
    generators = [
        {
            "use": "simulated",
            "name": name,
            "images": 60,
            "options": {
                "pixels": False,
                "refused": 0.1,
                "shares": {"gender": {"female": women, "male": 1 - women}, **AGES},
            },
        }
        for name, women in (("A", 0.95), ("B", 0.2))
    ]
    methods = [{"use": "representation", "options": {"references": {"gender+age3": "uniform"}}}]
    folder = make_study(
        generators=generators, methods=methods, measure={"intersections": [["gender", "age3"]]}, report=report or {}
    )
    return Study(folder)


def test_shares_are_those_of_the_images_and_are_compared(make_study: Make) -> None:
    study = _study(make_study)
    page = study.run(progress=False).read_text()
    seen = Counter(
        f"{row['gender']} × {row['age3']}"
        for row in study.images(model="A", term="nurse")
        if row["gender"] and row["age3"]
    )
    assert seen
    rows = study.measurements(attribute="gender+age3", term="nurse", model="A", metric="share")
    assert {row["group"]: round(row["value"] * row["n"]) for row in rows if row["value"]} == dict(seen)
    assert {row["target"] for row in rows} == {1 / 6}
    assert all(row["missing"] > 0 for row in rows)
    assert {row["metric"] for row in study.measurements(attribute="gender+age3")} >= {"share", "total_variation"}
    different = [row["group"] for row in study.compare() if row["attribute"] == "gender+age3"]
    assert "female × young" in different
    assert "show a person perceived as female × young" in page


def test_the_page_speaks_german_and_can_show_it_alone(make_study: Make) -> None:
    study = _study(make_study, {"language": "de", "attributes": ["gender+age3"]})
    page = study.run(progress=False).read_text()
    assert 'id="attribute-gender+age3"' in page
    assert 'id="attribute-gender"' not in page
    assert "weiblich × jung" in page


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (["gender"], "two or more"),
        (["gender", "gender"], "two or more"),
        (["gender", "age33"], "did you mean 'age3'"),
        (["gender", "age"], "no annotator of this study tells groups of 'age'"),
    ],
)
def test_what_cannot_be_counted_together_is_one_line(make_study: Make, parts: list[str], said: str) -> None:
    study = OpenStudy(make_study(measure={"intersections": [parts]}))
    with pytest.raises(ConfigError, match=said):
        study.check()


def test_no_annotator_is_taken_for_another(make_study: Make) -> None:
    annotators = [
        {"use": "simulated", "options": {"attributes": ["gender"]}},
        {"use": "simulated", "options": {"attributes": ["age3"]}},
    ]
    study = OpenStudy(make_study(annotators=annotators, measure={"intersections": [["gender", "age3"]]}))
    with pytest.raises(ConfigError, match="no annotator tells all of them"):
        study.check()
