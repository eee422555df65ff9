"""What an adaptive run costs at most is all that its rounds may draw, until it is over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.study.plan.test_costs import sell
from tests.study.sampling.conftest import SAMPLING, run

import portrayal
from portrayal.annotators.simulated import Simulated as Looker
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.study.plan.costs import LATER, estimate
from portrayal.study.study import OpenStudy

Write = Callable[..., Path]


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clerk costs more than a nurse."""
    sell(monkeypatch, Drawer, lambda text: 0.1 if "clerk" in text else 0.02)
    sell(monkeypatch, Looker, lambda text: 0.01)


def left(study: OpenStudy) -> list[tuple[str, str, int, Any]]:
    return [(row.stage, row.name if row.name == LATER else "now", row.images, row.usd) for row in estimate(study)]


@pytest.mark.usefixtures("priced")
def test_later_rounds_may_draw_all_images_of_all_prompts(adaptive: Write) -> None:
    study = run(adaptive(), "plan")
    assert left(study) == [
        ("generate", "now", 15, pytest.approx(5 * 0.1 + 10 * 0.02)),
        ("annotate", "now", 15, pytest.approx(0.15)),
        ("generate", LATER, 105, pytest.approx(35 * 0.1 + 70 * 0.02)),
        ("annotate", LATER, 105, pytest.approx(1.05)),
    ]
    assert [row.images for row in estimate(study, ("generate",))] == [15], "generate ends with its round"


@pytest.mark.usefixtures("priced")
def test_a_limit_of_all_images_may_go_to_the_dearest_prompts(adaptive: Write) -> None:
    study = run(adaptive(sampling={**SAMPLING, "most": 55}), "plan")
    assert left(study)[2:] == [
        ("generate", LATER, 40, pytest.approx(35 * 0.1 + 5 * 0.02)),
        ("annotate", LATER, 40, pytest.approx(0.4)),
    ]


def test_a_price_that_nobody_knows_is_not_nothing(adaptive: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, Drawer, lambda text: None if "clerk" in text else 0.02)
    assert [row.usd for row in estimate(run(adaptive(), "plan"))] == [None, 0.0, None, 0.0]


@pytest.mark.slow
def test_nothing_is_left_of_a_run_that_is_over(adaptive: Write) -> None:
    root = adaptive()
    study = run(root)
    assert left(study) == [("generate", "now", 0, 0.0), ("annotate", "now", 0, 0.0)]
    assert [row.images for row in portrayal.Study(root).costs(progress=False)] == [0, 0]


@pytest.mark.slow
@pytest.mark.usefixtures("priced")
def test_the_command_says_so_and_the_budget_is_for_all_rounds(adaptive: Write, cli: Callable[..., Any]) -> None:
    said = cli("run", adaptive(), "--dry-run", "--budget", "5").stdout
    assert "later rounds: the most that this adaptive run may draw" in said
    assert "left to spend: 6.8000 USD" in said
    assert "budget: 5.0000 USD is 1.8000 USD short" in said
