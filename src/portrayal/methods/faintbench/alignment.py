"""Correcting what an annotator gets wrong, by a named profile that is data, not code.

A profile snaps clear cases to one group and moves mass between groups by rules. ``optimised`` is FAIntbench's, shipped
in ``data/optimised.toml``; ``plain`` changes nothing; users write their own. The format is described in
``docs/methods/faintbench.md``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from portrayal.errors import ConfigError, did_you_mean
from portrayal.methods.faintbench.alignment_rules import Case, Columns, apply_cases, parse_case
from portrayal.records import Adjustment, Attribute, Note
from portrayal.settings import Settings, parse_settings
from portrayal.tomlfile import read_toml

__all__ = ["OPTIMISED", "PLAIN", "Profile", "Step", "load_profile"]

OPTIMISED = "optimised"
PLAIN = "plain"

Array = NDArray[np.float64]

_BLOCK = 1 << 15
"""Images corrected at a time: few enough to stay in the processor's cache."""


class _CaseTable(Settings):
    when: tuple[str, ...] = ()
    move: tuple[str, ...]


class _StepTable(Settings):
    attribute: str
    cases: tuple[_CaseTable, ...] = Field(min_length=1)


class _ProfileFile(Settings):
    name: str = Field(min_length=1)
    snap: dict[str, float] = Field(default_factory=dict)
    steps: tuple[_StepTable, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """Rules for one attribute, of which the first that holds is applied."""

    attribute: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """How masses are corrected: ``snap`` holds thresholds by attribute, ``steps`` run in order after it."""

    name: str
    snap: Mapping[str, float]
    steps: tuple[Step, ...]

    def align(self, attribute: str, mass: Array) -> Array:
        """Return the corrected masses (images, groups); the given array stays as it is.

        Each image is corrected by itself, so batches do not matter. What has nothing to correct is returned as given.
        """
        steps = [step for step in self.steps if step.attribute == attribute]
        threshold = self.snap.get(attribute, 1.0)
        if not steps and threshold >= 1:
            return mass
        aligned = np.empty(mass.shape, order="F")
        for start in range(0, len(mass), _BLOCK):
            columns = np.array(mass[start : start + _BLOCK].T, dtype=float, order="C")
            _snap(columns, threshold)
            for step in steps:
                apply_cases(step.cases, columns)
            aligned[start : start + _BLOCK] = columns.T
        return aligned

    @property
    def digest(self) -> str:
        """Return a short hash of the rules, whatever the profile is called."""
        rules = [f"{name}: {rule}" for name in sorted(self._attributes()) for rule in self._rules(name)]
        return hashlib.sha256("\n".join(rules).encode()).hexdigest()[:12]

    def differences(self, published: Profile) -> list[Adjustment]:
        """Return how this profile differs from ``published``; nothing when it does not."""
        if self.digest == published.digest:
            return []
        if not self._attributes():
            return [Adjustment(Note.of("uncorrected", name=self.name, published=published.name))]
        names = [*published._attributes(), *self._attributes()]
        by_attribute = {name: tuple(self._changes(published, name)) for name in names}
        return [
            Adjustment(Note.of("alignment", name=self.name, attribute=name), changes)
            for name, changes in by_attribute.items()
            if changes
        ]

    def _changes(self, published: Profile, attribute: str) -> Iterator[Note]:
        ours, theirs = self._rules(attribute), published._rules(attribute)
        for _, i, j, k, m in SequenceMatcher(None, theirs, ours, autojunk=False).get_opcodes():
            if theirs[i:j] != ours[k:m]:
                new, old = ("; ".join(rules) or "no rule" for rules in (ours[k:m], theirs[i:j]))
                yield Note.of("alignment_rule", rule=new, published=old)

    def _attributes(self) -> list[str]:
        return list(dict.fromkeys([*self.snap, *(step.attribute for step in self.steps)]))

    def _rules(self, attribute: str) -> list[str]:
        """Return what is done to an attribute, a line for each rule; ``else`` ties the cases of a step together."""
        rules = [f"snap above {self.snap[attribute]:g}"] if attribute in self.snap else []
        for step in self.steps:
            if step.attribute == attribute:
                rules += [f"{'else ' if place else ''}if {case.text}" for place, case in enumerate(step.cases)]
        return rules


def load_profile(name: str, folder: Path, attributes: Mapping[str, Attribute]) -> Profile:
    """Return the profile ``optimised``, ``plain``, or the one in a .toml file; relative paths start at ``folder``.

    Rules are checked against ``attributes``. What the shipped profile says about others is left out.
    """
    if name == PLAIN:
        return Profile(PLAIN, {}, ())
    if name == OPTIMISED:
        with resources.as_file(resources.files("portrayal.methods.faintbench") / "data" / "optimised.toml") as path:
            return _build(_read(Path(path)), f"alignment profile {OPTIMISED!r}", attributes, shipped=True)
    if name.endswith(".toml"):
        return _build(_read(folder / name), str(folder / name), attributes, shipped=False)
    hint = did_you_mean(name, [OPTIMISED, PLAIN])
    raise ConfigError(f"no alignment profile named {name!r}{hint}, or give the path of a .toml file")


def _snap(columns: Columns, threshold: float) -> None:
    rows = np.flatnonzero(columns.max(axis=0) > threshold)
    winners = columns[:, rows].argmax(axis=0)
    columns[:, rows] = 0.0
    columns[winners, rows] = 1.0


def _read(path: Path) -> _ProfileFile:
    return parse_settings(_ProfileFile, read_toml(path), str(path))


def _build(file: _ProfileFile, where: str, attributes: Mapping[str, Attribute], *, shipped: bool) -> Profile:
    def wanted(name: str) -> bool:
        return name in attributes or not shipped

    snap = {
        name: _threshold(name, threshold, where, attributes) for name, threshold in file.snap.items() if wanted(name)
    }
    numbered = enumerate(file.steps, 1)
    steps = [_step(table, f"{where}: step {n}", attributes) for n, table in numbered if wanted(table.attribute)]
    return Profile(file.name, snap, tuple(steps))


def _threshold(name: str, threshold: float, where: str, attributes: Mapping[str, Attribute]) -> float:
    _attribute(name, attributes, f"{where}: snap")
    if not 0 < threshold <= 1:
        raise ConfigError(f"{where}: snap.{name}: a threshold must be above 0 and at most 1, got {threshold:g}")
    return threshold


def _step(table: _StepTable, where: str, attributes: Mapping[str, Attribute]) -> Step:
    attribute = _attribute(table.attribute, attributes, where)
    cases = enumerate(table.cases, 1)
    return Step(table.attribute, tuple(parse_case(c.when, c.move, attribute, f"{where}, case {n}") for n, c in cases))


def _attribute(name: str, attributes: Mapping[str, Attribute], where: str) -> Attribute:
    if name not in attributes:
        raise ConfigError(f"{where}: no attribute {name!r}{did_you_mean(name, attributes)}")
    if not attributes[name].groups:
        raise ConfigError(f"{where}: attribute {name!r} has no groups; name another")
    return attributes[name]
