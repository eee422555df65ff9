"""A folder of images that somebody names: how they lie in it, and what must be asked about them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from portrayal.errors import InputError
from portrayal.terminal import counted, say, tell

if TYPE_CHECKING:
    from portrayal.study.importing.folders.recognise import FoundFolder, GivenFolder, UnnamedError

__all__ = ["look_at"]


def look_at(given: GivenFolder, inform: Callable[[str], None] = say) -> FoundFolder:
    """Look at a folder of images; on a terminal, ask for what it does not say. Say how many there are and of whom."""
    from portrayal.study.importing.folders.recognise import UnnamedError

    try:
        folder = given.read()
    except UnnamedError as error:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        folder = _asked(given, error).read()
    for line in _lines(folder):
        inform(line)
    return folder


def _asked(given: GivenFolder, error: UnnamedError) -> GivenFolder:
    """Return the options with what was answered on the terminal."""
    from portrayal.study.importing.folders.plain_folders import FLAT, MODELS, NAMES, PROMPTS
    from portrayal.study.importing.folders.recognise import GivenFolder

    layout, model, prompt, shape = "", given.model, given.prompt, error.shape
    if shape is None:
        return replace(given, model=_ask("Which model drew the images?"))
    tell(f"{given.images}: {shape.words(model, prompt)}.")
    if shape.asks_what_folders_are(model, prompt):
        kinds = {"prompts": PROMPTS, "models": MODELS, "neither": FLAT}
        layout = kinds[_choice("What are the folders?", list(kinds))]
    if not model and layout != MODELS:
        model = _ask("Which model drew the images?")
    if not prompt and layout != PROMPTS:
        if shape.prompt_in_name:
            tell(f"Leave the next answer empty if files are named after their prompts, as {shape.prompt_in_name!r}.")
            prompt = _ask("By which prompt?", may_be_empty=True)
            layout = layout if prompt else NAMES
        else:
            prompt = _ask("By which prompt?")
    return GivenFolder(given.images, layout or FLAT, None, outside=given.outside, model=model, prompt=prompt)


def _lines(folder: FoundFolder) -> Iterator[str]:
    """Yield what was seen in the folder."""
    from portrayal.study.importing.folders.layouts import LAYOUTS
    from portrayal.study.importing.remarks import some

    about = LAYOUTS.entries()[folder.layout].summary
    counts = ((folder.images, "image"), (len(folder.models), "model"), (len(folder.prompts), "prompt"))
    count, models, prompts = (counted(number, noun) for number, noun in counts)
    yield f"{folder.folder}: {count} of {models} and {prompts}, laid out as {folder.layout!r} ({about})"
    yield f"  models: {some([repr(name) for name in folder.models])}"
    yield f"  prompts: {some([repr(text) for text in folder.prompts])}"


def _ask(question: str, *, may_be_empty: bool = False) -> str:
    while True:
        try:
            answer = str(
                typer.prompt(question.rstrip("?"), default="", show_default=False, prompt_suffix="? ", err=True)
            )
        except typer.Abort as error:
            if isinstance(error.__context__, EOFError):  # Ctrl-D; Ctrl-C ends a command in its own way
                tell("")
                raise InputError(f"no answer to {question!r}; answer it, or give --model and --prompt") from None
            raise
        if answer.strip() or may_be_empty:
            return answer.strip()


def _choice(question: str, known: list[str]) -> str:
    while (answer := _ask(f"{question.rstrip('?')} ({', '.join(known)})?").lower()) not in known:
        pass
    return answer
