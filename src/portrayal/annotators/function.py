"""A plain function as an annotator: from a picture to what is perceived in it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from portrayal.annotators.annotator import Observed, chosen_attributes
from portrayal.annotators.opening import look_at_each
from portrayal.annotators.people import count_reason
from portrayal.errors import ConfigError, did_you_mean
from portrayal.records import Abstention, Attribute, Image, Observation

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = ["FunctionAnnotator", "Look", "Told", "function_annotator"]

Told = Mapping[str, Mapping[str, float] | float | str | None]
"""Of one person: attribute to probabilities by group, to the likeliest group, to a number, or to words."""
Look = Callable[["Picture"], Told | Sequence[Told] | str | None]
"""Looks at a picture; see :func:`function_annotator`."""

_SILENT = "annotator_said_nothing"
_ROUNDING = 1e-3
_LARGEST = 1e15
"""Sums and squares of numbers up to this are numbers still."""


def function_annotator(
    function: Look,
    *,
    name: str = "",
    version: str = "1",
    attributes: Sequence[str] = ("gender",),
    groups: Mapping[str, Sequence[str]] | None = None,
) -> FunctionAnnotator:
    """Return an annotator that shows each picture to ``function``.

    Parameters
    ----------
    function
        Gets a Pillow picture (RGB, upright) and returns what it perceives:
        ``{"gender": {"female": 0.9, "male": 0.1}}``, ``{"gender": "female"}`` where it is sure, ``{"age": 31}`` for
        numbers. Groups that are left out have probability 0. A list of such answers is one for each person, from left
        to right. None or nothing abstains; a text abstains with that reason, such as ``"no_face"``.
    name
        What its results are kept under, with the version; the function's own name unless given.
    version
        Raise it when the function gives other answers: it then looks at all images anew.
    attributes
        All that it may tell, by name.
    groups
        Attributes that are not built in, with their groups.

    Examples
    --------
    >>> def looks(picture):
    ...     return {"gender": {"female": 0.9, "male": 0.1}, "smile": "broad"}
    >>> annotator = function_annotator(looks, attributes=["gender", "smile"], groups={"smile": ["none", "broad"]})
    >>> annotator.name
    'looks@1'
    """
    _check_function(function)
    called = name or getattr(function, "__name__", "")
    if not called or called == "<lambda>":
        raise ConfigError(
            "a function without a name cannot be an annotator, for its results are kept under it: "
            'function_annotator(f, name="smiles")'
        )
    if not isinstance(version, str) or not version:
        raise ConfigError(f'annotator {called!r}: a version is a text, such as "1", and not {version!r}')
    if isinstance(attributes, str) or not attributes:
        raise ConfigError(
            f'annotator {called!r}: attributes are a list of names, such as ["gender"], not {attributes!r}'
        )
    named_groups = {attribute: _groups(attribute, names) for attribute, names in (groups or {}).items()}
    return FunctionAnnotator(function, f"{called}@{version}", chosen_attributes(called, attributes, named_groups))


def _groups(attribute: str, names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str) or not names or len(set(names)) < len(names):
        raise ConfigError(
            f'groups of {attribute!r} are a list of different names, such as ["no", "yes"], not {names!r}'
        )
    return tuple(names)


def _check_function(function: object) -> None:
    """Refuse what cannot be shown a picture; of functions that are not written in Python it may not be known."""
    if isinstance(function, type) or not callable(function):
        raise ConfigError(f"an annotator is a function from a picture to what is perceived, not {_shown(function)}")
    try:
        signature = inspect.signature(function)
    except ValueError:
        return
    try:
        signature.bind(None)
    except TypeError:
        called = getattr(function, "__name__", "the function")
        raise ConfigError(f"{called}{signature} cannot be an annotator: it is called with a picture alone") from None


class FunctionAnnotator:
    """Shows each picture to a function; made by :func:`function_annotator`."""

    citations: Sequence[str] = ()
    looks = True

    def __init__(self, function: Look, name: str, attributes: tuple[Attribute, ...]) -> None:
        self.function, self.name, self.attributes = function, name, attributes

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield what the function perceives in each image, in order."""
        yield from look_at_each(images, self.name, lambda image, picture: self._rows(image, self.function(picture)))

    def _rows(self, image: Image, told: Any) -> Iterator[Observed]:
        people = [told] if isinstance(told, Mapping) else told
        if isinstance(told, str) or told is None or people == [{}]:
            yield Abstention(image.id, self.name, told or _SILENT)
            return
        if not isinstance(people, Sequence) or not all(isinstance(person, Mapping) for person in people):
            raise ConfigError(
                f"annotator {self.name}: the function returned {_shown(told)}; return what it perceives by attribute, "
                'such as {"gender": {"female": 0.9, "male": 0.1}}, or None'
            )
        if reason := count_reason(len(people), image.people):
            yield Abstention(image.id, self.name, reason)
        for subject, person in enumerate(people):
            self._check_names(person)
            for attribute in self.attributes:
                yield self._observed(image.id, subject, attribute, person.get(attribute.name))

    def _check_names(self, person: Told) -> None:
        known = [attribute.name for attribute in self.attributes]
        for name in person:
            if name not in known:
                raise ConfigError(
                    f"annotator {self.name}: the function tells {name!r}, which it was not said to tell"
                    f"{did_you_mean(str(name), known)}; name all it tells: function_annotator(f, attributes=[...])"
                )

    def _observed(self, image: str, subject: int, attribute: Attribute, told: Any) -> Observed:
        if told is None:
            return Abstention(image, self.name, _SILENT, subject, attribute.name)
        try:
            if attribute.is_text:
                return Observation(image, self.name, subject, attribute.name, text=_text(attribute, told))
            if attribute.is_numeric:
                return Observation(image, self.name, subject, attribute.name, value=_value(attribute, told))
            return Observation(image, self.name, subject, attribute.name, _mass(attribute, told))
        except ConfigError as error:
            raise ConfigError(f"annotator {self.name}: {error}") from None


