"""Lists of commands in a help text: in panels, with whole sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from typer.core import TyperGroup

__all__ = ["MAIN_PANELS", "METHODS", "OTHERS", "ListedGroup", "in_panels"]

METHODS = "Methods"
OTHERS = "Other commands"
"""Where a command is listed that no panel names, so that none is ever missing from the help."""
MAIN_PANELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "A study": (
            "demo", "init", "import", "run", "status", "plan", "generate", "annotate", "measure", "sources", "suites",
            "annotators",
        ),
        "Its results": ("report", "figures", "export", "verify"),
        "People who judge": ("labels", "arena", "graph"),
        "Many models": ("atlas",),
        "This machine": ("doctor", "keys", "stores", "engine", "bench"),
        METHODS: ("reproduce",),
    }
)  # fmt: skip
_WHOLE = 10_000
"""Longer than any sentence: Click cuts what is longer than it is told."""


def in_panels(names: Iterable[str], panels: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the names panel by panel, in the panels' order; those in none come last.

    >>> in_panels(["fly", "buzz", "sting"], {"Wings": ["buzz", "fly", "glide"]})
    {'Wings': ['buzz', 'fly'], 'Other commands': ['sting']}
    """
    left = list(names)
    found: dict[str, list[str]] = {}
    for title, members in panels.items():
        found[title] = [name for name in members if name in left]
        left = [name for name in left if name not in found[title]]
    return {title: members for title, members in {**found, OTHERS: left}.items() if members}


class ListedGroup(TyperGroup):
    """A group of commands whose help cuts no sentence: each command is listed with the first one of its own help."""

    def panels(self, names: list[str]) -> Mapping[str, list[str]]:
        """Return the names by the titles under which they are listed."""
        return {"Commands": names}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list; all panels have their sentences in one column."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        listed = {name: command for name, command in commands.items() if command is not None and not command.hidden}
        width = max(map(len, listed), default=0)
        for title, names in self.panels(list(listed)).items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), _sentence(listed[name])) for name in names])


def _sentence(command: Any) -> str:
    """Return what a command does. Summaries of other packages' parts have no full stop."""
    text: str = command.get_short_help_str(_WHOLE)
    return text if not text or text.endswith((".", "!", "?", ")")) else f"{text[:1].upper()}{text[1:]}."
