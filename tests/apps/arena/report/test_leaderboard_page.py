"""The leaderboard's page: nothing outside, nothing unescaped, both languages whole, and right in a real browser."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from portrayal.apps.arena.report.leaderboard_page import leaderboard, leaderboard_css
from portrayal.errors import ConfigError
from portrayal.language.translation import PLACE, catalogue

LONG = "diffusers:stabilityai/stable-diffusion-xl-base-1.0@462165984030d82259a11f4367a4eed129e94a7b"
HTML = "<script>alert(1)</script>"


def rating(model: str, value: float, rank: int, **changes: Any) -> dict[str, Any]:
    row = {"aspect": "bias", "model": model, "elo": value - 5, "elo_mean": value, "elo_low": value - 9,
           "elo_high": value + 9, "bradley_terry": value, "low": value - 40, "high": value + 45.4, "rank": rank,
           "rank_low": rank, "rank_high": rank + 1, "battles": 1234, "wins": 700, "losses": 434, "draws": 100,
           "component": 1, "notes": [], "note": ""}  # fmt: skip
    return {**row, **changes}


def agreement(**changes: Any) -> dict[str, Any]:
    row = {"unit": "pair of images", "units": 40, "judgements": 90, "raters": 12, "nominal": 0.41, "nominal_low": 0.3,
           "nominal_high": 0.5, "ordinal": 0.5, "ordinal_low": 0.4, "ordinal_high": 0.6, "note": ""}  # fmt: skip
    return {"aspect": "bias", **row, **changes}


SINGLE = "some models only won or only lost: a virtual draw of weight 0.5 for each pair keeps ratings finite"
FEW = "few models: only a correlation close to 1 or -1 is clearly not zero"
DATA: dict[str, Any] = {
    "ratings": [
        rating(LONG, 1080, 1),
        rating(HTML, 1000, 2, notes=["one_sided", "few_raters"]),
        rating("plain", 920, 3, low=-755.0, notes=["few_raters"]),
        rating("lonely", 1000, 1, component=2, low=1000.0, high=1000.0, battles=0,
               notes=["alone"]),
        rating("plain", 1000, 1, aspect="quality"),
    ],
    "neighbours": [
        {"aspect": "bias", "higher": LONG, "lower": HTML, "difference": 80.0, "holds": 0.999, "p": 0.0002,
         "p_adjusted": 0.0004},
        {"aspect": "bias", "higher": HTML, "lower": "plain", "difference": 80.0, "holds": 0.9, "p": 0.2,
         "p_adjusted": 0.2},
    ],
    "win_rates": [
        {"aspect": "bias", "model": LONG, "opponent": HTML, "battles": 10, "wins": 7, "losses": 2, "draws": 1,
         "rate": 0.75},
        {"aspect": "bias", "model": HTML, "opponent": LONG, "battles": 10, "wins": 2, "losses": 7, "draws": 1,
         "rate": 0.25},
    ],
    "agreement": [
        agreement(),
        agreement(aspect="quality", nominal=None, note="the votes do not say who gave them: no column 'rater'"),
    ],
    "correlations": [
        {"aspect": "bias", "score": "auto", "models": 3, "spearman": 0.5, "spearman_p": 0.67, "spearman_low": -0.5,
         "spearman_high": 1.0, "kendall": 0.33, "kendall_p": 1.0, "kendall_low": -0.33, "kendall_high": 1.0,
         "note": FEW},
        {"aspect": "bias", "score": "flat", "models": 3, "spearman": None, "kendall": None,
         "note": "all models have the same score"},
    ],
    "sections": [
        {"aspect": "bias", "votes": 1850, "skipped": 1, "raters": 12, "resampled": "rater"},
        {"aspect": "quality", "votes": 1, "skipped": 0, "raters": None, "resampled": "vote"},
    ],
    "votes": 1851,
    "skipped": 1,
    "parameters": {"k": 4, "scale": 400, "base": 10, "initial": 1000, "ties": "half", "draws": 1000, "orders": 100},
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_needs_nothing_and_escapes_names(language: str) -> None:
    page = leaderboard(DATA, language)
    assert page == leaderboard(copy.deepcopy(DATA), language)
    assert f'<html lang="{language}">' in page
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", page)
    assert not re.search(r"url\((?!data:)|@import", page)


def test_a_server_can_have_its_styles_apart() -> None:
    page = leaderboard(DATA, "en", title="Which is better?", stylesheet="/static/leaderboard.css")
    assert "<h1>Which is better?</h1>" in page
    assert '<link rel="stylesheet" href="/static/leaderboard.css">' in page
    assert "<style" not in page
    assert not re.search(r"\sstyle=", page)
    assert not re.search(r"\son\w+=", page)
    assert ".lb " in leaderboard_css()


def test_numbers_and_notes_speak_the_language() -> None:
    english, german = leaderboard(DATA, "en"), leaderboard(DATA, "de")
    assert "1,040\N{EN DASH}1,125" in english
    assert "1.040\N{EN DASH}1.125" in german
    assert "\N{MINUS SIGN}755 bis 965" in german
    assert "weniger als 6 Personen" in german
    assert "nicht bekannt: die Stimmen verraten nicht, wer sie abgab" in german
    assert "&lt;0,001" in german
    assert "Bildqualität" in german


def test_what_a_high_rating_in_bias_means_is_said_there_and_only_there() -> None:
    assert leaderboard(DATA, "en").count("people saw fewer stereotypes") == 1
    assert leaderboard(DATA, "de").count("weniger Klischees") == 1


def test_nothing_on_the_german_page_is_english() -> None:
    said = catalogue("de").texts
    german = leaderboard(DATA, "de")
    for text in re.findall(r"""\bt\("([^"]+)\"""", _template()):
        assert text in said, text
        plain = PLACE.split(text)[0]
        assert text == said[text] or len(plain) < 20 or plain not in german


def _template() -> str:
    import portrayal.apps.arena.report

    return (Path(portrayal.apps.arena.report.__file__).parent / "templates" / "leaderboard.html.j2").read_text(
        encoding="utf-8"
    )


def test_davidson_votes_without_raters_and_no_votes_at_all() -> None:
    data = copy.deepcopy(DATA)
    data["parameters"]["ties"] = "davidson"
    page = leaderboard(data)
    assert "Davidson (1970)" in page
    assert "taken for independent" in page
    data["sections"][1]["resampled"] = "rater"
    assert "had other raters of the same kind come" in leaderboard(data)
    empty = {
        **DATA,
        **{name: [] for name in ("ratings", "neighbours", "win_rates", "agreement", "correlations", "sections")},
    }
    assert "No votes have been counted yet." in leaderboard({**empty, "votes": 0})


def test_an_unknown_language() -> None:
    with pytest.raises(ConfigError, match="no leaderboard in the language 'fr'"):
        leaderboard(DATA, "fr")


def opened(browser: Browser, folder: Path, width: int, scheme: Any = "light") -> Page:
    path = folder / "page.html"
    path.write_text(leaderboard(DATA, "de"), encoding="utf-8")
    page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true })")
    return page


@pytest.mark.slow
def test_nothing_overflows_and_marks_lie_on_their_track(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, 1280)
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0, width
        assert page.evaluate("[...document.querySelectorAll('.panel')].every(p => p.scrollWidth <= p.clientWidth + 1)")
        tracks = page.evaluate(
            """[...document.querySelectorAll('.tk')].map(cell => {
                const track = cell.querySelector('svg').getBoundingClientRect();
                const dot = cell.querySelector('use').getBoundingClientRect();
                return [track.width, dot.left + dot.width / 2 - track.left, track.right - dot.left - dot.width / 2];
            })"""
        )
        assert len(tracks) == 5
        assert all(wide > 70 and left >= -1 and right >= -1 for wide, left, right in tracks), width


def overheard(page: Page) -> tuple[list[str], list[str]]:
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    return said, asked


@pytest.mark.slow
def test_nothing_is_loaded_nothing_complains_and_dark_is_dark(browser: Browser, tmp_path: Path) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        page = opened(browser, tmp_path, 1280, scheme)
        said, asked = overheard(page)
        page.reload()
        page.wait_for_load_state("networkidle")
        assert said == []
        assert [url for url in asked if not url.startswith("data:")] == [page.url]
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds[0] != grounds[1]
