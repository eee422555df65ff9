"""Adaptive runs as a user meets them: killed by SIGKILL, on real faces, by a policy."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.samples.policies import HEAD, scenario
from tests.study.sampling.conftest import last, run

import portrayal
from portrayal.errors import PortrayalError

pytestmark = pytest.mark.slow
Write = Callable[..., Path]
Rows = Callable[[Path], dict[str, list[str]]]
WOMEN = 'share = { attribute = "gender", group = "female", term = "TERM", at_most = 0.7 }'


def test_killed_at_work_again_and_again_it_ends_the_same(
    adaptive: Write, rows: Rows, start_loaded: Callable[..., object]
) -> None:
    whole, root = adaptive("whole"), adaptive("killed")
    run(whole)
    for attempt in range(6):
        process = start_loaded("run", root)
        while process.is_alive() and not (root / ".lock-owner").exists():  # type: ignore[attr-defined]
            time.sleep(0.002)
        time.sleep(0.1 + 0.15 * attempt)
        process.kill()  # type: ignore[attr-defined]
        process.join()  # type: ignore[attr-defined]
    run(root)
    assert rows(root) == rows(whole)


def test_faces_are_drawn_until_they_are_known(make_study: Write) -> None:
    root = make_study(
        generators=[{"use": "facegan", "images": 9}],
        annotators=[{"use": "faces"}],
        sampling={"about": {"attribute": "gender", "of": "overall"}, "tolerance": 0.3, "pilot": 5},
        annotate={"workers": 1},
    )
    study = run(root)
    assert {row.reason for row in last(study).values()} <= {"narrow", "most_of_prompt"}
    assert portrayal.Study(root).status.rounds is not None
    assert "Drawn in rounds" in (root / "report" / "index.html").read_text(encoding="utf-8")


def test_a_policy_draws_only_what_is_undecided(adaptive: Write) -> None:
    """98 % of nurses are women, which 70 % at most forbids; no scenario is about clerks."""
    root = adaptive(images=200, sampling={"about": {"policy": "policy.toml"}, "pilot": 10})
    (root / "policy.toml").write_text(HEAD + scenario("nurses", WOMEN.replace("TERM", "nurse")), encoding="utf-8")
    study = run(root)
    decided = last(study)
    assert decided["a photo of a clerk"].reason == "no_scenario"
    assert decided["a photo of a clerk"].images == 10
    assert decided["a photo of a nurse"].reason == "decided"
    assert portrayal.check(root, root / "policy.toml").verdict == "fail"
    before = study.workspace.tables["jobs"].count()
    assert run(root).workspace.tables["jobs"].count() == before


def test_a_scenario_that_needs_a_baseline_is_refused_before_anything_is_drawn(adaptive: Write) -> None:
    root = adaptive(sampling={"about": {"policy": "policy.toml"}})
    worse = 'baseline = { attribute = "gender", group = "female", term = "nurse", worse = "less", margin = 0.1 }'
    (root / "policy.toml").write_text(HEAD + scenario("worse", worse), encoding="utf-8")
    with pytest.raises(PortrayalError, match=r"policy\.toml:\d+: scenario 'worse': compares with a baseline"):
        run(root)
    assert not (root / "images").exists()
