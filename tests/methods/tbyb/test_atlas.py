from __future__ import annotations

import math

import pytest

from portrayal.methods.atlas_part import derived, released, score_kinds
from portrayal.records.evaluated_models.evaluation import Score


def test_the_released_evaluations_are_the_first_rows_and_say_where_they_come_from() -> None:
    rows = released()
    assert len(rows) == 24
    assert len({row.id for row in rows}) == 24
    assert all("Vice et al. (2023)" in row.source for row in rows)
    general = [row for row in rows if "objects, actions" in row.protocol]
    assert len(general) == 9
    # 220 images are fewer than the prompts with actions.
    (without,) = [row for row in rows if row.protocol.endswith("objects and occupations")]
    assert (without.model, without.images, without.scores["miss_rate"]) == ("segmind/SSD-1B", 220, Score(0.0045))
    assert sum("task" in row.protocol for row in rows) == 14
    (first,) = [row for row in general if row.model == "runwayml/stable-diffusion-v1-5"]
    assert (first.scores["distribution_bias"], first.images) == (Score(7.123), 3688)
    assert first.scores["log_bias"].value == pytest.approx(-(math.log(7.123) + math.log(0.344) + math.log(0.984)))


def test_the_log_bias_follows_from_its_parts_where_it_is_defined() -> None:
    parts = {"distribution_bias": Score(2.0), "jaccard_hallucination": Score(0.5), "miss_rate": Score(0.0)}
    assert derived(parts)["log_bias"].value == pytest.approx(0)
    assert "log_bias" not in derived({**parts, "miss_rate": Score(1.0)})
    assert "log_bias" not in derived({"miss_rate": Score(0.1)})
    assert derived({**parts, "log_bias": Score(9.0)})["log_bias"] == Score(9.0)


def test_the_headline_comes_first() -> None:
    assert next(iter(score_kinds())) == "log_bias"
    assert score_kinds()["distribution_bias"].more_is_biased is False
