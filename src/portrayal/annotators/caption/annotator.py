"""The annotator: one caption per image, or why there is none."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from portrayal import hub
from portrayal.annotators.annotator import Observed
from portrayal.annotators.caption.caption_model import PART, CaptionModel, Decoding, load
from portrayal.annotators.opening import picture_or_reason
from portrayal.records import Abstention, Attribute, Image, Observation, attribute_table
from portrayal.settings import Settings

__all__ = ["Caption", "CaptionOptions"]

_FILES = ("*.json", "*.txt", "*.model", "*.jinja", "*.safetensors")


class CaptionOptions(Settings):
    """``prompt`` is the beginning of the caption, or the instruction to a model that takes some."""

    revision: str = Field(default="", pattern=hub.REVISION)
    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    prompt: str = ""
    max_tokens: int = Field(default=40, ge=1, le=1000)
    beams: int = Field(default=1, ge=1, le=20)

    def changed(self) -> dict[str, Any]:
        """Leave out what makes no other annotator: its name holds the revision already, and any device will do."""
        return {key: value for key, value in super().changed().items() if key not in ("revision", "device")}


class Caption:
    """Writes one caption per image, always the same for the same image."""

    Options = CaptionOptions
    looks = True
    citations: Sequence[str] = (
        "Li et al. 2022, BLIP: Bootstrapping Language-Image Pre-training for Unified Vision-Language Understanding "
        "and Generation, ICML",
    )

    def __init__(self, argument: str, options: CaptionOptions) -> None:
        example = "caption:Salesforce/blip-image-captioning-large"
        self.options = options
        self.model = hub.find_model(PART, argument, options.revision, example=example)
        self.name = f"caption@1:{self.model.title}"
        self.attributes: tuple[Attribute, ...] = (attribute_table()["caption"],)

    def require_ready(self) -> None:
        """Refuse to begin where the model's files are not on this machine."""
        self.model.folder(_FILES)

    def __getstate__(self) -> dict[str, Any]:
        # A loaded model does not travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name != "_loaded"}

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield one caption per image; one that cannot be read, or gets no words, is abstained from."""
        opened = [picture_or_reason(image) for image in images]
        pictures = [picture for picture in opened if not isinstance(picture, str)]
        captions = iter(self._loaded.write(pictures) if pictures else ())
        for image, picture_or_why in zip(images, opened, strict=True):
            if isinstance(picture_or_why, str):
                yield Abstention(image.id, self.name, picture_or_why)
            elif caption := next(captions):
                yield Observation(image.id, self.name, 0, "caption", text=caption)
            else:
                yield Abstention(image.id, self.name, "empty_caption")

    @functools.cached_property
    def _loaded(self) -> CaptionModel:
        options = self.options
        how = Decoding(options.prompt, options.max_tokens, options.beams)
        return load(self.model.folder(_FILES), how, options.device, options.dtype)
