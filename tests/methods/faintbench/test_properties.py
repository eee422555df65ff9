"""What must hold whatever was drawn: totals follow from their parts, nothing is dropped, every image is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.records import SIDES, Measurement, Prompt, aspect, attribute_table
from portrayal.reports.text.notes import plain_notes

Measure = Callable[..., list[Measurement]]
WEIGHTS = {"gender": 0.4, "race5": 0.4, "age3": 0.2}
GROUPS = {name: attribute_table()[name].groups for name in WEIGHTS}
KINDS = ("occupation", "characteristic", "relation")
SCORES = ("implicit_score", "explicit_score", "explicit_score_hard")
VARIANTS = ("definition", "published", "released")

Spec = tuple[str, str, float, str, int, int, int]
"""Kind, category, weight, attribute asked for ("" for none), images, images that are missing, seed."""
specs = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.sampled_from(["one", "other"]),
        st.sampled_from([0.5, 1.0, 3.0]),
        st.sampled_from(["", "", "", *WEIGHTS]),
        st.integers(0, 4),
        st.integers(0, 3),
        st.integers(0, 99),
    ),
    min_size=1,
    max_size=6,
)


def build(asked: Callable[..., Any], drawn: Sequence[Spec]) -> list[Any]:
    """Return prompts of random references with random masses."""
    found, numbers = [], count()
    for kind, category, weight, attribute, images, missing, seed in drawn:
        rng = np.random.default_rng(seed)
        people = 2 if kind == "relation" else 1
        names = {aspect(name, side, people): own for side in range(people) for name, own in GROUPS.items()}
        reference = {
            name: dict(zip(own, rng.dirichlet(np.ones(len(own))).tolist(), strict=True)) for name, own in names.items()
        }
        requested = {
            aspect(attribute, side, people): str(rng.choice(GROUPS[attribute]))
            for side in range(people if attribute else 0)
        }
        term = " / ".join(f"{next(numbers)} {side}" for side in SIDES[:people])
        variant = "explicit" if attribute else "implicit"
        prompt = Prompt(
            f"a {term}", term, "faintbench", category, variant, "en", weight, requested, kind, "", people, reference
        )
        seen = {name: rng.dirichlet(np.full(len(own), 0.3), images).tolist() for name, own in names.items()}
        lost = [("a", "", "no_face", missing)] if missing else []
        found.append(asked(prompt, seen, planned=images + missing, missing=lost))
    return found


def keyed(rows: Sequence[Measurement]) -> dict[tuple[str, str, str, str, str], Measurement]:
    found = {(row.metric, row.level, row.item, row.attribute, row.group): row for row in rows}
    assert len(found) == len(rows)  # no row stands there twice
    return found


@pytest.mark.slow
@settings(max_examples=25)
@given(drawn=specs)
def test_totals_follow_from_their_attributes(
    drawn: Sequence[Spec], ask: Any, added_up: Callable[..., Any], faintbench: Measure
) -> None:
    found = keyed(faintbench(added_up(*build(ask, drawn)), draws=100))
    for (metric, level, item, attribute, group), row in found.items():
        if metric in SCORES and not attribute and not group:
            parts = {name: found.get((metric, level, item, name, "")) for name in WEIGHTS}
            values = {name: part.value for name, part in parts.items() if part is not None}
            if row.value is None:
                assert None in values.values()
            else:
                shares = {name: WEIGHTS[name] for name in values}
                total = sum(shares[name] * (values[name] or 0) for name in values) / sum(shares.values())
                assert row.value == pytest.approx(total, abs=1e-12)


@pytest.mark.slow
@settings(max_examples=25)
@given(drawn=specs, variant=st.sampled_from(VARIANTS), resample=st.sampled_from(["images", "prompts"]))
def test_values_and_intervals_make_sense_and_every_image_is_counted(
    drawn: Sequence[Spec],
    variant: str,
    resample: str,
    ask: Any,
    added_up: Callable[..., Any],
    faintbench: Measure,
) -> None:
    asked = build(ask, drawn)
    rows = faintbench(added_up(*asked), draws=100, manifestation=variant, resample=resample)
    planned = {each.prompt.text: each.planned for each in asked}
    for row in rows:
        numbers = [number for number in (row.value, row.low, row.high) if number is not None]
        assert np.isfinite(numbers).all()
        assert row.n >= 0
        assert row.missing >= 0
        if row.value is None:
            assert plain_notes(row.notes)
            assert (row.low, row.high, row.n) == (None, None, 0)
        if row.low is not None and row.high is not None:
            assert row.low <= row.high
        if row.metric != "manifestation":
            assert all(0 <= number <= 1 for number in numbers)
        if row.level == "prompt":
            assert row.n + row.missing == planned[row.item]
        if row.metric == "implicit_score" and row.level == "overall" and row.attribute:
            assert row.n + row.missing == sum(each.planned for each in asked if each.prompt.variant == "implicit")


@pytest.mark.slow
@settings(max_examples=15)
@given(drawn=specs, order=st.randoms(use_true_random=False), factor=st.sampled_from([2.0, 0.25]))
def test_neither_the_scale_of_weights_nor_the_order_of_prompts_matters(
    drawn: Sequence[Spec],
    order: Any,
    factor: float,
    ask: Any,
    added_up: Callable[..., Any],
    faintbench: Measure,
) -> None:
    asked = build(ask, drawn)
    before = keyed(faintbench(added_up(*asked), draws=100))
    scaled = [replace(each, prompt=replace(each.prompt, weight=factor * each.prompt.weight)) for each in asked]
    order.shuffle(scaled)
    after = keyed(faintbench(added_up(*scaled), draws=100))
    assert set(after) == set(before)
    for key, row in before.items():
        now = after[key]
        assert (now.n, now.missing, now.prompts) == (row.n, row.missing, row.prompts)
        assert now.value == (row.value if row.value is None else pytest.approx(row.value, abs=1e-12))


@settings(max_examples=15)
@given(drawn=specs, told=st.sets(st.sampled_from(list(WEIGHTS))))
def test_every_prompt_is_listed_for_every_generator_and_annotator(
    drawn: Sequence[Spec], told: set[str], ask: Any, added_up: Callable[..., Any], faintbench: Measure
) -> None:
    asked = build(ask, drawn)
    other = [replace(each, generator="h") for each in asked[1:]]
    data = added_up(*asked, *other, annotators={"a": [name for name in WEIGHTS if name in told]})
    rows = faintbench(data, draws=100)
    for generator in {each.generator for each in (*asked, *other)}:
        own = [row for row in rows if row.generator == generator and row.level == "prompt"]
        listed = {metric: {row.item for row in own if row.metric == metric} for metric in SCORES}
        for each in asked:
            metrics = SCORES[:1] if each.prompt.variant == "implicit" else SCORES[1:]
            for metric in metrics:
                assert each.prompt.text in listed[metric]
        assert {row.item for row in own if row.metric == "hallucination_rate"} == {each.prompt.text for each in asked}


def test_the_same_seed_gives_the_same_rows(ask: Any, added_up: Callable[..., Any], faintbench: Measure) -> None:
    drawn = [(kind, "one", 1.0, name, 3, 1, 5) for kind in KINDS for name in ("", "gender")]
    data = added_up(*build(ask, drawn))
    assert faintbench(data, seed=3) == faintbench(data, seed=3)
    assert faintbench(data, seed=3) != faintbench(data, seed=4)
