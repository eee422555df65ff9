"""Where a model's files lie, and which version of them it is.

A model is a folder on this machine or an id on the Hugging Face hub. Its results are kept under a version that can be
checked: a commit of the hub, or a digest of the folder's files. Nothing is fetched while a study runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portrayal.errors import ConfigError, InputError, MissingOptionError, PortrayalError

__all__ = ["REVISION", "ModelFiles", "check_complete", "find_model", "loading", "quiet"]

REVISION = r"^([0-9a-f]{40})?$"
"""What an option ``revision`` must look like."""

_MODEL_FILES = (".bin", ".jinja", ".json", ".model", ".safetensors", ".txt")
_SAMPLES, _SAMPLE = 16, 65_536
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model's place. ``part`` is who asks, such as ``annotator 'clip'``; ``place`` a folder or an id on the hub."""

    part: str
    place: str | Path
    revision: str

    @property
    def title(self) -> str:
        """The model and the first digits of its version, as they appear in the identity of who uses it."""
        name = self.place.name if isinstance(self.place, Path) else self.place
        return f"{name}@{self.revision[:_SHOWN]}"

    def folder(self, patterns: Sequence[str] = ("*.json", "*.txt", "*.safetensors")) -> Path:
        """Return where the files lie on this machine; ``patterns`` are those to fetch when they do not."""
        if isinstance(self.place, Path):
            return self.place
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

        try:
            return Path(snapshot_download(self.place, revision=self.revision, local_files_only=True))
        except HFValidationError as error:
            raise InputError(f"{self.part}: {self.place} can be no model on the hub: {error}") from None
        except LocalEntryNotFoundError:
            files = " ".join(f"--include '{pattern}'" for pattern in patterns)
            raise InputError(
                f"{self.part}: {self.place} is not on this machine; "
                f"fetch it once with: hf download {self.place} --revision {self.revision} {files}".rstrip()
            ) from None


def find_model(
    part: str, argument: str, revision: str, *, example: str, pinned: Mapping[str, str] | None = None
) -> ModelFiles:
    """Return the model that ``argument`` names; an id on the hub needs a revision, unless it is ``pinned``."""
    if not argument:
        raise ConfigError(f"{part} needs a model, such as {example}")
    folder = Path(os.path.expanduser(argument))  # noqa: PTH111 - that of Path breaks on a user who is not there
    if folder.is_dir():
        if revision:
            raise ConfigError(f"{part}: {argument} is a folder and has no revision; leave the option out")
        return ModelFiles(part, folder.absolute(), _digest(folder))
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", argument) or argument.startswith("."):
        raise InputError(f"{part}: no folder {argument}; give a folder or a model's id on the hub (owner/name)")
    commit = revision or (pinned or {}).get(argument, "")
    if not commit:
        raise MissingOptionError(
            f"{part}: set options.revision to a commit of {argument} (40 digits, in its history on the hub; "
            "there is no folder of that name here); "
            "a model that changes would mix two models' results"
        )
    return ModelFiles(part, argument, commit)


@contextlib.contextmanager
def loading(part: str, place: Path | str) -> Iterator[None]:
    """Turn whatever goes wrong while a model is loaded from ``place`` into one line, and keep the library quiet."""
    try:
        with quiet():
            yield
    except (PortrayalError, MemoryError):
        raise
    except Exception as error:  # files that are missing, damaged or of another kind fail in every way
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise InputError(f"{part}: the model in {place} cannot be loaded: {line}") from None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep the library's progress bars and advice out of the command's output while a model is loaded."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def check_complete(part: str, place: Path | str, loaded: Mapping[str, Any]) -> None:
    """Refuse a model some of whose weights were not in its files: they would be filled with random numbers."""
    if loaded["missing_keys"] or loaded["mismatched_keys"]:
        raise InputError(f"{part}: {place} lacks some of the model's weights; fetch them anew")


def _digest(folder: Path) -> str:
    """Digest names, sizes and samples of a model's files: weights are too large to be read whole at every command."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _MODEL_FILES and path.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder).as_posix()}\0{size}\0".encode())
        with path.open("rb") as file:
            for place in range(_SAMPLES):
                file.seek(max(0, size - _SAMPLE) * place // (_SAMPLES - 1))
                digest.update(file.read(_SAMPLE))
    return digest.hexdigest()
