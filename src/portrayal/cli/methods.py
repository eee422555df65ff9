"""Groups of commands that methods bring: named in the help, imported when one of them is used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import typer
from typer.core import TyperGroup

from portrayal.cli.command_lists import MAIN_PANELS, METHODS, ListedGroup, in_panels

__all__ = ["MainGroup"]


class MainGroup(ListedGroup):
    """Portrayal's commands and, after them, a group for each method that has commands of its own."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        builtin = super().list_commands(ctx)
        return [*builtin, *(name for name in self._groups if name not in builtin)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, Portrayal's own first: they do not wait for plugins."""
        return super().get_command(ctx, cmd_name) or self._groups.get(cmd_name)

    def panels(self, names: list[str]) -> Mapping[str, list[str]]:
        """Return the names by what they are about; commands of methods are found, not named."""
        of_methods = [name for name in names if name in self._groups and name not in self.commands]
        return in_panels(names, {**MAIN_PANELS, METHODS: (*MAIN_PANELS[METHODS], *of_methods)})

    @cached_property
    def _groups(self) -> dict[str, MethodGroup]:
        from portrayal.bundles import BundleRegistry

        commands: BundleRegistry[typer.Typer] = BundleRegistry("group of commands", "commands")
        return {name: MethodGroup(name, entry.summary, commands) for name, entry in commands.entries().items()}


class MethodGroup(ListedGroup):
    """The commands of one method."""

    def __init__(self, name: str, summary: str, commands: Any) -> None:
        super().__init__(name=name, help=summary, rich_markup_mode=None)
        self._registry = commands

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the method's commands."""
        return self._loaded.list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return one of them."""
        return self._loaded.get_command(ctx, cmd_name)

    @cached_property
    def _loaded(self) -> TyperGroup:
        return typer.main.get_group(self._registry.load(self.name))
