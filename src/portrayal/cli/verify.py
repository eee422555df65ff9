"""``portrayal verify``: whether a study's files are as they were written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from portrayal.commands.options import Folder, Json
from portrayal.terminal import say, say_json, tell

if TYPE_CHECKING:
    from portrayal.study.verify import Verified

__all__ = ["show_verified", "verify"]


def verify(study: Folder, as_json: Json = False) -> None:
    """Check all tables and images against their checksums.

    Changes nothing, and says what to do about damaged files.
    """
    from portrayal.api.study import Study

    verified = Study(study).verify()
    if as_json:
        say_json(verified.as_json())
    else:
        show_verified(verified)
    if verified.damage:
        raise typer.Exit(2)


def show_verified(verified: Verified) -> None:
    """Print what is damaged, and how much was looked at."""
    for damage in verified.damage:
        say(f"{damage.path}: {damage.what}; {damage.remedy}")
    if verified.unchecked:
        tell(f"{verified.unchecked} files of tables were written by an older version and have no checksum: only read")
    damaged = f"{len(verified.damage)} damaged" if verified.damage else "none is damaged"
    looked = f"{verified.files} files of tables and {verified.images} images looked at"
    say(f"{looked}, with {verified.read} of the {verified.named} images that the tables name: {damaged}")
