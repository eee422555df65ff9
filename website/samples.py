"""Sample reports for the site: a small study of each method, run from the ``study.toml`` in ``studies/``."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from website.clones.all_clones import write_clones

from portrayal import Study

STUDIES = Path(__file__).parent / "studies"


@dataclass(frozen=True)
class Sample:
    """A report to show: the name of its study's file, its title, and what a reader sees in it."""

    name: str
    title: str
    about: str


SAMPLES = (
    Sample(
        "faces",
        "Real pictures of faces",
        "six occupations drawn by the embedded face generator, beside labour statistics",
    ),
    Sample("two-models", "Two models compared", "which of two models shows more women, and where; planted people"),
    Sample(
        "faintbench", "FAIntbench", "implicit and explicit bias scores and the manifestation factor; planted people"
    ),
    Sample("bafis", "BAFIS", "occupations in English and German beside US statistics; planted people"),
    Sample(
        "biaspainter",
        "BiasPainter",
        "neutral words that change a face; faces drawn and edited by the embedded generator",
    ),
    Sample("tbyb", "Try Before You Bias", "what pictures of objects add and leave out; planted captions"),
    Sample(
        "socialbiaskg",
        "SocialBiasKG",
        "relations between occupations and races, in pictures and in people's words; planted people",
    ),
    Sample(
        "biasig",
        "BiasIG",
        "scores over several wordings of each question; a small list of prompts of our own, and planted people",
    ),
    Sample(
        "magbig",
        "MAGBIG",
        "the same occupations in four languages; a small list of prompts of our own, and planted people",
    ),
)


def write_samples(to: Path, studies: Path, samples: Sequence[Sample] = SAMPLES) -> None:
    """Run each sample's study in a folder below ``studies`` and copy its report below ``to``."""
    write_clones(studies)
    for sample in samples:
        folder = studies / sample.name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(STUDIES / f"{sample.name}.toml", folder / "study.toml")
        Study(folder).run()
        shutil.copytree(folder / "report", to / sample.name / "report")
