"""``portrayal open``: somebody else's study, looked at before it is trusted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.cli.verify import show_checked, show_verified
from portrayal.commands.options import Folder, Json, given_path
from portrayal.errors import InputError
from portrayal.terminal import say, say_json

if TYPE_CHECKING:
    from portrayal.study.untrusted.looking import Opened

__all__ = ["open_study"]

_TRUSTED = "it may do this: you made it on this machine, or trust it as its study.toml is"
_NOT_TRUSTED = "it may not do this, as it was not made on this machine; if you trust it, add --trust to this command"


def open_study(
    study: Folder,
    into: Annotated[
        Path | None,
        typer.Option(
            parser=given_path, metavar="FOLDER", help="Where to unpack a bundle; by default here, under its own name."
        ),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Allow what is listed, as long as study.toml does not change.")
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Take that permission back, and do nothing else.")] = False,
    as_json: Json = False,
) -> None:
    """Show what running somebody else's study would do.

    Compares its tables and images with their checksums. Uses no network, runs no part of the study, reads nothing
    outside its folder, and changes nothing. A bundle is checked first, then unpacked into a new folder. A study that
    was not made on this machine can do nothing outside its folder until you trust it.
    """
    from portrayal.store.trusted_studies import forget_study
    from portrayal.study.run_control import RunControl
    from portrayal.study.untrusted.looking import open_untrusted

    if trust and forget:
        raise InputError("--trust and --forget exclude each other")
    if forget:
        forget_study(study)
        say(f"{study} may do nothing beyond its folder any more")
        return
    if study.is_file():
        study = _unpacked(study, into, as_json)
    elif into:
        raise InputError(f"{study}: is a folder already; --into is for a bundle")
    opened = open_untrusted(study, RunControl(), trust=trust)
    if as_json:
        say_json(opened.as_json())
    else:
        _show(opened)
    if opened.verified and opened.verified.damage:
        raise typer.Exit(2)


def _unpacked(path: Path, into: Path | None, as_json: bool) -> Path:
    from portrayal.api.running.progress import show_progress
    from portrayal.study.archive.check import unpack
    from portrayal.study.run_control import RunControl

    folder = into or Path(path.stem)
    with show_progress() as shown:
        checked = unpack(path, folder, RunControl(shown))
    if checked.damage and as_json:
        say_json(checked.as_json())
    elif not as_json:
        show_checked(path, checked)
    if checked.damage:
        raise typer.Exit(2)
    if not as_json:
        say(f"unpacked into {folder}", "")
    return folder


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
    if opened.deeds:
        say(_TRUSTED if opened.trusted else _NOT_TRUSTED)
    say("nothing of this was done; report/ and figures in the folder, if any, are its author's, scripts included")
