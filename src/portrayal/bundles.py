"""What the folder of a method brings, all of it named in one place, and the registries that find it there.

A method of Portrayal is a folder of ``portrayal/methods`` whose ``__init__`` has a ``BUNDLE``. Another package adds one
through the entry-point group ``portrayal.methods``.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Generic, TypeVar

from portrayal.registry import Entry, Registry, entry_points

__all__ = ["Bundle", "BundleRegistry", "bundles"]

T = TypeVar("T")
_METHODS = "portrayal.methods"


@dataclass(frozen=True)
class Bundle:
    """All that the folder of a method brings. Targets that begin with a dot lie in its ``package``.

    There is one ``method``, one ``section`` of a report, one ``reproduction`` of what its paper prints, one group of
    ``commands``, all called as the method. Other parts have names of their own and may be used without it: ``suites``,
    ``references``, ``occupations`` (lists of them with their ISCO codes), ``layouts`` of images in folders, readers of
    ``results`` that others computed, and ``graphs``: domains whose relations ``portrayal graph`` lets people annotate.
    Commands may have a name of their own too.

    ``study`` and ``demo`` are files in the package: what ``portrayal init --method`` and ``portrayal demo`` write.
    ``suite`` is what such a study asks; without a file of its own it gets the usual one. ``own_suite_only`` says that
    the method scores no other. ``texts`` is the folder of translations; ``notes`` and ``reasons`` are lists of those
    that only this method has. ``attributes`` are those that an annotator must report, lest something is not computed:
    ``portrayal init`` sees to that. ``annotators`` are tables of study.toml of some who report them; they look where
    the usual annotator reports none of these. ``part_options`` are, by the name of a generator or annotator, the
    options that a new study gives it: those of the published method, where the part's own defaults are others.
    ``asks_for_things`` says that prompts are not about people. ``atlas`` tells the atlas of models what its scores are.
    """

    package: str
    method: Entry
    section: Entry | None = None
    reproduction: Entry | None = None
    commands: Entry | Mapping[str, Entry] | None = None
    suites: Mapping[str, Entry] = field(default_factory=dict)
    references: Mapping[str, Entry] = field(default_factory=dict)
    occupations: Mapping[str, Entry] = field(default_factory=dict)
    layouts: Mapping[str, Entry] = field(default_factory=dict)
    results: Mapping[str, Entry] = field(default_factory=dict)
    graphs: Mapping[str, Entry] = field(default_factory=dict)
    study: str = ""
    demo: str = ""
    suite: str = ""
    own_suite_only: bool = False
    texts: str = ""
    notes: Entry | None = None
    reasons: Entry | None = None
    attributes: tuple[str, ...] = ()
    part_options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    annotators: tuple[Mapping[str, Any], ...] = ()
    asks_for_things: bool = False
    atlas: Entry | None = None

    @property
    def can_begin(self) -> bool:
        """Whether ``portrayal init --method`` can write a study: it must know what to ask."""
        return bool(self.study or self.suite)

    def parts(self, what: str, name: str) -> dict[str, Entry]:
        """Return the parts in the field ``what`` by name; one without a name of its own is called ``name``."""
        found: Entry | Mapping[str, Entry] | None = getattr(self, what)
        if found is None:
            return {}
        named = {name: found} if isinstance(found, Entry) else found
        return {own: self._absolute(entry) for own, entry in named.items()}

    def _absolute(self, entry: Entry) -> Entry:
        return replace(entry, target=self.package + entry.target) if entry.target.startswith(".") else entry


@cache
def _builtin() -> Mapping[str, Bundle]:
    names = importlib.import_module(_METHODS).BUILTIN
    return {name: importlib.import_module(f"{_METHODS}.{name}").BUNDLE for name in names}


def _plugin_points() -> Iterator[tuple[importlib.metadata.EntryPoint, Bundle]]:
    for point in entry_points(_METHODS):
        try:
            found = point.load()
        except Exception:  # noqa: S112 - whoever asks for it by name learns why it cannot be loaded
            continue
        if isinstance(found, Bundle):
            yield point, found


def _plugins() -> Iterator[tuple[str, Bundle]]:
    return ((point.name, bundle) for point, bundle in _plugin_points())


def bundles() -> Mapping[str, Bundle]:
    """Return the bundles by their methods' names, built-in ones first; of several of a name the first one counts."""
    found = dict(_builtin())
    for name, bundle in _plugins():
        found.setdefault(name, bundle)
    return found


class BundleRegistry(Registry[T], Generic[T]):
    """The parts of one kind: the registry's own, those in the field ``what`` of bundles, and single ones of plugins."""

    def __init__(self, kind: str, what: str, builtin: Mapping[str, Entry] | None = None) -> None:
        super().__init__(kind, builtin or {})
        self._what = what

    def builtin(self) -> Mapping[str, Entry]:
        """Return the parts that come with Portrayal: the registry's own, then those of its methods."""
        return {**self._builtin, **dict(self._of(_builtin().items()))}

    def plugins(self) -> Sequence[tuple[str, Entry]]:
        """Return the parts of other packages with their names: single ones, then those of bundles."""
        bundled = {point.value for point, _ in _plugin_points()}
        single = [(name, entry) for name, entry in super().plugins() if entry.target not in bundled]
        return [*single, *self._of(_plugins())]

    def _of(self, found: Iterable[tuple[str, Bundle]]) -> Iterator[tuple[str, Entry]]:
        for name, bundle in found:
            yield from bundle.parts(self._what, name).items()
