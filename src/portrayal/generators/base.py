"""What a generator is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from portrayal.records import EditJob, Failed, Job, Made, Prompt, Refused
from portrayal.settings import Settings

__all__ = ["Editor", "Generator", "GeneratorFactory", "Truth"]

Truth = Mapping[str, Mapping[str, float]]
"""Aspect (an attribute, or of two people ``left.gender``) to group to probability."""


class Generator(Protocol):
    """Draws images. Each job yields exactly one outcome, in order; a broken job is a ``Failed``, not an exception."""

    name: str
    citations: Sequence[str]

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job. The image of a job does not depend on the other jobs of the batch."""
        ...

    def truth(self, prompt: Prompt) -> Truth | None:
        """Return what is planted for ``prompt``, or None for a generator that does not know (every real one)."""
        ...


class Editor(Protocol):
    """Edits images: a source picture and a prompt give a changed picture."""

    name: str

    def edit(self, jobs: Sequence[EditJob]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job, in order."""
        ...


class GeneratorFactory(Protocol):
    """The class a registry entry points to: built cheaply, heavy parts loaded at the first use."""

    Options: ClassVar[type[Settings]]

    def __call__(self, argument: str, options: Any) -> Generator:
        """Return a generator for what follows the colon in its name and for validated options."""
        ...
