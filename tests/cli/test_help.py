"""Help: every command stands in a panel, no sentence is cut, and a group's help shows the way through it."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from portrayal.cli.command_line import app
from portrayal.commands.command_lists import OTHERS, ListedGroup, in_panels

Run = Callable[..., subprocess.CompletedProcess[str]]

WIDTH = 80
PANELS = ["A study", "Its results", "People who judge", "Many models", "This machine", "Methods"]
LONGEST = 60
GROUPS = ("annotators", "arena", "atlas", "bench", "engine", "graph", "keys", "stores", "suites")
WITH_STEPS = tuple(name for name in GROUPS if name != "bench")
UNWANTED = re.compile(r"\b([Tt]ells?|told)\b|\.\.\.$|…$", re.MULTILINE)


def walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command with the words that call it."""
    yield path, command
    if hasattr(command, "list_commands"):
        for name in command.list_commands(None):
            yield from walk(command.get_command(None, name), (*path, name))


MAIN: Any = typer.main.get_command(app)
EVERY = dict(walk(MAIN))
PATHS = [pytest.param(path, id=" ".join(path) or "portrayal") for path in EVERY]


def shown(cli: Run, *words: str) -> str:
    ran = cli(*words, "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show help as a terminal of eighty columns does."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))


def test_every_command_stands_in_one_panel(cli: Run) -> None:
    found = MAIN.panels(MAIN.list_commands(None))
    listed = [name for names in found.values() for name in names]
    assert list(found) == PANELS
    assert sorted(listed) == sorted(MAIN.list_commands(None))
    assert {"biaspainter", "tbyb"} <= set(found["Methods"])
    assert (found["People who judge"], found["Many models"]) == (["labels", "arena", "graph"], ["atlas"])
    text = shown(cli)
    assert re.findall(r"^(\S.*):$", text, re.MULTILINE) == ["Options", *PANELS]


def test_a_command_that_no_panel_names_is_listed_last() -> None:
    assert in_panels(["a", "b", "c"], {"One": ["c"], "None": ["d"]}) == {"One": ["c"], OTHERS: ["a", "b"]}
    assert in_panels([], {"One": ["c"]}) == {}


@pytest.mark.parametrize("path", [path for path in PATHS if path.id != "portrayal"])
def test_a_command_is_listed_with_a_short_whole_sentence(cli: Run, path: tuple[str, ...]) -> None:
    sentence = EVERY[path].get_short_help_str(1000)
    assert len(sentence) <= LONGEST
    assert sentence.endswith(".")
    assert sentence[0].isupper()
    lines = [line.split(maxsplit=1) for line in shown(cli, *path[:-1]).splitlines() if line.startswith("  ")]
    assert [path[-1], sentence] in lines


@pytest.mark.parametrize("path", PATHS)
def test_no_help_is_wider_than_a_terminal_or_says_tell(cli: Run, path: tuple[str, ...]) -> None:
    text = shown(cli, *path)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert not UNWANTED.search(text.partition("\n\n")[2])
    assert not re.search(r"\[\[|\.\.\.\S", text.partition("\n\n")[0]), "brackets and dots are Click's"


@pytest.mark.parametrize("name", GROUPS)
def test_a_groups_help_has_more_than_its_first_sentence(cli: Run, name: str) -> None:
    about = shown(cli, name).partition("\n\n")[2].partition("\nOptions:")[0]
    assert len(about.split("\n\n")) > 1


@pytest.mark.parametrize("name", WITH_STEPS)
def test_the_steps_in_a_groups_help_are_commands_with_options_that_they_have(cli: Run, name: str) -> None:
    steps = [shlex.split(line) for line in shown(cli, name).splitlines() if line.startswith("    portrayal ")]
    assert len(steps) > 1
    for _, *words in steps:
        depth = 2 if tuple(words[:2]) in EVERY else 1
        known = {option for param in EVERY[tuple(words[:depth])].params for option in param.opts}
        assert {word for word in words if word.startswith("--")} <= known


def test_a_long_sentence_of_another_package_is_wrapped_and_ended() -> None:
    other = typer.Typer(cls=ListedGroup, rich_markup_mode=None, add_completion=False)
    other.command(help="count " + "very " * 30 + "many bees")(lambda: None)
    other.command("die", hidden=True, help="End.")(lambda: None)
    other.command("fly")(lambda: None)
    text = CliRunner().invoke(other, ["--help"], prog_name="bees", terminal_width=WIDTH).output
    listed = " ".join(text.partition("Commands:")[2].split())
    assert "Count very very" in listed
    assert listed.count("very") == 30
    assert "many bees." in listed
    assert "..." not in listed
    assert "die" not in listed
