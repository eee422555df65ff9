"""What a new study asks: some of what the method asks, all of it, or prompts of one's own."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portrayal.apps.studio.new.suite_questions import YES, SuiteQuestions, suite_options, suite_questions
from portrayal.errors import InputError
from portrayal.language.translation import t
from portrayal.study.config import PartConfig
from portrayal.study.create.create_study import Part
from portrayal.study.parts.specs import build_suite
from portrayal.suites.custom import PromptRow

__all__ = ["ALL", "FIRST_TERMS", "MOST_PROMPTS", "OWN", "SOME", "Asked", "Preview", "asked_of", "preview"]

SOME, ALL, OWN = "some", "all", "own"
FIRST_TERMS = ("CEO", "Nurse", "Judge", "Housekeeping Cleaner", "Software Developer", "Kindergarten Teacher")
"""Terms that are ticked at first: enough to see something, few enough to be drawn while one waits."""
MOST_PROMPTS = 2_000
SHOWN = 100
"""Prompts that a preview lists."""
_HEADER = "text"
_CAPTIONS = "own-prompts.txt"


@dataclass(frozen=True, slots=True)
class Asked:
    """A suite or prompts for a new study; neither: what the method asks. ``files`` lie beside study.toml, by name."""

    suite: Part | None = None
    prompts: Sequence[str | PromptRow] | None = None
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preview:
    """The first of the prompts that a study would ask, and how many there are."""

    prompts: Sequence[str]
    number: int


def asked_of(form: Mapping[str, str], method: str) -> Asked:
    """Return what a form asks."""
    own = form.get("prompts", "")
    asked = form.get("asked") or (OWN if own.strip() else ALL)
    questions = suite_questions(method)
    if asked == OWN:
        return _of_own(own, form.get("target", "").strip() if questions.targets else "", questions)
    if asked != SOME or questions.problem:
        return Asked()
    options = suite_options(form, questions)
    if not options and questions.terms:
        raise InputError(t("Please tick at least one of the terms."))
    return Asked(suite={"use": questions.suite, "options": options}) if options else Asked()


def preview(form: Mapping[str, str], method: str, folder: Path) -> Preview:
    """Return what a study would ask. ``folder`` is one for files, which is gone afterwards."""
    asked = asked_of(form, method)
    if asked.prompts is not None:
        texts = [row if isinstance(row, str) else str(row.get(_HEADER, "")) for row in asked.prompts]
        return Preview(texts[:SHOWN], len(texts))
    for name, text in asked.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    config = PartConfig(use=suite_questions(method).suite) if asked.suite is None else PartConfig(**dict(asked.suite))  # type: ignore[arg-type]
    prompts = build_suite(config, folder).prompts
    return Preview([prompt.drawn_text for prompt in prompts[:SHOWN]], len(prompts))


def _of_own(text: str, target: str, questions: SuiteQuestions) -> Asked:
    """Return prompts of one's own: all of them, or, by a method that looks for words, those that hold a word."""
    prompts = _own(text)
    if not prompts:
        raise InputError(t("Please write down your prompts, one a line, or choose what is asked otherwise."))
    if not target:
        return Asked(prompts=prompts)
    lines = "\n".join(line for line in prompts if isinstance(line, str)) + "\n"
    alone = {name: False for name, values in (questions.switches or {}).items() if values[0] == YES}
    options = {**alone, "captions": _CAPTIONS, "targets": [target]}
    return Asked(suite={"use": questions.suite, "options": options}, files={_CAPTIONS: lines})


def _own(text: str) -> list[str | PromptRow]:
    """Return prompts, one a line; or rows, where the first line names columns as a file of prompts has them."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_PROMPTS:
        raise InputError(t("That is more than {n} prompts; give a file to portrayal init instead.", n=MOST_PROMPTS))
    columns = next(csv.reader(lines[:1]), [])
    if len(columns) > 1 and columns[0].strip().lower() == _HEADER:
        rows = csv.DictReader(io.StringIO("\n".join([",".join(columns).lower(), *lines[1:]])), restval="")
        return [{str(name).strip(): value for name, value in row.items() if name} for row in rows]
    return list(dict.fromkeys(lines))
