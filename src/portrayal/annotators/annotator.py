"""What an annotator is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

from portrayal.errors import ConfigError, did_you_mean
from portrayal.records import Abstention, Attribute, Image, Observation, attribute_table
from portrayal.settings import Settings

__all__ = [
    "Annotator",
    "AnnotatorFactory",
    "Observed",
    "Streaming",
    "asked_attributes",
    "chosen_attributes",
    "looks_itself",
]

Observed = Observation | Abstention
"""What an annotator yields: something it saw, or why it did not."""


class Annotator(Protocol):
    """Looks at images.

    Every image yields at least one row, grouped by image in the order given. Depicted people are subjects counted
    from 0. Where the annotator cannot tell which of several people is meant it still describes each, and adds an
    image-level :class:`Abstention`; where a group is asked for (``people`` 0) all are meant. Of two people that the
    prompt asked for, subject 0 is the one at the left.

    ``looks`` is False for an annotator whose rows come from outside: it is never shown an image. A plugin that leaves
    it out is one that looks, see :func:`looks_itself`. One that tells what was planted, and not what a picture shows,
    has ``sees_pixels = False``, see :func:`sees_pixels`. One that needs what may not be there, such as files of a model
    or a key, may have ``require_ready``, which raises a PortrayalError then: it is called before anything is drawn.
    """

    name: str
    looks: bool

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """All that it may tell."""
        ...

    @property
    def citations(self) -> Sequence[str]:
        """What to cite for it."""
        ...

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield what is seen; the result for an image does not depend on the other images of the batch."""
        ...


@runtime_checkable
class Streaming(Protocol):
    """An annotator that reads ahead: while it looks at one batch, the next ones are opened.

    One that puts other batches together than it is given may have ``together``, the number of images in them: on
    several devices each is then given so many at a time.
    """

    def stream(self, batches: Iterator[Sequence[Image]]) -> Iterator[tuple[Sequence[Image], Sequence[Observed]]]:
        """Yield each batch with what is seen in it, in order."""
        ...


class AnnotatorFactory(Protocol):
    """The class a registry entry points to: built cheaply, heavy parts loaded at the first use."""

    Options: ClassVar[type[Settings]]

    def __call__(self, argument: str, options: Any) -> Annotator:
        """Return an annotator for what follows the colon in its name and for validated options."""
        ...


def asked_attributes(usual: Sequence[str], wanted: Sequence[str]) -> Mapping[str, Any]:
    """Return the option ``attributes`` by which an annotator with usual ones reports those that are wanted too.

    Usual ones are kept if some of them are wanted.

    >>> asked_attributes(("gender", "age3"), ["gender", "hair"]), asked_attributes(("gender",), ["hair"])
    ({'attributes': ['gender', 'age3', 'hair']}, {'attributes': ['hair']})
    """
    more = [name for name in wanted if name not in usual]
    if not more:
        return {}
    return {"attributes": [*(usual if set(usual) & set(wanted) else ()), *more]}


def looks_itself(annotator: Annotator) -> bool:
    """Return whether images are to be shown to ``annotator``; a plugin need not say that it looks."""
    return bool(getattr(annotator, "looks", True))


def sees_pixels(annotator: Annotator) -> bool:
    """Return whether what ``annotator`` tells may hang on light and shade; one that does not say so may."""
    return bool(getattr(annotator, "sees_pixels", True))


def chosen_attributes(
    annotator: str, names: Sequence[str], groups: Mapping[str, tuple[str, ...]]
) -> tuple[Attribute, ...]:
    """Return the attributes that ``names`` lists: built-in ones, and those that ``groups`` defines.

    >>> [attribute.title for attribute in chosen_attributes("clip", ["age3", "hair"], {"hair": ("short", "long")})]
    ['perceived age group', 'perceived hair']
    """
    known = attribute_table(Attribute(name, f"perceived {name}", group_names) for name, group_names in groups.items())
    for name in names:
        if name not in known:
            raise ConfigError(f"annotator {annotator!r} knows no attribute {name!r}{did_you_mean(name, known)}")
        if list(names).count(name) > 1:
            raise ConfigError(f"annotator {annotator!r} has attribute {name!r} twice; keep one")
    return tuple(known[name] for name in names)
