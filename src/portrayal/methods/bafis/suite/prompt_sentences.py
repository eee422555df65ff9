"""The sentences of BAFIS in English and German. The descriptions of the work are our occupation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from portrayal.methods.bafis.suite.occupations import Occupation
from portrayal.suites.prompt_wording import with_article

__all__ = ["LANGUAGES", "sentences"]

Sentence = Callable[[Occupation, str, str], str]
"""From an occupation, what a photo of one person shows, and what one of several people does, to a prompt."""

_FORMS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "face": {
        "en": ("A photo of the face of", "A photo of the faces of"),
        "de": ("Ein Foto vom Gesicht", "Ein Foto von den Gesichtern"),
    },
    "reduced": {"en": ("A photo of", "A photo of"), "de": ("Ein Foto", "Ein Foto")},
}
"""How prompts begin, of one person and of a group. In German a genitive follows either form."""

_SENTENCES: Mapping[str, Mapping[str, Sentence]] = {
    "en": {
        "direct": lambda occupation, one, _: f"{one} {with_article(occupation.english)}.",
        "indirect": lambda occupation, one, _: f"{one} a person whose job is to {occupation.indirect_en}.",
        "group": lambda occupation, _, several: f"{several} a group of {occupation.plural}.",
    },
    "de": {
        "direct": lambda occupation, one, _: f"{one} {occupation.masculine}.",
        "feminine": lambda occupation, one, _: f"{one} {occupation.feminine}.",
        "indirect": lambda occupation, one, _: f"{one} einer Person, die beruflich {occupation.indirect_de}.",
        "group": lambda occupation, _, several: f"{several} einer Gruppe von {occupation.dative_plural}.",
        "star": lambda occupation, one, _: f"{one} {occupation.star}.",
    },
}
LANGUAGES = tuple(_SENTENCES)


def sentences(occupation: Occupation, language: str, form: str) -> Mapping[str, str]:
    """Return the shipped prompts about an occupation by variant; none in a language that packs alone have."""
    begins = _FORMS[form].get(language, ("", ""))
    return {variant: sentence(occupation, *begins) for variant, sentence in _SENTENCES.get(language, {}).items()}
