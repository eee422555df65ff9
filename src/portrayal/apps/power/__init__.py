"""Power: how many images answer the question, before they are drawn."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="A study",
    commands=Entry(".power_command:app", "Estimate how many images you need, and their time and cost."),
)
