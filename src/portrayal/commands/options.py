"""Arguments and options that several commands have.

An empty path, as of a variable that is not set, would mean the current folder, and is refused.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

__all__ = ["Folder", "Json", "PageLanguage", "Picture", "given_path", "new_path"]

PageLanguage = Literal["en", "de"]
"""The languages of pages and pictures."""


class Picture(StrEnum):
    """What charts are written as; an enumeration, for Typer takes no list of literals."""

    svg = "svg"
    pdf = "pdf"
    png = "png"


def given_path(text: str) -> Path:
    """Return a path that somebody wrote, and refuse an empty one."""
    if not text:
        raise typer.BadParameter("the path is empty; give a file or a folder ('.' is the current one)")
    return Path(text)


def new_path(text: str) -> Path:
    """Return a path that somebody wrote for a study to be made, whose name will stand in files."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise typer.BadParameter("the name is not UTF-8; choose another")
    return given_path(text)


Folder = Annotated[
    Path, typer.Argument(parser=given_path, metavar="STUDY", help="The study's folder, with its study.toml.")
]
FolderOrBundle = Annotated[
    Path,
    typer.Argument(parser=given_path, metavar="STUDY", help="The study's folder, or a bundle: a .portrayal file."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
