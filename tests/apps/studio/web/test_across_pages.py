"""Across studies: what changed over releases, and the atlas with a table to sort and models side by side."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.apps.studio.conftest import add_study

import portrayal
from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import list_studies

pytestmark = pytest.mark.slow

TABLE = """model,category,protocol,run,distribution_bias,jaccard_hallucination,miss_rate
me/<b>one,art,mine,2024,6.1,0.61,0.01
me/two,foundation,mine,2024,2.4,0.72,0.05
me/three,,mine,2024,1.4,,0.5
"""


def test_releases_are_compared_in_the_words_of_the_command(tmp_path: Path, start: Callable[..., Any]) -> None:
    for name in ("one", "two"):
        Study(add_study(tmp_path / name, 20)).run(progress=False)
    add_study(tmp_path / "three")
    client = start().client()
    keys = {study.name: study.key for study in list_studies(tmp_path)}
    page = client.get("/history").text
    assert (f'value="{keys["one"]}"' in page, f'value="{keys["three"]}"' in page) == (True, False)
    assert "two studies or more" in client.get(f"/history?s={keys['one']}").text
    asked = f"s={keys['one']}&s={keys['two']}&order=given"
    page = client.get(f"/history?{asked}").text
    history = portrayal.History([tmp_path / "one", tmp_path / "two"])
    assert history.summary.replace("&", "&amp;") in page
    charts = client.get(f"/history/page?{asked}")
    assert "<svg" in charts.text
    assert charts.headers["content-security-policy"].startswith("sandbox ")
    assert client.get(f"/history/page?s={keys['one']}").status_code == 404
    assert client.get("/history?s=000000000000&s=x").status_code == 404


def test_a_table_is_brought_in_sorted_and_set_side_by_side(tmp_path: Path, start: Callable[..., Any]) -> None:
    client = start().client()
    page = client.get("/atlas")
    assert "Nothing is kept yet" in page.text
    assert client.get("/atlas/report/").status_code == 404
    empty = client.send("/atlas", page, {"what": "table", "table": " "})
    assert (empty.status_code, "paste a table" in empty.text) == (422, True)
    page = client.send("/atlas", page, {"what": "table", "table": TABLE})
    assert "3 evaluations were kept." in page.text.replace("\xa0", " ")
    assert "me/<b>" not in page.text
    order = re.findall(r"<bdi>(me/\w+)", client.get("/atlas?sort=jaccard_hallucination&dir=down").text)
    assert order == ["me/two", "me/three"]  # one has markup in its name, and what has no value comes last
    assert 'aria-sort="descending"' in client.get("/atlas?sort=miss_rate&dir=down").text
    beside = client.get("/atlas?m=me/two&m=me/%3Cb%3Eone").text
    pictures = re.findall(r'src="(/atlas/compared/[^"]+)"', beside)
    assert len(pictures) == 2
    for picture in pictures:
        answer = client.get(picture)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["content-security-policy"].startswith("sandbox ")
    assert "no model" in client.get("/atlas?m=nobody").text
    assert "<svg" in client.get("/atlas/report/?m=me/two&m=me/%3Cb%3Eone").text
    for path in ("/atlas/report/..%2f..%2fstudy.toml", "/atlas/compared/x/compare.csv", "/atlas/report/x.parquet"):
        assert client.get(path).status_code == 404
