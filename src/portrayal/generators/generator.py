"""What a generator is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

from portrayal.generators.image_names import ImageNames
from portrayal.records import Failed, Job, Made, Prompt, Refused
from portrayal.settings import Settings

__all__ = ["Editor", "Generator", "GeneratorFactory", "NamesImages", "Truth", "finds_images", "works_apart"]

Truth = Mapping[str, Mapping[str, float]]
"""Aspect (an attribute, or of two people ``left.gender``) to group to probability."""


class Generator(Protocol):
    """Draws images. Each job yields exactly one outcome, in order; a broken job is a ``Failed``, not an exception."""

    name: str

    @property
    def citations(self) -> Sequence[str]:
        """What to cite for it."""
        ...

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job. The image of a job does not depend on the other jobs of the batch."""
        ...

    def truth(self, prompt: Prompt) -> Truth | None:
        """Return what is planted for ``prompt``, or None for a generator that does not know (every real one)."""
        ...


@runtime_checkable
class Editor(Protocol):
    """A generator that also edits: the picture in a job's ``source`` and its text give a changed picture."""

    name: str

    def edit(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job, in order. The image of a job does not depend on the other jobs of the batch."""
        ...


@runtime_checkable
class NamesImages(Protocol):
    """A generator that finds images by the names of prompts, and refuses a name that several prompts could mean."""

    def refuse_shared(self, names: ImageNames, *, edits: bool) -> None:
        """Refuse an image, or a folder of edits, that could be meant by several prompts."""
        ...


def finds_images(generator: Generator) -> bool:
    """Return whether ``generator`` takes images that exist: of each there is one, and asking again gives no other."""
    return bool(getattr(generator, "finds", False))


def works_apart(generator: Generator) -> bool:
    """Return whether ``generator`` is to work in a process of its own: it may crash, or be killed for its memory."""
    return bool(getattr(generator, "apart", False))


class GeneratorFactory(Protocol):
    """The class a registry entry points to: built cheaply, heavy parts loaded at the first use."""

    Options: ClassVar[type[Settings]]

    def __call__(self, argument: str, options: Any) -> Generator:
        """Return a generator for what follows the colon in its name and for validated options."""
        ...
