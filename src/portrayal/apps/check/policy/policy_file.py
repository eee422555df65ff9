"""Reading policy.toml: a slip is one line that names the line in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NoReturn

from portrayal.apps.check.policy.scenario import Policy, Scenario
from portrayal.errors import ConfigError
from portrayal.inputfile import decode_text, read_bytes
from portrayal.settings import parse_settings
from portrayal.tomlfile import Keys, at_line, line_of, parse_toml

__all__ = ["PolicyFile", "read_policy"]

LARGEST = 2**22
"""Bytes of a policy: some thousands of scenarios."""
_HEADER = re.compile(r"""\s*\[\[\s*(scenarios|"scenarios"|'scenarios')\s*\]\]""")


@dataclass(frozen=True)
class PolicyFile:
    """A policy and the text that it stands in, to point at lines of it."""

    path: Path
    text: str
    policy: Policy

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios in the order of the file."""
        return self.policy.scenarios

    def line(self, scenario: int, *keys: str) -> int:
        """Return the line of a scenario, counted from 0, or of a key of it; 1 where it is not known."""
        return self._lines.line(["scenarios", scenario, *keys]) or 1

    def refuse(self, scenario: int, keys: tuple[str, ...], problem: str) -> NoReturn:
        """Raise that something in a scenario is wrong, with its line."""
        name = self.scenarios[scenario].id
        raise ConfigError(f"{self.path}:{self.line(scenario, *keys)}: scenario {name!r}: {problem}")

    @cached_property
    def _lines(self) -> _Lines:
        return _Lines(self.text, len(self.scenarios))


class _Lines:
    """Finds lines of keys. A scenario is looked for in its own part of the text: files may have thousands."""

    def __init__(self, text: str, scenarios: int) -> None:
        self._text = text
        self._lines = text.split("\n")
        starts = [number for number, line in enumerate(self._lines) if _HEADER.match(line)]
        # Else a longer text holds such a line, or scenarios are written otherwise.
        self._starts = starts if len(starts) == scenarios else []

    def line(self, keys: Keys) -> int | None:
        """Return the line of a key, counted from 1."""
        if keys[:1] != ["scenarios"] or len(keys) < 2 or not isinstance(keys[1], int):
            return line_of(self._text, keys)
        part = self._part(keys[1])
        if part is None:
            return line_of(self._text, keys)
        start, text = part
        found = line_of(text, ["scenarios", 0, *keys[2:]])
        return None if found is None else start + found

    def _part(self, scenario: int) -> tuple[int, str] | None:
        """Return where the text of a scenario begins, and the text; None where that is not known."""
        if scenario >= len(self._starts):
            return None
        ends = [*self._starts[1:], len(self._lines)]
        return self._starts[scenario], "\n".join(self._lines[self._starts[scenario] : ends[scenario]])


def read_policy(path: Path) -> PolicyFile:
    """Read and check a policy."""
    text = decode_text(read_bytes(path, LARGEST), str(path))
    tables = parse_toml(text, str(path))
    if not tables.get("scenarios"):
        raise ConfigError(f"{path}: no scenario: write one that begins with [[scenarios]], or uncomment an example")
    if not isinstance(tables["scenarios"], list):
        raise ConfigError(f"{path}: 'scenarios' must be tables, each of which begins with [[scenarios]]")
    lines = _Lines(text, len(tables["scenarios"]))

    def where(keys: Keys) -> str:
        return at_line(str(path), lines.line(list(keys)) if keys else None)

    file = PolicyFile(path, text, parse_settings(Policy, tables, where))
    _check_ids(file)
    return file


def _check_ids(file: PolicyFile) -> None:
    first: dict[str, int] = {}
    for place, scenario in enumerate(file.scenarios):
        before = first.setdefault(scenario.id, place)
        if before != place:
            other = file.line(before, "id")
            file.refuse(place, ("id",), f"line {other} has this id already; give one of them another")
