"""What the folder of a method or of an application brings, all of it named in one place, and who finds it there.

A method of Portrayal is a folder of ``portrayal/methods`` whose ``__init__`` has a ``BUNDLE``, an application one of
``portrayal/apps`` whose ``__init__`` has an ``APP``. Another package adds them through the entry-point groups
``portrayal.methods`` and ``portrayal.apps``.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Generic, TypeVar

from portrayal.errors import MissingExtraError
from portrayal.registry import Entry, Registry, entry_points

__all__ = ["App", "Bundle", "BundleRegistry", "apps", "bundles", "text_folders"]

T = TypeVar("T")
_METHODS = "portrayal.methods"
_APPS = "portrayal.apps"


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
    ``wide`` is a function that knows which of its intervals are wider than they need be, where that is not the usual.
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
    wide: Entry | None = None

    @property
    def can_begin(self) -> bool:
        """Whether ``portrayal init --method`` can write a study: it must know what to ask."""
        return bool(self.study or self.suite)

    def parts(self, what: str, name: str) -> dict[str, Entry]:
        """Return the parts in the field ``what`` by name; one without a name of its own is called ``name``."""
        brought: Entry | Mapping[str, Entry] | None = getattr(self, what)
        if brought is None:
            return {}
        named = {name: brought} if isinstance(brought, Entry) else brought
        return {name: entry.within(self.package) for name, entry in named.items()}


@dataclass(frozen=True)
class App:
    """All that the folder of an application brings. Targets that begin with a dot lie in its ``package``.

    Its ``commands`` are a group called as the application, and help lists it in a ``panel``. ``table`` are the settings
    in the table of study.toml that is called as the application. ``texts`` is the folder of translations. ``server`` is
    what serves its pages: not a part that a study names, but one that needs an extra. ``new_files`` are by name what
    ``portrayal init --NAME`` writes beside study.toml: functions from the study's folder to the path of the file.
    ``policy_rule`` says by a policy what an adaptive run draws next: a ``PolicyRule`` of
    ``study/sampling/policy_rule.py``.
    """

    package: str
    panel: str
    commands: Entry
    table: Entry | None = None
    texts: str = ""
    server: Entry | None = None
    new_files: Mapping[str, Entry] = field(default_factory=dict)
    policy_rule: Entry | None = None

    def need_server(self, what: str) -> None:
        """Say what to install for ``what``, which the server serves, unless it is there."""
        if self.server and (missing := self.server.missing()):
            raise MissingExtraError(f"the {what} needs {', '.join(missing)}: run {self.server.remedy()}")


@cache
def _builtin() -> Mapping[str, Bundle]:
    names = importlib.import_module(_METHODS).BUILTIN
    return {name: importlib.import_module(f"{_METHODS}.{name}").BUNDLE for name in names}


def _plugin_points(group: str, kind: type[T]) -> Iterator[tuple[importlib.metadata.EntryPoint, T]]:
    for point in entry_points(group):
        try:
            target = point.load()
        except Exception:  # noqa: S112 - whoever asks for it by name learns why it cannot be loaded
            continue
        if isinstance(target, kind):
            yield point, target


def _plugins() -> Iterator[tuple[str, Bundle]]:
    return ((point.name, bundle) for point, bundle in _plugin_points(_METHODS, Bundle))


def bundles() -> Mapping[str, Bundle]:
    """Return the bundles by their methods' names, built-in ones first; of several of a name the first one counts."""
    by_name = dict(_builtin())
    for name, bundle in _plugins():
        by_name.setdefault(name, bundle)
    return by_name


def apps() -> Mapping[str, App]:
    """Return the applications by name, built-in ones first; of several of a name the first one counts."""
    names = importlib.import_module(_APPS).BUILTIN
    by_name: dict[str, App] = {name: importlib.import_module(f"{_APPS}.{name}").APP for name in names}
    for point, app in _plugin_points(_APPS, App):
        by_name.setdefault(point.name, app)
    return by_name


def text_folders() -> Iterator[tuple[str, str]]:
    """Return the package and the folder in it of everybody who brings translations: methods, then applications."""
    parts: list[Bundle | App] = [*bundles().values(), *apps().values()]
    return ((part.package, part.texts) for part in parts if part.texts)


class BundleRegistry(Registry[T], Generic[T]):
    """The parts of one kind: the registry's own, those in the field ``what`` of bundles, and single ones of plugins."""

    def __init__(self, kind: str, what: str, builtin: Mapping[str, Entry] | None = None) -> None:
        super().__init__(kind, builtin or {})
        self._what = what

    def builtin(self) -> Mapping[str, Entry]:
        """Return the parts that come with Portrayal: the registry's own, then those of its methods."""
        return {**self._builtin, **self._of_methods}

    @cached_property
    def _of_methods(self) -> Mapping[str, Entry]:
        return dict(self._of(_builtin().items()))

    def brought(self) -> Sequence[tuple[str, Entry]]:
        """Look up the parts of other packages with their names: single ones, then those of bundles."""
        bundled = {point.value for point, _ in _plugin_points(_METHODS, Bundle)}
        single = [(name, entry) for name, entry in super().brought() if entry.target not in bundled]
        return [*single, *self._of(_plugins())]

    def _of(self, named: Iterable[tuple[str, Bundle]]) -> Iterator[tuple[str, Entry]]:
        for name, bundle in named:
            yield from bundle.parts(self._what, name).items()
