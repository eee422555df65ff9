"""The generator: one request to the web UI for each image, drawn or edited."""

from __future__ import annotations

import base64
import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from portrayal.errors import ConfigError, ServiceError
from portrayal.generators.a1111.checkpoint import Checkpoint
from portrayal.generators.generator import Truth
from portrayal.records import Failed, Job, Made, Prompt, Refused
from portrayal.services.calls import Again, Broken
from portrayal.services.http import HttpReply, Server, ServerOptions, ServerPart
from portrayal.services.picture_info import PictureInfo, read_picture

__all__ = ["A1111", "A1111Options"]

_PART = "generator 'a1111'"
_REMEDY = "start the web UI with --api (./webui.sh --api; --listen for other machines) or check the address"
_MODEL = "sd_model_checkpoint"
_GRID = 8
_TOLD = {
    "web UI": "version",
    "checkpoint": "sd_model_name",
    "hash": "sd_model_hash",
    "VAE": "sd_vae_name",
    "clip skip": "clip_skip",
}


class A1111Options(ServerOptions):
    """``checkpoint`` is the model as the web UI lists it, ``name.safetensors [hash]``; ``settings`` are the server's.

    ``denoising_strength`` is how far an edit may go from its source, from 0 to 1.
    """

    checkpoint: str = Field(min_length=1)
    negative_prompt: str = ""
    steps: int = Field(default=20, ge=1, le=150)
    cfg_scale: float = Field(default=7.0, ge=0, le=30)
    width: int = Field(default=512, ge=64, le=2048, multiple_of=_GRID)
    height: int = Field(default=512, ge=64, le=2048, multiple_of=_GRID)
    sampler: str = "Euler a"
    scheduler: str = "Automatic"
    denoising_strength: float = Field(default=0.75, ge=0, le=1)
    settings: dict[str, str | int | float | bool] = Field(default_factory=dict)

    def changed(self) -> dict[str, Any]:
        """Leave out the checkpoint, which the name holds already."""
        return {name: value for name, value in super().changed().items() if name != "checkpoint"}


class A1111(ServerPart):
    """Asks for one image at a time, and takes it only if the server drew it with the checkpoint of the options."""

    Options = A1111Options
    citations: ClassVar[Sequence[str]] = ()

    def __init__(self, argument: str, options: A1111Options) -> None:
        if not argument:
            raise ConfigError(f"{_PART} needs the address of a server, such as a1111:http://127.0.0.1:7860")
        if _MODEL in options.settings:
            raise ConfigError(f"{_PART}: give the model by options.checkpoint, not as {_MODEL} in options.settings")
        self.options = options
        self.checkpoint = Checkpoint.parse(_PART, options.checkpoint)
        self._known_title = ""
        super().__init__(Server(_PART, argument, options, _REMEDY, options.timeout), options)
        self.name = f"a1111@1:{self.checkpoint.title}"

    def truth(self, prompt: Prompt) -> Truth | None:  # noqa: ARG002 - it holds for every prompt
        """Return None: what a real model draws is not known beforehand."""
        return None

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job, in order."""
        for job in jobs:
            size = (self.options.width, self.options.height)
            yield self._outcome(job.id, "txt2img", functools.partial(self._body, job, size))

    def edit(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield the source of each job drawn anew by its prompt, in the source's size."""
        for job in jobs:
            try:
                source = read_picture(job.source)
            except Again as error:
                yield Failed(job.id, "unreadable_source", error.detail, self.name)
            else:
                yield self._outcome(job.id, "img2img", functools.partial(self._edit_body, job, source))

    def _outcome(self, item: str, route: str, body: Callable[[], dict[str, Any]]) -> Made | Refused | Failed:
        try:
            request = body()
            send = functools.partial(self._send, f"/sdapi/v1/{route}", request)
            data, picture, versions = self.service.call(item, self.options.price, send)
        except Broken as error:
            return Failed(item, error.reason, error.detail, self.name)
        if picture.black:
            return Refused(item, "blank_image", "every pixel is black, as extensions leave what they censor", versions)
        return Made(item, data, picture.ext, picture.width, picture.height, versions=versions)

    def _body(self, job: Job, size: tuple[int, int]) -> dict[str, Any]:
        options = self.options
        return {
            "prompt": job.text,
            "negative_prompt": options.negative_prompt,
            "seed": job.seed % 2**32,
            "steps": options.steps,
            "cfg_scale": options.cfg_scale,
            "width": size[0],
            "height": size[1],
            "sampler_name": options.sampler,
            "scheduler": options.scheduler,
            "batch_size": 1,
            "n_iter": 1,
            "send_images": True,
            "save_images": False,
            "override_settings": {**options.settings, _MODEL: self._title},
            "override_settings_restore_afterwards": True,
        }

    def _edit_body(self, job: Job, source: PictureInfo) -> dict[str, Any]:
        size = (max(_GRID, source.width // _GRID * _GRID), max(_GRID, source.height // _GRID * _GRID))
        return {
            **self._body(job, size),
            "init_images": [base64.b64encode(job.source).decode()],
            "denoising_strength": self.options.denoising_strength,
        }

    def _send(self, path: str, body: Mapping[str, Any]) -> tuple[tuple[bytes, PictureInfo, str], float]:
        """Make one request and return the file, its picture and what drew it."""
        answer = self.server.ask("POST", path, body, accept=(400, 404, 422))
        said = _object(answer)
        if answer.status != 200:
            raise self._refused(said, path)
        images, info = said.get("images"), _info(said.get("info"))
        if not isinstance(images, list) or not images or not isinstance(images[0], str):
            raise Again("no_image", "the answer holds no image", billed=True)
        self.checkpoint.check_drawn(_PART, str(info.get("sd_model_name") or ""), str(info.get("sd_model_hash") or ""))
        try:
            data = base64.b64decode(images[0].rpartition(",")[2], validate=True)
        except ValueError as error:
            raise Again("broken_image", f"no base64: {error}", billed=True) from None
        return (data, read_picture(data), self._versions(info)), self.options.price

    def _refused(self, said: Mapping[str, Any], path: str) -> ServiceError:
        detail = said.get("detail") or said.get("errors") or said.get("error")
        if detail == "Not Found":  # what the web framework says of routes that there are none of
            return ServiceError(f"{_PART}: {self.server.url} has no {path}; {_REMEDY}")
        return ServiceError(f"{_PART}: the server does not take the options: {json.dumps(detail)}; change them")

    def _versions(self, info: Mapping[str, Any]) -> str:
        known = [f"{word} {info[key]}" for word, key in _TOLD.items() if info.get(key)]
        return self.service.clean("; ".join([*known, self.name]))

    @property
    def _title(self) -> str:
        """The checkpoint as the server lists it; once it is known, it is not asked for again."""
        # Threads may ask at the same time: none waits for another whom the server leaves without an answer.
        self._known_title = self._known_title or self.service.call("checkpoint", 0.0, lambda: (self._listed(), 0.0))
        return self._known_title

    def _listed(self) -> str:
        listed = self.server.ask("GET", "/sdapi/v1/sd-models").json()
        models = [model for model in listed if isinstance(model, Mapping)] if isinstance(listed, list) else []
        return self.checkpoint.find(_PART, models)


def _object(answer: HttpReply) -> Mapping[str, Any]:
    said = answer.json()
    if not isinstance(said, Mapping):
        raise Again("malformed_answer", "no JSON object", billed=True)
    return said


def _info(text: Any) -> Mapping[str, Any]:
    """Return what the server says about an image it drew, which is JSON inside JSON."""
    return _object(HttpReply(200, str(text).encode()))
