"""A package that brings an application: its commands and its table of study.toml are found, and nothing names it."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.plugins import write_plugin

from portrayal.bundles import apps
from portrayal.errors import ConfigError
from portrayal.study.config import load_config

Run = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[..., Path]
MODULE = "portrayal_test_apiary"
CODE = """
import typer
from portrayal.bundles import App
from portrayal.registry import Entry
from portrayal.settings import Settings

class Apiary(Settings):
    hives: int = 3

commands = typer.Typer(help="Look after an apiary.", rich_markup_mode=None)

@commands.command()
def count(): print("buzz")

@commands.command()
def feed(): pass

APP = App(
    __name__,
    panel="Many models",
    commands=Entry(f"{__name__}:commands", "look after an apiary"),
    table=Entry(f"{__name__}:Apiary"),
    server=Entry(f"{__name__}:commands", "hives in a browser", ("no_such_package",), "web"),
)
"""


@pytest.fixture(autouse=True)
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution with an application, one called as a built-in one, and one that cannot load."""
    points = f"[portrayal.apps]\napiary = {MODULE}:APP\natlas = {MODULE}:APP\nbroken = no_such_module:X\n"
    write_plugin(tmp_path / "site", MODULE, CODE, points)
    monkeypatch.syspath_prepend(tmp_path / "site")
    yield
    sys.modules.pop(MODULE, None)


def test_its_commands_are_listed_and_run(cli: Run) -> None:
    listed = cli("--help").stdout
    assert "  apiary       Look after an apiary.\n" in listed
    assert listed.index("Many models:") < listed.index("  apiary") < listed.index("This machine:")
    assert "broken" not in listed
    assert cli("apiary", "count").stdout == "buzz\n"
    wrong = cli("apiary", "swarm")
    assert (wrong.returncode, "swarm" in wrong.stderr) == (2, True)


def test_it_replaces_no_application_of_portrayal() -> None:
    assert apps()["atlas"].package == "portrayal.apps.atlas"


def test_its_table_of_study_toml_is_checked(make_study: Make) -> None:
    kind = importlib.import_module(MODULE).Apiary
    assert load_config(make_study("s0", apiary={"hives": 7})).of_app(kind).hives == 7
    assert load_config(make_study("s1")).of_app(kind).hives == 3
    with pytest.raises(ConfigError, match=r"study.toml.*hive.*did you mean .hives."):
        load_config(make_study("s2", apiary={"hive": 7}))
    with pytest.raises(ConfigError, match="did you mean 'apiary'"):
        load_config(make_study("s3", apiray={"hives": 7}))


def test_doctor_says_what_its_server_needs(cli: Run) -> None:
    assert "apiary" in cli("doctor").stdout
