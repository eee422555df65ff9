"""Every part that ships has plain words, in both languages, and a page prints these in place of the terminal's line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from portrayal.apps.studio.new.choices import offered_choices
from portrayal.language.translation import speaking


def test_every_choice_that_ships_has_words_in_both_languages() -> None:
    english = offered_choices()
    with speaking("de"):
        german = offered_choices()
    for kind in ("methods", "generators", "annotators", "references"):
        for one, other in zip(getattr(english, kind), getattr(german, kind), strict=True):
            assert one.words, one.name
            assert one.words != other.words, one.name


def test_the_page_prints_them(start: Callable[..., Any]) -> None:
    page = start().client().get("/new").text
    assert "To try it out: lifelike faces" in page
    assert "embedded GAN" not in page
    assert "Annotators are programs that look at each picture" in page
