"""Publish: results in the forms that others read, each number with its interval and its caveats."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="Its results",
    commands=Entry(".publish_command:app", "Write results in the formats that others use."),
    texts="texts",
)
