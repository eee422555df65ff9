"""The atlas: evaluations of many models, compared by kind, by scheduler, by year and side by side."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="Many models",
    commands=Entry(".commands.atlas_commands:atlas", "Collect evaluations of many models, and compare them."),
    texts="report/texts",
)
