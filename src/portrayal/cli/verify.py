"""``portrayal verify``: whether the files of a study, or of a bundle, are as they were written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from portrayal.commands.options import FolderOrBundle, Json
from portrayal.terminal import say, say_json, tell

if TYPE_CHECKING:
    from portrayal.study.archive.check import Checked
    from portrayal.study.checking.verify import Verified

__all__ = ["show_checked", "show_verified", "verify"]


def verify(study: FolderOrBundle, as_json: Json = False) -> None:
    """Check the files of a study or bundle by their checksums.

    Changes nothing, and says what to do about damaged files.
    """
    if study.is_file():
        _verify_bundle(study, as_json)
        return
    from portrayal.api.study import Study

    verified = Study(study).verify()
    if as_json:
        say_json(verified.as_json())
    else:
        show_verified(verified)
    if verified.damage:
        raise typer.Exit(2)


def _verify_bundle(path: Path, as_json: bool) -> None:
    from portrayal.api.running.progress import show_progress
    from portrayal.study.archive.check import check_archive
    from portrayal.study.run_control import RunControl

    with show_progress() as shown:
        checked = check_archive(path, RunControl(shown))
    if as_json:
        say_json(checked.as_json())
    else:
        show_checked(path, checked)
    if checked.damage:
        raise typer.Exit(2)


def show_checked(path: Path, checked: Checked) -> None:
    """Print what of a bundle is damaged, who signed it, and what it leaves out."""
    for damage in checked.damage:
        say(f"{path}: damaged: {damage}")
    if checked.damage:
        say("nothing of it can be relied on; get it again from whoever published it")
        return
    say(f"{checked.title}: {checked.files} files, {checked.bytes:,} bytes: none is damaged")
    for name in checked.left_out:
        say(f"not in it, though its study.toml names it: {name}")
    if checked.signature is None:
        say("signed, but by whom cannot be checked: ssh-keygen is not installed")
    elif checked.signature:
        say(f"signed with the key {checked.signature}; ask its author whether that is theirs")
    else:
        say("not signed: whoever made it could have made it up")


def show_verified(verified: Verified) -> None:
    """Print what is damaged, and how much was looked at."""
    for damage in verified.damage:
        say(f"{damage.path}: {damage.what}; {damage.remedy}")
    if verified.unchecked:
        tell(f"{verified.unchecked} files of tables were written by an older version and have no checksum: only read")
    damaged = f"{len(verified.damage)} damaged" if verified.damage else "none is damaged"
    looked = f"{verified.files} files of tables and {verified.images} images looked at"
    say(f"{looked}, with {verified.read} of the {verified.named} images that the tables name: {damaged}")
