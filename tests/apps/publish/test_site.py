"""The static site: who may stand where, and addresses that stay."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.apps.publish.published_numbers import Number
from portrayal.apps.publish.site.leaderboard import Entrant, boards

Cli = Callable[..., Any]


def number(model: str, value: float, half: float, **other: Any) -> Entrant:
    given = {
        "model": model, "identity": model, "method": "m", "metric": "total_variation", "annotator": "faces",
        "attribute": "gender", "group": "", "level": "overall", "item": "", "reference": "uniform", "language": "",
        "variant": "", "value": value, "low": value - half, "high": value + half, "n": 100, "missing": 3, "note": "",
        "lowest": 0.0, "highest": 1.0, "seen_by": "faces@1", "prompt_set": "same", "lower_is_better": True, **other,
    }  # fmt: skip
    return Entrant(Number(**given), f"Study of {model}", model.lower())


def test_places_reach_as_far_as_intervals_carry() -> None:
    [board] = boards([number("Far", 0.5, 0.05), number("Near", 0.1, 0.05), number("Nearer", 0.09, 0.05)])
    assert [(line.model, line.place) for line in board.lines] == [("Nearer", "1–2"), ("Near", "1–2"), ("Far", "3")]
    assert (board.apart, board.lower) == (True, True)
    assert (board.lines[2].value, board.lines[2].interval, board.lines[2].missing) == ("0.500", "0.450 to 0.550", 3)
    [board] = boards([number("A", 0.5, 0.3), number("B", 0.4, 0.3)])
    assert [line.place for line in board.lines] == ["1–2", "1–2"]
    assert not board.apart


def test_where_more_is_better_the_largest_comes_first() -> None:
    [board] = boards([number("A", 0.2, 0.01, lower_is_better=False), number("B", 0.9, 0.01, lower_is_better=False)])
    assert [(line.model, line.place) for line in board.lines] == [("B", "1"), ("A", "2")]


@pytest.mark.parametrize(
    "other",
    [
        {"prompt_set": "other"},
        {"seen_by": "clip@1"},
        {"reference": "us"},
        {"attribute": "age3"},
        {"low": None},
        {"lower_is_better": None},
        {"level": "term", "item": "nurse"},
        {"group": "female"},
    ],
)
def test_what_is_not_about_the_same_ranks_nobody(other: dict[str, Any]) -> None:
    assert boards([number("A", 0.1, 0.01), number("B", 0.5, 0.01, **other)]) == []


@pytest.fixture(scope="module")
def site(two_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from portrayal.apps.publish.formats import Order
    from portrayal.apps.publish.site.site import publish_site
    from portrayal.study.run_control import RunControl

    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(two_models, folder / "studies" / "Careers")
    shutil.copytree(two_models, folder / "studies" / "careers!")
    publish_site(Order([folder / "studies"], folder / "site", RunControl(), language="de"))
    return folder / "site"


@pytest.mark.slow
def test_every_link_and_picture_leads_to_a_file_and_nowhere_else(site: Path) -> None:
    assert sorted(path.name for path in (site / "studies").iterdir()) == ["careers", "careers-2"]
    for page in (site / "index.html", *site.glob("studies/*/findings.html")):
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text
        assert "http" not in re.sub(r"http-equiv", "", text)
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            path, _, anchor = link.partition("#")
            if path.startswith("data:"):
                continue
            there = (page.parent / path) if path else page
            assert there.is_file(), link
            assert not anchor or f'id="{anchor}"' in there.read_text(encoding="utf-8")
        ids = re.findall(r'id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
    assert (site / "index.html").stat().st_size < 500_000


@pytest.mark.slow
def test_findings_keep_their_addresses_when_numbers_change(
    site: Path, two_models: Path, tmp_path: Path, cli: Cli
) -> None:
    def addresses(page: Path) -> list[str]:
        return re.findall(r'<article id="(f-[^"]+)"', page.read_text(encoding="utf-8"))

    before = addresses(site / "studies" / "careers" / "findings.html")
    assert len(before) == len(Study(two_models).findings())
    changed = shutil.copytree(two_models, tmp_path / "careers")
    toml = changed / "study.toml"
    toml.write_text(toml.read_text().replace("images = 20", "images = 25"))
    Study(changed).run(progress=False)
    ran = cli("publish", changed, "--as", "site", "--to", tmp_path / "site")
    assert ran.returncode == 0, ran.stderr
    assert set(before) & set(addresses(tmp_path / "site/studies/careers/findings.html"))
    again = cli("publish", changed, "--as", "site", "--to", tmp_path / "site")
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    nothing = cli("publish", tmp_path / "site", "--as", "site", "--to", tmp_path / "other")
    assert (nothing.returncode, "give a study or a folder of studies" in nothing.stderr) == (2, True)


@pytest.mark.slow
def test_it_speaks_german_and_says_what_a_place_rests_on(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 'lang="de"' in text
    assert "Rangfolge der Modelle" in text
    assert "Models in order" not in text
    assert "0,4" in text
