"""Pictures to edit are looked at before they are edited, and doubtful ones are listed before money is spent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import StudyError
from portrayal.generators import simulated
from portrayal.generators.simulated import Simulated
from portrayal.services.account import Account, UnlimitedAccount
from portrayal.study.generate.sources import doubtful_sources, draw_and_look
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow
Make = Callable[..., Path]


class Sold(Simulated):
    """Costs money."""

    account: Account = UnlimitedAccount()

    def price(self, text: str) -> float:
        return 1.0


def painted(make: Make, seeds: dict[str, Any] | None = None, **more: Any) -> OpenStudy:
    suite = {"use": "biaspainter", "options": {"words": ["nurse", "brave"], "null": []}}
    draws = {"use": "simulated", "images": 1, "role": "draw", "options": seeds or {}}
    edits = {"use": "simulated", "images": 1, "role": "edit"}
    more["generate"] = {"batch": 64, **more.get("generate", {})}
    return OpenStudy(make(suite=suite, generators=[draws, edits], methods=[{"use": "biaspainter"}], **more))


def run(study: OpenStudy, *stages: str) -> list[str]:
    said: list[str] = []
    run_stages(study, RunControl(remark=said.append), stages or ("plan", "generate", "annotate"))
    return said


def test_seeds_as_the_suite_says_are_not_doubtful(make_study: Make) -> None:
    study = painted(make_study)
    assert run(study) == []
    assert doubtful_sources(study) == []


def test_what_is_perceived_otherwise_is_listed_before_the_first_edit(make_study: Make) -> None:
    study = painted(make_study, {"obey": 0.7})
    edited: list[int] = []

    def remark(said: str) -> None:
        edited.append(read_status(study).outcomes[list(study.generators)[1]].get("made", 0))
        remarks.append(said)

    remarks: list[str] = []
    run_stages(study, RunControl(remark=remark), ("plan", "generate", "annotate"))
    assert remarks
    assert set(edited) == {0}
    assert all(said.startswith("doubtful picture to edit: ") for said in remarks)
    assert any("perceived as female, not male" in said for said in remarks)
    _, editor = study.generators
    assert read_status(study).outcomes[editor] == {"made": 36}  # nothing costs money: they are edited


def test_nobody_and_several_people_are_doubtful(make_study: Make) -> None:
    study = painted(make_study, {"no_person": 0.3, "several": 0.3})
    run(study)
    reasons = {own.why for own in doubtful_sources(study)}
    assert {"no person", "several people"} <= reasons


def test_before_money_is_spent_the_run_stops(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "Simulated", Sold)
    study = painted(make_study, {"obey": 0.7})
    with pytest.raises(StudyError, match=r"doubtful pictures to edit: .* and \d+ more; exchange them"):
        run(study)
    drawer, editor = study.generators
    assert read_status(study).outcomes == {drawer: {"made": 18}, editor: {"pending": 36}}


def test_it_goes_on_where_that_is_meant(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "Simulated", Sold)
    study = painted(make_study, {"obey": 0.7}, generate={"doubtful_sources": True})
    assert run(study)
    assert read_status(study).outcomes[list(study.generators)[1]] == {"made": 36}


def test_nobody_looks_where_nothing_is_left_to_edit(make_study: Make) -> None:
    study = painted(make_study)
    run(study, "plan", "generate")
    with study.workspace.writing():
        draw_and_look(study, RunControl())
    assert study.workspace.tables["observations"].count() == 0


def test_the_command_lists_them_and_edits_nothing(make_study: Make, cli: Callable[..., Any]) -> None:
    study = painted(make_study, {"obey": 0.7})
    rows = json.loads(cli("sources", study.root, "--json").stdout)
    assert rows
    assert set(rows[0]) == {"source", "annotator", "why"}
    assert read_status(study).outcomes[list(study.generators)[1]] == {"pending": 36}
    assert cli("sources", study.root).stdout.splitlines()[0].split() == ["picture", "annotator", "doubtful", "as"]
    fine = painted(lambda **about: make_study("fine", **about))
    assert cli("sources", fine.root).stdout == "no picture to edit is doubtful\n"
