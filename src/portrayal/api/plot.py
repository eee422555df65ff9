"""A chart that a notebook shows and a file takes."""

from __future__ import annotations

import os
from pathlib import Path

from portrayal.errors import InputError, MissingExtraError
from portrayal.store.files import write_atomic

__all__ = ["FORMS", "Plot"]

_SCALE = 2.0
"""Pixels of a PNG for each of the picture's own: sharp on a screen and on a slide."""
FORMS = ("svg", "pdf", "png")


class Plot:
    """A chart as SVG. A notebook shows it; :meth:`save` writes it to a file."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the chart to a ``.svg``, ``.pdf`` or ``.png`` file, and return its path.

        PDF and PNG need the extra ``figures``.
        """
        file = Path(path)
        ending = file.suffix.lower()
        if ending.removeprefix(".") not in FORMS:
            known = ", ".join(f".{name}" for name in FORMS)
            raise InputError(f"{file}: charts are written as {known}, not {ending or 'without an ending'}")
        write_atomic(file, self.drawn(ending.removeprefix(".")))
        return file

    def drawn(self, form: str) -> bytes:
        """Return the chart as the content of a file: ``svg``, ``pdf`` or ``png``."""
        if form == "svg":
            return self.svg.encode()
        try:
            import vl_convert
        except ModuleNotFoundError:
            raise MissingExtraError(f".{form} needs vl-convert-python: run pip install 'portrayal[figures]'") from None
        return vl_convert.svg_to_pdf(self.svg) if form == "pdf" else vl_convert.svg_to_png(self.svg, scale=_SCALE)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "a chart; a notebook shows it, save('figure.svg') writes it to a file"
