"""Lists of commands in a help text: in panels, with whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import typer
from typer.core import TyperGroup

from portrayal.commands.verbosity import with_verbose

__all__ = ["OTHERS", "ListedGroup", "command_group", "in_panels", "sentence"]

OTHERS = "Other commands"
"""Where a command is listed that no panel names, so that none is ever missing from the help."""
_WHOLE = 10_000
"""Longer than any sentence: Click cuts what is longer than it is told."""


def in_panels(names: Iterable[str], panels: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the names panel by panel, in the panels' order; those in none come last.

    >>> in_panels(["fly", "buzz", "sting"], {"Wings": ["buzz", "fly", "glide"]})
    {'Wings': ['buzz', 'fly'], 'Other commands': ['sting']}
    """
    left = list(names)
    shown: dict[str, list[str]] = {}
    for title, members in panels.items():
        shown[title] = [name for name in members if name in left]
        left = [name for name in left if name not in shown[title]]
    return {title: members for title, members in {**shown, OTHERS: left}.items() if members}


class ListedGroup(TyperGroup):
    """A group of commands whose help cuts no sentence: each command is listed with the first one of its own help."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, which takes ``--verbose``."""
        return with_verbose(super().get_command(ctx, cmd_name))

    def panels(self, names: list[str]) -> Mapping[str, list[str]]:
        """Return the names by the titles under which they are listed."""
        return {"Commands": names}

    def sentences(self, ctx: Any) -> Mapping[str, str]:
        """Return what each command does by its name, in the order in which they are listed."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        shown = {name: command for name, command in commands.items() if command is not None and not command.hidden}
        return {name: sentence(command.get_short_help_str(_WHOLE)) for name, command in shown.items()}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list; all panels have their sentences in one column."""
        listed = self.sentences(ctx)
        width = max(map(len, listed), default=0)
        for title, names in self.panels(list(listed)).items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), listed[name]) for name in names])


def command_group(text: str, alone: Callable[..., None] | None = None, **commands: Callable[..., None]) -> typer.Typer:
    """Return a group of commands by name with its help; ``alone`` is what it does without one of them."""
    group = typer.Typer(cls=ListedGroup, help=text, rich_markup_mode=None)
    if alone is not None:
        group.callback(invoke_without_command=True)(alone)
    for name, command in commands.items():
        group.command(name)(command)
    return group


def sentence(text: str) -> str:
    """Return a summary as a sentence. Those of other packages' parts have no full stop.

    >>> sentence("count wings")
    'Count wings.'
    """
    return text if not text or text.endswith((".", "!", "?", ")")) else f"{text[:1].upper()}{text[1:]}."
