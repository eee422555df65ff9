"""What a metric lacks that is not known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from portrayal.evidence import ComparedPairs
from portrayal.methods.socialbiaskg.estimates import lack
from portrayal.methods.socialbiaskg.looks import Look
from portrayal.methods.socialbiaskg.options import SocialBiasKGOptions
from portrayal.methods.socialbiaskg.perceived import Perceived, Seen
from portrayal.methods.socialbiaskg.rules import METRICS, Metric

SEEN = Seen(Look(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64), np.zeros(0), ("a",)), 1)
ALL = Perceived(("a",), SEEN, SEEN, SEEN, SEEN, np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))
OPTIONS = SocialBiasKGOptions()


def compared(captions: float) -> ComparedPairs:
    return ComparedPairs(structure=np.array([np.nan]), captions=np.array([captions]))


@pytest.mark.parametrize("metric", METRICS)
def test_without_prompts_nothing_can_be_known(metric: Metric) -> None:
    assert lack(metric, 0, 0, ALL, OPTIONS) == "prompts"


@pytest.mark.parametrize("metric", ["diversity", "dominance", "failure", "dominant_occupation", "quality"])
def test_annotators_that_say_nothing_of_any_image(metric: Metric) -> None:
    assert lack(metric, 40, 0, ALL, OPTIONS) == "images"


def test_annotators_that_are_not_there() -> None:
    assert lack("dominance", 40, 0, replace(ALL, group=None), OPTIONS) == "groups"
    assert lack("dominant_occupation", 40, 0, replace(ALL, occupation=None), OPTIONS) == "occupations"
    assert lack("quality", 40, 0, replace(ALL, niqe=None), OPTIONS) == "quality"
    assert lack("quality", 40, 0, replace(ALL, alignment=None), OPTIONS) == "quality"
    only_niqe = SocialBiasKGOptions(quality_weight=1.0)
    assert lack("quality", 40, 0, replace(ALL, alignment=None), only_niqe) == "images"


def test_similarity() -> None:
    assert lack("iterative_similarity", 4, 0, ALL, OPTIONS) == "pairs"
    silent = replace(ALL, compared=compared(np.nan))
    assert lack("iterative_similarity", 40, 180, silent, OPTIONS) == "captions"
    assert lack("counterfactual_similarity", 40, 180, replace(ALL, compared=compared(0.5)), OPTIONS) == "comparisons"
    structure = SocialBiasKGOptions(similarity_weight=1.0)
    assert lack("counterfactual_similarity", 40, 180, silent, structure) == "comparisons"
