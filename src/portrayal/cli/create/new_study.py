"""What ``portrayal init`` says of its options and of a new study."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from portrayal.cli.image_folder import look_at
from portrayal.errors import ConfigError, InputError, UnknownNameError
from portrayal.terminal import say

if TYPE_CHECKING:
    from portrayal.study.importing.folders.recognise import FoundFolder, GivenFolder

__all__ = ["given_images", "offline", "refuse_demo", "refuse_images_options", "say_outlook"]

_NEAR = 0.8
"""How alike a word and the name of a method are if it is likely to be a slip."""


def given_images(given: GivenFolder, generator: str | None) -> FoundFolder:
    """Look at a folder for a study that draws nothing; say which of its images are not read, and which are merged."""
    from portrayal.study.importing.remarks import numbers_remarks, unread_remarks, unused_remarks

    if generator is not None:
        raise InputError("--images and --generator exclude each other; add [[generators]] to study.toml to do both")
    images = look_at(given)
    for remarks in (unread_remarks, unused_remarks, numbers_remarks):
        for remark in remarks(images.folder, images.files, images.layout):
            say(f"  {remark}")
    return images


def offline(study: Path, method: str) -> str:
    """Return the command that creates a study of a method which runs anywhere, with planted people and no pictures."""
    place = shlex.quote(str(study if str(study) == "STUDY" else study.with_name(f"{study.name}-offline")))
    return f"portrayal init {place} --method {method} --generator simulated --annotator simulated"


def refuse_demo(name: str, known: Sequence[str], *, is_folder: bool) -> None:
    """Refuse a name that is no demo's, unless it may be a folder and is not that of a method or nearly so."""
    from portrayal.bundles import bundles

    demos = f"demos: {', '.join(known)}"
    folder = f"; for a folder of that name: portrayal demo ./{name}" if is_folder else ""
    if name in bundles():
        study = offline(Path("STUDY"), name)
        raise UnknownNameError(f"there is no demo of {name!r} ({demos}); a study of it, offline: {study}{folder}")
    near = difflib.get_close_matches(name, bundles(), 1, _NEAR)
    if near or not is_folder:
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownNameError(f"no demo of a method named {name!r} ({demos}){hint}{folder}")


def refuse_images_options(given: Mapping[str, object]) -> None:
    """Say that these options, by name, are about a folder of images."""
    for name, value in given.items():
        if value:
            raise InputError(f"{name} goes with --images, the folder that holds the images")


def say_outlook(study: Path) -> None:
    """Say what running the study will do, how many images that is, and about how long it takes."""
    from portrayal.study.create.outlook import costs_line, outlook
    from portrayal.study.study import OpenStudy

    try:
        opened = OpenStudy(study)
        lines = [*outlook(opened), *costs_line(opened)]
    except (ConfigError, InputError) as error:  # its files are not named yet, or are not all there
        say(f"to do: {error}")
        return
    say("running it:")
    for line in lines:
        say(f"  {line}")
