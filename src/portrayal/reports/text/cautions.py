"""What must be told wherever an attribute is shown, such as that skin tone is read from pixels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from portrayal.language.translation import word
from portrayal.records import Attribute
from portrayal.reports.data import Picture
from portrayal.reports.text.words import attribute_title, capital

__all__ = ["cautions", "cautions_together", "pictured"]


def cautions(attributes: Iterable[Attribute], shown: Collection[str]) -> list[str]:
    """Return a sentence for each attribute that is ``shown`` and has one."""
    return [
        f"{capital(attribute_title(attribute))}: {word(attribute.caution)}."
        for attribute in attributes
        if attribute.caution and attribute.name in shown
    ]


def cautions_together(attributes: Iterable[Attribute], shown: Collection[str]) -> list[str]:
    """Return each sentence once, with the attributes that it is about; a coarse one stands for the finer ones."""
    by_caution: dict[str, list[Attribute]] = {}
    for attribute in attributes:
        if attribute.caution and attribute.name in shown:
            by_caution.setdefault(attribute.caution, []).append(attribute)
    return [f"{capital(_titles(about))}: {word(caution)}." for caution, about in by_caution.items()]


def _titles(about: Sequence[Attribute]) -> str:
    coarse = [attribute for attribute in about if not attribute.finer]
    return ", ".join(attribute_title(attribute) for attribute in coarse or about)


def pictured(pictures: Iterable[Picture]) -> set[str]:
    """Return the attributes that are written beside pictures."""
    faces = (face for picture in pictures for face in picture.faces)
    return {finding.attribute for face in faces for finding in face.findings}
