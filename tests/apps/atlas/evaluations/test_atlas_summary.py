from __future__ import annotations

import pytest

from portrayal.apps.atlas.evaluations.atlas_summary import DrawnModels, summary
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, ModelInfo, Score


def trend(score: str) -> DrawnModels:
    """Return the trend of twelve models whose score falls from 0.24 to 0.02 within a year."""
    rows = [Evaluation(f"m/{number}", {score: Score(0.24 - 0.02 * number)}) for number in range(12)]
    infos = [ModelInfo(f"m/{number}", "art", created=f"2023-{number + 1:02d}") for number in range(12)]
    (section,) = summary(AtlasRows().joined(rows, infos), score).sections
    (drawn,) = section.trends
    return drawn


@pytest.mark.parametrize(("score", "lowest"), [("miss_rate", 0.0), ("beauty", -0.2)])
def test_a_trend_ends_at_what_the_score_can_be(score: str, lowest: float) -> None:
    drawn = trend(score)
    steps = [*drawn.line, *drawn.beyond]
    assert drawn.line[-1][1] < drawn.line[0][1] - 0.2
    assert min(step[1] for step in steps) == pytest.approx(lowest, abs=0.05)
    assert (min(min(step[1:]) for step in steps) >= 0) is (score == "miss_rate")
