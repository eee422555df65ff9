"""What a method asks, and which part of it a study can ask: terms, sets of prompts, things beside them, a sample."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from portrayal.bundles import bundles
from portrayal.errors import PortrayalError
from portrayal.records import Prompt
from portrayal.study.config import PartConfig
from portrayal.study.parts.specs import build_suite
from portrayal.suites import SUITES
from portrayal.suites.known import OCCUPATIONS

__all__ = ["MOST_TERMS", "YES", "SuiteQuestions", "suite_options", "suite_questions"]

MOST_TERMS = 400
"""Terms that a page lists; of suites with more it offers sets and a sample."""
_SETS = {"kinds": "kind", "languages": "language", "variants": "variant"}
"""Options that choose prompts by what they have: the field of a prompt."""
_TERMS = ("terms", "words")
_TICKED = re.compile(r"(term|set-[a-z_]+)-[\w-]*", re.ASCII)
_SWITCH = "switch-"
YES, _NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class SuiteQuestions:
    """What can be chosen of the prompts that a method asks.

    ``terms`` are by category, ``terms_option`` is the option that chooses them; ``sets`` are the values of further
    options, ``switches`` those of what can be asked besides. ``samples`` is whether a number of prompts can be drawn,
    ``targets`` whether prompts of one's own can be searched for a word. ``problem`` is why the suite cannot be asked
    from a page, such as files that it reads. ``words`` say what is to be known of its terms.
    """

    suite: str = ""
    number: int = 0
    terms: Mapping[str, Sequence[str]] | None = None
    terms_option: str = ""
    sets: Mapping[str, Sequence[str]] | None = None
    switches: Mapping[str, Sequence[str]] | None = None
    samples: bool = False
    targets: bool = False
    own_prompts: bool = True
    problem: str = ""
    words: str = ""


@cache
def suite_questions(method: str) -> SuiteQuestions:
    """Return what can be chosen of what a method asks."""
    bundle = bundles()[method]
    fields = SUITES.load(bundle.suite).Options.model_fields
    own = not bundle.own_suite_only
    try:
        prompts = build_suite(PartConfig(use=bundle.suite), Path()).prompts
    except PortrayalError as error:
        return SuiteQuestions(bundle.suite, own_prompts=own, problem=str(error))
    option = next((name for name in _TERMS if name in fields), "")
    terms = _choosable(bundle.suite, option, prompts) if option else {}
    sets = {name: _values(prompts, field) for name, field in _SETS.items() if name in fields}
    return SuiteQuestions(
        bundle.suite,
        len(prompts),
        terms=terms if sum(map(len, terms.values())) <= MOST_TERMS else {},
        terms_option=option,
        sets={name: values for name, values in sets.items() if len(values) > 1},
        switches={
            name: said for name, field in fields.items() if (said := _switch(name, field.annotation, field.default))
        },
        samples="sample" in fields,
        targets={"captions", "targets"} <= set(fields),
        own_prompts=own,
        words=SUITES.entries()[bundle.suite].words,
    )


def suite_options(form: Mapping[str, str], questions: SuiteQuestions) -> dict[str, Any]:
    """Return the options of the suite that a form asks for: what is not offered is passed over."""
    options: dict[str, Any] = {}
    for option, known in {**(questions.sets or {}), questions.terms_option: _flat(questions.terms or {})}.items():
        name = "term" if option == questions.terms_option else f"set-{option}"
        if ticked := [value for value in _ticked(form, name) if value in known]:
            options[option] = ticked
    for option, values in (questions.switches or {}).items():
        said = form.get(_SWITCH + option, "")
        if said in values and said != values[0]:
            options[option] = {YES: True, _NO: False}.get(said, said)
    sample = form.get("sample", "").strip()
    if questions.samples and sample.isdecimal() and int(sample):
        options["sample"] = int(sample)
    return options


def _ticked(form: Mapping[str, str], name: str) -> Iterable[str]:
    return dict.fromkeys(
        value for field, value in form.items() if (match := _TICKED.fullmatch(field)) and match[1] == name
    )


def _choosable(suite: str, option: str, prompts: Iterable[Prompt]) -> dict[str, list[str]]:
    """Return the terms of a suite by category, without those that the option does not know."""
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for prompt in prompts:
        groups.setdefault((prompt.category, prompt.kind), {})[prompt.term] = None
    terms: dict[str, dict[str, None]] = {}
    for (category, _), names in groups.items():
        if _knows(suite, option, list(names)):
            terms.setdefault(category, {}).update(names)
    return {category: list(names) for category, names in terms.items()}


def _knows(suite: str, option: str, terms: Sequence[str]) -> bool:
    try:
        build_suite(PartConfig(use=suite, options={option: terms}), Path())
    except PortrayalError:
        return False
    return True


def _flat(terms: Mapping[str, Sequence[str]]) -> set[str]:
    return {term for names in terms.values() for term in names}


def _values(prompts: Iterable[Prompt], field: str) -> list[str]:
    return list(dict.fromkeys(value for prompt in prompts if (value := getattr(prompt, field))))


def _switch(name: str, annotation: Any, default: Any) -> list[str]:
    """Return the values of what can be asked besides, the usual one first; none of other options."""
    if name == "occupations" and annotation is str:
        return ["", *OCCUPATIONS.entries()]
    values = list(_literals(annotation))
    usual = YES if default is True else _NO
    return [usual, *(value for value in values if value != usual)] if YES in values else []


def _literals(annotation: Any) -> Iterable[str]:
    if annotation is bool:
        yield from (YES, _NO)
    elif get_origin(annotation) is Literal:
        yield from map(str, get_args(annotation))
    elif get_origin(annotation) in (Union, UnionType):
        parts = [list(_literals(part)) for part in get_args(annotation)]
        if all(parts):
            yield from (value for part in parts for value in part)
