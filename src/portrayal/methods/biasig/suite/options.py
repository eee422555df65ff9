"""What of BiasIG's suite can be chosen."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from portrayal.settings import Settings

__all__ = ["ATTRIBUTES", "CITATION", "GROUPS", "KINDS", "NAME", "VISIBILITY", "BiasigSuiteOptions"]

NAME = "biasig"
KINDS = ("occupation", "characteristic", "relation")
VISIBILITY = ("implicit", "explicit")
GROUPS = {
    "gender": ("male", "female"),
    "race4": ("white", "black", "east_asian", "south_asian"),
    "age3": ("young", "middle_aged", "elderly"),
}
ATTRIBUTES = tuple(GROUPS)
CITATION = (
    "Hanjun Luo et al. (2026): BiasIG: Benchmarking Multi-dimensional Social Biases in Text-to-Image Models. IJCNN "
    "2026. https://github.com/Astarojth/BiasIG (prompts, references, weights, categories, pairs)"
)


class BiasigSuiteOptions(Settings):
    """Which of the released prompts are asked; the defaults are all of them.

    ``path`` is the folder of a clone. ``wordings`` keeps so many of the wordings of each question (0: all), ``sample``
    so many of the terms (0: all), each with all that is asked about it.
    """

    path: Path | None = None
    kinds: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    wordings: int = Field(default=0, ge=0)
    sample: int = Field(default=0, ge=0)
    sample_seed: int = Field(default=0, ge=0)
