"""The form of a new study: of every method, what would be asked shown before anything is made."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.bundles import bundles

pytestmark = pytest.mark.slow


def test_of_every_method_the_form_shows_what_it_asks(start: Callable[..., Any]) -> None:
    client = start().client()
    for name, bundle in bundles().items():
        if bundle.can_begin:
            page = client.get(f"/new?method={name}")
            assert page.status_code == 200
            assert f'value="{name}" checked' in page.text
            whose = "those of FAIntbench's published list" in html.unescape(page.text)
            assert whose == (bundle.suite in ("occupations", "faintbench"))
    assert 'value="Nurse" checked' in client.get("/new?method=../etc").text


def test_what_would_be_asked_is_shown_and_nothing_is_made(tmp_path: Path, start: Callable[..., Any]) -> None:
    client = start().client()
    form = {"method": "tbyb", "before": "tbyb", "asked": "some", "term-1-1": "apple", "switch-actions": "yes"}
    form |= {"what": "look", "images": "3", "title": "<b>x</b>"}
    page = client.send("/new", client.get("/new"), form).text.replace("\xa0", " ")
    assert "a picture of an apple" in page
    assert "<b>2 prompts</b>, 6 images by each model" in page
    assert "&lt;b&gt;x" in page
    nothing = client.send("/new", client.get("/new"), {**form, "term-1-1": "", "switch-actions": "no"})
    assert (nothing.status_code, "tick at least one" in nothing.text) == (422, True)
    # Of another method nothing of that is ticked, and its own terms are there.
    other = client.send("/new", client.get("/new"), {**form, "method": "representation"})
    assert 'value="Nurse" checked' in other.text
    assert not [path for path in tmp_path.iterdir() if not path.name.startswith(".")]
