"""``portrayal verify``: whether a study's files are as they were written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from portrayal.cli.output import Json
from portrayal.cli.paths import Folder
from portrayal.terminal import say, say_json, tell

if TYPE_CHECKING:
    from portrayal.study.verify import Verified

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command()(verify)


def verify(study: Folder, as_json: Json = False) -> None:
    """Check all tables and images against their checksums.

    Changes nothing, and says what to do about damaged files.
    """
    from portrayal.api.study import Study

    found = Study(study).verify()
    if as_json:
        say_json(found.as_json())
    else:
        _show(found)
    if found.damage:
        raise typer.Exit(2)


def _show(found: Verified) -> None:
    for damage in found.damage:
        say(f"{damage.path}: {damage.what}; {damage.remedy}")
    if found.unchecked:
        tell(f"{found.unchecked} files of tables were written by an older version and have no checksum: only read")
    damaged = f"{len(found.damage)} damaged" if found.damage else "none is damaged"
    say(f"{found.files} files of tables and {found.images} images looked at: {damaged}")
