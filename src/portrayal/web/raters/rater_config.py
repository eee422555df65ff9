"""What study.toml may say of any site with raters: its title, who may join, what they are asked and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, model_validator

from portrayal.settings import Settings

__all__ = ["QuestionConfig", "RaterSiteConfig"]

Text = Annotated[str, Field(min_length=1, max_length=2000)]
TextByLanguage = Annotated[Mapping[str, Text], Field(min_length=1)]
"""A text by language, such as ``{en = "Age", de = "Alter"}``."""


class QuestionConfig(Settings):
    """One question to raters. ``options`` are the answers to choose from; without any, the answer is free text."""

    key: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    label: TextByLanguage
    options: tuple[TextByLanguage, ...] = ()


class RaterSiteConfig(Settings):
    """The keys that all sites with raters have.

    ``open`` lets anyone join without a link of their own. ``questions`` replace the built-in questionnaire, ``consent``
    the built-in consent text of a language. ``contact`` is whom raters can ask.
    """

    title: str = ""
    open: bool = False
    questionnaire: bool = True
    questions: tuple[QuestionConfig, ...] = ()
    consent: Mapping[str, Text] = {}
    contact: str = ""

    @model_validator(mode="after")
    def _keys_differ(self) -> RaterSiteConfig:
        keys = [question.key for question in self.questions]
        for key in keys:
            if keys.count(key) > 1:
                raise ValueError(f"two questions have the key {key!r}; give one of them another")
        return self
