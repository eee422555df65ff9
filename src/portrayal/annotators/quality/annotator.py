"""The annotator: one number per picture and metric, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from portrayal import hub
from portrayal.annotators.annotator import Observed
from portrayal.annotators.caption import Caption, CaptionOptions
from portrayal.annotators.opening import picture_or_reason
from portrayal.annotators.quality.metrics import (
    PART,
    ClipScore,
    Niqe,
    OpenedImage,
    QualityMetric,
    SentenceSimilarity,
    Ssim,
    need,
)
from portrayal.annotators.quality.sentences import Sentences
from portrayal.errors import ConfigError
from portrayal.records import Abstention, Attribute, Image, Observation, attribute_table
from portrayal.registry import refuse_argument
from portrayal.settings import Settings

__all__ = ["Quality", "QualityOptions"]

MetricName = Literal["niqe", "ssim", "clip_score", "sentence_similarity"]

_OPTIONS: Mapping[MetricName, Sequence[str]] = {
    "niqe": ("niqe_model",),
    "ssim": ("reference",),
    "clip_score": ("clip", "clip_revision", "clip_text"),
    "sentence_similarity": ("captioner", "captioner_revision", "sentences", "sentences_revision"),
}


_KEPT = ("niqe_model", "reference", "clip_text")


class QualityOptions(Settings):
    """``metrics`` are the numbers wanted; each of the others belongs to one of them, but for ``device``.

    ``clip_text`` is what pictures are compared with in place of their prompts; ``{term}`` is what these are about.
    """

    metrics: tuple[MetricName, ...] = Field(default=("niqe",), min_length=1)
    niqe_model: Path | None = None
    reference: Path | None = None
    clip: str = ""
    clip_revision: str = Field(default="", pattern=hub.REVISION)
    clip_text: str = Field(default="", pattern=r"^([^{}]|\{term\})*$")
    captioner: str = ""
    captioner_revision: str = Field(default="", pattern=hub.REVISION)
    sentences: str = ""
    sentences_revision: str = Field(default="", pattern=hub.REVISION)
    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")

    def changed(self) -> dict[str, Any]:
        """Leave out what the annotator's name tells already, and the device: any will do."""
        return {key: value for key, value in super().changed().items() if key in _KEPT}


class Quality:
    """Gives one number per picture and metric, as subject 0."""

    Options = QualityOptions
    looks = True
    citations: Sequence[str] = (
        "Mittal, Soundararajan and Bovik 2013, Making a Completely Blind Image Quality Analyzer, "
        "IEEE Signal Processing Letters 20(3)",
        "Wang, Bovik, Sheikh and Simoncelli 2004, Image Quality Assessment: From Error Visibility to Structural "
        "Similarity, IEEE Transactions on Image Processing 13(4)",
        "Hessel et al. 2021, CLIPScore: A Reference-free Evaluation Metric for Image Captioning, EMNLP",
        "Reimers and Gurevych 2019, Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks, EMNLP",
    )

    def __init__(self, argument: str, options: QualityOptions) -> None:
        refuse_argument(PART, argument)
        _check(options)
        self._metrics = {name: _BUILD[name](options) for name in _OPTIONS if name in options.metrics}
        self.name = f"quality@1:{'+'.join(metric.title for metric in self._metrics.values())}"
        self.attributes: tuple[Attribute, ...] = tuple(attribute_table()[name] for name in self._metrics)

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield one number per metric and image, or why there is none; an unreadable image is abstained from."""
        opened = [_open(image) for image in images]
        seen = [picture for picture in opened if isinstance(picture, OpenedImage)]
        scores = {name: iter(metric.score(seen)) for name, metric in self._metrics.items()}
        for image, picture in zip(images, opened, strict=True):
            if isinstance(picture, str):
                yield Abstention(image.id, self.name, picture)
            else:
                yield from (self._row(image.id, name, next(column)) for name, column in scores.items())

    def _row(self, image: str, attribute: str, score: float | str) -> Observed:
        if isinstance(score, str):
            return Abstention(image, self.name, score, 0, attribute)
        return Observation(image, self.name, 0, attribute, value=score)


def _open(image: Image) -> OpenedImage | str:
    picture = picture_or_reason(image)
    return picture if isinstance(picture, str) else OpenedImage(image, picture)


def _check(options: QualityOptions) -> None:
    given = options.model_fields_set - {"metrics", "device"}
    for metric, names in _OPTIONS.items():
        if options.metrics.count(metric) > 1:
            raise ConfigError(f"{PART} has metric {metric!r} twice; keep one")
        for name in names:
            if name in given and metric not in options.metrics:
                raise ConfigError(f"{PART}: options.{name} is for {metric}, which is not among its metrics")
            _check_revision(options, name)


def _check_revision(options: QualityOptions, name: str) -> None:
    """Name the right option where the hub's own message would speak of ``revision``."""
    given, revision = getattr(options, name), f"{name}_revision"
    if revision not in QualityOptions.model_fields or Path(given).expanduser().is_dir():
        return
    if re.fullmatch(r"[\w-][\w.-]*/[\w.-]+", given) and not getattr(options, revision):
        raise ConfigError(
            f"{PART}: set options.{revision} to a commit of {given} (40 digits, in its history on the hub); "
            "a model that changes would mix two models' results"
        )


def _sentence_similarity(options: QualityOptions) -> SentenceSimilarity:
    need("sentence_similarity", "torch", "transformers")
    if not options.captioner:
        raise ConfigError(
            f"{PART}: sentence_similarity needs a model that writes captions; set options.captioner to its folder or id"
        )
    asked = CaptionOptions(revision=options.captioner_revision, device=options.device)
    sentences = Sentences(PART, options.sentences, options.sentences_revision, options.device)
    return SentenceSimilarity(Caption(options.captioner, asked), sentences)


_BUILD: Mapping[MetricName, Callable[[QualityOptions], QualityMetric]] = {
    "niqe": lambda options: Niqe(options.niqe_model),
    "ssim": lambda options: Ssim(options.reference),
    "clip_score": lambda options: ClipScore(options.clip, options.clip_revision, options.device, options.clip_text),
    "sentence_similarity": _sentence_similarity,
}
