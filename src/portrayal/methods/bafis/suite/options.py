"""What of BAFIS' suite can be chosen, and the languages that can be added."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from portrayal.errors import ConfigError
from portrayal.methods.bafis.suite.occupations import CATEGORIES, occupations
from portrayal.methods.bafis.suite.prompt_sentences import LANGUAGES
from portrayal.settings import Settings
from portrayal.suites.suite import check_names

__all__ = ["NAME", "PUBLISHED_VARIANTS", "VARIANTS", "BafisSuiteOptions"]

NAME = "bafis"
PUBLISHED_VARIANTS = ("direct", "feminine", "indirect", "group")
VARIANTS = (*PUBLISHED_VARIANTS, "star")

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


class BafisSuiteOptions(Settings):
    """Which occupations, in which languages and ways of asking. The defaults are the published 1,057 prompts.

    ``form``: prompts about a face, or the authors' reduced ones without it. ``star``: which nouns have the gender star,
    those corrected here or as released.
    """

    languages: tuple[str, ...] = ()
    variants: tuple[str, ...] = PUBLISHED_VARIANTS
    categories: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    sample: int = Field(default=0, ge=0)
    sample_seed: int = Field(default=0, ge=0)
    form: Literal["face", "reduced"] = "face"
    star: Literal["corrected", "released"] = "corrected"
    packs: Mapping[str, Path] = {}

    @field_validator("packs")
    @classmethod
    def _are_language_codes(cls, packs: Mapping[str, Path]) -> Mapping[str, Path]:
        for code in packs:
            if not _LANGUAGE.fullmatch(code):
                raise ValueError(f"{code!r} is no language code; write it as fr, pt-BR or zh-Hant")
        return packs

    def check(self) -> None:
        """Refuse names of languages, variants, categories and occupations that do not exist."""
        check_names(NAME, "variant", self.variants, VARIANTS, fold=str)
        check_names(NAME, "language", self.languages, [*LANGUAGES, *self.packs], fold=str)
        check_names(NAME, "category", self.categories, CATEGORIES)
        check_names(NAME, "occupation", self.terms, [occupation.name for occupation in occupations()])

        if self.star == "released" and "star" not in self.variants:
            raise ConfigError(f"suite {NAME!r}: star = 'released' is about the variant 'star'; add it to 'variants'")

    def spoken(self) -> tuple[str, ...]:
        """Return the languages asked in: those chosen, else English, German and every pack's."""
        return tuple(dict.fromkeys(self.languages or (*LANGUAGES, *self.packs)))
