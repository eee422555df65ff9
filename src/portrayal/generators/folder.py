"""Images that exist already, found in a folder by the names of terms: photos, and edits that somebody made.

A drawn image is ``TERM.png``; an edit is ``TERM/SOURCE.png``, where the source is the term of the image it was made
from. Where several prompts have one term, folders of their categories and variants tell them apart. Letters of any case
are the same, and a term may have other characters than a file's name can.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from portrayal.errors import InputError
from portrayal.generators.generator import Truth
from portrayal.generators.image_names import ImageNames, plain_name
from portrayal.inputfile import read_bytes
from portrayal.records import Failed, Job, Made, Prompt
from portrayal.registry import refuse_argument
from portrayal.services.no_result import Again
from portrayal.services.picture_info import read_picture
from portrayal.settings import Settings

__all__ = ["Folder"]

_MOST_BYTES = 200_000_000
_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
_UNNAMED = "another prompt has the same term, category and variant, so that no name tells them apart"


class FolderOptions(Settings):
    """``path`` is the folder, seen from the study's own."""

    folders: ClassVar[frozenset[str]] = frozenset({"path"})

    path: Path


class Folder:
    """Takes the images of a folder."""

    Options = FolderOptions
    name = "folder@1"
    seconds_per_image = 0.01
    finds: ClassVar[bool] = True
    citations: ClassVar[Sequence[str]] = ()

    def __init__(self, argument: str, options: FolderOptions) -> None:
        refuse_argument("generator 'folder'", argument)
        self.options = options
        self.folder = options.path

    def truth(self, prompt: Prompt) -> Truth | None:  # noqa: ARG002 - it holds for every prompt
        """Return None: who is in a photo is not known beforehand."""
        return None

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Failed]:
        """Yield the image of each job's term."""
        for job in jobs:
            yield self._outcome(job, _names(job))

    def edit(self, jobs: Sequence[Job]) -> Iterator[Made | Failed]:
        """Yield the edit of each job's source that lies in the folder of its term."""
        for job in jobs:
            yield self._outcome(job, [f"{name}/{job.source_term}" for name in _names(job)])

    def refuse_shared(self, names: ImageNames, *, edits: bool) -> None:
        """Refuse an image, or a folder of edits, that could be meant by several prompts; before one is taken for all.

        A folder that is not there yet has none.
        """
        for name, prompts in names.shared.items() if self.folder.is_dir() else ():
            for stem, path in self._files.items():
                if stem.startswith(f"{name}/") if edits else stem == name:
                    where, what = (path.parent, "folders") if edits else (path, "images")
                    asked = " and ".join(repr(prompt.text) for prompt in prompts[:2])
                    raise InputError(f"{where}: it could be meant by {asked}; {_instead(names, name, what)}")

    @functools.cached_property
    def _files(self) -> Mapping[str, Path]:
        """The files by their plain names, without their endings."""
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: no such folder; generator 'folder' takes the images from it")
        paths = [path for path in sorted(self.folder.rglob("*")) if path.suffix.lower() in _ENDINGS]
        files: dict[str, Path] = {}
        for path in paths:
            parts = path.relative_to(self.folder).with_suffix("").parts
            name = "/".join(map(plain_name, parts))
            if name in files:
                raise InputError(f"{path}: lies beside {files[name].name}, and both are meant by one name; keep one")
            files[name] = path
        return files

    def _outcome(self, job: Job, names: Sequence[str]) -> Made | Failed:
        path = next((self._files[plain_name(name)] for name in names if plain_name(name) in self._files), None)
        if path is None:
            where = f"{self.folder}/{names[-1]}.*: no such file" if names else f"{job.text}: {_UNNAMED}"
            return Failed(job.id, "missing_file", where, self.name)
        try:
            data = read_bytes(path, _MOST_BYTES)
            picture = read_picture(data)
        except InputError as error:
            return Failed(job.id, "missing_file", str(error), self.name)
        except Again as error:
            return Failed(job.id, "unreadable_image", f"{path}: {error.detail}", self.name)
        return Made(job.id, data, picture.ext, picture.width, picture.height, versions=self.name)


def _names(job: Job) -> Sequence[str]:
    """Return what the image of a job may be called, the simplest name last."""
    return (job.term,) if job.names is None else job.names


def _instead(names: ImageNames, name: str, what: str) -> str:
    if instead := names.instead(name):
        return f"name the {what} {' and '.join(instead)}"
    return f"{_UNNAMED}; give them different terms"
