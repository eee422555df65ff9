from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from portrayal.methods import Counting, Pairing, Tables
from portrayal.records import OBSERVATION_SCHEMA, OUTCOME_SCHEMA, Abstention, Observation, Outcome, Prompt, to_table
from portrayal.study import pairs as pairs_module
from portrayal.study.annotate import annotate
from portrayal.study.generate import generate
from portrayal.study.hooks import Hooks
from portrayal.study.pairs import tally_pairs
from portrayal.study.plan import plan
from portrayal.study.study import Study
from portrayal.study.tally import tally

Make = Callable[..., Path]
LOOKER = "simulated@1"
SUITE = {"use": "bafis", "options": {"terms": ["nurse"], "languages": ["de", "en"], "variants": ["direct", "group"]}}


def couples(prompts: Collection[Prompt]) -> list[tuple[str, str]]:
    """German against English, way of asking by way of asking."""
    by = {(prompt.term, prompt.language, prompt.variant): prompt.id for prompt in prompts}
    return [(id_, by[term, "en", variant]) for (term, language, variant), id_ in by.items() if language == "de"]


def pairing(people: Any = "asked", evidence: Any = "label") -> Pairing:
    return Pairing(Counting(people=people, evidence=evidence), couples)


@pytest.fixture
def study(make_study: Make) -> Study:
    """Return a study of one occupation with four prompts of three images each, put together by hand.

    German, direct: a woman, a man, nobody. English, direct: a man, a man, a man. German, group: a woman and a man, and
    a woman. English, group: a man and a man, and nothing made.
    """
    study = Study(make_study(suite=SUITE, generators=[{"use": "simulated", "images": 3}]))
    plan(study, Hooks())
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


def sums(tables: Tables) -> dict[tuple[str, int], tuple[float, ...]]:
    variants = {prompt.id: prompt.variant for prompt in tables.prompts.values()}
    return {
        (variants[row["x"]], row["group"]): (row["n"], row["total"], row["squares"]) for row in tables.pairs.to_pylist()
    }


def test_pairs_by_hand(study: Study) -> None:
    tables = tally_pairs(study, pairing(), Hooks())
    # Direct: of three pairs two are usable, a woman against a man and a man against a man; male is group 0.
    # Group: of three pairs one is usable, half women against none.
    assert sums(tables) == {
        ("direct", 0): (2, -1.0, 1.0),
        ("direct", 1): (2, 1.0, 1.0),
        ("group", 0): (1, -0.5, 0.25),
        ("group", 1): (1, 0.5, 0.25),
    }
    assert [row["count"] for row in tables.partners.to_pylist()] == [3.0, 3.0]


def test_masses_by_hand(study: Study) -> None:
    found = sums(tally_pairs(study, pairing(evidence="mass"), Hooks()))
    assert found["direct", 1] == pytest.approx((2, 0.75, 0.5625))
    assert found["group", 1] == pytest.approx((1, 0.375, 0.375**2))


def test_everything_else_is_added_up_as_without_pairs(study: Study) -> None:
    with_pairs, without = tally_pairs(study, pairing(), Hooks()), tally(study, Counting(people="asked"), Hooks())
    for name in ("planned", "counts", "missing", "confusion"):
        assert getattr(with_pairs, name).to_pylist() == getattr(without, name).to_pylist()


def test_images_without_a_seed_or_with_another_have_no_partner(study: Study) -> None:
    rows = study.workspace.query("SELECT * FROM jobs").to_pylist()
    first = rows[0]["prompt"]
    for row in rows:
        if row["index"] == 0:
            row["seed"] = 0  # as imported images have it unless a seed was given
        elif row["index"] == 1 and row["prompt"] == first:
            row["seed"] = 7
    jobs = study.workspace.tables["jobs"]
    jobs.replace([pa.Table.from_pylist(rows, jobs.schema)])
    partners = tally_pairs(study, pairing(), Hooks()).partners.to_pylist()
    assert {(first in (row["x"], row["y"])): row["count"] for row in partners} == {True: 1.0, False: 2.0}


def test_stretches_change_nothing(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"refused": 0.1, "failed": 0.1, "no_person": 0.1, "several": 0.1, "pixels": False}
    suite = {"use": "bafis", "options": {"terms": ["nurse", "ceo", "cook"], "variants": ["direct", "group"]}}
    generators = [{"use": "simulated", "images": 6, "options": options}]
    study = Study(make_study(suite=suite, generators=generators, generate={"batch": 200}, annotate={"batch": 200}))
    for stage in (plan, generate, annotate):
        stage(study, Hooks())
    whole = tally_pairs(study, pairing(), Hooks())
    assert whole.pairs.num_rows > 10
    for size in (50, 9):  # two terms together; one term in parts
        monkeypatch.setattr(pairs_module, "_STRETCH", size)
        parts = tally_pairs(study, pairing(), Hooks())
        for name in ("planned", "counts", "missing", "partners", "pairs"):
            assert rounded(getattr(parts, name)) == rounded(getattr(whole, name))


def rounded(table: pa.Table) -> list[dict[str, Any]]:
    """Return the rows without the last digits, which the order of a sum moves."""
    return [
        {name: round(value, 9) if isinstance(value, float) else value for name, value in row.items()}
        for row in table.to_pylist()
    ]


def test_nothing_planned(make_study: Make) -> None:
    study = Study(make_study(suite=SUITE, generators=[]))
    plan(study, Hooks())
    tables = tally_pairs(study, pairing(), Hooks())
    assert tables.pairs.num_rows == tables.partners.num_rows == tables.planned.num_rows == 0


def test_nothing_to_pair(study: Study) -> None:
    tables = tally_pairs(study, Pairing(Counting(), lambda prompts: []), Hooks())
    assert tables.pairs.num_rows == 0
    assert tables.counts.num_rows > 0
