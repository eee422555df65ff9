"""Both languages say the same things, and pages ask for nothing that no language says."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import portrayal.web
from portrayal.web.texts import LANGUAGES, load_texts, preferred_language

FOLDER = Path(portrayal.web.__file__).parent
BUILT = {
    "arena": r"aspect|choice|flag|questions\.|battle\.(alt|enlarge)_|battle\.(left|right)|\w+_n$",
    "graph": r"none|vertex\.(both|opposed)",
}
"""Texts whose names pages put together, by site."""


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("site", BUILT)
def test_every_language_has_the_same_texts_with_the_same_gaps(site: str) -> None:
    english, german = (load_texts(f"portrayal.web.{site}", language).entries for language in LANGUAGES)
    assert english.keys() == german.keys()
    assert [key for key in english if gaps(english[key]) != gaps(german[key])] == []
    assert [key for key, text in (*english.items(), *german.items()) if not text.strip()] == []


@pytest.mark.parametrize("site", BUILT)
def test_every_text_is_used_and_every_use_has_a_text(site: str) -> None:
    folders = (FOLDER, FOLDER / site)
    sources = [path for folder in folders for path in (*folder.glob("*.py"), *folder.glob("templates/*.j2"))]
    source = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    known = load_texts(f"portrayal.web.{site}", "en").entries
    direct = set(re.findall(r'(?:\bt|\btexts)\(\s*"([a-z_]+\.[a-z_.0-9]*[a-z0-9])"', source))
    assert sorted(direct - known.keys()) == []
    built = rf"{BUILT[site]}|error\.e|site\."
    assert [key for key in known if key not in direct and not re.search(built, key)] == []


@pytest.mark.parametrize(
    ("accepts", "language"),
    [
        ("", "en"), ("de", "de"), ("DE-ch", "de"), ("fr", "en"), ("en;q=0.3,de;q=0.8", "de"), ("de;q=0,en", "en"),
        ("*", "en"), ("de;q=x", "en"), (",;,q=;", "en"), ("en-GB,en;q=0.9,de;q=0.8", "en"), ("x" * 10_000, "en"),
    ],
)  # fmt: skip
def test_the_browsers_language(accepts: str, language: str) -> None:
    assert preferred_language(accepts) == language


def test_numbers_as_each_language_writes_them() -> None:
    assert load_texts("portrayal.web.arena", "en").number(1234.56, 1) == "1234.6"
    assert load_texts("portrayal.web.arena", "de").number(0.5, 2) == "0,50"
    assert load_texts("portrayal.web.arena", "de").number(-0.001, 2) == "0,00"
    assert load_texts("portrayal.web.arena", "en").percent(0.126) == "13%"
