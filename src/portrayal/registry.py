"""Names for exchangeable parts: lazy, open to plugins, helpful when mistyped.

A part is addressed as ``name`` or ``name:argument`` (``facegan``, ``diffusers:org/model``). Parts are listed as
``"module:attribute"`` strings so that listing them imports nothing. They come from three places: a registry's own, what
the folders of methods bring (:mod:`portrayal.bundles`), and other packages, through the entry-point group
``portrayal.<kind>s``, with underscores for spaces.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

from portrayal.errors import ConfigError, MissingExtraError, PortrayalError, UnknownNameError, did_you_mean

__all__ = ["Entry", "Registry", "entry_points", "installed_now", "refuse_argument"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered part: where it lives, what it is, what must be installed for it.

    ``tells`` are attributes that an annotator reports, as it is or by its options. ``words`` say in plain words what it
    is, for whoever chooses it on a page.
    """

    target: str
    summary: str = ""
    needs: tuple[str, ...] = ()
    extra: str = ""
    tells: tuple[str, ...] = ()
    words: str = ""

    def within(self, package: str) -> Entry:
        """Return the entry with a target that begins with a dot taken to lie in ``package``."""
        return replace(self, target=package + self.target) if self.target.startswith(".") else self

    def load(self) -> Any:
        """Import and return what the target names."""
        module, _, attribute = self.target.partition(":")
        return getattr(importlib.import_module(module), attribute)

    def missing(self) -> tuple[str, ...]:
        """Return the needed top-level modules that are not installed; imports none of them."""
        return tuple(name for name in self.needs if importlib.util.find_spec(name) is None)

    def remedy(self) -> str:
        """Return the command that installs what is missing."""
        return f'pip install "portrayal[{self.extra}]"' if self.extra else f"pip install {' '.join(self.needs)}"


class Registry(Generic[T]):
    """The parts of one kind, by name: ``builtin`` ones, and those of plugins."""

    def __init__(self, kind: str, builtin: Mapping[str, Entry]) -> None:
        self.kind = kind
        self._builtin = builtin
        self._plugins: tuple[Hashable, Sequence[tuple[str, Entry]]] = None, ()

    def builtin(self) -> Mapping[str, Entry]:
        """Return the parts that come with Portrayal."""
        return self._builtin

    def plugins(self) -> Sequence[tuple[str, Entry]]:
        """Return the parts of other packages with their names, of which several may have the same."""
        if (now := installed_now()) != self._plugins[0]:
            self._plugins = now, self.brought()
        return self._plugins[1]

    def brought(self) -> Sequence[tuple[str, Entry]]:
        """Look up what ``plugins`` returns until packages come or go."""
        group = f"portrayal.{self.kind.replace(' ', '_')}s"
        points = entry_points(group)
        return [(point.name, Entry(point.value, f"plugin from {distribution(point)}")) for point in points]

    def entries(self) -> dict[str, Entry]:
        """Return every part by name, built-in ones first; of several with the same name the first one counts."""
        entries = dict(self.builtin())
        for name, entry in self.plugins():
            entries.setdefault(name, entry)
        return entries

    def hidden(self) -> list[tuple[str, Entry]]:
        """Return the parts of other packages that nobody can use, for another one has their name."""
        known = self.entries()
        return [(name, entry) for name, entry in self.plugins() if known[name] != entry]

    def load(self, spec: str) -> T:
        """Import and return the part that ``spec`` names (without its ``:argument``)."""
        name = spec.partition(":")[0]
        known = self.builtin() if name in self.builtin() else self.entries()
        if name not in known:
            hint = did_you_mean(name, known)
            plugin = "" if hint.endswith("?") else "; if it is another package's, install that package"
            raise UnknownNameError(f"no {self.kind} named {name!r}{hint}{plugin}")
        entry = known[name]
        if missing := entry.missing():
            raise MissingExtraError(f"{self.kind} {name!r} needs {', '.join(missing)}: run {entry.remedy()}")
        return self._import(name, entry)

    def _import(self, name: str, entry: Entry) -> T:
        try:
            part: T = entry.load()
        except Exception as error:  # a plugin may break in any way while it is imported
            raise PortrayalError(f"{self.kind} {name!r} ({entry.target}) cannot be loaded: {error}") from error
        return part


def entry_points(group: str) -> importlib.metadata.EntryPoints:
    """Return what installed packages offer in a group.

    The files of all packages are read once, and again when packages come or go: reading them takes longer than most of
    what asks for it.
    """
    return _by_group(installed_now()).get(group, importlib.metadata.EntryPoints())


@lru_cache(maxsize=1)
def _by_group(_: Hashable) -> Mapping[str, importlib.metadata.EntryPoints]:
    points = importlib.metadata.entry_points()
    return {group: points.select(group=group) for group in points.groups}


def installed_now() -> Hashable:
    """Return what is another value once packages came or went: what is known of them holds as long as it does not."""
    return tuple(map(_state, sys.path))


def _state(folder: str) -> tuple[str, int, int]:
    """Return what changes when packages are installed in a folder, or when a relative path leads elsewhere."""
    try:
        stat = os.stat(folder)  # noqa: PTH116 - asked for each interval of a page; a Path takes five times as long
    except OSError:
        return folder, 0, 0
    return folder, stat.st_ino, stat.st_mtime_ns


def refuse_argument(part: str, argument: str) -> None:
    """Say that ``part``, such as ``generator 'facegan'``, is given by its name alone; for the parts that are.

    >>> refuse_argument("generator 'facegan'", "")
    """
    if argument:
        raise ConfigError(f"{part} takes no argument, got {argument!r}; use its options instead")


def distribution(point: importlib.metadata.EntryPoint) -> str:
    """Return the name of the package that an entry point belongs to."""
    return point.dist.name if point.dist else "an unknown package"
