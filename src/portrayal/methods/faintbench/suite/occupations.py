"""One portrait prompt per occupation: 179 occupations in 15 categories, with a labour-statistics reference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from pydantic import field_validator

from portrayal.errors import ConfigError
from portrayal.methods.faintbench.suite.terms import CITATION, shipped_terms
from portrayal.records import Prompt
from portrayal.settings import Settings
from portrayal.suites.prompt_wording import fill, in_sentence
from portrayal.suites.suite import Suite, check_names
from portrayal.suites.term_tables import Term

__all__ = ["OccupationOptions", "occupations"]


class OccupationOptions(Settings):
    """Which occupations, and in which words."""

    template: str = "a portrait photo of {a_term}"
    terms: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    @field_validator("template")
    @classmethod
    def _has_place(cls, template: str) -> str:
        if "{term}" not in template and "{a_term}" not in template:
            raise ValueError("the template needs {term} or {a_term} where the occupation goes")
        return template


class _Occupations:
    Options = OccupationOptions
    references: ClassVar[Mapping[str, str]] = {"gender": "faintbench", "age3": "faintbench"}

    def __call__(self, options: OccupationOptions, folder: Path) -> Suite:  # noqa: ARG002  # it reads no user file
        chosen = _choose(options)
        prompts = [
            Prompt(fill(options.template, in_sentence(term.name)), term.name, "occupations", term.category, weight=1.0)
            for term in chosen
        ]
        return Suite("occupations", prompts, (CITATION,))


occupations = _Occupations()


def _choose(options: OccupationOptions) -> list[Term]:
    table = [term for term in shipped_terms() if term.kind == "occupation"]
    by_name = {term.name.casefold(): term for term in table}
    check_names("occupations", "occupation", options.terms, [term.name for term in table])
    check_names("occupations", "category", options.categories, sorted({term.category for term in table}))
    if options.terms:
        table = [by_name[name] for name in dict.fromkeys(map(str.casefold, options.terms))]
    if options.categories:
        wanted = {name.casefold() for name in options.categories}
        table = [term for term in table if term.category.casefold() in wanted]
    if not table:
        raise ConfigError("suite 'occupations': no occupation is in both 'terms' and 'categories'; widen one of them")
    return table
