"""``portrayal open``: somebody else's study, looked at before it is trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from portrayal.cli.verify import show_verified
from portrayal.commands.options import Folder, Json
from portrayal.terminal import say, say_json

if TYPE_CHECKING:
    from portrayal.study.untrusted import Opened

__all__ = ["open_study"]


def open_study(study: Folder, as_json: Json = False) -> None:
    """Look at a stranger's study: what running it would do.

    Reads its tables and images and compares them with their checksums. Reaches no network, runs no part, reads nothing
    outside the folder, changes nothing.
    """
    from portrayal.study.run_control import RunControl
    from portrayal.study.untrusted import open_untrusted

    opened = open_untrusted(study, RunControl())
    if as_json:
        say_json(opened.as_json())
    else:
        _show(opened)
    if opened.verified and opened.verified.damage:
        raise typer.Exit(2)


def _show(opened: Opened) -> None:
    say(opened.title)
    for deed in opened.deeds:
        say(f"running it would {deed.what} ({deed.where})")
    if not opened.deeds:
        say("running it would read and write in its own folder only")
    if opened.verified:
        show_verified(opened.verified)
    else:
        say("its images are not in its folder: nothing was asked of where they are, and its files were not compared")
    say("nothing of this was done; report/ and figures in the folder, if any, are its author's, scripts included")
