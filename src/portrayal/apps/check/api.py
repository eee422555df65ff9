"""What ``import portrayal`` offers of policies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from portrayal.api.study import Study
from portrayal.apps.check.baseline import numbers_from_file
from portrayal.apps.check.checking import PolicyResult, check_policy
from portrayal.apps.check.numbers import Numbers, measured_rows, study_numbers
from portrayal.apps.check.outputs.first_sentence import first_sentence
from portrayal.apps.check.outputs.result_json import result_json, scenario_rows
from portrayal.apps.check.policy.policy_file import read_policy
from portrayal.errors import ConfigError, InputError
from portrayal.language.translation import known_language, speaking
from portrayal.study.measure.nothing_measured import nothing_measured
from portrayal.study.releases import latest_earlier
from portrayal.study.study import OpenStudy
from portrayal.study.unfinished import not_finished

__all__ = ["PolicyCheck", "check", "check_study"]

Folder = Study | str | os.PathLike[str]
LAST = "last"
"""Stands for the latest earlier study of the same prompts, unless there is a file or folder of that name."""


class PolicyCheck:
    """What a policy says of a study; see :func:`check`.

    ``verdict`` is ``"pass"``, ``"fail"`` or ``"undecided"``, ``sentence`` says it in words, ``rows`` has the answer for
    each scenario, model, annotator and group, and ``to_dict()`` everything, as ``portrayal check --json`` prints it.
    """

    def __init__(self, result: PolicyResult, language: str = "en") -> None:
        self._result, self._language = result, language
        self.verdict: str = result.verdict.value
        with speaking(language):
            self.sentence: str = first_sentence(result)

    @property
    def rows(self) -> Sequence[dict[str, Any]]:
        """The answers as plain data."""
        with speaking(self._language):
            return scenario_rows(self._result)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        with speaking(self._language):
            return result_json(self._result)

    def __bool__(self) -> bool:
        raise TypeError("a check passes, fails or is undecided; ask for its verdict")

    def __repr__(self) -> str:
        return f"PolicyCheck({self.verdict}): {self.sentence}"


def check(
    study: Folder, policy: str | os.PathLike[str], *, baseline: Folder | None = None, language: str = "en"
) -> PolicyCheck:
    """Check a measured study against a policy.

    Parameters
    ----------
    study
        The study, or its folder.
    policy
        The file ``policy.toml``.
    baseline
        What scenarios of the kind ``baseline`` compare with: a study, its folder, a JSON file of an earlier check, or
        ``"last"``, the latest earlier study of the same prompts beside this one.
    language
        Of the words: ``"en"`` or ``"de"``.
    """
    with speaking(known_language(language)):
        return PolicyCheck(check_study(study, Path(policy), baseline, date.today()), language)


def check_study(study: Folder, policy: Path, baseline: Folder | None, today: date) -> PolicyResult:
    """Return the result of a check; ``today`` says which reviews are overdue."""
    file = read_policy(policy)
    opened, numbers = _numbers(study)
    title, wanted = opened.config.study.title, file.policy.policy.study
    if wanted and wanted != title:
        raise ConfigError(f"{policy}: is for the study {wanted!r}, and {opened.root} is {title!r}")
    result = check_policy(file, title, numbers, None if baseline is None else _baseline(baseline, opened.root), today)
    return replace(result, not_over=not_finished(opened).replace("\xa0", " "))


def _numbers(study: Folder) -> tuple[OpenStudy, Numbers]:
    opened = study._read() if isinstance(study, Study) else OpenStudy.to_read(Path(study))
    rows = measured_rows(opened)
    if not rows:
        raise nothing_measured(opened)
    return opened, study_numbers(opened, rows)


def _baseline(baseline: Folder, study: Path) -> Numbers:
    if isinstance(baseline, Study):
        _refuse_itself(baseline._read().root, study)
        return _numbers(baseline)[1]
    path = Path(baseline)
    if path.name == LAST and not path.exists():
        earlier = latest_earlier(study)
        if earlier is None:
            raise InputError(f"{study}: no earlier study of the same prompts lies beside it; name a baseline")
        path = earlier
    if not path.exists():
        raise InputError(f"{path}: no such baseline; give a study's folder, or a file of 'portrayal check --json'")
    _refuse_itself(path, study)
    return _numbers(path)[1] if path.is_dir() else numbers_from_file(path)


def _refuse_itself(baseline: Path, study: Path) -> None:
    """Refuse the study itself: beside its own numbers it is never worse."""
    if baseline.resolve() == study.resolve():
        raise InputError(f"{baseline}: is the study itself; the baseline is an earlier study, or a file of one")
