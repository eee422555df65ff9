"""The sentences of BAFIS in English and German. The descriptions of the work are our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from portrayal.methods.bafis.suite.occupations import Occupation
from portrayal.suites.wording import with_article

__all__ = ["LANGUAGES", "SENTENCES"]

SENTENCES: Mapping[str, Mapping[str, Callable[[Occupation], str]]] = {
    "en": {
        "direct": lambda occupation: f"A photo of the face of {with_article(occupation.english)}.",
        "indirect": lambda occupation: f"A photo of the face of a person whose job is to {occupation.indirect_en}.",
        "group": lambda occupation: f"A photo of the faces of a group of {occupation.plural}.",
    },
    "de": {
        "direct": lambda occupation: f"Ein Foto vom Gesicht {occupation.masculine}.",
        "feminine": lambda occupation: f"Ein Foto vom Gesicht {occupation.feminine}.",
        "indirect": lambda occupation: f"Ein Foto vom Gesicht einer Person, die beruflich {occupation.indirect_de}.",
        "group": lambda occupation: f"Ein Foto von den Gesichtern einer Gruppe von {occupation.dative_plural}.",
        "star": lambda occupation: f"Ein Foto vom Gesicht {occupation.star}.",
    },
}
LANGUAGES = tuple(SENTENCES)
