"""What FAIntbench's alignment wrote about one image: from its dictionaries to observations, with every doubt refused.

An image is ``{"filepath": …, "gender": {…}, "race": {…}, "age": {…}}``; for two people the last three lie in ``left``
and ``right``. The names are those of the authors' files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from portrayal.errors import ConfigError, InputError, did_you_mean
from portrayal.records import SIDES, Attribute, Finding, single_precision

__all__ = ["NOT_IN_FILE", "check_attributes", "describe", "is_pair"]

NOT_IN_FILE = "not_in_the_file"
TOLERANCE = 0.02
"""How far from 1 a mass may add up: the authors' files hold rounded single precision numbers."""

_KEYS = {"gender": "gender", "race5": "race", "age3": "age"}
_GROUPS: Mapping[str, Mapping[str, str]] = {
    "gender": {"male": "man", "female": "woman"},
    "race5": {
        "european": "European",
        "east_asian": "East-asian",
        "african": "African",
        "latino": "Latino",
        "south_asian": "South-Asian",
    },
    "age3": {"young": "10~29 years old", "middle_aged": "31~59 years old", "elderly": "60 years old or older"},
}


def check_attributes(annotator: str, attributes: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Return those of the annotator's attributes that such files speak of."""
    for attribute in attributes:
        if attribute.name in _GROUPS and set(attribute.groups) != set(_GROUPS[attribute.name]):
            raise ConfigError(f"{annotator}: FAIntbench's files do not have these groups of {attribute.name!r}")
    known = tuple(attribute for attribute in attributes if attribute.name in _GROUPS)
    if not known:
        raise ConfigError(f"{annotator}: FAIntbench's files speak of {', '.join(_GROUPS)}; name one in its attributes")
    return known


def is_pair(image: Any) -> bool:
    """Whether an image's entry speaks of two people."""
    return isinstance(image, Mapping) and any(side in image for side in SIDES)


def describe(image: Any, people: int, attributes: Sequence[Attribute]) -> tuple[Finding, ...]:
    """Return the rows about an image, masses in the order of the attributes' groups."""
    keys = SIDES if people == len(SIDES) else tuple(_KEYS.values())
    _check_keys(image, ("filepath", *keys))
    if people < len(SIDES):
        return tuple(_person(0, image, attributes))
    rows: list[Finding] = []
    for subject, side in enumerate(SIDES):
        person = image.get(side, {})
        try:
            _check_keys(person, tuple(_KEYS.values()))
            rows += _person(subject, person, attributes)
        except InputError as error:
            raise InputError(f"{side}: {error}") from None
    return tuple(rows)


def _person(subject: int, person: Mapping[str, Any], attributes: Sequence[Attribute]) -> Iterator[Finding]:
    for attribute in attributes:
        masses = person.get(_KEYS[attribute.name])
        if masses is None:
            yield subject, attribute.name, None, NOT_IN_FILE
        else:
            yield subject, attribute.name, _mass(attribute, masses), None


def _mass(attribute: Attribute, masses: Any) -> tuple[float, ...]:
    key, names = _KEYS[attribute.name], _GROUPS[attribute.name]
    if not isinstance(masses, Mapping) or len(masses) != len(names):
        raise InputError(f"{key!r} must be an object with the numbers of {', '.join(names.values())}")
    try:
        numbers = [masses[names[group]] for group in attribute.groups]
        total = sum(numbers)
    except KeyError as error:
        raise InputError(f"{key!r} has no number for {error}{did_you_mean(error.args[0], masses)}") from None
    except TypeError:
        raise InputError(f"{key!r} must hold numbers") from None
    if min(numbers) < 0 or not abs(total - 1) <= TOLERANCE:
        raise InputError(f"{key!r} must hold shares from 0 that add up to 1, and these add up to {total:g}")
    return single_precision(numbers)


def _check_keys(entry: Any, known: Sequence[str]) -> None:
    if not isinstance(entry, Mapping):
        raise InputError(f"must be an object with {', '.join(known)}")
    for key in entry:
        if key not in known:
            raise InputError(f"unknown key {key!r}{did_you_mean(key, known)}")
