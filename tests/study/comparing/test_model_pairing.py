"""Pictures that two models drew with the same seed are compared pair by pair, and only those."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal import Study
from portrayal.stats.two_sides.two_paired_shares import paired_bounds
from portrayal.study.comparing import model_pairing as module

pytestmark = pytest.mark.slow
Make = Callable[..., Path]
SUITE = {"use": "file", "options": {"path": "prompts.csv"}}


def model(name: str, women: float, images: int = 40, **options: Any) -> dict[str, Any]:
    shares = {"gender": {"female": women, "male": 1 - women}}
    return {
        "use": "simulated",
        "name": name,
        "images": images,
        "options": {"pixels": False, "shares": shares, **options},
    }


@pytest.fixture
def make(make_measured: Make) -> Callable[..., Study]:
    def measured(
        name: str, *models: dict[str, Any], prompts: str = "a photo of one CEO,CEO,1\n", **tables: Any
    ) -> Study:
        methods = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]
        changes = {"suite": SUITE, "generators": list(models), "methods": methods, **tables}
        return Study(make_measured(name, prompts=f"text,term,weight\n{prompts}", **changes))

    return measured


def women(study: Study, name: str) -> dict[tuple[str, int], bool]:
    rows = study.images(model=name)
    return {(row["prompt"], row["seed"]): row["gender"] == "female" for row in rows if row["gender"]}


def share(found: Any, item: str = "CEO") -> dict[str, Any]:
    [row] = [row for row in found if row["metric"] == "share" and row["item"] == item and row["level"] == "term"]
    return dict(row)


def test_pairs_are_the_pictures_of_the_same_seed(make: Callable[..., Study]) -> None:
    study = make("both", model("A", 0.3), model("B", 0.5))
    one, other = women(study, "A"), women(study, "B")
    gaps = np.array([float(one[seed]) - other[seed] for seed in one])
    row = share(study.compare())
    assert (row["pairs"], row["without_partner"]) == (40, 0)
    assert row["difference"] == pytest.approx(gaps.mean())
    low, high = paired_bounds(gaps.mean(), (gaps**2).mean(), 40)
    assert (row["low"], row["high"]) == pytest.approx((float(low), float(high)))
    assert "pair by pair, by the same seeds" in study.compare().summary


def test_a_picture_without_a_partner_is_counted_and_named(make: Callable[..., Study]) -> None:
    study = make("some", model("A", 0.3, refused=0.1), model("B", 0.5))
    lost = 40 - len(women(study, "A"))
    assert 0 < lost <= 8
    found = study.compare()
    assert (share(found)["pairs"], share(found)["without_partner"]) == (40 - lost, lost)
    assert f"left out there: up to {lost} of a comparison" in found.summary


def test_too_few_partners_are_no_pairs_and_that_is_said(make: Callable[..., Study]) -> None:
    study = make("few", model("A", 0.3, refused=0.5), model("B", 0.5))
    found = study.compare()
    row = share(found)
    assert row["pairs"] is None
    assert row["difference"] == pytest.approx(row["value"] - row["other_value"])
    assert "pictures as independent: too few have a partner" in found.summary


def test_a_large_study_is_not_paired_and_that_is_said(
    make: Callable[..., Study], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make("large", model("A", 0.3), model("B", 0.5))
    monkeypatch.setattr(module, "PAIRED_AT_MOST", 10)
    found = study.compare()
    assert share(found)["pairs"] is None
    assert "Pictures are taken as independent, and not paired by their seeds." in found.summary


def test_weights_of_prompts_count(make: Callable[..., Study]) -> None:
    prompts = "a photo of one CEO,CEO,3\na picture of a CEO,CEO,1\n"
    study = make("weights", model("A", 0.3), model("B", 0.6), prompts=prompts)
    one, other = women(study, "A"), women(study, "B")
    gap = {
        text: np.mean([one[key] - float(other[key]) for key in one if key[0] == text])
        for text in ("a photo of one CEO", "a picture of a CEO")
    }
    row = share(study.compare())
    assert row["pairs"] == 80
    assert row["difference"] == pytest.approx((3 * gap["a photo of one CEO"] + gap["a picture of a CEO"]) / 4)
    assert row["difference"] == pytest.approx(row["value"] - row["other_value"])


def test_two_studies_of_the_same_seed_are_paired(make: Callable[..., Study]) -> None:
    before, after = make("before", model("M", 0.3)), make("after", model("M", 0.5))
    row = share(before.compare(after))
    assert row["pairs"] == 40
    other = make("another", model("M", 0.5), study={"title": "another", "seed": 99})
    assert share(before.compare(other))["pairs"] is None
