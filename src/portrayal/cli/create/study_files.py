"""Files that applications bring for a study: ``portrayal init`` has an option for each, found and not named here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import typer

from portrayal.bundles import apps
from portrayal.cli.registered import RegisteredCommand
from portrayal.commands.made_options import made_options
from portrayal.registry import Entry
from portrayal.terminal import say

__all__ = ["InitCommand", "wanted_files", "write_files"]

_FILES = "portrayal.new_files"
"""Where the context keeps which files are wanted."""


class InitCommand(RegisteredCommand):
    """A command that has an option for each file that an application brings for a study."""

    @cached_property
    def _files(self) -> list[Any]:
        entries = _entries()
        return made_options({name.replace("-", "_"): _option(name, entry.summary) for name, entry in entries.items()})

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the arguments and options, with those of the files before the help."""
        params = super().get_params(ctx)
        return [*params[:-1], *self._files, *params[-1:]]


def wanted_files(context: typer.Context) -> Sequence[Entry]:
    """Return the files that were asked for."""
    wanted: list[str] = context.meta.get(_FILES, [])
    return [_entries()[name] for name in wanted]


def write_files(study: Path, files: Sequence[Entry]) -> None:
    """Write files for a study that is there."""
    for entry in files:
        write: Callable[[Path], Path] = entry.load()
        say(f"{write(study)} written; edit it")


def _entries() -> dict[str, Entry]:
    return {name: entry.within(app.package) for app in apps().values() for name, entry in app.new_files.items()}


def _option(name: str, about: str) -> Any:
    def keep(context: typer.Context, value: bool | None) -> None:
        if value:
            context.meta.setdefault(_FILES, []).append(name)

    text = f"Also write {about}; alone for a study that is there."
    return Annotated[bool, typer.Option(f"--{name}", callback=keep, expose_value=False, help=text)]
