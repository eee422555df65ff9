"""Plugins for tests: distributions as pip would install them."""

from __future__ import annotations

from pathlib import Path

__all__ = ["write_plugin"]


def write_plugin(folder: Path, module: str, code: str, entry_points: str) -> Path:
    """Write a distribution of one module to a folder that is to be on the path, and return the module's file."""
    info = folder / f"{module}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module.replace('_', '-')}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(entry_points)
    path = folder / f"{module}.py"
    path.write_text(code)
    return path
