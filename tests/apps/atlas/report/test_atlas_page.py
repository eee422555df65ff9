"""The page of an atlas in a real browser, and from data written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from portrayal.apps.atlas.evaluations.atlas_summary import summary
from portrayal.apps.atlas.report.atlas_page import render_atlas
from portrayal.errors import ConfigError
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, ModelInfo, Score


def rows(count: int = 40) -> AtlasRows:
    kinds = ("foundation", "photo_realism", "animation", "art", "")
    models = [
        ModelInfo(
            f"organisation-with-a-long-name/model-{number}",
            kinds[number % 5],
            "FlowMatchEulerDiscreteScheduler" if number % 2 else "",
            "text-to-image",
            f"{2022 + number // 24}-{number % 12 + 1:02d}",
            number * 7 % 50,
            number * 13 % 900,
        )
        for number in range(count)
    ]
    scores = [
        {"log_bias": Score(number / 10 - 2, number / 10 - 2.5, number / 10 - 1), "x" * 30: Score(1)}
        for number in range(count)
    ]
    evaluations = [
        Evaluation(info.model, own, protocol, source="<b>me</b>")
        for info, own in zip(models, scores, strict=True)
        for protocol in ("objects & tasks", "")
    ]
    return AtlasRows().joined(evaluations, models)


def page(count: int = 40, **options: Any) -> str:
    return render_atlas(summary(rows(count)), title="My <atlas>", **options)


def test_what_comes_from_users_is_escaped() -> None:
    text = page()
    assert "My &lt;atlas&gt;" in text
    assert "<b>me</b>" not in text
    assert "objects &amp; tasks" in text


def test_the_same_data_is_the_same_page() -> None:
    assert page() == page()


def test_an_empty_atlas_has_a_page() -> None:
    assert "This atlas has no evaluations yet." in render_atlas(summary(AtlasRows()))
    assert "This atlas has no evaluations yet." not in page()


def test_a_language_that_there_is_not_is_named() -> None:
    with pytest.raises(ConfigError, match="no atlas in the language 'fr'"):
        page(language="fr")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_overflows_and_nothing_complains(browser: Browser, tmp_path: Path, language: str) -> None:
    path = tmp_path / "index.html"
    path.write_text(page(language=language), encoding="utf-8")
    opened = browser.new_context().new_page()
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    opened.goto(path.as_uri())
    across = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    wide = "[...document.querySelectorAll('.panel')].filter(item => item.scrollWidth > item.clientWidth + 1).length"
    for width in (390, 768, 1280):
        opened.set_viewport_size({"width": width, "height": 900})
        assert (width, opened.evaluate(across), opened.evaluate(wide)) == (width, 0, 0)
    assert [url for url in said if not url.startswith("data:")] == []
