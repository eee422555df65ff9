"""What a new study asks: some of the usual terms, all that the method asks, or prompts of one's own."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from portrayal.bundles import bundles
from portrayal.errors import InputError
from portrayal.language.translation import t
from portrayal.methods import DEFAULT
from portrayal.study.config import PartConfig
from portrayal.study.create.create_study import Part
from portrayal.study.parts.specs import build_suite
from portrayal.suites.custom import PromptRow

__all__ = ["ALL", "FIRST_TERMS", "MOST_PROMPTS", "OWN", "SOME", "Asked", "asked_of", "usual_terms"]

SOME, ALL, OWN = "some", "all", "own"
FIRST_TERMS = ("CEO", "Nurse", "Judge", "Housekeeping Cleaner", "Software Developer", "Kindergarten Teacher")
"""Terms that are ticked at first: enough to see something, few enough to be drawn while one waits."""
MOST_PROMPTS = 2_000
_TERM = "term-"
_HEADER = "text"


@dataclass(frozen=True, slots=True)
class Asked:
    """A suite or prompts for a new study; neither: what the method asks."""

    suite: Part | None = None
    prompts: Sequence[str | PromptRow] | None = None


def asked_of(form: Mapping[str, str], method: str) -> Asked:
    """Return what a form asks."""
    own = form.get("prompts", "")
    asked = form.get("asked") or (OWN if own.strip() else ALL)
    if asked == OWN:
        prompts = _own(own)
        if not prompts:
            raise InputError(t("Please write down your prompts, one a line, or choose what is asked otherwise."))
        return Asked(prompts=prompts)
    if asked != SOME or method != DEFAULT:
        return Asked()
    known = {term for terms in usual_terms().values() for term in terms}
    chosen = [value for name, value in form.items() if name.startswith(_TERM) and value in known]
    if not chosen:
        raise InputError(t("Please tick at least one occupation."))
    return Asked(suite={"use": bundles()[DEFAULT].suite, "options": {"terms": chosen}})


@cache
def usual_terms() -> Mapping[str, Sequence[str]]:
    """Return the terms of the usual suite by category."""
    terms: dict[str, list[str]] = {}
    for prompt in build_suite(PartConfig(use=bundles()[DEFAULT].suite), Path()).prompts:
        terms.setdefault(prompt.category, []).append(prompt.term)
    return {category: list(dict.fromkeys(of_category)) for category, of_category in terms.items()}


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