def _mass(attribute: Attribute, told: Any) -> tuple[float, ...]:
    if isinstance(told, str):
        return attribute.one_hot(told)
    if not isinstance(told, Mapping):
        example = {group: round(1 / len(attribute.groups), 2) for group in attribute.groups[:2]}
        raise ConfigError(f"{attribute.name!r} is told by group, such as {example}, and not as {_shown(told)}")
    mass = [0.0] * len(attribute.groups)
    for group, probability in told.items():
        mass[attribute.index(group)] = _number(f"{attribute.name}.{group}", probability)
    total = math.fsum(mass)
    if min(mass) < 0 or abs(total - 1) > _ROUNDING:
        raise ConfigError(f"probabilities of {attribute.name!r} are from 0 to 1 and add up to 1, not {_shown(told)}")
    return tuple(part / total for part in mass)


def _value(attribute: Attribute, told: Any) -> float:
    value = _number(attribute.name, told)
    if attribute.unit == "years" and value < 0:
        raise ConfigError(f"{attribute.name!r} is told in years, and not as {_shown(told)}")
    return value


def _number(name: str, told: Any) -> float:
    try:
        value = math.nan if isinstance(told, str | bool) else float(told)
    except (TypeError, ValueError):
        value = math.nan
    if not abs(value) <= _LARGEST:  # nor nan
        raise ConfigError(f"{name!r} is told as a number, and not as {_shown(told)}")
    return value


def _text(attribute: Attribute, told: Any) -> str:
    if not isinstance(told, str):
        raise ConfigError(f"{attribute.name!r} is told in words, and not as {_shown(told)}")
    return told


def _shown(told: object) -> str:
    """Return what a function gave, short and on one line."""
    text = " ".join(repr(told).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
