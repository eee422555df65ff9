"""How study.toml names a file: from the study's folder if it lies near by, so that both can be moved together."""

from __future__ import annotations

import os
from pathlib import Path

from portrayal.study.config import PartConfig

__all__ = ["near_path", "near_suite"]


def near_path(path: Path, folder: Path) -> str:
    """Return a path as seen from the study's folder, if it lies in it or in the folder around it; else the whole path.

    Links are followed first: ``..`` of a folder that is a link is not where the link stands.
    """
    whole, root = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    near = whole.is_relative_to(root.parent) and root.parent != Path(root.anchor)
    return Path(os.path.relpath(whole, root)).as_posix() if near else str(whole)


def near_suite(config: PartConfig, folder: Path) -> PartConfig:
    """Return the [suite] table with the path of a file or a folder of prompts as seen from the study's folder."""
    path = config.options.get("path", "")
    if not isinstance(path, str) or not Path(path).is_absolute():
        return config
    return config.model_copy(update={"options": {**config.options, "path": near_path(Path(path), folder)}})
