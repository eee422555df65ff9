"""--verbose: of any command, wherever it stands; and it repeats nothing that an error of somebody else says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from portrayal import __version__
from portrayal.commands.verbosity import Verbosity
from portrayal.errors import InputError

Cli = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize(
    "words", [("-v", "run", "STUDY"), ("run", "STUDY", "--verbose"), ("labels", "status", "STUDY", "-v")]
)
def test_it_says_versions_where_an_error_came_from_and_the_time(words: tuple[str, ...], cli: Cli) -> None:
    ran = cli(*words)
    first, error, *origin, last = ran.stderr.splitlines()
    assert (ran.returncode, ran.stdout) == (2, "")
    assert first.startswith(f"portrayal {__version__}, Python 3.")
    assert error.startswith("error: ")
    assert origin[0] == "raised as StudyError, most recent call last:"
    assert origin[-1].startswith("  portrayal/study/config.py:")
    assert not [line for line in origin if "typer" in line]
    assert last.startswith("took ")


def test_results_stay_alone_on_standard_output(cli: Cli, make_study: Callable[..., Path]) -> None:
    study = make_study("one")
    cli("plan", study)
    verbose, usual = cli("status", study, "--json", "-v"), cli("status", study, "--json")
    assert verbose.stdout == usual.stdout
    assert usual.stderr == ""


def test_the_errors_before_are_named_and_not_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    verbosity = Verbosity()
    verbosity.ask()

    def ask_a_service() -> None:
        raise OSError("https://user:hidden-word@example.org refused")

    try:
        try:
            ask_a_service()
        except OSError:
            raise InputError("the service refused") from None
    except InputError as error:
        verbosity.say_origin(error)
    said = capsys.readouterr().err
    assert "it came from an error raised as OSError" in said
    assert " ask_a_service" in said
    assert "hidden-word" not in said
