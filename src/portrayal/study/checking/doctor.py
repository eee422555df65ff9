"""Doctor: what is installed, which parts can run, and what enables the others. Imports none of the heavy ones."""

from __future__ import annotations

import importlib.metadata
import platform
import re
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from portrayal import __version__
from portrayal.annotators import ANNOTATORS
from portrayal.bundles import apps
from portrayal.engines import cpu_count
from portrayal.errors import PortrayalError
from portrayal.generators import GENERATORS
from portrayal.graph.domain import DOMAINS
from portrayal.methods import METHODS, REPRODUCTIONS
from portrayal.registry import Entry, Registry, installed_now
from portrayal.store.images.remote_files import STORES
from portrayal.study.importing.folders.layouts import LAYOUTS
from portrayal.study.importing.results import RESULTS
from portrayal.suites import REFERENCES, SUITES
from portrayal.suites.known import OCCUPATIONS

__all__ = ["examine", "packages"]

_REGISTRIES: tuple[Registry[Any], ...] = (
    SUITES,
    GENERATORS,
    ANNOTATORS,
    METHODS,
    REFERENCES,
    OCCUPATIONS,
    LAYOUTS,
    RESULTS,
    REPRODUCTIONS,
    DOMAINS,
)
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)[^;]*(?:;\s*extra == ['\"](?P<extra>\w+)['\"])?")


def examine() -> dict[str, Any]:
    """Return the findings as plain data."""
    return {
        "portrayal": __version__,
        "python": platform.python_version(),
        "cores": cpu_count(),
        "packages": packages(),
        "parts": [
            *(_examined(every, name, entry) for every in _REGISTRIES for name, entry in every.entries().items()),
            *(_hidden(every, name, entry) for every in _REGISTRIES for name, entry in every.hidden()),
            *(_part(name, "serve", app.server) for name, app in apps().items() if app.server),
            *(_part("image store", scheme, entry) for scheme, entry in STORES.items()),
        ],
    }


def packages() -> list[dict[str, Any]]:
    """Return every package that Portrayal or one of its extras uses, with its version, None when not installed."""
    return [dict(package) for package in _packages(installed_now())]


@lru_cache(maxsize=1)
def _packages(_: Hashable) -> Sequence[Mapping[str, Any]]:
    """Read the versions once, and again when packages come or go: a page takes less long than that."""
    extras: dict[str, str] = {}
    for requirement in importlib.metadata.requires("portrayal") or ():
        match = _REQUIREMENT.match(requirement)
        if match and match["name"] != "portrayal" and match["extra"] not in ("all", "dev"):
            extras.setdefault(match["name"], match["extra"] or "")
    return [{"name": name, "version": _version(name), "extra": extra} for name, extra in extras.items()]


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _examined(registry: Registry[Any], name: str, entry: Entry) -> dict[str, Any]:
    """Return what is known of a part; one of a plugin is ready only if it can be loaded."""
    report = _part(registry.kind, name, entry)
    if report["ready"] and name not in registry.builtin():
        try:
            registry.load(name)
        except PortrayalError as error:
            report |= {"ready": False, "enable": str(error)}
    return report


def _hidden(registry: Registry[Any], name: str, entry: Entry) -> dict[str, Any]:
    """Return what is known of a part that another one hides."""
    taken = f"another {registry.kind} has this name, so {entry.target} cannot be used; its package must choose another"
    return _part(registry.kind, name, entry) | {"ready": False, "enable": taken}


def _part(kind: str, name: str, entry: Entry) -> dict[str, Any]:
    missing = entry.missing()
    return {
        "kind": kind,
        "name": name,
        "summary": entry.summary,
        "ready": not missing,
        "missing": list(missing),
        "enable": entry.remedy() if missing else "",
    }
