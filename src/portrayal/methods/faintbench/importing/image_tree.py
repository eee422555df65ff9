"""How FAIntbench's authors lay out images: ``DIR/model/prompt/image.png``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from portrayal.errors import InputError
from portrayal.records import FoundImage, Prompt, plain_text

__all__ = ["read_tree"]


def read_tree(folder: Path) -> Iterator[FoundImage]:
    """Yield the images; the prompt ends at the first comma of a folder's name, as a photorealism suffix may follow."""
    for model in _folders(folder):
        for asked in _folders(model):
            text = plain_text(asked.name).partition(",")[0].strip()
            if not text:
                raise InputError(f"{asked}: empty prompt; name the folder after the prompt its images were asked with")
            for path in _files(asked):
                yield FoundImage(path, plain_text(model.name), Prompt(text, text))


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def _files(folder: Path) -> list[Path]:
    """Return all that is no folder: a link to nothing, or a pipe, is recorded as what it is."""
    return sorted(path for path in folder.iterdir() if not path.is_dir() and not path.name.startswith("."))
