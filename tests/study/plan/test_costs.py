"""What is left to do and its price, in a study new, half done, done, or of somebody else's images."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from portrayal.annotators.simulated import Simulated as Looker
from portrayal.errors import ConfigError
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.records import Failed, Job, Made, Refused
from portrayal.services.account import UnlimitedAccount
from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.plan.costs import CostEstimate, estimate, require_prices
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Price = Callable[[str], float | None]


def sell(monkeypatch: pytest.MonkeyPatch, part: type, price: Price) -> None:
    """Give the simulated part a price."""
    monkeypatch.setattr(part, "account", UnlimitedAccount(), raising=False)
    monkeypatch.setattr(part, "price", lambda self, text: price(text), raising=False)


def planned(make_study: Make, **changes: Any) -> OpenStudy:
    study = OpenStudy(make_study(**changes))
    plan(study, RunControl())
    return study


def test_parts_of_this_machine_cost_nothing(make_study: Make) -> None:
    assert estimate(planned(make_study)) == [
        CostEstimate("generate", "simulated@1", 6, 0.0, "simulated@1"),
        CostEstimate("annotate", "simulated@1", 6, 0.0, "simulated@1"),
    ]


def test_a_study_that_was_never_planned_has_nothing_to_do(make_study: Make) -> None:
    assert [(row.images, row.usd) for row in estimate(OpenStudy(make_study()))] == [(0, 0.0), (0, 0.0)]


def test_every_prompt_has_its_price(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, Drawer, lambda text: 0.1 if "CEO" in text else 0.02)
    sell(monkeypatch, Looker, lambda text: 0.001 * len(text))
    drawn, seen = estimate(planned(make_study))
    assert drawn.usd == pytest.approx(3 * 0.1 + 3 * 0.02)
    assert seen.usd == pytest.approx(3 * 0.001 * (len("a photo of a nurse") + len("a photo of a CEO")))


def test_the_price_is_asked_with_what_is_sent(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def price(text: str) -> float:
        asked.append(text)
        return 1.0

    sell(monkeypatch, Drawer, price)
    study = planned(make_study)
    prompts = study.workspace.tables["prompts"]
    (table,) = prompts.batches()
    suffix = table.column_names.index("suffix")
    prompts.replace([table.set_column(suffix, "suffix", pa.array([" in colour"] * table.num_rows))])
    estimate(study)
    assert sorted(asked) == ["a photo of a CEO in colour", "a photo of a nurse in colour"]


@pytest.mark.parametrize(("stage", "images"), [("generate", [6]), ("annotate", [0])])
def test_one_stage_alone(make_study: Make, stage: str, images: list[int]) -> None:
    assert [row.images for row in estimate(planned(make_study), (stage,))] == images


@pytest.mark.slow
def test_what_is_done_costs_nothing_more(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, Drawer, lambda text: 0.1)
    sell(monkeypatch, Looker, lambda text: 0.01)
    study = planned(make_study)
    asked = iter((False, False, True))
    generate(study, RunControl(stopped=lambda: next(asked, True)))  # two of six, one at a time
    assert [(row.images, row.usd) for row in estimate(study)] == [(4, 0.4), (6, 0.06)]
    generate(study, RunControl())
    assert [(row.images, row.usd) for row in estimate(study)] == [(0, 0.0), (6, 0.06)]
    annotate(study, RunControl())
    assert [(row.images, row.usd) for row in estimate(study)] == [(0, 0.0), (0, 0.0)]


@pytest.mark.slow
def test_a_refusal_is_not_looked_at_and_a_failure_is_drawn_again(
    make_study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    sell(monkeypatch, Drawer, lambda text: 0.1)

    def moody(self: Drawer, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        for job in jobs:
            yield Refused(job.id, "no") if job.index else Failed(job.id, "broke")

    monkeypatch.setattr(Drawer, "generate", moody)
    study = planned(make_study, generate={"attempts": 2})
    asked = iter([False] * 6 + [True])
    generate(study, RunControl(stopped=lambda: next(asked, True)))
    assert [row.images for row in estimate(study)] == [2, 2]
    generate(study, RunControl())
    assert [row.images for row in estimate(study)] == [0, 0]  # their attempts are used up


def test_several_annotators_and_one_that_does_not_look(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, Looker, lambda text: 0.01)
    second = {"use": "simulated", "options": {"attributes": ["gender"]}}
    study = planned(make_study, annotators=[{"use": "simulated"}, second, {"use": "imported:humans"}])
    assert [(row.part[:9], row.images, row.usd) for row in estimate(study)] == [
        ("simulated", 6, 0.0),
        ("simulated", 6, 0.06),
        ("simulated", 6, 0.06),
        ("imported:", 0, 0.0),
    ]


def test_an_unknown_price_is_not_nothing(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, Drawer, lambda text: None if "CEO" in text else 0.1)
    assert [row.usd for row in estimate(planned(make_study))] == [None, 0.0]


def test_a_free_service_is(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, Drawer, lambda text: 0.0)
    assert [row.usd for row in estimate(planned(make_study))] == [0.0, 0.0]


def test_imported_images_are_looked_at_for_money(
    make_study: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, picture: Callable[..., bytes]
) -> None:
    sell(monkeypatch, Looker, lambda text: 1.0 if text == "a doctor" else 100.0)
    for number in range(3):
        path = tmp_path / "theirs" / "model" / "a doctor" / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture((number, 0, 0)))
    study = OpenStudy(make_study(suite=None, generators=None))
    import_images(study, read_layout("faintbench", tmp_path / "theirs"), RunControl())
    assert estimate(study) == [CostEstimate("annotate", "simulated@1", 3, 3.0, "simulated@1")]


def test_prices_are_required_of_the_stages_that_run(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, Looker, lambda text: None)
    study = planned(make_study)
    require_prices(study, ("plan", "generate"))
    for stages in (("plan", "annotate"), ("plan", "generate", "annotate", "measure")):
        with pytest.raises(ConfigError, match=r"nobody knows that of simulated@1: set options\.price"):
            require_prices(study, stages)
