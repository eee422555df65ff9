"""What users read is plain English: short sentences, easy words, and no turns of phrase of another language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.samples.reading import Reading, prose, syllables
from typer.main import get_command

from portrayal.cli.command_line import app
from portrayal.language.translation import PLACE, catalogue

yaml = import_module("yaml")  # it has no types
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIRST = [
    ROOT / "README.md",
    *(DOCS / f"{name}.md" for name in ("README", "glossary", "summary", "studio")),
    *sorted(DOCS.glob("questions/*.md")),
    *sorted(DOCS.glob("tutorial/*.md")),
]
TOC = yaml.safe_load((ROOT / "website" / "toc.yml").read_text(encoding="utf-8"))["subtrees"]
[HOW_TO] = [[DOCS / f"{each['file']}.md" for each in part["entries"]] for part in TOC if part["caption"] == "How to"]
UNWANTED = re.compile(
    r"\b(?:tells|told)\b(?! (?:apart|otherwise))"  # shows, says, lists, finds
    r"|\bl(?:ies?|ay) (?:about )?\S* ?(?:points )?off\b"  # is off by
    r"|\b[Nn]othing of it\b|\bmakes? known\b",
    re.IGNORECASE,
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def page_texts() -> list[str]:
    """Return every text of reports and sites, with a noun where a page puts one and no markup."""
    said = (PLACE.sub(lambda place: f"12 {place[3]}" if place[3] else "Anna", text) for text in catalogue("de").texts)
    return [re.sub(r"<[^>]+>|&\w+;", " ", text) for text in said]


def help_texts() -> Iterator[str]:
    def walk(command: Any) -> Iterator[str]:
        yield from (part for part in [command.help, *(getattr(each, "help", "") for each in command.params)] if part)
        if hasattr(command, "list_commands"):
            for name in command.list_commands(typer.Context(command)):
                yield from walk(command.get_command(typer.Context(command), name))

    for text in walk(get_command(app)):
        for part in re.split(r"\n\s*\n", text):
            if not part.startswith(("\b", " ")):
                yield " ".join(part.split())


@pytest.mark.parametrize("page", FIRST, ids=name_of)
def test_the_first_pages_are_read_without_effort(page: Path) -> None:
    read = Reading.of(prose(page.read_text(encoding="utf-8")))
    assert read.longer_than(45) == []
    assert read.mean <= 18
    assert read.ease >= 65 or page.name == "glossary.md"  # a table, and one sentence before it


@pytest.mark.parametrize("page", HOW_TO, ids=name_of)
def test_pages_that_say_how_have_no_endless_sentence(page: Path) -> None:
    read = Reading.of(prose(page.read_text(encoding="utf-8")))
    assert read.longer_than(60) == []
    assert read.ease >= 65


def test_what_pages_say_is_short_and_easy() -> None:
    read = Reading.of(text for text in page_texts() if len(text.split()) > 5)
    assert read.longer_than(40) == []
    assert read.mean <= 12
    assert read.ease >= 70


def test_help_is_short_and_easy() -> None:
    read = Reading.of(help_texts())
    assert read.longer_than(50) == []  # one lists what can be chosen
    assert read.mean <= 12
    assert read.ease >= 65


@pytest.mark.parametrize("page", sorted({*FIRST, *HOW_TO, DOCS / "studies.md", DOCS / "python.md"}), ids=name_of)
def test_a_page_has_no_turn_of_another_language(page: Path) -> None:
    assert [text for text in prose(page.read_text(encoding="utf-8")) if UNWANTED.search(text)] == []


def test_texts_and_help_have_no_turn_of_another_language() -> None:
    assert [text for text in (*page_texts(), *help_texts()) if UNWANTED.search(text)] == []


@pytest.mark.parametrize(
    ("word", "count"),
    [("share", 1), ("picture", 2), ("people", 2), ("interval", 3), ("counted", 2), ("wanted", 2), ("a", 1)],
)
def test_syllables_are_those_that_are_heard(word: str, count: int) -> None:
    assert syllables(word) == count


def test_hard_prose_differs_from_easy_prose() -> None:
    easy = Reading.of(["We drew ten cats. Two of them were red. All of them sat on a mat."])
    hard = Reading.of(["Methodological heterogeneity complicates representational comparability."])
    assert easy.ease > 90 > 30 > hard.ease
    assert easy.mean == pytest.approx(16 / 3)
    assert easy.longer_than(5) == ["All of them sat on a mat."]
    assert prose("# A\n\nSee [b](c.md).\n\n```\nx\n```\n\n| a |\n\n- one\n- `two`\n") == ["See b.", "one", "Code"]
