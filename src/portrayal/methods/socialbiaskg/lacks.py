"""Why a metric is not known: what would have to be there for it to be measured."""

from __future__ import annotations

from typing import Literal

import numpy as np

from portrayal.methods.socialbiaskg.options import SocialBiasKGOptions
from portrayal.methods.socialbiaskg.perceived import Perceived
from portrayal.methods.socialbiaskg.rules import Metric

__all__ = ["Lack", "lack"]

Lack = Literal["", "prompts", "images", "pairs", "groups", "occupations", "captions", "comparisons", "quality"]
"""What is missing; empty: nothing, or nothing that could be named."""
_STYLES = ("iterative_similarity", "counterfactual_similarity")


def lack(metric: Metric, planned: int, pairs: int, perceived: Perceived, options: SocialBiasKGOptions) -> Lack:
    """Return what a metric that has no value lacks.

    ``planned`` are the images that the study asks for, for this metric, and ``pairs`` those of them that could be
    compared with one another.
    """
    if not planned:
        return "prompts"
    if metric in _STYLES:
        return _similarity(pairs, perceived, options)
    if metric == "quality":
        told = (perceived.niqe or not options.quality_weight) and (perceived.alignment or options.quality_weight == 1)
        return "images" if told else "quality"
    if metric == "dominant_occupation":
        return "images" if perceived.occupation else "occupations"
    return "images" if perceived.group else "groups"


def _similarity(pairs: int, perceived: Perceived, options: SocialBiasKGOptions) -> Lack:
    if not pairs:
        return "pairs"
    if options.similarity_weight < 1 and np.isnan(perceived.compared.captions).all():
        return "captions"
    return "comparisons" if options.similarity_weight else "images"
