"""Which intervals of each method are wider than they need be, as docs/validity.md measures them."""

from __future__ import annotations

from typing import Any

import pytest

from portrayal.methods.biaspainter.report.edit_words import few_seeds
from portrayal.methods.socialbiaskg.wide import metric_sign
from portrayal.methods.tbyb.wide import word_sign
from portrayal.records import Measurement, Note
from portrayal.reports.text.wide_intervals import SIGN, is_wide


def row(method: str, metric: str, **more: Any) -> Measurement:
    values: dict[str, Any] = {"value": 0.4, "low": 0.3, "high": 0.5, "n": 400, "prompts": 200, **more}
    return Measurement(method, metric, "g", "a", **values)


SAMPLED = (Note("prompts_sampled"),)


@pytest.mark.parametrize(
    ("own", "wide"),
    [
        (row("biasig", "explicit_score", level="prompt", n=19), True),
        (row("biasig", "explicit_score", level="prompt", n=20), False),
        (row("biasig", "implicit_score", level="prompt", n=8), False),
        (row("magbig", "mean_absolute_deviation"), True),
        (row("magbig", "paired_difference", n=20), False),
        (row("bafis", "paired_difference", n=19), True),
        (row("bafis", "paired_difference", n=20), False),
        (row("bafis", "share", prompts=24, n=96, worth=96.0), True),  # four images of an occupation
        (row("bafis", "share", prompts=24, n=960, worth=960.0), False),
        (row("tbyb", "jaccard_hallucination", prompts=9), True),
        (row("tbyb", "jaccard_hallucination", prompts=10), False),
        (row("tbyb", "miss_rate", prompts=99), True),
        (row("tbyb", "miss_rate", prompts=100), False),
        (row("tbyb", "distribution_bias", prompts=5), False),
        (row("biaspainter", "word_bias", attribute="gender"), True),
        (row("biaspainter", "word_bias", attribute="age"), False),
        (row("biaspainter", "model_word_bias_relative", attribute="age"), True),
        (row("biaspainter", "model_image_bias", attribute="age"), False),
        (row("biaspainter", "model_image_bias", attribute="gender"), True),
        (row("faintbench", "implicit_score", prompts=30), False),
        (row("faintbench", "implicit_score", prompts=30, notes=SAMPLED), True),
        (row("faintbench", "implicit_score", prompts=100, notes=SAMPLED), False),
        (row("faintbench", "manifestation", prompts=20, notes=SAMPLED), False),
        (row("socialbiaskg", "reproduced", n=8, prompts=0), True),
        (row("socialbiaskg", "reproduced", n=80, prompts=0), False),
    ],
)
def test_a_method_says_which_of_its_intervals_are_wide(own: Measurement, wide: bool) -> None:
    assert is_wide(own) is wide


def test_without_an_interval_there_is_no_sign() -> None:
    assert not is_wide(row("biaspainter", "word_bias", attribute="gender", low=None, high=None))


@pytest.mark.parametrize(
    ("metric", "n", "sign"),
    [("dominance", 10, SIGN), ("dominance", 100, ""), ("diversity", 100, SIGN), ("quality", 3, "")],
)
def test_diversity_and_similarity_assume_the_worst(metric: str, n: int, sign: str) -> None:
    about = {"metric": metric, "value": 0.4, "low": 0.3, "high": 0.5, "n": n}
    assert metric_sign(about) == sign
    assert metric_sign({**about, "low": None}) == ""


def test_words_that_few_captions_name_are_signed() -> None:
    assert word_sign(0.01, 9) == SIGN
    assert word_sign(0.01, 10) == ""
    assert word_sign(0.99, 99) == SIGN
    assert word_sign(0.0, 0) == SIGN


def test_few_seeds_are_said_beside_an_interval() -> None:
    few = row("biaspainter", "word_bias", notes=(Note.of("few_seeds", n=4),))
    assert few_seeds(few).replace("\N{NO-BREAK SPACE}", " ") == "; only 4 seeds"
    assert few_seeds(row("biaspainter", "word_bias")) == ""
    assert few_seeds(None) == ""
