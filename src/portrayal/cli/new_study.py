"""What ``portrayal init`` says of a folder of images and of a new study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from portrayal.errors import InputError
from portrayal.terminal import say

if TYPE_CHECKING:
    from portrayal.study.importing.recognise import FoundFolder

__all__ = ["look_at", "refuse_generator", "refuse_layout", "say_outlook"]


def look_at(images: Path, layout: str | None, *, outside: bool) -> FoundFolder:
    """Look at a folder of images, and say how many there are and how they lie in it."""
    from portrayal.study.importing.layouts import LAYOUTS, read_layout
    from portrayal.study.importing.recognise import FoundFolder, recognise

    if layout is None:
        found = recognise(images, outside=outside)
    else:
        found = FoundFolder(images, layout, read_layout(layout, images, outside=outside), outside=outside)
    about = LAYOUTS.entries()[found.layout].summary
    counts = ((found.images, "image"), (found.models, "model"), (found.prompts, "prompt"))
    count, models, prompts = (f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in counts)
    say(f"{images}: {count} of {models} and {prompts}, laid out as {found.layout!r} ({about})")
    return found


def refuse_generator(generator: str | None) -> None:
    """Say that a study of images that exist already draws nothing."""
    if generator is not None:
        raise InputError("--images and --generator exclude each other; add [[generators]] to study.toml to do both")


def refuse_layout(layout: str | None, *, outside: bool) -> None:
    """Say that these options are about a folder of images."""
    for name, given in (("--layout", layout is not None), ("--outside", outside)):
        if given:
            raise InputError(f"{name} goes with --images, the folder that holds the images")


def say_outlook(study: Path) -> None:
    """Say what running the study will do, how many images that is, and about how long it takes."""
    from portrayal.study.outlook import outlook
    from portrayal.study.study import OpenStudy

    say("running it:")
    for line in outlook(OpenStudy(study)):
        say(f"  {line}")
