"""What can be set about a diffusion model, and what of it makes another generator."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from portrayal.errors import did_you_mean
from portrayal.generators.diffusers.presets import load_presets
from portrayal.generators.diffusers.schedulers import OWN, SCHEDULERS
from portrayal.hub import REVISION
from portrayal.settings import Settings

__all__ = ["DiffusersOptions", "LoraOptions", "PriorOptions"]

_ELSEWHERE = ("preset", "revision", "prior", "device", "batch")
"""Options that are no part of the suffix: resolved into others, part of the name already, or without effect."""


class LoraOptions(Settings):
    """``model`` is a .safetensors file, or an id on the hub with its ``revision`` and the file ``weights`` in it."""

    model: str
    revision: str = Field(default="", pattern=REVISION)
    weights: str = ""
    scale: float = Field(default=1.0, ge=-10, le=10)


class PriorOptions(Settings):
    """The first stage of a model that comes as two: a folder, or an id on the hub and its ``revision``."""

    model: str
    revision: str = Field(default="", pattern=REVISION)


class DiffusersOptions(Settings):
    """None means: as the preset says, and without one as the pipeline does by itself."""

    revision: str = Field(default="", pattern=REVISION)
    variant: str = Field(default="", pattern=r"^[\w-]*$")
    preset: str = ""
    scheduler: str | None = None
    spacing: Literal["leading", "linspace", "trailing"] | None = None
    steps: int | None = Field(default=None, ge=1, le=1000)
    guidance: float | None = Field(default=None, ge=0, le=100)
    width: int | None = Field(default=None, ge=8, le=8192)
    height: int | None = Field(default=None, ge=8, le=8192)
    negative: str = ""
    strength: float | None = Field(default=None, gt=0, le=1)
    image_guidance: float | None = Field(default=None, ge=1, le=100)
    loras: tuple[LoraOptions, ...] = ()
    prior: PriorOptions | None = None
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")
    batch: str | int = "auto"
    format: Literal["png", "jpeg", "webp"] = "png"
    quality: int | None = Field(default=None, ge=50, le=100)

    def changed(self) -> dict[str, Any]:
        """Return what changes pixels: settings of a preset as if they were written out, no device and no batch."""
        changed = self.resolved().model_dump(mode="json", exclude_defaults=True, exclude=set(_ELSEWHERE))
        if self.loras:  # the name says which files
            changed["loras"] = [{"weights": lora.weights, "scale": lora.scale} for lora in self.loras]
        return changed

    def resolved(self) -> DiffusersOptions:
        """Return the options with those of the preset where none is set, and without the preset."""
        if not self.preset:
            return self
        settings = load_presets()[self.preset].settings
        missing = {name: value for name, value in settings.items() if getattr(self, name) is None}
        return self.model_copy(update={**missing, "preset": ""})

    @field_validator("preset")
    @classmethod
    def _known_preset(cls, preset: str) -> str:
        if preset and preset not in load_presets():
            raise ValueError(f"no preset of that name{did_you_mean(preset, load_presets())}")
        return preset

    @field_validator("scheduler")
    @classmethod
    def _known_scheduler(cls, scheduler: str | None) -> str | None:
        # Classes of diffusers are looked up when the model is loaded: importing it takes seconds.
        if scheduler is None or scheduler in (OWN, *SCHEDULERS) or scheduler.endswith("Scheduler"):
            return scheduler
        raise ValueError(f"no scheduler of that name{did_you_mean(scheduler, (OWN, *SCHEDULERS))}")

    @field_validator("batch")
    @classmethod
    def _auto_or_number(cls, batch: str | int) -> str | int:
        if batch == "auto" or (isinstance(batch, int) and batch >= 1):
            return batch
        raise ValueError('give "auto" or a number from 1 on')

    @model_validator(mode="after")
    def _together(self) -> DiffusersOptions:
        drawn = self.resolved()
        if (drawn.width is None) != (drawn.height is None):
            raise ValueError("set width and height together")
        if drawn.steps and drawn.strength and int(drawn.steps * drawn.strength) < 1:
            raise ValueError("steps times strength must reach 1, else nothing is drawn")
        if self.quality is not None and self.format == "png":
            raise ValueError("a png file loses nothing and has no quality; leave quality out")
        return self
