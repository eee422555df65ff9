"""Which files a diffusion model is made of: the model, its first stage where it has one, and adapters."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from portrayal.errors import ConfigError, InputError
from portrayal.generators.diffusers.options import DiffusersOptions, LoraOptions
from portrayal.hub import ModelFiles, find_model

__all__ = ["PART", "Adapter", "Models", "find_models", "weight_patterns"]

PART = "generator 'diffusers'"
_EXAMPLE = "diffusers:stabilityai/stable-diffusion-xl-base-1.0"


@dataclass(frozen=True, slots=True)
class Adapter:
    """A LoRA: the file ``weights`` of a model on the hub, or the file that ``source`` is."""

    source: ModelFiles
    weights: str
    scale: float

    def file(self) -> Path:
        """Return where the file lies on this machine."""
        if isinstance(self.source.place, Path):
            return self.source.place
        path = self.source.folder([self.weights]) / self.weights
        if not path.is_file():
            raise InputError(f"{PART}: {self.source.place} holds no file {self.weights}; check the option 'weights'")
        return path


@dataclass(frozen=True, slots=True)
class Models:
    """Everything a generator loads."""

    model: ModelFiles
    prior: ModelFiles | None
    adapters: tuple[Adapter, ...]

    @property
    def title(self) -> str:
        """The models and the first digits of their versions, as in ``me/model@0123456789ab+me/style@ba9876543210``."""
        added = [*([self.prior] if self.prior else []), *(adapter.source for adapter in self.adapters)]
        return "+".join(model.title for model in [self.model, *added])


def find_models(argument: str, options: DiffusersOptions) -> Models:
    """Return the model that ``argument`` names and those that the options add; loads and fetches nothing."""
    prior = options.prior
    return Models(
        find_model(PART, argument, options.revision, example=_EXAMPLE),
        find_model(f"{PART}, options.prior", prior.model, prior.revision, example=_EXAMPLE) if prior else None,
        tuple(_adapter(lora) for lora in options.loras),
    )


def weight_patterns(variant: str) -> list[str]:
    """Return what to fetch of a pipeline: weights in folders, one variant of them, and no single-file checkpoints."""
    weights = [f"*/*.{variant}*.safetensors"] if variant else ["*/*model.safetensors", "*/*model-0*.safetensors"]
    return ["*.json", "*.txt", "*.model", *weights]


def _adapter(lora: LoraOptions) -> Adapter:
    part = f"{PART}, options.loras"
    path = Path(lora.model).expanduser()
    if path.is_file():
        if lora.revision or lora.weights:
            raise ConfigError(f"{part}: {lora.model} is a file; leave its revision and weights out")
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Adapter(ModelFiles(part, path.absolute(), digest), "", lora.scale)
    if path.is_dir():
        raise ConfigError(f"{part}: {lora.model} is a folder; give the .safetensors file in it")
    if path.suffix == ".safetensors":
        raise InputError(f"{part}: no file {lora.model}; relative paths start where the command is run")
    if not lora.weights:
        raise ConfigError(f"{part}: set 'weights' to the file of {lora.model} to load, such as style.safetensors")
    return Adapter(find_model(part, lora.model, lora.revision, example=_EXAMPLE), lora.weights, lora.scale)
