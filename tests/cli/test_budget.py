"""``--budget`` and ``--dry-run``: what a study costs, before, and no more than that."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from portrayal.annotators.simulated import Simulated as Looker
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.records import Job
from portrayal.services.account import UnlimitedAccount
from portrayal.store.workspace import Workspace

pytestmark = pytest.mark.slow

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]
Make = Callable[..., Path]
DRAW = Drawer.generate


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Callable[[float | None], None]:
    """Let the simulated generator cost money."""

    def sell(price: float | None) -> None:
        def paid(self: Any, jobs: Sequence[Job]) -> Iterator[Any]:
            for job in jobs:
                if price:
                    self.account.settle(self.account.reserve(price, "generator 'simulated'", job.id), price)
                yield from DRAW(self, [job])

        monkeypatch.setattr(Drawer, "generate", paid)
        monkeypatch.setattr(Drawer, "account", UnlimitedAccount(), raising=False)
        monkeypatch.setattr(Drawer, "price", lambda self, text: price, raising=False)

    return sell


def drawn(study: Path) -> int:
    return Workspace(study).tables["outcomes"].count()


def test_a_dry_run_of_a_new_study_plans_it_and_does_nothing_else(
    cli: Run, make_study: Make, shop: Callable[[float], None]
) -> None:
    shop(0.1)
    study = make_study(annotators=[{"use": "simulated"}, {"use": "imported:humans"}])
    ran = cli("run", study, "--dry-run")
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == [
        "stage     who              images left  USD at most",
        "generate  simulated@1      6            0.6000",
        "annotate  simulated@1      6            0.0000",
        "annotate  imported:humans  0            0.0000",
        "left to spend: 0.6000 USD at one call an image; spent so far: 0.0000 USD",
    ]
    counts = {name: table.count() for name, table in Workspace(study).tables.items()}
    assert (counts["jobs"], counts["outcomes"], counts["spending"]) == (6, 0, 0)


@pytest.mark.parametrize(
    ("command", "parts"), [("generate", ["generate"]), ("annotate", ["annotate"]), ("run", ["generate", "annotate"])]
)
def test_a_dry_run_is_of_what_the_command_does(cli: Run, make_study: Make, command: str, parts: list[str]) -> None:
    said = cli(command, make_study(), "--dry-run").stdout.splitlines()
    assert [line.split()[0] for line in said[1:-1]] == parts


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ("0.6", "budget: 0.6000 USD is enough"),  # six times 0.1 is a little more than 0.6 in binary
        ("0.5999", "budget: 0.5999 USD is 0.0001 USD short"),
        ("0", "budget: 0.0000 USD is 0.6000 USD short"),
    ],
)
def test_a_dry_run_tells_whether_the_budget_is_enough(
    cli: Run, make_study: Make, shop: Callable[[float], None], budget: str, said: str
) -> None:
    shop(0.1)
    assert cli("run", make_study(), "--dry-run", "--budget", budget).stdout.splitlines()[-1] == said


def test_small_sums_are_not_rounded_to_nothing(cli: Run, make_study: Make, shop: Callable[[float], None]) -> None:
    shop(0.0002)
    assert "left to spend: 0.0012 USD" in cli("generate", make_study(), "--dry-run").stdout


def test_a_dry_run_of_a_finished_study(cli: Run, make_study: Make, shop: Callable[[float], None]) -> None:
    shop(0.5)
    study = make_study()
    assert cli("run", study).returncode == 0
    said = cli("run", study, "--dry-run", "--budget", "3").stdout.splitlines()
    assert said[-2:] == [
        "left to spend: 0.0000 USD at one call an image; spent so far: 3.0000 USD",
        "budget: 3.0000 USD is enough",
    ]
    assert cli("run", study, "--budget", "0").returncode == 0  # nothing is left to pay for


def test_an_unknown_price_is_shown_and_no_budget_is_promised(
    cli: Run, make_study: Make, shop: Callable[[float | None], None]
) -> None:
    shop(None)
    study = make_study()
    said = cli("run", study, "--dry-run", "--budget", "5").stdout.splitlines()
    assert said[1] == "generate  simulated@1  6            unknown: set options.price"
    assert said[3] == (
        "left to spend: 0.0000 USD at one call an image, not counting simulated@1; spent so far: 0.0000 USD"
    )
    assert said[4] == "budget: 5.0000 USD cannot be kept without the price of simulated@1"
    ran = cli("run", study, "--budget", "5")
    assert ran.returncode == 2
    assert ran.stderr == ("error: a budget needs prices, and nobody knows that of simulated@1: set options.price\n")
    assert drawn(study) == 0


def test_only_the_stages_that_run_need_prices(
    cli: Run, make_study: Make, monkeypatch: pytest.MonkeyPatch, shop: Callable[[float], None]
) -> None:
    shop(0.5)
    monkeypatch.setattr(Looker, "account", UnlimitedAccount(), raising=False)
    monkeypatch.setattr(Looker, "price", lambda self, text: None, raising=False)
    study = make_study()
    assert cli("generate", study, "--budget", "5").returncode == 0
    assert cli("annotate", study, "--budget", "5").returncode == 2
    assert cli("annotate", study).returncode == 0


def test_out_of_money_is_one_line_and_a_larger_budget_goes_on(
    cli: Run, make_study: Make, shop: Callable[[float], None]
) -> None:
    shop(0.5)
    study = make_study()
    ran = cli("run", study, "--budget", "1.2")
    assert ran.returncode == 2
    assert [line for line in ran.stderr.splitlines() if "error" in line] == [
        "error: budget of 1.2000 USD reached: 1.0000 USD are spent or under way and the next call of simulated@1 may "
        "cost 0.5000; what was done is kept: run again with a larger --budget to go on"
    ]
    assert drawn(study) == 2
    assert cli("run", study, "--budget", "3").returncode == 0
    assert drawn(study) == 6


def test_a_budget_of_nothing_buys_nothing(cli: Run, make_study: Make, shop: Callable[[float], None]) -> None:
    shop(0.5)
    study = make_study()
    assert cli("generate", study, "--budget", "0").returncode == 2
    assert (drawn(study), Workspace(study).tables["spending"].count()) == (0, 0)


def test_and_is_enough_for_what_costs_nothing(cli: Run, make_study: Make, shop: Callable[[float], None]) -> None:
    shop(0.0)
    study = make_study()
    assert cli("run", study, "--budget", "0").returncode == 0
    assert drawn(study) == 6


@pytest.mark.parametrize("budget", ["nan", "inf", "-1"])
def test_what_is_no_budget(cli: Run, make_study: Make, budget: str) -> None:
    study = make_study()
    ran = cli("generate", study, "--budget", budget)
    assert ran.returncode == 2
    assert f"{float(budget)} is no sum of money" in ran.stderr
    assert drawn(study) == 0


def test_status_tells_what_was_spent(cli: Run, make_study: Make, shop: Callable[[float], None]) -> None:
    shop(0.0125)
    study = make_study()
    assert "spent" not in cli("status", study).stdout
    assert cli("generate", study).returncode == 0
    assert "spent: 0.0750 USD by simulated@1" in cli("status", study).stdout.splitlines()
    assert json.loads(cli("status", study, "--json").stdout)["spent"] == {"simulated@1": pytest.approx(0.075)}


def test_spending_can_be_exported(cli: Run, make_study: Make, shop: Callable[[float], None], tmp_path: Path) -> None:
    shop(0.5)
    study = make_study()
    assert cli("generate", study).returncode == 0
    ran = cli("export", study, "--format", "csv", "--table", "spending", "--to", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    lines = (tmp_path / "out" / "spending.csv").read_text().splitlines()
    assert lines[0] == '"ticket","part","item","usd","settled"'
    assert len(lines) == 1 + 2 * 6
