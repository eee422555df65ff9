"""What is installed, as an object that a notebook shows."""

from __future__ import annotations

from typing import Any

from portrayal.reports.figures.notebook import html_table
from portrayal.study.checking.doctor import examine
from portrayal.terminal import text_table

__all__ = ["Doctor", "doctor"]

_HEADER = ("kind", "name", "ready, or how to enable it", "what it is")


class Doctor(dict[str, Any]):
    """What ``portrayal doctor --json`` prints; shown as a table of parts."""

    def _table(self) -> list[tuple[str, str, str, str]]:
        return [
            (part["kind"], part["name"], "ready" if part["ready"] else part["enable"], part["summary"])
            for part in self["parts"]
        ]

    def _about(self) -> list[str]:
        lines = [f"portrayal {self['portrayal']}, Python {self['python']}, {self['cores']} cores"]
        for said, wanted in (("installed", True), ("not installed", False)):
            names = [_package(package) for package in self["packages"] if (package["version"] is not None) == wanted]
            lines += [f"{said}: {', '.join(names)}"] if names else []
        return lines

    def __repr__(self) -> str:
        return "\n".join([*self._about(), *text_table(_HEADER, self._table())])

    def _repr_html_(self) -> str:
        return html_table(_HEADER, self._table(), above=self._about()[0])


def _package(package: dict[str, Any]) -> str:
    return (
        f"{package['name']} {package['version']}" if package["version"] else f"{package['name']} [{package['extra']}]"
    )


def doctor() -> Doctor:
    """Return what is installed, which parts can run, and what enables the others.

    >>> {part["kind"] for part in doctor()["parts"]} >= {"generator", "annotator", "suite", "method"}
    True
    """
    return Doctor(examine())
