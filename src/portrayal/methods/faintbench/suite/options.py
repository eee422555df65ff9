"""What of FAIntbench's suite can be chosen and changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator

from portrayal.methods.faintbench.suite.prompt_texts import WORDS
from portrayal.settings import Settings
from portrayal.suites.suite import LEAST_WEIGHT, MOST_WEIGHT, check_names
from portrayal.suites.term_tables import KINDS, TERM_ATTRIBUTES

__all__ = ["NAME", "VISIBILITY", "FaintbenchSuiteOptions"]

NAME = "faintbench"
VISIBILITY = ("implicit", "explicit")

_Word = Annotated[str, Field(min_length=1)]
_Weight = Annotated[float, Field(ge=LEAST_WEIGHT, le=MOST_WEIGHT, allow_inf_nan=False)]


class FaintbenchSuiteOptions(Settings):
    """Which prompts, in which words, with which weights and references. The defaults are the published benchmark."""

    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    sample: int = Field(default=0, ge=0)
    sample_seed: int = Field(default=0, ge=0)
    suffix: Mapping[str, str] = {}
    words: Mapping[str, Annotated[Mapping[str, _Word], Field(min_length=2)]] = {}
    weights: Mapping[str, _Weight] = {}
    table: Path | None = None
    reference: str = NAME

    @field_validator("suffix", mode="before")
    @classmethod
    def _for_every_kind(cls, suffix: Any) -> Any:
        return dict.fromkeys(KINDS, suffix) if isinstance(suffix, str) else suffix

    @field_validator("suffix")
    @classmethod
    def _does_not_run_into_the_prompt(cls, suffix: Mapping[str, str]) -> Mapping[str, str]:
        if any(text and text[0].isalnum() for text in suffix.values()):
            raise ValueError("a suffix follows the prompt directly, so begin it with a comma or a space")
        return suffix

    @field_validator("reference")
    @classmethod
    def _is_a_reference(cls, reference: str) -> str:
        if reference not in (NAME, "uniform") and not reference.endswith(".csv"):
            raise ValueError(f"give '{NAME}', 'uniform' or the path of a .csv file")
        return reference

    def check(self) -> None:
        """Refuse names of kinds, attributes and the like that do not exist."""
        check_names(NAME, "kind", (*self.kinds, *self.suffix), KINDS, fold=str)
        check_names(NAME, "visibility", self.visibility, VISIBILITY, fold=str)
        check_names(NAME, "attribute", self.attributes, [*TERM_ATTRIBUTES, *self.words], fold=str)
        check_names(NAME, "attribute", self.words, [*TERM_ATTRIBUTES, *self.attributes], fold=str)

    def groups(self) -> Mapping[str, Mapping[str, str]]:
        """Return the attributes in use, the groups of each, and the word for each group."""
        return {name: self.words.get(name) or WORDS[name] for name in self.attributes or TERM_ATTRIBUTES}
