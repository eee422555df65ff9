"""Groups of commands that methods bring: named in the help, imported when one of them is used."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import typer
from typer.core import TyperGroup

__all__ = ["MainGroup"]


class MainGroup(TyperGroup):
    """Portrayal's commands and, after them, a group for each method that has commands of its own."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        own = super().list_commands(ctx)
        return [*own, *(name for name in self._groups if name not in own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, Portrayal's own first: they do not wait for plugins."""
        return super().get_command(ctx, cmd_name) or self._groups.get(cmd_name)

    @cached_property
    def _groups(self) -> dict[str, MethodGroup]:
        from portrayal.bundles import BundleRegistry

        commands: BundleRegistry[typer.Typer] = BundleRegistry("group of commands", "commands")
        return {name: MethodGroup(name, entry.summary, commands) for name, entry in commands.entries().items()}


class MethodGroup(TyperGroup):
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
