"""Suites whose prompts their authors did not let be shipped: they are read from a clone of the authors' repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.errors import ConfigError, InputError

__all__ = ["Released"]


@dataclass(frozen=True, slots=True)
class Released:
    """What a suite reads: ``title`` is what the authors call it, ``folders`` are those that a clone must have."""

    suite: str
    title: str
    address: str
    folders: Sequence[Path]

    def clone(self, path: Path | None, folder: Path) -> Path:
        """Return the folder of the clone, or say what to set; a relative path starts at ``folder``."""
        if path is None:
            raise ConfigError(
                f"suite {self.suite!r} reads the files that {self.title}'s authors released: set options.path to a "
                f"clone of {self.address} (a new study: portrayal init STUDY --method {self.suite} "
                f"--suite {self.suite}:CLONE)"
            )
        clone = folder / path
        for name in self.folders:
            if not (clone / name).is_dir():
                raise InputError(f"{clone}: no folder {name} in it; options.path must be a clone of {self.title}")
        return clone
