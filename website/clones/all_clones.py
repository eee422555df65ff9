"""Every clone, by the name of its method."""

from __future__ import annotations

from pathlib import Path

from website.clones import biasig, magbig

CLONES = {"biasig": biasig.write_tree, "magbig": magbig.write_tree}


def write_clones(folder: Path) -> None:
    """Write each clone into the folder of the study of its method, which may read what lies in it."""
    for name, write in CLONES.items():
        write(folder / name / "clone")
