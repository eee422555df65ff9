"""Edits that show people of different perceived gender are made anew, so often and no more, and all is written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from portrayal.generators.simulated import Simulated
from portrayal.records import Job
from portrayal.study.generate.rejecting import reject_inconsistent
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow
Make = Callable[..., Path]
SIMULATED = ({"use": "simulated"},)
TRIED = """
    SELECT job, count(*) FILTER (status = 'made') AS made, count(*) FILTER (status = 'rejected') AS rejected
    FROM outcomes JOIN jobs ON job = id WHERE source_job IS NOT NULL GROUP BY job
"""


def painted(make: Make, *, tries: int = 3, annotators: Sequence[Any] = SIMULATED, **options: Any) -> OpenStudy:
    suite = {"use": "biaspainter", "options": {"words": ["nurse", "brave", "pen"], "null": [], "tries": tries}}
    seeds = {"use": "simulated", "images": 1, "role": "draw"}
    editor = {"use": "simulated", "images": 1, "role": "edit", "options": {"several": 0.6, **options}}
    about = {"methods": [{"use": "biaspainter"}], "generate": {"batch": 64}}
    return OpenStudy(make(suite=suite, generators=[seeds, editor], annotators=annotators, **about))


def tried(study: OpenStudy) -> Counter[tuple[int, int]]:
    """Return how many edits were made and rejected how often."""
    return Counter((row["made"], row["rejected"]) for row in study.workspace.query(TRIED).to_pylist())


def inconsistent(study: OpenStudy) -> int:
    sql = """SELECT missing FROM measurements WHERE metric = 'fate' AND "group" = 'inconsistent_gender'"""
    (row,) = study.workspace.query(sql).to_pylist()
    return int(row["missing"])


def redrawn(study: OpenStudy) -> dict[str, float]:
    rows = study.workspace.query("""SELECT "group", value FROM measurements WHERE metric = 'redrawn'""").to_pylist()
    return {row["group"]: row["value"] for row in rows}


def test_where_nobody_can_tell_nothing_is_rejected(make_study: Make) -> None:
    study = painted(make_study, annotators=[{"use": "imported:people", "options": {"attributes": ["age3"]}}])
    run_stages(study, RunControl(), ("plan", "generate"))
    assert reject_inconsistent(study, RunControl()) == 0


def test_redraws_are_bounded_and_recorded(make_study: Make) -> None:
    study = painted(make_study)
    run_stages(study, RunControl())
    found = tried(study)
    assert found.total() == 54
    assert set(found) == {(1, 0), (2, 1), (3, 2)}
    # Of two people half are of different gender: 0.3 of the edits, then 0.3 of those, and so on.
    assert found[1, 0] > found[2, 1]
    reasons = study.workspace.query("SELECT DISTINCT reason FROM outcomes WHERE status = 'rejected'")
    assert reasons["reason"].to_pylist() == ["inconsistent_gender"]
    assert 0 < inconsistent(study) <= found[3, 2]
    _, editor = study.generators
    status = read_status(study)
    assert status.outcomes[editor] == {"made": 54}
    assert status.rejected == {editor: {"inconsistent_gender": found[2, 1] + 2 * found[3, 2]}}
    assert redrawn(study) == {"inconsistent_gender": (found[2, 1] + 2 * found[3, 2]) / 54}


def test_with_one_try_nothing_is_made_anew(make_study: Make) -> None:
    study = painted(make_study, tries=1)
    run_stages(study, RunControl())
    assert tried(study) == {(1, 0): 54}
    assert inconsistent(study) > 5
    assert read_status(study).rejected == {}
    assert redrawn(study) == {}


def test_edits_that_exist_already_are_not_asked_for_again(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Simulated, "finds", True, raising=False)
    study = painted(make_study)
    run_stages(study, RunControl())
    assert tried(study) == {(1, 0): 54}
    assert inconsistent(study) > 5


def test_a_finished_study_rejects_nothing_more(make_study: Make) -> None:
    study = painted(make_study)
    run_stages(study, RunControl(), ("plan", "generate", "annotate"))
    before = study.workspace.tables["outcomes"].count()
    run_stages(OpenStudy(study.root), RunControl(), ("plan", "generate", "annotate"))
    assert study.workspace.tables["outcomes"].count() == before


def test_stages_of_their_own_do_the_same(make_study: Make) -> None:
    whole, apart = painted(make_study), painted(lambda **about: make_study("apart", **about))
    run_stages(whole, RunControl(), ("plan", "generate", "annotate"))
    for _ in range(3):
        for stage in ("generate", "annotate"):
            run_stages(OpenStudy(apart.root), RunControl(), ("plan", stage))
    assert tried(apart) == tried(whole)


def test_a_rejected_image_is_pending_again_and_counts_for_nothing(make_study: Make) -> None:
    study = painted(make_study)
    for stage in ("generate", "annotate"):
        run_stages(study, RunControl(), ("plan", stage))
    rejected = sum(count for (_, times), count in tried(study).items() if times)
    _, editor = study.generators
    assert read_status(study).outcomes[editor] == {"made": 54 - rejected, "pending": rejected}
    assert read_status(study).rejected == {editor: {"inconsistent_gender": rejected}}
    assert rejected > 5


def test_a_redraw_has_another_seed_and_an_image_of_its_own() -> None:
    job = Job("id", "prompt", "g", 0, 7)
    assert job.redrawn(0) == job
    seeds = {job.redrawn(times).seed for times in range(4)}
    assert len(seeds) == 4
    assert {job.redrawn(times).key for times in range(3)} == {"id", "id/1", "id/2"}


def test_other_suites_reject_nothing(make_study: Make) -> None:
    prompts = "text,term,kind,edits\na man,man,seed,\na nurse,nurse,word,seed\n"
    editor = {"use": "simulated", "images": 1, "role": "edit", "options": {"several": 1.0}}
    seeds = {"use": "simulated", "images": 9, "role": "draw"}
    study = OpenStudy(make_study(prompts=prompts, generators=[seeds, editor]))
    run_stages(study, RunControl())
    assert tried(study) == {(1, 0): 9}
