"""Portrayal's commands, and the groups that applications and methods bring: named in the help, imported when used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import typer

from portrayal.commands.command_lists import ListedGroup, in_panels, sentence
from portrayal.commands.verbosity import with_verbose

__all__ = ["MainGroup"]

_METHODS = "Methods"
_PANELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "A study": (
            "demo", "init", "open", "import", "run", "status", "plan", "generate", "annotate", "measure", "sources",
            "suites", "annotators",
        ),
        "Its results": ("report", "findings", "figures", "export", "verify"),
        "People who judge": (),
        "Many models": (),
        "This machine": ("doctor", "keys", "stores", "engine", "bench"),
        _METHODS: ("reproduce",),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundGroup:
    """A group of commands that somebody brings: where help lists it, what it says there, and what imports it."""

    panel: str
    sentence: str
    load: Callable[[], typer.Typer]


class MainGroup(ListedGroup):
    """The commands of a study and, found and not named here, a group for each application and method that has one."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        builtin = super().list_commands(ctx)
        return [*builtin, *(name for name in self._found if name not in builtin)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, Portrayal's own first: they do not wait for plugins."""
        if (command := super().get_command(ctx, cmd_name)) is not None or cmd_name not in self._found:
            return command
        app = self._found[cmd_name]
        loaded = app.load()
        if [each.name for each in loaded.registered_commands] == [cmd_name]:  # one command, called as its folder
            return with_verbose(typer.main.get_command(loaded))
        group = typer.main.get_group(loaded)
        group.name, group.help = cmd_name, group.help or app.sentence
        return with_verbose(group)

    def sentences(self, ctx: Any) -> Mapping[str, str]:
        """Return what each command does; of those that are found nothing is imported."""
        commands = {name: super(MainGroup, self).get_command(ctx, name) for name in super().list_commands(ctx)}
        of_studies = {name: sentence(each.get_short_help_str(10_000)) for name, each in commands.items() if each}
        return {**{name: app.sentence for name, app in self._found.items()}, **of_studies}

    def panels(self, names: list[str]) -> Mapping[str, list[str]]:
        """Return the names by what they are about."""
        panels = {title: list(members) for title, members in _PANELS.items()}
        for name, app in self._found.items():
            if name not in self.commands:
                panels.setdefault(app.panel, []).append(name)
        return in_panels(names, panels)

    @cached_property
    def _found(self) -> dict[str, FoundGroup]:
        from portrayal.bundles import BundleRegistry, apps

        commands: BundleRegistry[typer.Typer] = BundleRegistry("group of commands", "commands")
        of_apps = {
            name: FoundGroup(app.panel, sentence(app.commands.summary), app.commands.within(app.package).load)
            for name, app in apps().items()
        }
        of_methods = {
            name: FoundGroup(_METHODS, sentence(entry.summary), partial(commands.load, name))
            for name, entry in commands.entries().items()
        }
        return {**of_methods, **of_apps}
