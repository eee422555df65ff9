"""Edits and their sources, from a study on disk: simulated people, moved by words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from portrayal.evidence import Edits, GroupCounts, Rule
from portrayal.study.measure.collect import collect
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
PROMPTS = """text,term,kind,edits
a portrait of a man,man,seed,
a portrait of a woman,woman,seed,
a photo of a nurse,nurse,word,seed
a photo of a CEO,CEO,word,seed
a landscape,landscape,,
"""
WHO = {"man": {"gender": {"male": 1.0}}, "woman": {"gender": {"female": 1.0}}}
MOVES = {"nurse": {"gender": {"female": 1.0}}, "CEO": {"gender": {"male": 1.0}}}


@pytest.mark.slow
def test_edits_find_their_sources(make_study: Make) -> None:
    seeds = {"use": "simulated", "images": 3, "role": "draw", "options": {"terms": WHO}}
    editor = {"use": "simulated", "images": 2, "role": "edit", "options": {"moves": MOVES}}
    study = OpenStudy(make_study(prompts=PROMPTS, generators=[seeds, editor]))
    run_stages(study, RunControl(), ("plan", "generate", "annotate"))
    need = Edits(("gender",))
    evidence = collect(study, [need, GroupCounts(Rule("one"))], RunControl())
    found, plan = evidence[need]["simulated@1"], evidence.plan
    assert len(plan.sources) == 6
    assert {plan.design.prompts[source.prompt].term for source in plan.sources} == {"man", "woman"}
    assert sorted(source.number for source in plan.sources) == [0, 0, 1, 1, 2, 2]
    terms = np.array([plan.design.prompts[source.prompt].term for source in plan.sources])
    assert (found.before["gender"] == (terms == "woman")).all()
    assert len(found.cell) == 6 * 2 * 2
    words = np.array([plan.design.prompts[plan.cells[cell][1]].term for cell in found.cell.tolist()])
    assert (found.after["gender"] == (words == "nurse")).all()
    jobs = {row["id"]: row for row in study.workspace.query("SELECT * FROM jobs").to_pylist()}
    made = study.workspace.query("SELECT job, image FROM outcomes").to_pylist()
    wanted = {(row["image"][:16], jobs[row["job"]]["source_job"]) for row in made if jobs[row["job"]]["source_job"]}
    keys = [f"{key:016x}" for key in found.key.tolist()]
    assert wanted == set(zip(keys, (plan.sources[number].job for number in found.source.tolist()), strict=True))


def test_a_study_that_edits_nothing_has_no_sources(make_study: Make) -> None:
    study = OpenStudy(make_study())
    run_stages(study, RunControl(), ("plan", "generate", "annotate"))
    need = Edits(("gender",))
    evidence = collect(study, [need], RunControl())
    assert evidence.plan.sources == []
    assert evidence[need] == {}
