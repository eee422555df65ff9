from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from portrayal.records import Job, Prompt, plan_job

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


@given(st.lists(keys, unique=True, min_size=2), st.integers(0, 2**63 - 1))
def test_every_job_has_its_own_id_and_a_seed_any_generator_takes(keys: list[tuple[str, str, int]], seed: int) -> None:
    jobs = [plan_job(Prompt(text, text), generator, index, seed) for text, generator, index in keys]
    assert len({job.id for job in jobs}) == len(jobs)
    assert all(0 <= job.seed < 2**32 for job in jobs)
