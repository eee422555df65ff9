from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.records import JOB_SCHEMA, Job, Prompt, plan_edit, plan_job, to_table

NURSE = Prompt("a photo of one nurse", "nurse")


def test_a_planned_job_never_changes_between_versions() -> None:
    assert plan_job(NURSE, "simulated@1", 3, 7) == Job(
        id="4279e41d972e2767c1c40270edf6d648",
        prompt=NURSE.id,
        generator="simulated@1",
        index=3,
        seed=158455075,
        text="a photo of one nurse",
        term="nurse",
        attempt=1,
    )


def test_generators_are_asked_for_the_same_seeds() -> None:
    one, other = plan_job(NURSE, "a@1", 0, 7), plan_job(NURSE, "b@1", 0, 7)
    assert one.seed == other.seed
    assert one.id != other.id


def test_another_study_seed_asks_for_other_images() -> None:
    one, other = plan_job(NURSE, "a@1", 0, 7), plan_job(NURSE, "a@1", 0, 8)
    assert one.seed != other.seed
    assert one.id != other.id


def test_what_a_prompt_is_about_does_not_change_its_jobs() -> None:
    told = Prompt(NURSE.text, NURSE.term, category="health", weight=4.0)
    assert plan_job(told, "a@1", 0, 7) == plan_job(NURSE, "a@1", 0, 7)


keys = st.tuples(st.sampled_from(["a nurse", "a nurse1", "a judge"]), st.sampled_from(["g@1", "g@11"]), st.integers(0))


@pytest.mark.slow
@given(st.lists(keys, unique=True, min_size=2), st.integers(0, 2**63 - 1))
def test_every_job_has_its_own_id_and_a_seed_any_generator_takes(keys: list[tuple[str, str, int]], seed: int) -> None:
    jobs = [plan_job(Prompt(text, text), generator, index, seed) for text, generator, index in keys]
    assert len({job.id for job in jobs}) == len(jobs)
    assert all(0 <= job.seed < 2**32 for job in jobs)


OLDER = Prompt("older", "old", edits="seed")


def test_a_planned_edit_never_changes_between_versions() -> None:
    source = plan_job(NURSE, "simulated@1", 3, 7)
    assert plan_edit(OLDER, "facegan@1", 5, 7, source_job=source.id, number=2) == Job(
        id="77cb07cf69975c1c2f0d140ed754f78b",
        prompt=OLDER.id,
        generator="facegan@1",
        index=5,
        seed=1192188652,
        text="older",
        term="old",
        source_job="4279e41d972e2767c1c40270edf6d648",
    )


def test_an_edit_is_told_apart_by_its_source_and_its_number_and_not_by_its_place() -> None:
    def edit(index: int, source: str, number: int) -> Job:
        return plan_edit(OLDER, "g@1", index, 7, source_job=source, number=number)

    first = edit(0, "a", 0)
    assert first.id == edit(9, "a", 0).id
    others = [edit(0, "b", 0), edit(0, "a", 1), plan_job(OLDER, "g@1", 0, 7)]
    assert len({job.id for job in (first, *others)}) == len({job.seed for job in (first, *others)}) == 4


def test_prompts_with_the_same_seeds_edit_a_source_with_the_same_seed() -> None:
    words = [Prompt(text, text, edits="seed", seeds="words") for text in ("a nurse", "a judge")]
    one, other = (plan_edit(word, "g@1", 0, 7, source_job="a") for word in words)
    assert one.seed == other.seed
    assert one.id != other.id


def test_only_an_edit_has_a_source() -> None:
    jobs = [plan_job(NURSE, "g@1", 0, 7), plan_edit(OLDER, "g@1", 0, 7, source_job="a")]
    assert to_table(jobs, JOB_SCHEMA)["source_job"].to_pylist() == [None, "a"]
