"""Pages from tables: pure, nothing read from disk."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from portrayal.reports.data import FaceView, Perceived, Picture, ReportData
    from portrayal.reports.page import render_report

__all__ = ["FaceView", "Perceived", "Picture", "ReportData", "render_report"]


if not TYPE_CHECKING:  # else a name that is not there would pass for an object

    def __getattr__(name: str) -> object:
        """Load the page for whoever asks for it: commands that print rows need charts and words, and no page."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{'page' if name == 'render_report' else 'data'}"), name)
