"""The generator: jobs in, outcomes out; a model is loaded at the first use."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from portrayal.errors import ConfigError
from portrayal.generators.diffusers.image_edits import UnreadableSource, edit_size, fitted, read_source, step_of
from portrayal.generators.diffusers.models import PART, find_models
from portrayal.generators.diffusers.options import DiffusersOptions
from portrayal.generators.diffusers.pipeline import LoadedModel
from portrayal.generators.diffusers.presets import load_presets
from portrayal.generators.diffusers.runner import DRAW, EDIT, PipelineRunner, Request
from portrayal.generators.generator import Truth
from portrayal.records import Failed, Job, Made, Prompt, Refused

__all__ = ["Diffusers"]

_LOADED = ("_model", "_drawing", "_editing")


class Diffusers:
    """Draws with any text-to-image pipeline; edits with image-to-image or a pipeline that follows instructions.

    An image follows from its prompt and seed, whatever else is drawn with it.
    """

    Options = DiffusersOptions
    apart = True
    """A model may be too large for the memory, and its process is killed then."""

    def __init__(self, argument: str, options: DiffusersOptions) -> None:
        self.options = options
        self._settings = options.resolved()
        self._models = find_models(argument, options)
        self.name = f"diffusers@1:{self._models.title}"
        self.citations: Sequence[str] = [load_presets()[options.preset].citation] if options.preset else []

    def __getstate__(self) -> dict[str, Any]:
        # A loaded model does not travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name not in _LOADED}

    def truth(self, prompt: Prompt) -> Truth | None:  # noqa: ARG002 - every generator is asked
        """Return None: whom a real model draws is what a study is to find out."""
        return None

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job."""
        yield from self._drawing.run([Request(job.id, job.text, job.seed) for job in jobs])

    def edit(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job; neighbours of one size are edited together."""
        runner = self._editing
        for size, some in itertools.groupby([self._request(job) for job in jobs], key=_size):
            if size is None:
                yield from (runner.failed(bad.job, bad.reason, bad.detail) for bad in some if isinstance(bad, Failed))
            else:
                yield from runner.run([request for request in some if isinstance(request, Request)])

    def _request(self, job: Job) -> Request | Failed:
        """Return what to ask for, with the source as the model can take it."""
        try:
            source = read_source(job.source)
        except UnreadableSource as error:
            return Failed(job.id, "unreadable_source", str(error))
        width, height = self._settings.width, self._settings.height
        size = (width, height) if width and height else edit_size(self._editing.pipe, source.size)
        return Request(job.id, job.text, job.seed, fitted(source, size))

    @functools.cached_property
    def _model(self) -> LoadedModel:
        return LoadedModel(self._models, self._settings)

    @functools.cached_property
    def _drawing(self) -> PipelineRunner:
        return self._runner(self._model.drawing, DRAW)

    @functools.cached_property
    def _editing(self) -> PipelineRunner:
        return self._runner(self._model.editing, EDIT)

    def _runner(self, pipe: Any, used: Sequence[str]) -> PipelineRunner:
        step = step_of(pipe)
        for option in ("width", "height"):
            side = getattr(self._settings, option)
            if side is not None and side % step:
                raise ConfigError(
                    f"{PART}: options.{option} is {side}; {type(pipe).__name__} needs multiples of {step}"
                )
        return PipelineRunner(self._model, pipe, self._settings, used)


def _size(request: Request | Failed) -> tuple[int, int] | None:
    return request.source.size if isinstance(request, Request) and request.source is not None else None
