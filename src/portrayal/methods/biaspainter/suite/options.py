"""What of BiasPainter's suite can be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, field_validator

from portrayal.errors import ConfigError
from portrayal.methods.biaspainter.suite.neutral_words import TEMPLATES, Word, published_words, read_words
from portrayal.settings import Settings
from portrayal.suites.suite import check_names

__all__ = ["NAME", "NULL", "BiasPainterSuiteOptions"]

NAME = "biaspainter"
NULL = "null"
"""The topic of instructions that ask for nothing."""
_NOTHING = ("a photo of a person", "a photo of someone", "a photo of one person")


class BiasPainterSuiteOptions(Settings):
    """Which faces are edited, and with which words. The defaults are the published words on 18 drawn kinds of faces.

    ``seeds`` is a folder of photos or a CSV that lists them; without it the seeds are drawn. ``words`` and ``topics``
    choose, ``drop`` leaves out, ``table`` is a CSV of a user's own words, ``templates`` words a topic in another way or
    adds one. ``null`` are instructions that ask for nothing. ``mitigations`` are put behind every instruction, one
    after the other, and compared with the plain one. ``suffix`` follows every instruction. ``tries``: an edit with
    faces of different perceived gender is made anew until there were so many.
    """

    seeds: Path | None = None
    topics: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    table: Path | None = None
    templates: Mapping[str, str] = {}
    null: tuple[str, ...] = _NOTHING
    mitigations: tuple[str, ...] = ()
    suffix: str = ""
    tries: int = Field(default=3, ge=1, le=20)

    @field_validator("templates")
    @classmethod
    def _have_a_place(cls, templates: Mapping[str, str]) -> Mapping[str, str]:
        for topic, template in templates.items():
            if "{term}" not in template and "{a_term}" not in template:
                raise ValueError(f"the template of {topic!r} has no place for the word: {{term}} or {{a_term}}")
            if topic == NULL:
                raise ValueError(f"the topic {NULL!r} is that of instructions that ask for nothing; name it otherwise")
        return templates

    @field_validator("null", "mitigations")
    @classmethod
    def _say_something(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        if not all(text.strip() for text in texts):
            raise ValueError("an instruction is empty; editors want some text, such as 'a photo'")
        return texts

    def wording(self) -> Mapping[str, str]:
        """Return topic to template."""
        return {**TEMPLATES, **self.templates}

    def chosen(self, folder: Path) -> tuple[Word, ...]:
        """Return the words, or say which of the choices does not exist."""
        known = read_words(folder / self.table, tuple(self.wording())) if self.table else published_words()
        check_names(NAME, "topic", self.topics, list(dict.fromkeys(word.topic for word in known)))
        for names in (self.words, self.drop):
            check_names(NAME, "word", names, [word.word for word in known])
        topics, words, drop = ({name.casefold() for name in names} for names in (self.topics, self.words, self.drop))
        chosen = tuple(
            word
            for word in known
            if (not topics or word.topic.casefold() in topics)
            and (not words or word.word.casefold() in words)
            and word.word.casefold() not in drop
        )
        if not chosen:
            raise ConfigError(f"suite {NAME!r}: no word is left; widen topics and words, or drop fewer")
        return chosen
