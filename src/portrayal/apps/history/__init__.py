"""History: the same suite over many releases of a model, and what changed from one to the next."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="Its results",
    commands=Entry(".history_command:app", "Show what changed between releases of a model."),
    texts="texts",
)
