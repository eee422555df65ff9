"""Compare: does model B portray people differently from model A, and where."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="Its results",
    commands=Entry(".compare_command:app", "Show where two models differ, in one study or two."),
)
