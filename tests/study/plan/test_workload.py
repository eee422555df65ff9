"""What each part has to do in all, as it would be with another number of images."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.study.plan.workload import workloads
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
OPENAI = {"use": "openai:gpt-image-1.5", "images": 2, "options": {"size": "1024x1024", "quality": "low"}}


def test_images_time_and_money_grow_with_images_a_prompt(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    study = OpenStudy(make_study(generators=[OPENAI, {"use": "simulated", "images": 3}]))
    (paid, free, looks), (paid_more, free_more, looks_more) = (list(workloads(study, images)) for images in (None, 20))
    assert (paid.images, free.images, looks.images) == (4, 6, 10)
    assert (paid_more.images, free_more.images, looks_more.images) == (40, 40, 80)
    assert (paid.paid, free.paid) == (True, False)
    assert paid.usd
    assert paid_more.usd == pytest.approx(10 * paid.usd)
    assert (free.usd, paid.seconds) == (0.0, None)
    assert free.seconds == pytest.approx(6 * 0.002)


def test_a_price_that_nobody_knows_is_none(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    unknown = {"use": "openai:a-model", "images": 2}
    work, _ = workloads(OpenStudy(make_study(generators=[unknown])))
    assert work.usd is None
