"""Pairs of images with equal seeds, from a study of BAFIS on disk."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from portrayal.evidence import Confusion, Evidence, GroupCounts, Missing, Need, Paired, Rule, SeedPairs
from portrayal.records import OBSERVATION_SCHEMA, OUTCOME_SCHEMA, Abstention, Observation, Outcome, Prompt, to_table
from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.measure.collect import collect
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Cut = Callable[[int], AbstractContextManager[None]]
LOOKER = "simulated@1"
SUITE = {"use": "bafis", "options": {"terms": ["nurse"], "languages": ["de", "en"], "variants": ["direct", "group"]}}
ASKED = Rule("asked")


def couples(prompts: Collection[Prompt]) -> list[tuple[str, str]]:
    """German against English, way of asking by way of asking."""
    by = {(prompt.term, prompt.language, prompt.variant): prompt.id for prompt in prompts}
    return [(id_, by[term, "en", variant]) for (term, language, variant), id_ in by.items() if language == "de"]


def pairs(weighing: Any = "label") -> SeedPairs:
    return SeedPairs(ASKED, weighing, couples)


@pytest.fixture
def study(make_study: Make) -> OpenStudy:
    """Return a study of one occupation with four prompts of three images each, put together by hand.

    German, direct: a woman, a man, nobody. English, direct: a man, a man, a man. German, group: a woman and a man, and
    a woman. English, group: a man and a man, and nothing made.
    """
    study = OpenStudy(make_study(suite=SUITE, generators=[{"use": "simulated", "images": 3}]))
    plan(study, RunControl())
    sql = 'SELECT jobs.id, language, variant, jobs."index" FROM jobs JOIN prompts ON prompts.id = jobs.prompt'
    jobs = {
        (row["language"], row["variant"], row["index"]): row["id"] for row in study.workspace.query(sql).to_pylist()
    }
    shown = {
        ("de", "direct"): ["w", "m", ""],
        ("en", "direct"): ["m", "m", "m"],
        ("de", "group"): ["wm", "w"],
        ("en", "group"): ["mm"],
    }
    answers: list[Outcome] = []
    seen: list[Observation | Abstention] = []
    for (language, variant), pictures in shown.items():
        for index, people in enumerate(pictures):
            image = f"{language}-{variant}-{index}"
            answers.append(Outcome(jobs[language, variant, index], 1, "made", image=image))
            seen += [Abstention(image, LOOKER, "no_person")] if not people else []
            for subject, person in enumerate(people):
                mass = (0.75, 0.25) if person == "m" else (0.0, 1.0)
                seen.append(Observation(image, LOOKER, subject, "gender", mass))
    study.workspace.tables["outcomes"].append(to_table(answers, OUTCOME_SCHEMA))
    study.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    return study


def sums(evidence: Evidence, need: SeedPairs) -> dict[tuple[str, int], tuple[float, ...]]:
    prompts, cells = evidence.plan.design.prompts, evidence.plan.cells
    return {
        (prompts[cells[x][1]].variant, group): (own.n, float(own.totals[group]), float(own.squares[group]))
        for (x, _), own in evidence[need].differences[LOOKER, "gender"].items()
        for group in (0, 1)
    }


def test_pairs_by_hand(study: OpenStudy) -> None:
    need = pairs()
    evidence = collect(study, [need], RunControl())
    # Direct: of three pairs two are usable, a woman against a man and a man against a man; male is group 0.
    # Group: of three pairs one is usable, half women against none.
    assert sums(evidence, need) == {
        ("direct", 0): (2, -1.0, 1.0),
        ("direct", 1): (2, 1.0, 1.0),
        ("group", 0): (1, -0.5, 0.25),
        ("group", 1): (1, 0.5, 0.25),
    }
    assert list(evidence[need].planned.values()) == [3, 3]


def test_masses_by_hand(study: OpenStudy) -> None:
    need = pairs("mass")
    found = sums(collect(study, [need], RunControl()), need)
    women = {variant: own for (variant, group), own in found.items() if group == 1}
    assert women == {"direct": (2, 0.75, 0.5625), "group": (1, 0.375, 0.375**2)}


def test_everything_else_is_added_up_as_without_pairs(study: OpenStudy) -> None:
    others: list[Need[Any]] = [GroupCounts(ASKED), Missing(ASKED), Confusion(ASKED)]
    together, alone = collect(study, [*others, pairs()], RunControl()), collect(study, others, RunControl())
    assert together.plan.planned.tolist() == alone.plan.planned.tolist()
    counts = [{key: own.tolist() for key, own in found[GroupCounts(ASKED)].items()} for found in (together, alone)]
    assert counts[0] == counts[1]
    lost = [{key: own.tolist() for key, own in found[Missing(ASKED)].counts.items()} for found in (together, alone)]
    assert lost[0] == lost[1]
    assert together[Confusion(ASKED)].counts == alone[Confusion(ASKED)].counts == {}


def test_images_without_a_seed_or_with_another_have_no_partner(study: OpenStudy) -> None:
    rows = study.workspace.query("SELECT * FROM jobs").to_pylist()
    first = rows[0]["prompt"]
    for row in rows:
        if row["index"] == 0:
            row["seed"] = 0  # as imported images have it unless a seed was given
        elif row["index"] == 1 and row["prompt"] == first:
            row["seed"] = 7
    jobs = study.workspace.tables["jobs"]
    jobs.replace([pa.Table.from_pylist(rows, jobs.schema)])
    need = pairs()
    evidence = collect(study, [need], RunControl())
    cells = evidence.plan.cells
    partners = {
        first in (cells[x][1], cells[y][1]): count for (x, y), count in evidence[need].planned.items()
    }  # of three images one has no seed, and one of the first prompt another
    assert partners == {True: 1, False: 2}


def plain(paired: Paired) -> Any:
    return dict(paired.planned), {
        (key, couple): (own.n, own.totals.tolist(), own.squares.tolist())
        for key, differences in paired.differences.items()
        for couple, own in differences.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("weighing", ["label", "mass"])
def test_stretches_change_nothing(make_study: Make, cut_tables: Cut, weighing: str) -> None:
    options = {"refused": 0.1, "failed": 0.1, "no_person": 0.1, "several": 0.1, "pixels": False}
    suite = {"use": "bafis", "options": {"terms": ["nurse", "ceo", "cook"], "variants": ["direct", "group"]}}
    generators = [{"use": "simulated", "images": 6, "options": options}]
    looker = {"use": "simulated", "options": {"softness": 0.3}}
    study = OpenStudy(
        make_study(
            suite=suite,
            generators=generators,
            annotators=[looker],
            generate={"batch": 200},
            annotate={"batch": 200},
        )
    )
    for stage in (plan, generate, annotate):
        stage(study, RunControl())
    need = pairs(weighing)
    whole = plain(collect(study, [need], RunControl())[need])
    assert len(whole[1]) > 3
    for size in (50, 9):
        with cut_tables(size):
            assert plain(collect(study, [need], RunControl())[need]) == whole


def test_nothing_planned(make_study: Make) -> None:
    study = OpenStudy(make_study(suite=SUITE, generators=[]))
    plan(study, RunControl())
    need = pairs()
    evidence = collect(study, [need], RunControl())
    assert (evidence[need].planned, evidence[need].differences, list(evidence.plan.cells)) == ({}, {}, [])


def test_nothing_to_pair(study: OpenStudy) -> None:
    need = SeedPairs(Rule("one"), "label", lambda prompts: [])
    evidence = collect(study, [need, GroupCounts(ASKED)], RunControl())
    assert (evidence[need].planned, evidence[need].differences) == ({}, {})
    assert evidence[GroupCounts(ASKED)]


def test_what_is_asked_for_decides_whether_several_people_count(make_study: Make) -> None:
    suite = {"use": "bafis", "options": {"terms": ["nurse"], "languages": ["de"], "variants": ["direct", "group"]}}
    study = OpenStudy(make_study(suite=suite, generators=[{"use": "simulated", "images": 2}]))
    plan(study, RunControl())
    jobs = study.workspace.query(
        "SELECT jobs.id, variant FROM jobs JOIN prompts ON prompts.id = jobs.prompt ORDER BY variant, index"
    )
    direct, also_direct, group, also_group = jobs["id"].to_pylist()
    # The same picture of two people answers a prompt for one and a prompt for a group.
    answers = [Outcome(job, 1, "made", image="two") for job in (direct, group)]
    answers += [Outcome(also_direct, 1, "made", image="one"), Outcome(also_group, 1, "made", image="none")]
    seen = [
        Abstention("two", LOOKER, "several_faces"),
        Observation("two", LOOKER, 0, "gender", (1.0, 0.0)),
        Observation("two", LOOKER, 1, "gender", (0.1, 0.9)),
        Observation("one", LOOKER, 0, "gender", (0.0, 1.0)),
        Abstention("none", LOOKER, "no_face"),
    ]
    study.workspace.tables["outcomes"].append(to_table(answers, OUTCOME_SCHEMA))
    study.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    needs = [GroupCounts(Rule(people)) for people in ("asked", "one", "each")]
    evidence = collect(study, [*needs, Missing(ASKED)], RunControl())
    cells, prompts = evidence.plan.cells, evidence.plan.design.prompts
    variant = [prompts[prompt].variant for _, prompt in cells]
    counts = evidence[needs[0]][LOOKER, "gender"]
    assert dict(zip(variant, counts.tolist(), strict=True)) == {"direct": [0.0, 1.0], "group": [1.0, 1.0]}
    whole = {
        (variant[cell], reason): int(count)
        for (_, attribute, reason), own in evidence[Missing(ASKED)].counts.items()
        for cell, count in enumerate(own)
        if count and not attribute
    }
    assert whole == {("direct", "several_faces"): 1, ("group", "no_face"): 1}
    assert [evidence[need][LOOKER, "gender"].sum() for need in needs[1:]] == [1.0, 5.0]
