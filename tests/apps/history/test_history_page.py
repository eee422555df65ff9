"""The page of a history: what changed first, charts without scripts, every text in German, readable anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.samples.release_rows import history, releases, share

from portrayal.apps.history.history import ReleaseHistory
from portrayal.apps.history.history_charts import series_plane
from portrayal.apps.history.history_page import render_history
from portrayal.errors import ConfigError

Axe = Callable[[Page], list[tuple[str, str]]]


def of(*women: float) -> ReleaseHistory:
    return history(*(release["model"] for release in releases(*women)))


def test_the_change_stands_first_and_a_stable_model_is_not_called_changed() -> None:
    page = render_history(of(98, 56))
    assert page.index("women went from 98 of 100") < page.index("Numbers over releases")
    stable = render_history(of(50, 51, 49))
    assert "went from" not in stable
    assert "No difference between v2 and v3 in perceived gender was found for nurse: one of" in stable


def test_an_earlier_change_stays_and_the_latest_release_is_said_to_be_as_before() -> None:
    said = of(98, 56, 57).sentences()
    assert [line.replace("\xa0", " ") for line in said[:1]] == [
        "Nurse: women went from 98 of 100 pictures to 56 of 100 between v1 and v2."
    ]
    assert said[1].startswith("No difference between v2 and v3 in perceived gender was found")
    assert len(said) == 2


def test_a_drift_that_no_step_shows_is_said_since_the_first_release() -> None:
    said = of(40, 50, 60, 70, 80).sentences()
    assert said[0].replace("\xa0", " ") == "Nurse: women went from 40 of 100 pictures to 80 of 100 between v1 and v5."


def test_a_change_inside_the_margin_is_not_quoted() -> None:
    rows = [[share("nurse", women, 40_000)] for women in (20_000, 21_000)]
    said = history(*rows).sentences()
    assert said == ["Every change that was found in v2 is smaller than 10 points."]


@pytest.mark.parametrize(
    ("n", "women", "expected"),
    [
        (4, (2, 2), "Too few images to tell whether v1 and v2 differ: about 113 images of each would probably"),
        (20, (10, 10), "Too few images to tell whether v1 and v2 differ: about 113 images of each would probably"),
        (2000, (1000, 1003), "In perceived gender, v1 and v2 are within 10 points of each other over all prompts."),
        (100, (50, 52), "No difference between v1 and v2 in perceived gender was found over all prompts: one of 22"),
    ],
)
def test_nothing_changed_as_far_as_images_can_tell(n: int, women: tuple[int, int], expected: str) -> None:
    """Quoted alone, the sentence names what was looked at: another attribute may have changed."""
    rows = [[share("", number, n, level="overall", item="")] for number in women]
    [said] = history(*rows).sentences()
    assert said.replace("\xa0", " ").startswith(expected)


def test_missing_images_could_hide_a_change() -> None:
    [said] = history([share("nurse", 50, missing=120)], [share("nurse", 52)]).sentences()[:1]
    assert said.replace("\xa0", " ").endswith("but 120 missing images could hide one.")


def test_nothing_compared_is_not_no_change() -> None:
    assert history([share("nurse", 98)], [share("cook", 3)]).sentences() == ["Nothing in v1 and v2 could be compared."]


def test_that_more_pictures_are_missing_than_before_is_said_and_only_then() -> None:
    """A release that refused a third of its prompts was said to be as the one before."""
    over_all = {"level": "overall", "item": "", "prompt_set": "all"}

    def said(*missing: int) -> list[str]:
        rows = [[share("nurse", (100 - lost) / 2, 100 - lost, missing=lost, **over_all)] for lost in missing]
        lines = [line.replace("\xa0", " ") for line in history(*rows).sentences()]
        return [line for line in lines if line.startswith("More pictures are missing")]

    assert said(2, 30) == [
        "More pictures are missing from v2 than from v1: 30 of 100 (30 %) against 2 of 100 (2 %). Nobody knows what "
        "they would have shown."
    ]
    assert said(30, 2)[0].startswith("More pictures are missing from v1 than from v2: 30 of 100")
    assert said(30, 31, 29) == []
    assert said(2, 2, 30)[0].startswith("More pictures are missing from v3 than from v2: 30 of 100 (30 %) against 2 of")
    # The later a release, the surer it must be.
    assert said(2, 12)
    assert not said(*[2] * 12, 12)


def test_of_releases_that_asked_other_prompts_it_is_not_said_which_lacks_more() -> None:
    over_all = {"level": "overall", "item": "", "prompt_set": "all"}
    told = history(*([share("nurse", 35, 70, missing=lost, **over_all)] for lost in (0, 30)))
    assert any("More pictures are missing from v2" in line for line in told.sentences())
    first, last = told.read.releases
    read = replace(told.read, releases=[first, replace(last, prompts=frozenset({"another"}))])
    assert not any("More pictures are missing" in line for line in ReleaseHistory(read, 0.1).sentences())


def test_a_category_of_one_term_is_not_said_beside_the_term() -> None:
    health: dict[str, Any] = {"level": "category", "item": "health"}
    rows = [[share("nurse", women, **health), share("nurse", women)] for women in (98, 56)]
    changed = [line for line in history(*rows).sentences() if "went from" in line]
    assert [line.partition(":")[0] for line in changed] == ["Nurse"]
    others = [[share("nurse", women, **{**health, "prompt_set": "two"}), share("nurse", women)] for women in (98, 56)]
    assert len([line for line in history(*others).sentences() if "went from" in line]) == 2


def test_nothing_tested_is_said_and_not_counted() -> None:
    for rows in ([[share("nurse", 98)], [share("cook", 3)]], [[share("nurse", 3, 3)], [share("nurse", 0, 3)]]):
        assert history(*rows).summary().startswith("Nothing could be tested")
    assert of(98, 56).summary().startswith("Changed by more than chance explains: 1 of 1")


def test_a_line_joins_only_releases_that_answered_the_same_prompts() -> None:
    rows = [release["model"] for release in releases(50, 60, 70, 40)]
    rows[2] = [replace(rows[2][0], prompt_set="others")]
    (series,) = history(*rows).series
    plane = series_plane(series, ["v1", "v2", "v3", "v4"], "nurse")
    joined = [
        path for path in plane.series[0].lines if path.count("L") and len(set(re.findall(r"[ML](\S+)", path))) > 1
    ]
    assert len(plane.series[0].points) == 4
    assert len(joined) == 1
    assert joined[0].count("L") == 1


def test_numbers_and_their_intervals_are_on_the_page_once_and_alike() -> None:
    page = render_history(of(98, 56))
    texts = re.findall(r"98\s%\s\([^)]*; n 100\)", page.replace("\xa0", " "))
    assert len(texts) >= 3
    assert len(set(texts)) == 1


@pytest.mark.parametrize("evil", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'])
def test_names_of_others_are_escaped(evil: str) -> None:
    page = render_history(history([share(evil, 98)], [share(evil, 40)], names=[evil, "v2"]))
    assert "<script" not in page
    assert "<img" not in page


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigError, match="no history in the language 'dee'; did you mean 'de'"):
        render_history(of(1, 2), "dee")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "scheme", "language"), [(1200, "light", "en"), (1200, "dark", "de"), (390, "light", "de")]
)
def test_nothing_overflows_and_axe_finds_nothing_serious(
    browser: Browser, check_axe: Axe, tmp_path: Path, width: int, scheme: str, language: str
) -> None:
    names = [f"release-with-a-long-name-{number}" for number in range(9)]
    rows = [[share("nurse", women), share("a long term " * 9, women)] for women in (98, 96, 50, 51, 49, 80, 20, 50, 52)]
    path = tmp_path / "history.html"
    path.write_text(render_history(history(*rows, names=names), language), encoding="utf-8")
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True
    )
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert check_axe(page) == []
    assert page.locator("html").get_attribute("lang") == language
    context.close()
