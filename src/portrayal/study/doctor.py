"""Doctor: what is installed, which parts can run, and what enables the others. Imports none of the heavy ones."""

from __future__ import annotations

import platform
from typing import Any

from portrayal import __version__
from portrayal.annotators import ANNOTATORS
from portrayal.engines import cpu_count
from portrayal.generators import GENERATORS
from portrayal.methods import METHODS
from portrayal.registry import Registry
from portrayal.suites import SUITES

__all__ = ["examine"]


def examine() -> dict[str, Any]:
    """Return the findings as plain data."""
    kinds: list[Registry[Any]] = [SUITES, GENERATORS, ANNOTATORS, METHODS]
    return {
        "portrayal": __version__,
        "python": platform.python_version(),
        "cores": cpu_count(),
        "parts": [part for registry in kinds for part in _parts(registry)],
    }


def _parts(registry: Registry[Any]) -> list[dict[str, Any]]:
    return [
        {
            "kind": registry.kind,
            "name": name,
            "summary": entry.summary,
            "ready": not entry.missing(),
            "missing": list(entry.missing()),
            "enable": entry.remedy() if entry.missing() else "",
        }
        for name, entry in registry.entries().items()
    ]
