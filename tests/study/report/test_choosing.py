"""What a page shows can be chosen; what is left out is named, and nothing leads to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.errors import ConfigError
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]


@pytest.fixture
def page(make_study: Make) -> Callable[..., str]:
    """Return the page of a study of two models with planted truth, as ``[report]`` has it."""

    def made(name: str = "study", **report: Any) -> str:
        shares = {"gender": {"female": 0.2, "male": 0.8}, "age3": {"young": 0.6, "middle_aged": 0.3, "elderly": 0.1}}
        generators = [
            {"use": "simulated", "name": name, "images": 20, "options": {"shares": shares, "several": several}}
            for name, several in (("A", 0.0), ("B", 0.1))
        ]
        methods = [{"use": "representation", "options": {"references": {"gender": "uniform", "age3": "uniform"}}}]
        folder = make_study(name, generators=generators, methods=methods, report=report)
        return Study(folder).run(progress=False).read_text()

    return made


def _dangling(page: str) -> set[str]:
    return set(re.findall(r'href="#([^"]+)"', page)) - set(re.findall(r'id="([^"]+)"', page))


def _sections(page: str) -> list[str]:
    return re.findall(r'<section id="([^"]+)"', page)


def test_only_chosen_attributes_are_shown_and_the_others_are_named(page: Callable[..., str]) -> None:
    shown = page(attributes=["gender"])
    assert 'id="attribute-gender"' in shown
    assert 'id="attribute-age3"' not in shown
    assert "Measured, and not shown as study.toml chooses: perceived age group and perceived skin tone." in shown
    assert "Not measured in this report: perceived age group" not in shown
    assert _dangling(shown) == set()


@pytest.mark.parametrize(("chosen", "compared"), [([], {"gender", "age3"}), (["gender"], {"gender"})])
def test_corrections_count_what_is_shown(
    page: Callable[..., str], tmp_path: Path, chosen: list[str], compared: set[str]
) -> None:
    page(attributes=chosen)
    rows = gather(OpenStudy(tmp_path / "study")).measurements
    assert {row.attribute for row in rows if row.metric == "share" and row.target is not None} == compared


def test_the_tables_keep_everything(page: Callable[..., str], tmp_path: Path) -> None:
    page(attributes=["gender"])
    assert {row["attribute"] for row in Study(tmp_path / "study").measurements()} >= {"gender", "age3"}


def test_all_is_shown_where_nothing_is_chosen(page: Callable[..., str]) -> None:
    shown = page()
    assert _sections(shown) == [
        "found", "compared", "asked", "headline", "terms", "truth", "missing", "gallery", "all", "provenance", "cite",
        "limits",
    ]  # fmt: skip
    assert "not shown as study.toml chooses" not in shown


@pytest.mark.parametrize(
    ("sections", "left"),
    [
        (["representation"], ["headline", "terms"]),
        (["compared", "gallery"], ["compared", "gallery"]),
        (["asked", "truth", "all"], ["asked", "truth", "all"]),
    ],
)
def test_chosen_sections_stand_beside_those_that_always_do(
    page: Callable[..., str], sections: list[str], left: list[str]
) -> None:
    shown = page(sections=sections)
    always = ["found", "missing", "provenance", "cite", "limits"]
    assert sorted(_sections(shown)) == sorted([*always, *left])
    assert _dangling(shown) == set()
    assert "No attribute has been measured yet" not in shown


@pytest.mark.parametrize(
    ("report", "hint"), [({"attributes": ["gendre"]}, "did you mean 'gender'"), ({"sections": ["galery"]}, "'gallery'")]
)
def test_a_name_that_is_not_there_is_one_line_before_any_work(
    make_study: Make, report: dict[str, Any], hint: str
) -> None:
    folder = make_study(report=report)
    with pytest.raises(ConfigError, match=hint):
        Study(folder).run(progress=False)
    assert not (folder / "tables" / "outcomes").exists() or not any((folder / "tables" / "outcomes").iterdir())
