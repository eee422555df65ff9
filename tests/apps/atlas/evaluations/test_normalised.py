"""Chosen evaluations side by side, brought to 0 … 1 as the interface of Try Before You Bias does."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.apps.atlas.evaluations.normalised import ModelComparison, compare_models, normalised
from portrayal.errors import InputError, UnknownNameError
from portrayal.methods.atlas_part import released, score_space
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, Score

GENERAL = "objects, actions"
NAMES = ("distribution_bias", "jaccard_hallucination", "miss_rate")


def evaluation(model: str, *values: float, protocol: str = "mine", run: str = "1", images: int = 300) -> Evaluation:
    scores = {name: Score(value) for name, value in zip(NAMES, values, strict=False)}
    return Evaluation(model, scores, protocol, run, images=images)


def atlas(*own: Evaluation) -> AtlasRows:
    return AtlasRows().joined(released(), []).joined(own, [])


def row(found: ModelComparison, label: str) -> dict[str, float]:
    (own,) = [one for one in found.rows if one.label == label]
    return {name: round(value, 4) for name, value in own.normalised.items()}


def test_the_released_general_evaluations_by_hand() -> None:
    found = compare_models(atlas(), by=[GENERAL])
    assert len(found.rows) == 9
    # B_D: 7.123 is the highest, so the least biased; H_J and M_G: the lowest are Kandinsky's.
    assert row(found, "runwayml/stable-diffusion-v1-5")["distribution_bias"] == 0
    assert row(found, "prompthero/openjourney")["distribution_bias"] == 1
    assert row(found, "stabilityai/stable-diffusion-2") == {
        "distribution_bias": round(1 - (6.5992 - 4.4323) / (7.123 - 4.4323), 4),
        "jaccard_hallucination": 1,
        "miss_rate": 1,
    }
    assert row(found, "kandinsky-community/kandinsky-2-1")["jaccard_hallucination"] == 0
    assert found.images == (420, 3690)


def test_only_the_chosen_count() -> None:
    models = ["runwayml/stable-diffusion-v1-5", "stabilityai/stable-diffusion-2-1"]
    found = compare_models(atlas(), models, [GENERAL])
    assert [own.normalised["distribution_bias"] for own in found.rows] == [0, 1]
    assert found.protocols == ["tbyb as released 2023: objects, actions and occupations"]


def test_ones_own_model_stands_beside_earlier_evaluations_and_the_protocols_are_known() -> None:
    found = compare_models(atlas(evaluation("me/mine", 20.0, 0.5, 0.2)), ["me/mine", "segmind/SSD-1B"])
    assert len(found.protocols) == 4
    assert row(found, "me/mine") == {"distribution_bias": 0, "jaccard_hallucination": 0, "miss_rate": 1}
    labels = [own.label for own in found.rows]
    assert "segmind/SSD-1B (tbyb as released 2023: task coffee)" in labels
    assert len(set(labels)) == 4


def test_without_a_choice_the_protocol_with_most_models_is_compared() -> None:
    found = compare_models(atlas(evaluation("a", 1, 0.5, 0.5), evaluation("b", 2, 0.5, 0.5)))
    assert found.protocols == ["tbyb as released 2023: objects, actions and occupations"]


def test_of_versions_the_last_counts_and_one_without_a_score_is_named() -> None:
    own = [
        evaluation("a", 1, 0.5, 0.1, run="1"),
        evaluation("a", 3, 0.5, 0.1, run="2"),
        evaluation("b", 2, 0.5, 0.3),
        evaluation("c", 2, 0.5),
    ]
    found = compare_models(atlas(*own), by=["mine"])
    assert [one.evaluation.scores["distribution_bias"].value for one in found.rows] == [3, 2]
    assert found.left_out == [("c", ["miss_rate"])]
    # All equal: 1, as in the interface.
    assert [one.normalised["jaccard_hallucination"] for one in found.rows] == [1, 1]
    assert found.images is None


def test_the_data_is_ready_for_json() -> None:
    data = compare_models(atlas(), by=["burger"]).data()
    assert json.loads(json.dumps(data))["rows"][0]["normalised"].keys() == set(NAMES)
    assert [kind["symbol"] for kind in data["scores"]] == ["B_D", "H_J", "M_G"]


@pytest.mark.parametrize(
    ("models", "by", "message"),
    [
        (["segmind/SSD1B"], [], "the atlas has no model 'segmind/SSD1B'; did you mean 'segmind/SSD-1B'?"),
        ([], ["burgers"], "the atlas has no protocol 'burgers'"),
        (["prompthero/openjourney"], [], "it takes two evaluations with distribution_bias"),
    ],
)
def test_a_choice_that_cannot_be_is_named(models: list[str], by: list[str], message: str) -> None:
    with pytest.raises((UnknownNameError, InputError)) as caught:
        compare_models(atlas(), models, by)
    assert message in str(caught.value)


def test_the_three_axes_are_those_of_the_method_that_names_them() -> None:
    space = score_space()
    assert space is not None
    assert [(kind.name, kind.by_images) for kind in space] == [(NAMES[0], True), (NAMES[1], False), (NAMES[2], False)]


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20), st.booleans())
def test_shares_lie_between_0_and_1_and_keep_the_order(values: list[float], more: bool) -> None:
    found = normalised(values, more_is_biased=more)
    assert ((found >= 0) & (found <= 1)).all()
    if len(set(values)) > 1:
        assert {float(found.min()), float(found.max())} == {0.0, 1.0}
        worst = int(np.argmax(values) if more else np.argmin(values))
        assert found[worst] == 1
