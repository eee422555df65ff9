"""How images lie in a folder that follows no layout, and what must be told of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.study.importing.folders.file_names import prompts_in_names
from portrayal.study.importing.folders.folder_names import can_be_model
from portrayal.study.importing.folders.image_files import ending, is_meant, is_picture_name, is_read
from portrayal.study.importing.folders.manifest import MANIFEST_NAME
from portrayal.study.importing.folders.walk import files_below, plain_name
from portrayal.study.importing.heic import COMMAND, HEIC_ENDINGS

__all__ = ["FolderShape", "no_images", "shape_of"]

_SHOWN = 3
_WORD = 3
"""Letters of the shortest name that may be a prompt: names such as a.png and b.png are none."""


@dataclass(frozen=True, slots=True)
class FolderShape:
    """``direct`` images lie in the folder itself, ``in_folders`` one step deeper, ``images`` anywhere in it.

    ``readable`` are those of formats that are read.

    ``folders`` are the names of its folders that have images, ``example`` an image, ``prompt_in_name`` the prompt that
    its name holds, if it looks like one, and ``endings`` counts all files.
    """

    images: int
    readable: int
    direct: int
    in_folders: int
    folders: Sequence[str]
    example: Path | None
    prompt_in_name: str
    endings: Counter[str]

    @property
    def is_flat(self) -> bool:
        """Whether folders mean nothing: most images lie outside of them, or some are named after days or numbers."""
        return self.direct >= self.images - self.direct or not all(map(can_be_model, self.folders))

    def words(self, model: str = "", prompt: str = "") -> str:
        """Return how the images lie, and what is not known of them, given what was told already."""
        lie = "1 image lies" if self.images == 1 else f"{self.images:,} images lie"
        if self.asks_what_folders_are(model, prompt):
            return f"{lie} in folders ({_some(self.folders)}), and nothing says whether these are prompts or models"
        them = "it" if self.images == 1 else "them"
        unknown = [*([] if model else [f"which model drew {them}"]), *([] if prompt else ["by which prompt"])]
        return f"{lie} here, and nothing says {' or '.join(unknown)}"

    def asks_what_folders_are(self, model: str, prompt: str) -> bool:
        """Return whether the folders may be prompts or models, and nothing was told that would say which."""
        return not (self.is_flat or model or prompt)

    @property
    def _in_names(self) -> str:
        example = self.example.name if self.example else ""
        return f"each file's name holds its prompt (here {self.prompt_in_name!r} in {example})"

    def advice(self, model: str = "", prompt: str = "") -> str:
        """Return which options to add, given what was told already."""
        them = "it" if self.images == 1 else "them"
        named = f"list {them} in {MANIFEST_NAME} with the columns path, model and prompt"
        if self.asks_what_folders_are(model, prompt):
            names = f"; or --layout names if they are models and {self._in_names}" if self.prompt_in_name else ""
            folders = "--model NAME if they are prompts, --prompt TEXT if they are models, both if neither"
            return f"{folders}{names}; or {named}"
        options = [*([] if model else ["--model NAME"]), *([] if prompt else ["--prompt TEXT"])]
        names = ""
        if self.prompt_in_name and not prompt:
            names = f"; or {'' if model else '--model NAME '}--layout names if {self._in_names}"
        return f"{' and '.join(options)}{names}; or {named}"


def shape_of(folder: Path) -> FolderShape:
    """Look at the names of all files; none is opened."""
    files = list(files_below(folder))
    images = [path for path in files if is_picture_name(path)]
    steps = [path.relative_to(folder).parts for path in images]
    depths = Counter(map(len, steps))
    folders = list(dict.fromkeys(plain_name(way[0]) for way in steps if len(way) > 1))
    example = images[0] if images else None
    endings = Counter(map(ending, files))
    named, readable = _prompt_in_first([path.stem for path in images]), sum(map(is_read, images))
    return FolderShape(
        len(images),
        readable,
        depths[1],
        in_folders=depths[2],
        folders=folders,
        example=example,
        prompt_in_name=named,
        endings=endings,
    )


def _prompt_in_first(stems: Sequence[str]) -> str:
    """Return the prompt in the first name, if it looks like one: it has several words, or names have different ones.

    >>> [_prompt_in_first(stems) for stems in (["a nurse 1"], ["ceo (1)", "nurse_1"], ["IMG_1", "IMG_2"], ["a", "b"])]
    ['a nurse', 'ceo', '', '']
    """
    texts = prompts_in_names(stems)
    first = texts[stems[0]] if stems else ""
    are_words = len(set(texts.values())) > 1 and all(len(text) >= _WORD and text.isalpha() for text in texts.values())
    return first if " " in first or are_words else ""


def no_images(folder: Path, shape: FolderShape) -> str:
    """Return what to say of a folder without images that can be read."""
    if heic := sum(shape.endings[name] for name in HEIC_ENDINGS):
        return f"{folder}: {heic:,} images here are HEIC, and no others; to read them: {COMMAND}"
    if not shape.endings:
        return f"{folder}: the folder is empty; put the images there, or check the path"
    if (path := _without_ending(folder)) is not None:
        return f"{folder}: {path.name} is an image whose name has no ending; add that of its format, such as .png"
    kinds = ", ".join(f".{name}" if name else "without an ending" for name, _ in shape.endings.most_common(_SHOWN))
    files = f"{shape.endings.total():,} file{'' if shape.endings.total() == 1 else 's'} here ({kinds})"
    return f"{folder}: no images among the {files}; check the path, or unpack archives first"


def _without_ending(folder: Path) -> Path | None:
    """Return the first file without an ending, if it is an image by its bytes."""
    path = next((path for path in files_below(folder) if not ending(path)), None)
    return path if path and path.is_file() and path.stat().st_size and is_meant(path) else None


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more
