"""The glossary's words are the ones that pages use, in English and in German, and no others for the same thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from portrayal.language.translation import catalogue

GLOSSARY = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in GLOSSARY.splitlines() if line.startswith("| ")
]
GERMAN = catalogue("de").texts
NOT_ENGLISH = {
    "annotator": r"\bclassifiers?\b|\bassessors?\b",
    "deviation": r"\bdiscrepanc|\bdisparit|\bgaps?\b",
    "interval": r"\berror bars?\b|\bconfidence (?:band|limit|range)",
    "missing": r"\bdropped\b|\bdiscarded\b",
    "reference": r"\bground truth\b|\bbenchmark values?\b",
    "usable": r"\b(?:valid|eligible) (?:images?|pictures?)",
}
NOT_GERMAN = {
    "Annotator": r"Annotationsquelle|\bAnnotation\b|Klassifikator",
    "Abweichung": r"Diskrepanz|Abweichnis",
    "Intervall": r"Konfidenzbereich|Vertrauensbereich|Fehlerbalken",
    "Merkmal": r"\bAttribut",
    "Referenz": r"Referenzwert\b|Bezugswert",
    "brauchbar": r"verwertbar|nutzbar|gültige[ns]? Bild",
    "Rangfolge": r"gereiht|\breihen\b|Modelle nicht geordnet",
    "Bildbeschreibung": r"Bildunterschrift|Bildtext",
    "Seed": r"Startwert|Zufallswert",
}


def test_the_glossary_is_in_order_and_says_what_each_word_means() -> None:
    words = [word for word, *_ in ROWS[2:]]
    assert words == sorted(words)
    assert [row for row in ROWS if len(row) != 3 or not row[1]] == []


@pytest.mark.parametrize(("word", "german"), [(row[0], row[2]) for row in ROWS[2:] if row[2]])
def test_its_words_are_used_in_both_languages(word: str, german: str) -> None:
    english, translated = ("\n".join(texts).lower() for texts in (GERMAN, GERMAN.values()))
    for each in re.split(r", (?=[a-z]+$)", word):
        assert each.lower() in english
    for each in re.split(r", (?=[A-Z]|b)", re.sub(r" \(.+?\)", "", german)):
        assert each.lower() in translated


@pytest.mark.parametrize("instead", NOT_ENGLISH.values(), ids=NOT_ENGLISH)
def test_no_english_text_has_another_word_for_it(instead: str) -> None:
    assert [text for text in GERMAN if re.search(instead, text, re.IGNORECASE)] == []


@pytest.mark.parametrize("instead", NOT_GERMAN.values(), ids=NOT_GERMAN)
def test_no_german_text_has_another_word_for_it(instead: str) -> None:
    assert [text for text in GERMAN.values() if re.search(instead, text)] == []
