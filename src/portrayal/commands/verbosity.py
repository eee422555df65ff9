"""``--verbose``: what ran, how long it took, and where in the program an error came from. Every command takes it."""

from __future__ import annotations

import platform
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from portrayal import __version__
from portrayal.commands.made_options import made_options
from portrayal.terminal import tell

__all__ = ["Verbose", "Verbosity", "with_verbose"]

_SOURCE = Path(__file__).parents[2]


@dataclass(slots=True)
class Verbosity:
    """What a command says about itself on standard error, once somebody asked for it."""

    wanted: bool = False
    began: float = field(default_factory=time.monotonic)

    def ask(self) -> None:
        """Say from now on what there is to say."""
        if not self.wanted:
            tell(f"portrayal {__version__}, Python {platform.python_version()}, {platform.platform()}")
        self.wanted = True

    def say_time(self) -> None:
        """Say how long the command took."""
        if self.wanted:
            tell(f"took {time.monotonic() - self.began:.1f} s")

    def say_origin(self, error: BaseException) -> None:
        """Say where an error was raised, and which errors came before it."""
        if self.wanted:
            for line in _origins(error):
                tell(line)


def _ask(context: typer.Context, value: bool) -> None:
    if value and isinstance(context.obj, Verbosity):
        context.obj.ask()


Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        callback=_ask,
        is_eager=True,
        expose_value=False,
        help="Works with any command: also print versions, the time it took, and where an error came from.",
    ),
]


def with_verbose(command: Any) -> Any:
    """Return a command that takes the option, too; its help does not repeat it."""
    if command is not None and all(each.name != "verbose" for each in command.params):
        [option] = made_options({"verbose": Verbose})
        option.hidden = True
        command.params.append(option)
    return command


def _origins(error: BaseException | None) -> Iterator[str]:
    """Yield the calls that led to an error, then those to the one it came from.

    Of what others say in their errors nothing is repeated: it may hold a key.
    """
    before = "raised"
    while error is not None:
        yield f"{before} as {type(error).__name__}, most recent call last:"
        for frame in traceback.extract_tb(error.__traceback__):
            file = Path(frame.filename)
            if "typer" in file.parts:  # what finds the command
                continue
            place = file.relative_to(_SOURCE) if file.is_relative_to(_SOURCE) else file
            yield f"  {place}:{frame.lineno} {frame.name}"
        error, before = error.__cause__ or error.__context__, "it came from an error raised"
