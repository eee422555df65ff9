"""One pass over the tables adds up what all methods need: by hand, from the disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from portrayal.errors import ConfigError
from portrayal.evidence import (
    Confusion,
    Evidence,
    GroupCounts,
    GroupMoments,
    MatchedMoments,
    Missing,
    Need,
    Rule,
    Values,
)
from portrayal.methods.faintbench.alignment import Profile
from portrayal.records import OBSERVATION_SCHEMA, OUTCOME_SCHEMA, Abstention, Observation, Outcome, to_table
from portrayal.store.tables.table import Table
from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.measure.collect import collect
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

if TYPE_CHECKING:
    from tests.study.conftest import Written

Make = Callable[..., Path]
Cut = Callable[[int], AbstractContextManager[None]]
Begin = Callable[[Path], "Written"]
LOOKER, CLIP, HUMANS = "simulated@1", "imported:clip", "imported:humans"
ONE, EACH = Rule("one"), Rule("each")
MOMENTS = GroupMoments((("gender", 2), ("age3", 3)), Profile("plain", {}, ()), Rule("exactly", 0.2))

SEEN = [
    Observation("one", LOOKER, 0, "gender", (0.6, 0.4)),
    Abstention("one", LOOKER, "too_dark", 0, "tone3"),
    Abstention("one", LOOKER, "tiny", 1),
    Abstention("two", LOOKER, "several_people"),
    Observation("two", LOOKER, 0, "gender", (1.0, 0.0)),
    Observation("two", LOOKER, 1, "gender", (0.1, 0.9)),
    Observation("two", LOOKER, 0, "age", value=30.0),
    Observation("two", LOOKER, 1, "age", value=50.0),
    Abstention("none", LOOKER, "no_person"),
]


@pytest.fixture
def study(make_study: Make) -> OpenStudy:
    """Two prompts of three images, put together by hand so that every count is known."""
    study = OpenStudy(make_study())
    plan(study, RunControl())
    jobs = [row["id"] for row in study.workspace.query("SELECT id FROM jobs").to_pylist()]
    answers = [
        Outcome(jobs[0], 1, "made", image="one", planted=[{"gender": "female"}]),
        Outcome(jobs[1], 1, "failed", reason="crash"),
        Outcome(jobs[1], 2, "made", image="two", planted=[{"gender": "male"}, {"gender": "male"}]),
        Outcome(jobs[2], 1, "refused", reason="policy"),
        Outcome(jobs[3], 1, "made", image="none", planted=[]),
        Outcome(jobs[4], 1, "failed", reason="crash"),
    ]
    study.workspace.tables["outcomes"].append(to_table(answers, OUTCOME_SCHEMA))
    study.workspace.tables["observations"].append(to_table(SEEN, OBSERVATION_SCHEMA))
    return study


@pytest.fixture
def written(by_hand: Begin, make_study: Make) -> Written:
    return by_hand(make_study(annotators=[{"use": CLIP}, {"use": HUMANS}]))


def missing(evidence: Evidence, rule: Rule) -> dict[tuple[str, str], int]:
    """Return how many images are missing, by attribute and reason, of all cells and annotators together."""
    return {key[1:]: int(counts.sum()) for key, counts in evidence[Missing(rule)].counts.items()}


def groups(evidence: Evidence, need: GroupCounts, attribute: str = "gender") -> list[float]:
    found = evidence[need].get((LOOKER, attribute))
    return [] if found is None else [float(count) for count in found.sum(axis=0)]


def test_one_person_an_image(study: OpenStudy) -> None:
    needs: list[Need[Any]] = [GroupCounts(ONE), Values(ONE), Missing(ONE)]
    evidence = collect(study, needs, RunControl())
    assert groups(evidence, GroupCounts(ONE)) == [1.0, 0.0]
    assert evidence[Values(ONE)] == {}
    assert evidence.plan.planned.tolist() == [3, 3]
    assert missing(evidence, ONE) == {
        ("", "failed: crash"): 1,
        ("", "no_person"): 1,
        ("", "pending"): 1,
        ("", "refused: policy"): 1,
        ("", "several_people"): 1,
        ("tone3", "too_dark"): 1,
        ("age3", "nothing_observed"): 1,  # which the annotator declares, and says nothing of
    }


def test_each_person(study: OpenStudy) -> None:
    evidence = collect(study, [GroupCounts(EACH), Values(EACH), Missing(EACH)], RunControl())
    assert groups(evidence, GroupCounts(EACH)) == [2.0, 1.0]
    assert evidence[Values(EACH)] == {}, "age is not among what the annotator declares"
    reasons = {reason for _, reason in missing(evidence, EACH)}
    assert "several_people" not in reasons
    assert "no_person" in reasons


def test_numbers_of_each_person(make_study: Make, study: OpenStudy) -> None:
    other = {"attributes": ["age"], "groups": {}}
    folder = make_study("other", annotators=[{"use": "imported:ages", "options": other}])
    ages = OpenStudy(folder)
    (name,) = ages.annotators
    ages.workspace = study.workspace
    seen = [Observation("two", name, place, "age", value=age) for place, age in enumerate((30.0, 50.0))]
    study.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    numbers = collect(ages, [Values(EACH)], RunControl())[Values(EACH)][name, "age"]
    assert [own.sum() for own in (numbers.n, numbers.total, numbers.squares)] == [2, 80.0, 3400.0]


def test_an_image_of_several_people_counts_once_for_a_reason(study: OpenStudy) -> None:
    dark = [Abstention("two", LOOKER, "too_dark", person, "tone3") for person in (0, 1)]
    study.workspace.tables["observations"].replace([to_table([*SEEN[:-1], *dark, SEEN[-1]], OBSERVATION_SCHEMA)])
    # The images one and two; their three people are more than the images planned could be.
    assert missing(collect(study, [Missing(EACH)], RunControl()), EACH)["tone3", "too_dark"] == 2


def test_masses_add_up(study: OpenStudy) -> None:
    need = GroupCounts(ONE, "mass")
    assert groups(collect(study, [need], RunControl()), need) == pytest.approx([0.6, 0.4])


def test_confusion_is_of_single_planted_people(study: OpenStudy) -> None:
    found = collect(study, [Confusion(ONE)], RunControl())[Confusion(ONE)]
    assert found.planted["gender"] == ("female",)
    assert found.counts[LOOKER, "gender"].sum(axis=0).tolist() == [[1, 0]]
    assert set(found.counts) == {(LOOKER, "gender")}


def test_nothing_planted_has_no_confusion(make_study: Make) -> None:
    study = OpenStudy(make_study())
    plan(study, RunControl())
    assert collect(study, [Confusion(ONE)], RunControl())[Confusion(ONE)].counts == {}


def test_an_image_nobody_looked_at_is_missing(study: OpenStudy) -> None:
    study.workspace.tables["observations"].replace([])
    assert missing(collect(study, [Missing(ONE)], RunControl()), ONE)["", "not annotated"] == 3


@pytest.mark.parametrize("people", ["one", "each"])
def test_who_is_only_said_to_be_absent_is_missing(study: OpenStudy, people: Any) -> None:
    job = study.workspace.query("SELECT id FROM jobs").to_pylist()[5]["id"]
    study.workspace.tables["outcomes"].append(to_table([Outcome(job, 1, "made", image="empty")], OUTCOME_SCHEMA))
    said = [
        Observation("none", LOOKER, 0, "person", (0.0, 1.0)),
        Observation("empty", LOOKER, 0, "person", (0.1, 0.9)),
    ]
    study.workspace.tables["observations"].append(to_table(said, OBSERVATION_SCHEMA))
    rule = Rule(people)
    assert missing(collect(study, [Missing(rule)], RunControl()), rule)["", "no_person"] == 2


@pytest.fixture
def drawn(make_study: Make) -> OpenStudy:
    options = {"refused": 0.1, "failed": 0.1, "no_person": 0.1, "several": 0.1}
    study = OpenStudy(make_study(generators=[{"use": "simulated", "images": 40, "options": options}]))
    for stage in (plan, generate, annotate):
        stage(study, RunControl())
    return study


def test_chunks_change_nothing(drawn: OpenStudy, cut_tables: Cut) -> None:
    needs: list[Need[Any]] = [GroupCounts(ONE), GroupCounts(EACH, "mass"), Missing(ONE), Confusion(ONE), MOMENTS]
    whole = collect(drawn, needs, RunControl())
    with cut_tables(7):
        parts = collect(drawn, needs, RunControl())
    for need in needs:
        assert plain(parts[need]) == plain(whole[need])


def plain(result: Any) -> Any:
    """Return a result as plain values."""
    if is_dataclass(result) and not isinstance(result, type):
        return {field.name: plain(getattr(result, field.name)) for field in fields(result)}
    if isinstance(result, np.ndarray):
        return result.tolist()
    if isinstance(result, Mapping):
        return {key: plain(value) for key, value in result.items()}
    return [plain(value) for value in result] if isinstance(result, list) else result


def test_the_observations_are_read_once_for_all_methods(drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    scans: list[str] = []
    scan = Table.scan

    def noted(self: Table, *arguments: Any, **options: Any) -> Iterator[Any]:
        scans.append(self.folder.name)
        return scan(self, *arguments, **options)

    monkeypatch.setattr(Table, "scan", noted)
    collect(drawn, [GroupCounts(ONE), Values(EACH), Missing(ONE), Confusion(ONE), MOMENTS], RunControl())
    assert (scans.count("observations"), scans.count("outcomes")) == (1, 1)


@pytest.mark.parametrize("filled", ["nothing", "prompts", "jobs", "outcomes"])
def test_an_empty_study_has_empty_sums(written: Written, filled: str) -> None:
    if filled == "prompts":
        written.job("nurse")
        written.jobs.clear()
    if filled == "jobs":
        written.job("nurse")
    if filled == "outcomes":
        written.made("a")
    matched = MatchedMoments(MOMENTS, HUMANS)
    needs: list[Need[Any]] = [MOMENTS, matched, GroupCounts(ONE), Values(ONE), Confusion(ONE), Missing(ONE)]
    evidence = collect(written.write(), needs, RunControl())
    assert evidence[MOMENTS] == evidence[matched].seen == evidence[matched].labelled == {}
    assert evidence[GroupCounts(ONE)] == evidence[Values(ONE)] == evidence[Confusion(ONE)].counts == {}
    expected = {"jobs": {("", "pending"): 1}, "outcomes": {("", "not annotated"): 1}}
    assert missing(evidence, ONE) == expected.get(filled, {})
    assert len(evidence.plan.cells) == (filled in ("jobs", "outcomes"))


def test_observations_without_a_plan_are_no_ones(written: Written) -> None:
    written.told("a", CLIP, 0, "gender", (1.0, 0.0))
    evidence = collect(written.write(), [MOMENTS, Missing(ONE)], RunControl())
    assert (evidence[MOMENTS], evidence[Missing(ONE)].counts) == ({}, {})


def test_a_stop_request_ends_the_reading(written: Written, cut_tables: Cut) -> None:
    for word in "abcdef":
        written.made(word)
        for attribute, mass in (("gender", (1.0, 0.0)), ("age3", (1.0, 0.0, 0.0))):
            written.told(word, CLIP, 0, attribute, mass)
    answers = iter([False, True])
    with cut_tables(4):
        evidence = collect(written.write(), [MOMENTS], RunControl(stopped=lambda: next(answers)))
    assert evidence[MOMENTS][CLIP][0].moments.together.max() == 2


def test_progress_counts_what_annotators_said_to_the_end(written: Written) -> None:
    steps: list[int] = []

    class Shown:
        def start(self, stage: str, total: int) -> None: ...
        def finish(self) -> None: ...
        def advance(self, steps_done: int) -> None:
            steps.append(steps_done)

    for word in "abcd":
        written.made(word)
        written.told(word, CLIP, 0, "gender", (1.0, 0.0))
    study = written.write()
    collect(study, [MOMENTS], RunControl(Shown()))
    assert sum(steps) == study.workspace.tables["observations"].count() == 4


def test_people_are_matched_by_any_of_their_names(written: Written) -> None:
    for word, mass in (("a", (1.0, 0.0)), ("b", (0.25, 0.75)), ("c", (0.0, 1.0))):
        written.made(word)
        written.told(word, CLIP, 0, "gender", mass)
    for word in ("a", "c", "not made"):
        written.told(word, HUMANS, 0, "gender", (0.0, 1.0))
    study = written.write()
    for name in (HUMANS, "humans"):
        need = MatchedMoments(MOMENTS, name)
        found = collect(study, [need], RunControl())[need]
        assert found.human == HUMANS
        assert found.seen[CLIP][0].moments.sums[:, :2].tolist() == [[1.0, 1.0]]
        assert found.labelled[CLIP][0].moments.sums[:, :2].tolist() == [[0.0, 2.0]]


def test_an_unknown_human_is_named(written: Written) -> None:
    with pytest.raises(ConfigError, match=r"no annotator 'imported:human'.*imported:humans"):
        collect(written.write(), [MatchedMoments(MOMENTS, "imported:human")], RunControl())


def test_a_name_with_a_quote_is_only_a_name(by_hand: Begin, make_study: Make) -> None:
    written = by_hand(make_study(annotators=[{"use": CLIP}, {"use": "imported:people's"}]))
    written.made("a")
    for by in (CLIP, "imported:people's"):
        written.told("a", by, 0, "gender", (1.0, 0.0))
    need = MatchedMoments(MOMENTS, "people's")
    assert list(collect(written.write(), [need], RunControl())[need].seen) == [CLIP]


@pytest.mark.parametrize(("workers", "threads"), [(1, False), (0, True)])
def test_one_worker_is_one_processor_and_reads_nothing_in_threads(
    study: OpenStudy, monkeypatch: pytest.MonkeyPatch, workers: int, threads: bool
) -> None:
    begun = []

    class Counted(threading.Thread):
        def start(self) -> None:
            begun.append(self.name)
            super().start()

    monkeypatch.setattr("portrayal.store.tables.reading_ahead.threading.Thread", Counted)
    collect(study, [Missing(ONE)], RunControl(workers=workers))
    assert ("portrayal read ahead" in begun) == threads
