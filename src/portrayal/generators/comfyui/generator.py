"""The generator: each job goes through the queue of the server, its image comes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from portrayal.errors import ConfigError
from portrayal.generators.comfyui.queue import ComfyuiQueue
from portrayal.generators.comfyui.workflow import load_workflow
from portrayal.generators.generator import Truth
from portrayal.records import Failed, Job, Made, Prompt
from portrayal.services.calls import Broken
from portrayal.services.http import Server, ServerOptions, ServerPart

__all__ = ["Comfyui", "ComfyuiOptions"]

_PART = "generator 'comfyui'"
_REMEDY = "start ComfyUI (python main.py --port 8188; --listen for other machines) or check the address"
_LONGEST_REQUEST = 60.0
_INPUT = r"^(.+\.[^.]+)?$"


class ComfyuiOptions(ServerOptions):
    """``workflow`` is a file in API format; ``prompt_node`` and ``seed_node`` name inputs (``6.text``) without a mark.

    ``output_node`` is the id of the node whose image is taken, where several give one. ``image_node`` names the input
    of a node that loads the picture to edit.
    """

    workflow: Path
    prompt_node: str = Field(default="", pattern=_INPUT)
    seed_node: str = Field(default="", pattern=_INPUT)
    output_node: str = ""
    image_node: str = Field(default="", pattern=_INPUT)


class Comfyui(ServerPart):
    """Hands each job to the server's queue, waits for it and takes its image as the server saved it.

    A workflow with a node for the picture to edit edits, and draws nothing; every other one draws.
    """

    Options = ComfyuiOptions
    can_edit: ClassVar[bool] = True
    citations: ClassVar[Sequence[str]] = ()

    def __init__(self, argument: str, options: ComfyuiOptions) -> None:
        if not argument:
            raise ConfigError(f"{_PART} needs the address of a server, such as comfyui:http://127.0.0.1:8188")
        self.options = options
        nodes = (options.prompt_node, options.seed_node, options.output_node, options.image_node)
        self.workflow = load_workflow(options.workflow, *nodes)
        super().__init__(Server(_PART, argument, options, _REMEDY, min(options.timeout, _LONGEST_REQUEST)), options)
        self.name = f"comfyui@1:{self.workflow.title}"
        self._queue = ComfyuiQueue(self.server, self.workflow.output, options.timeout, str(options.workflow))
        if self.workflow.image:
            self.edit = self._edit  # only such a workflow makes an editor of it

    def truth(self, prompt: Prompt) -> Truth | None:  # noqa: ARG002 - it holds for every prompt
        """Return None: what a real model draws is not known beforehand."""
        return None

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Failed]:
        """Yield one outcome per job, in order."""
        if self.workflow.image:
            raise ConfigError(f'{_PART}: {self.options.workflow} edits a picture, and draws none; set role = "edit"')
        for job in jobs:
            yield self._outcome(job)

    def _edit(self, jobs: Sequence[Job]) -> Iterator[Made | Failed]:
        """Yield one outcome per job, in order: the picture goes to the server first, which loads it by its name."""
        for job in jobs:
            yield self._outcome(job)

    def _outcome(self, job: Job) -> Made | Failed:
        try:
            versions = f"ComfyUI {self._queue.version}; {self.name}"
            image = self._queue.upload(job.id, job.source) if self.workflow.image else ""
            filled = self.workflow.filled(job.text, job.seed % 2**32, image)
            data, picture = self._queue.draw(job.id, filled, self.options.price)
        except Broken as error:
            return Failed(job.id, error.reason, error.detail, self.name)
        if picture.black:
            why = "every pixel is black, as when a model's numbers overflow in half precision or a node censors"
            return Failed(job.id, "blank_image", why, versions)
        return Made(job.id, data, picture.ext, picture.width, picture.height, versions=versions)
