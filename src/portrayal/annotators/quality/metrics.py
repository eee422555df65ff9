"""The numbers that ``quality`` gives: each is one number per picture, or the reason why there is none."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from portrayal import hub
from portrayal.annotators.caption import Caption
from portrayal.annotators.quality.niqe import niqe
from portrayal.annotators.quality.niqe_model import load_niqe, published_niqe
from portrayal.annotators.quality.sentences import Sentences
from portrayal.errors import ConfigError, InputError, MissingExtraError
from portrayal.records import Image
from portrayal.vision.pictures import Unreadable, open_rgb

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from portrayal.annotators.quality.clip_model import ClipModel

__all__ = ["PART", "ClipScore", "Niqe", "OpenedImage", "QualityMetric", "SentenceSimilarity", "Ssim", "need"]

PART = "annotator 'quality'"
NO_PROMPT = "no_prompt"

_SMALLEST = 7  # pixels: the window of SSIM


@dataclass(frozen=True, slots=True)
class OpenedImage:
    """An image that could be read."""

    image: Image
    picture: Picture


class QualityMetric(Protocol):
    """Scores pictures; ``title`` says with which model or parameters, for the annotator's name."""

    title: str

    def score(self, seen: Sequence[OpenedImage]) -> list[float | str]:
        """Return one number per picture, or a reason to abstain."""
        ...


class Niqe:
    """Distance from the statistics of pristine photographs, at the picture's own size."""

    def __init__(self, file: Path | None) -> None:
        self._model = load_niqe(file or published_niqe())
        self.title = f"niqe@{self._model.digest}"

    def score(self, seen: Sequence[OpenedImage]) -> list[float | str]:
        """Return NIQE, lower is better."""
        return [niqe(np.asarray(one.picture.convert("L")), self._model) for one in seen]


class Ssim:
    """Structural similarity with one reference picture."""

    title = "ssim"

    def __init__(self, reference: Path | None) -> None:
        need("ssim", "skimage")
        if reference is None:
            raise ConfigError(f"{PART}: ssim compares with a picture; set options.reference to its path")
        try:
            self._reference = open_rgb(reference).convert("L")
        except Unreadable as error:
            raise InputError(f"{reference}: {error.reason.replace('_', ' ')}; check options.reference") from None
        if min(self._reference.size) < _SMALLEST:
            raise InputError(f"{reference}: {PART} needs a reference of {_SMALLEST} x {_SMALLEST} pixels or more")

    def score(self, seen: Sequence[OpenedImage]) -> list[float | str]:
        """Return SSIM of each picture in grey, shrunk or enlarged to the reference's size."""
        from skimage import metrics

        compare: Any = metrics.structural_similarity
        size, levels = self._reference.size, np.asarray(self._reference)
        greys = [np.asarray(one.picture.convert("L").resize(size)) for one in seen]
        return [float(compare(levels, grey, win_size=_SMALLEST, data_range=255)) for grey in greys]


class ClipScore:
    """Cosine of picture and prompt, or of another text about the same term, times 100, nothing below 0."""

    def __init__(self, model: str, revision: str, device: str, text: str = "") -> None:
        need("clip_score", "torch", "transformers")
        if not model:
            raise ConfigError(f"{PART}: clip_score needs a model; set options.clip to its folder or id")
        self._files = hub.find_model(PART, model, revision, example="openai/clip-vit-large-patch14")
        self._device = device
        self._text = text
        self.title = f"clip_score@{self._files.title}"

    def __getstate__(self) -> dict[str, Any]:
        # A loaded model does not travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name != "_loaded"}

    def score(self, seen: Sequence[OpenedImage]) -> list[float | str]:
        """Return the CLIP score of each picture and its text."""
        texts = [self._compared(one.image) for one in seen]
        asked = [place for place, text in enumerate(texts) if text]
        scores: list[float | str] = [NO_PROMPT] * len(seen)
        if asked:
            pictures, told = zip(*((seen[place].picture, texts[place]) for place in asked), strict=True)
            for place, cosine in zip(asked, self._loaded.cosines(pictures, told), strict=True):
                scores[place] = 100 * max(float(cosine), 0.0)
        return scores

    def _compared(self, image: Image) -> str:
        """Return the text that a picture is compared with; an empty one where it has no prompt."""
        if not self._text:
            return image.text if image.text.strip() else ""
        return "" if "{term}" in self._text and not image.term else self._text.replace("{term}", image.term)

    @functools.cached_property
    def _loaded(self) -> ClipModel:
        from portrayal.annotators.quality.clip_model import ClipModel

        folder = self._files.folder()
        with hub.loading(PART, folder):
            return ClipModel(PART, folder, self._device)


class SentenceSimilarity:
    """Cosine of the prompt and a caption of the picture, both as vectors of a sentence model."""

    def __init__(self, captioner: Caption, sentences: Sentences) -> None:
        self._captioner, self._sentences = captioner, sentences
        self.title = f"sentence_similarity@{captioner.model.title}&{sentences.title}"

    def score(self, seen: Sequence[OpenedImage]) -> list[float | str]:
        """Return how near each picture's caption is to the prompt it was drawn for."""
        asked = {one.image.id: one.image for one in seen if one.image.text.strip()}
        rows = {row.image: row for row in self._captioner.annotate([*asked.values()])}
        captions = {name: row.text for name, row in rows.items() if row.text}
        scores: dict[str, float | str] = {name: row.reason for name, row in rows.items() if row.reason}
        if captions:
            vectors = self._sentences.embed([*(asked[name].text for name in captions), *captions.values()])
            prompts, written = np.split(vectors, 2)
            scores.update(zip(captions, (prompts * written).sum(axis=1).tolist(), strict=True))
        return [scores.get(one.image.id, NO_PROMPT) for one in seen]


def need(metric: str, *packages: str) -> None:
    """Say in one line what a metric lacks; imports nothing."""
    if missing := [name for name in packages if importlib.util.find_spec(name) is None]:
        raise MissingExtraError(f'{PART}: {metric} needs {", ".join(missing)}: run pip install "portrayal[quality]"')
