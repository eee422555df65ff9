"""A generator that lives in Python code: what study.toml says of it, so that all but drawing works without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from portrayal.errors import ConfigError, StudyError
from portrayal.generators.generator import Editor, Generator, Truth
from portrayal.records import Failed, Job, Made, Prompt, Refused
from portrayal.settings import Settings

__all__ = ["Python", "PythonOptions", "python_options"]


class PythonOptions(Settings):
    """Whether it edits images too, and what to cite for it."""

    edits: bool = False
    citations: tuple[str, ...] = ()

    def changed(self) -> dict[str, Any]:
        """Return nothing: name and version alone say which generator it is."""
        return {}


class Python:
    """Stands for a generator that was given to a study in Python; what it drew is there, and it cannot draw."""

    Options = PythonOptions

    def __init__(self, argument: str, options: PythonOptions) -> None:
        if not argument.strip():
            raise ConfigError("generator 'python' needs the name of what lives in Python code, such as python:mine@1")
        self.name = argument.strip()
        self.citations: Sequence[str] = options.citations
        if options.edits:
            self.edit = self.generate

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:  # noqa: ARG002 - its code is not here
        """Say where it can draw."""
        raise StudyError(
            f"generator {self.name} lives in Python code: open the study there, "
            "portrayal.Study(FOLDER, generator=...), and run it; what needs no new image, such as measure and report, "
            "works without it"
        )

    def truth(self, prompt: Prompt) -> Truth | None:  # noqa: ARG002 - what it planted is in the study
        """Return nothing."""
        return None


def python_options(generator: Generator) -> Mapping[str, Any]:
    """Return what study.toml says of a generator that lives in Python code."""
    edits = {"edits": True} if isinstance(generator, Editor) else {}
    return edits | ({"citations": list(generator.citations)} if generator.citations else {})
