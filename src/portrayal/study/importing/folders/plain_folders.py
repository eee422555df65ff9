"""Images in plain folders, which say little: model and prompt are folders' names, files' names, or told once for all.

``tree`` is ``model/prompt/image.png``; ``prompts`` and ``models`` have one level of folders that mean something, and
``flat`` none; in ``names`` files are prompts, and folders models unless one is told. Below that, files may lie at any
depth, and folders named after days or by numbers may lie anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from portrayal.errors import InputError
from portrayal.records import FoundImage, Prompt
from portrayal.study.importing.folders.file_names import prompts_in_names
from portrayal.study.importing.folders.folder_names import can_be_model, meaningful
from portrayal.study.importing.folders.image_files import is_picture_name
from portrayal.study.importing.folders.walk import files_below, plain_name
from portrayal.study.importing.image_terms import prompt_terms

__all__ = ["FLAT", "MODELS", "NAMES", "NEEDS", "PROMPTS", "TAKES", "TREE", "lacking", "read_folders", "read_tree"]

TREE, PROMPTS, MODELS, FLAT, NAMES = "tree", "prompts", "models", "flat", "names"
NEEDS: Mapping[str, tuple[str, ...]] = {
    TREE: (),
    PROMPTS: ("model",),
    MODELS: ("prompt",),
    FLAT: ("model", "prompt"),
    NAMES: (),
}
"""What must be told beside the folder."""
TAKES: Mapping[str, tuple[str, ...]] = {**NEEDS, NAMES: ("model",)}
"""What may be told: of images named after their prompts the folders may be models."""
Place = tuple[Path, str, str]
"""A file, its model and its prompt."""
_LEVELS: Mapping[str, int] = {TREE: 2, PROMPTS: 1, MODELS: 1, FLAT: 0}
"""How many folders on the way to a file mean something."""


def lacking(layout: str, model: str, prompt: str) -> list[str]:
    """Return which of ``model`` and ``prompt`` a layout needs and nobody gave."""
    given = {"model": model, "prompt": prompt}
    return [name for name in NEEDS.get(layout, ()) if not given[name]]


def read_folders(folder: Path, layout: str, model: str = "", prompt: str = "") -> Iterator[FoundImage]:
    """Yield the files of a layout above, with what is told once for all of them."""
    places = list(_places(folder, layout, model, prompt))
    if layout == NAMES:
        places = _with_words(places)
    terms = prompt_terms((drawn_by, text) for _, drawn_by, text in places)
    for path, drawn_by, text in places:
        yield FoundImage(path, drawn_by, Prompt(text, terms[text]))


def read_tree(folder: Path) -> Iterator[FoundImage]:
    """Yield the files of ``model/prompt/image.png``, prompts as the folders are named."""
    return read_folders(folder, TREE)


def _places(folder: Path, layout: str, model: str, prompt: str) -> Iterator[Place]:
    for path in files_below(folder):
        *folders, _ = (plain_name(step) for step in path.relative_to(folder).parts)
        if layout in (TREE, PROMPTS, MODELS) and not all(folders[:2]):
            raise InputError(f"{path.parent}: a folder without a name; name it after its model or its prompt")
        if layout == NAMES:
            yield from _named_file(path, folders, model)
        elif (named := meaningful(folders, _LEVELS[layout])) is not None:
            names = iter(named)
            yield path, model or next(names), prompt or next(names)


def _named_file(path: Path, folders: Sequence[str], model: str) -> Iterator[Place]:
    """Yield a file whose stem holds its prompt; its model is told, or the first folder that could be one."""
    drawn_by = model or next(filter(can_be_model, folders), "")
    if drawn_by:
        yield path, drawn_by, path.stem
    elif is_picture_name(path):
        raise InputError(f"{path}: lies in no folder that could be its model; add --model NAME")


def _with_words(files: Sequence[Place]) -> list[Place]:
    """Return the files with the prompts in their stems; an image that has none there is an error."""
    texts = prompts_in_names([stem for _, _, stem in files])
    images = [path for path, _, _ in files if is_picture_name(path)]
    wordless = [path for path in images if not texts[path.stem]]
    if wordless:
        raise InputError(
            f"{wordless[0]}: no prompt in this file's name, and in {len(wordless)} of {len(images)} in all; rename "
            "them, list them in manifest.csv with their prompts, or give --prompt TEXT if all have the same"
        )
    return [(path, model, texts[stem]) for path, model, stem in files if texts[stem]]
