"""Where the user's own settings lie: on this machine, never in a study."""

from __future__ import annotations

import os
from pathlib import Path

from portrayal.errors import StorageError

__all__ = ["settings_file", "write_settings"]


def settings_file(name: str) -> Path:
    """Return the path of a file of settings; ``XDG_CONFIG_HOME`` moves it."""
    given = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".config") / "portrayal" / name


def write_settings(path: Path, text: str) -> None:
    """Write a file of settings in one step."""
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise StorageError(f"{path}: cannot be written: {error.strerror}; check the folder") from None
