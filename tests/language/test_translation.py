"""A language is that of the task and of the threads it begins, never of those beside it."""

from __future__ import annotations

import asyncio

import pytest

from portrayal.language.numbers import decimal, percent
from portrayal.language.translation import LANGUAGES, NBSP, catalogue, speaking, spoken, t


async def _speak(language: str, turn: asyncio.Barrier) -> list[str]:
    with speaking(language):
        await turn.wait()
        said = [spoken(), t("Skip to content"), await asyncio.to_thread(t, "Skip to content")]
        await turn.wait()
        return [*said, spoken(), decimal(1234.5, 1)]


async def _speak_at_once() -> tuple[list[str], list[str]]:
    turn = asyncio.Barrier(2)
    return await asyncio.gather(_speak("en", turn), _speak("de", turn))


def test_two_tasks_speak_two_languages_at_once() -> None:
    english, german = asyncio.run(_speak_at_once())
    assert english == ["en", "Skip to content", "Skip to content", "en", "1,234.5"]
    assert german == ["de", "Zum Inhalt springen", "Zum Inhalt springen", "de", "1.234,5"]
    assert spoken() == "en"


def test_every_language_but_that_of_the_code_has_texts_of_reports_sites_methods_and_applications() -> None:
    assert catalogue(LANGUAGES[0]).texts == {}
    for language in LANGUAGES[1:]:
        texts = catalogue(language).texts.keys()
        assert {"Gallery", "You need a link", "Compare pictures", "Leaderboard", "How to judge"} <= texts


@pytest.mark.parametrize(("language", "written"), [("en", ["0.00", "13 %", "<1 %"]), ("de", ["0,00", "13 %", "<1 %"])])
def test_numbers_as_each_language_writes_them(language: str, written: list[str]) -> None:
    with speaking(language):
        assert [decimal(-0.001), percent(0.126), percent(0.001)] == [text.replace(" ", NBSP) for text in written]


def test_on_a_page_a_number_behind_an_arabic_name_stays_behind_it() -> None:
    said = "{name}: {n|image|images}"
    with speaking("de", page=True):
        page = t(said, name="نموذج", n=80)
        assert t(said, name="модель", n=80).startswith("модель: ")
        with speaking("de"):
            assert t("{name}: 80", name="نموذج") == "نموذج: 80"  # a terminal shows marks as codes
    assert page.startswith("\N{FIRST STRONG ISOLATE}نموذج\N{POP DIRECTIONAL ISOLATE}: 80")
    assert t("{name}: 80", name="نموذج") == "نموذج: 80"
