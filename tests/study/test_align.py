from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.errors import ConfigError
from portrayal.methods import Aligned, Alignment, Tables
from portrayal.methods.alignment import load_profile
from portrayal.records import (
    JOB_SCHEMA,
    OBSERVATION_SCHEMA,
    OUTCOME_SCHEMA,
    PERSON,
    PROMPT_SCHEMA,
    Abstention,
    Attribute,
    Job,
    Observation,
    Outcome,
    Prompt,
    attribute_table,
    to_table,
)
from portrayal.stats.intervals import Array
from portrayal.store import workspace
from portrayal.study import align as module
from portrayal.study.align import align
from portrayal.study.hooks import Hooks
from portrayal.study.study import Study

Make = Callable[..., Path]
Seen = Observation | Abstention

CLIP, HUMANS = "imported:clip", "imported:humans"
COLUMNS = (("gender", 2), ("age3", 3))
GROUPS = {name: Attribute(name, name, attribute_table()[name].groups) for name, _ in COLUMNS}
PLAIN = Alignment(COLUMNS, load_profile("plain", Path(), GROUPS), person=0.2)
WOMAN, MAN, DOUBT = (0.0, 1.0), (1.0, 0.0), (0.25, 0.75)
YOUNG, OLD = (1.0, 0.0, 0.0), (0.0, 0.25, 0.75)


def name_of(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def saw(word: str, gender: Any = WOMAN, age3: Any = YOUNG, subject: int = 0, by: str = CLIP) -> list[Seen]:
    """Return rows about one person; what is a text is the reason why there is no mass."""
    image = name_of(word)
    return [
        Abstention(image, by, mass, subject, name)
        if isinstance(mass, str)
        else Observation(image, by, subject, name, mass)
        for name, mass in (("gender", gender), ("age3", age3))
        if mass is not None
    ]


def lost(word: str, reason: str, subject: int | None = None, by: str = CLIP) -> list[Seen]:
    return [Abstention(name_of(word), by, reason, subject)]


def present(word: str, probability: float, by: str = CLIP) -> list[Seen]:
    return [Observation(name_of(word), by, 0, PERSON, (probability, 1 - probability))]


@dataclass
class Store:
    """A study whose tables are written by hand."""

    study: Study
    prompts: dict[str, Prompt] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)

    def job(self, text: str, people: int = 1, generator: str = "g") -> str:
        prompt = self.prompts.setdefault(text, Prompt(text, text, people=people))
        self.jobs.append(Job(f"job {len(self.jobs)}", prompt.id, generator, 0, 0))
        return self.jobs[-1].id

    def made(self, word: str, text: str = "nurse", people: int = 1, generator: str = "g") -> None:
        job = self.job(text, people, generator)
        self.outcomes.append(Outcome(job, 1, "made", image=name_of(word)))

    def align(self, alignment: Alignment = PLAIN, hooks: Hooks | None = None, parts: int = 1) -> Tables:
        tables = self.study.workspace.tables
        tables["prompts"].replace([to_table(self.prompts.values(), PROMPT_SCHEMA)])
        tables["jobs"].replace([to_table(self.jobs, JOB_SCHEMA)])
        tables["outcomes"].replace([to_table(self.outcomes, OUTCOME_SCHEMA)])
        tables["observations"].replace([])
        for part in np.array_split(np.arange(len(self.seen)), parts):
            tables["observations"].append(to_table([self.seen[row] for row in part], OBSERVATION_SCHEMA))
        return align(self.study, alignment, hooks or Hooks())


def open_store(folder: Path) -> Store:
    return Store(Study(folder))


@pytest.fixture
def store(make_study: Make) -> Store:
    return open_store(make_study(annotators=[{"use": CLIP}, {"use": HUMANS}]))


def part(tables: Tables, people: int = 1, by: str = CLIP) -> Aligned:
    return next(found for found in tables.aligned[by] if found.people == people)


def means(tables: Tables, aspect: str, people: int = 1, by: str = CLIP, cell: int = 0) -> list[float]:
    moments = part(tables, people, by).moments
    return [float(value) for value in moments.mean[cell, moments.slice(aspect)]]


def missing(tables: Tables, by: str = CLIP) -> dict[tuple[str, str], float]:
    """Return the counts by attribute and reason, of all cells together."""
    found: Counter[tuple[str, str]] = Counter()
    for row in tables.missing.to_pylist():
        if row["annotator"] == by:
            found[row["attribute"], row["reason"]] += row["count"]
    return dict(found)


def used(tables: Tables, people: int = 1, by: str = CLIP) -> float:
    parts = [found for found in tables.aligned.get(by, ()) if found.people == people]
    return sum(float(found.moments.together.max(axis=(1, 2)).sum()) for found in parts)


def test_masses_of_one_person_add_up(store: Store) -> None:
    for word in "ab":
        store.made(word)
    store.seen = [*saw("a", WOMAN, YOUNG), *saw("b", DOUBT, OLD)]
    tables = store.align()
    found = part(tables)
    assert found.cells == [("g", store.prompts["nurse"].id)]
    assert found.moments.aspects == COLUMNS
    np.testing.assert_array_equal(found.moments.sums, [[0.25, 1.75, 1.0, 0.25, 0.75]])
    np.testing.assert_array_equal(found.moments.hard, [[0, 2, 1, 0, 1]])
    np.testing.assert_array_equal(found.moments.together, [[[2, 2], [2, 2]]])
    assert found.moments.products[0, 1, 4] == 0.75 * 0.75
    assert tables.planned.to_pylist() == [{"generator": "g", "prompt": store.prompts["nurse"].id, "count": 2.0}]
    assert missing(tables) == {}


@pytest.mark.parametrize("subjects", [(0, 1), (1, 2), (0, 2)])
def test_of_two_people_the_lower_number_is_left_in_whatever_order_they_are_told(
    store: Store, subjects: tuple[int, int]
) -> None:
    left, right = subjects
    for word in "ab":
        store.made(word, "couple", 2)
    store.seen = [*saw("a", MAN, YOUNG, left), *saw("a", WOMAN, OLD, right)]
    store.seen += [*saw("b", WOMAN, OLD, right), *saw("b", MAN, YOUNG, left)]
    tables = store.align()
    assert [name for name, _ in part(tables, 2).moments.aspects] == [
        "left.gender", "left.age3", "right.gender", "right.age3",
    ]  # fmt: skip
    assert means(tables, "left.gender", 2) == [1.0, 0.0]
    assert means(tables, "right.gender", 2) == [0.0, 1.0]
    assert means(tables, "right.age3", 2) == list(OLD)
    assert used(tables, 2) == 2


def test_who_is_alone_may_have_any_number(store: Store) -> None:
    store.made("a")
    store.made("b", "couple", 2)
    store.seen = [*saw("a", MAN, subject=1), *saw("b", MAN, subject=1)]
    tables = store.align()
    assert means(tables, "gender") == [1.0, 0.0]
    assert missing(tables) == {("", "one_person"): 1}


@pytest.mark.parametrize(("people", "subjects"), [(1, (0, 1)), (1, (0, 2)), (2, (0, 1, 2)), (2, (4, 0, 2, 1))])
def test_more_people_than_asked_for_are_too_many(store: Store, people: int, subjects: Sequence[int]) -> None:
    store.made("a", people=people)
    store.seen = [row for subject in subjects for row in saw("a", subject=subject)]
    tables = store.align()
    assert tables.aligned == {}
    assert missing(tables) == {("", "several_people"): 1}


@pytest.mark.parametrize("subjects", [(0,), (0, 1), (0, 1, 2)])
def test_a_group_of_any_size_is_left_out_and_the_others_count(store: Store, subjects: Sequence[int]) -> None:
    store.made("a", "nurses", people=0)
    store.made("b")
    store.seen = [*[row for subject in subjects for row in saw("a", subject=subject)], *saw("b")]
    tables = store.align()
    assert [found.people for found in tables.aligned[CLIP]] == [1]
    assert used(tables) == 1
    assert missing(tables) == {("", "group"): 1}


def test_an_image_of_which_nothing_is_told_is_missing(store: Store) -> None:
    for word in "abcd":
        store.made(word)
    store.seen = [*lost("a", "tiny_face", subject=0), *saw("b", "too_dark", "too_dark")]
    store.seen += [Observation(name_of("c"), CLIP, 0, "tone3", (1.0, 0.0, 0.0)), *present("d", 1.0)]
    tables = store.align()
    assert tables.aligned == {}
    assert missing(tables) == {("", "nothing_observed"): 4}


@pytest.mark.parametrize(
    ("people", "shown", "said", "reason"),
    [
        (1, 0, ["no_face"], "no_face"),
        (1, 1, ["blurred"], "blurred"),
        (1, 1, ["several_faces"], "several_faces"),
        (1, 2, ["several_faces"], "several_faces"),
        (2, 2, ["several_faces"], ""),
        (2, 3, ["several_faces"], "several_faces"),
        (2, 1, ["several_faces"], "several_faces"),
        (2, 2, ["blurred"], "blurred"),
        (2, 2, ["blurred", "several_faces"], "blurred"),
        (2, 2, ["several_faces", "blurred"], "blurred"),
        # Judged as a picture for a prompt that asks for two.
        (1, 1, ["one_face"], ""),
        (2, 1, ["one_face"], "one_face"),
        (1, 0, ["one_face"], "one_face"),
    ],
)
def test_what_is_said_about_the_whole_image(
    store: Store, people: int, shown: int, said: Sequence[str], reason: str
) -> None:
    store.made("a", people=people)
    store.seen = [row for why in said for row in lost("a", why)]
    store.seen += [row for subject in range(shown) for row in saw("a", subject=subject)]
    tables = store.align()
    assert missing(tables) == ({("", reason): 1} if reason else {})
    assert used(tables, people) == (not reason)


@pytest.mark.parametrize(("threshold", "kept"), [(0.2, 2), (0.7, 1), (0.70001, 0), (0.0, 3)])
def test_images_below_the_person_threshold_are_set_aside(store: Store, threshold: float, kept: int) -> None:
    for word, probability in (("a", 0.7), ("b", 0.2), ("c", 0.1999)):
        store.made(word)
        store.seen += [*saw(word), *present(word, probability)]
    tables = store.align(replace(PLAIN, person=threshold))
    assert used(tables) == kept
    assert missing(tables) == ({("", "hallucination"): 3 - kept} if kept < 3 else {})


def test_an_image_that_shows_nobody_is_a_hallucination_whatever_else_is_said(store: Store) -> None:
    store.made("a", "couple", 2)
    store.made("a", "nurse")
    store.seen = [*lost("a", "no_face"), *present("a", 0.1), *saw("a"), *saw("a", subject=1)]
    assert missing(store.align()) == {("", "hallucination"): 2}


def test_the_person_check_describes_nobody(store: Store) -> None:
    store.made("a")
    store.seen = [*present("a", 1.0), *saw("a", MAN, subject=1)]
    tables = store.align()
    assert means(tables, "gender") == [1.0, 0.0]


def test_a_missing_attribute_leaves_the_image_to_the_others(store: Store) -> None:
    for word in "ab":
        store.made(word)
    store.seen = [*saw("a", MAN, "too_dark"), *saw("b", WOMAN, OLD)]
    tables = store.align()
    moments = part(tables).moments
    assert moments.count("gender").tolist() == [2.0]
    assert moments.count("age3").tolist() == [1.0]
    np.testing.assert_array_equal(moments.together, [[[2, 1], [1, 1]]])
    assert missing(tables) == {("age3", "too_dark"): 1}


def test_one_of_two_of_whom_nothing_is_told_is_still_there(store: Store) -> None:
    store.made("a", "couple", 2)
    store.seen = [*saw("a", "could_not_tell", "could_not_tell", subject=0), *saw("a", WOMAN, OLD, subject=1)]
    tables = store.align()
    assert np.isnan(means(tables, "left.gender", 2)).all()
    assert means(tables, "right.gender", 2) == [0.0, 1.0]
    assert missing(tables) == {("gender", "could_not_tell"): 1, ("age3", "could_not_tell"): 1}


def test_an_image_counts_once_where_both_people_lack_an_attribute(store: Store) -> None:
    store.made("a", "couple", 2)
    store.seen = [*saw("a", MAN, "too_dark", subject=0), *saw("a", WOMAN, "too_dark", subject=1)]
    assert missing(store.align()) == {("age3", "too_dark"): 1}


def test_masses_of_another_length_are_missing_with_a_reason(store: Store) -> None:
    store.made("a")
    store.seen = saw("a", MAN, (0.5, 0.5))
    tables = store.align()
    assert means(tables, "gender") == [1.0, 0.0]
    assert missing(tables) == {("age3", "nothing_observed"): 1}


def test_what_an_annotator_never_tells_is_not_missing_image_by_image(make_study: Make) -> None:
    looker = {"use": CLIP, "options": {"attributes": ["gender"]}}
    store = open_store(make_study(annotators=[looker]))
    (name,) = store.study.annotators
    store.made("a")
    store.seen = saw("a", MAN, None, by=name)
    assert missing(store.align(), name) == {}


def test_a_picture_that_answers_two_prompts_counts_for_both(store: Store) -> None:
    store.made("a", "nurse")
    store.made("a", "CEO")
    store.made("a", "CEO", generator="other")
    store.made("a", "couple", 2)
    store.seen = saw("a", MAN, "too_dark")
    tables = store.align()
    found = part(tables)
    assert len(found.cells) == 3
    np.testing.assert_array_equal(found.moments.sums[:, :2], [[1, 0]] * 3)
    assert missing(tables) == {("age3", "too_dark"): 3, ("", "one_person"): 1}


def test_a_picture_shown_twice_for_one_prompt_counts_twice(store: Store) -> None:
    store.made("a")
    store.made("a")
    store.seen = saw("a")
    assert used(store.align()) == 2


def test_images_nobody_looked_at_are_missing(store: Store) -> None:
    for word in "abc":
        store.made(word)
    store.seen = saw("b")
    tables = store.align()
    assert missing(tables) == {("", "not annotated"): 2}
    assert missing(tables, HUMANS) == {("", "not annotated"): 3}


def test_every_job_without_an_image_has_its_reason(store: Store) -> None:
    refused, crashed, late, _, silent = (store.job("nurse") for _ in range(5))
    store.outcomes = [
        Outcome(refused, 1, "failed", reason="timeout"),
        Outcome(refused, 2, "refused", reason="policy"),
        Outcome(crashed, 2, "failed", reason="second"),
        Outcome(crashed, 1, "failed", reason="first"),
        Outcome(late, 1, "failed", reason="first"),
        Outcome(late, 2, "made", image=name_of("a")),
        Outcome(silent, 1, "failed"),
    ]
    store.seen = saw("a")
    tables = store.align()
    assert used(tables) == 1
    assert missing(tables, "") == {
        ("", "failed: second"): 1, ("", "failed: unknown"): 1, ("", "pending"): 1, ("", "refused: policy"): 1,
    }  # fmt: skip
    assert tables.missing.column("count").type == pa.float64()


def test_annotators_take_turns_and_strangers_are_left_out(store: Store) -> None:
    for word in "ab":
        store.made(word)
    for word, clip, humans in (("a", MAN, DOUBT), ("b", DOUBT, WOMAN)):
        store.seen += [*saw(word, clip), *saw(word, humans, by=HUMANS), *saw(word, WOMAN, by="stranger@1")]
    store.seen += saw("nobody's", MAN)
    tables = store.align()
    assert means(tables, "gender") == [0.625, 0.375]
    assert means(tables, "gender", by=HUMANS) == [0.125, 0.875]
    assert list(tables.aligned) == list(tables.annotators) == [CLIP, HUMANS]
    assert tables.annotators[CLIP] == ["gender", "race5", "age3"]


def test_the_order_of_the_sums_does_not_depend_on_who_comes_first(store: Store) -> None:
    store.made("pair", "couple", 2)
    store.made("a")
    store.seen = [*saw("pair", by=HUMANS), *saw("pair", subject=1, by=HUMANS), *saw("a", by=HUMANS)]
    store.seen += [*saw("pair"), *saw("pair", subject=1), *saw("a")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ROWS", 1)
        tables = store.align()
    assert list(tables.aligned) == [CLIP, HUMANS]
    assert [found.people for found in tables.aligned[CLIP]] == [1, 2]


@pytest.mark.parametrize("filled", ["nothing", "prompts", "jobs", "outcomes"])
def test_an_empty_study_has_empty_sums(store: Store, filled: str) -> None:
    if filled == "prompts":
        store.prompts["nurse"] = Prompt("nurse", "nurse")
    if filled == "jobs":
        store.job("nurse")
    if filled == "outcomes":
        store.made("a")
    tables = store.align(replace(PLAIN, human=HUMANS))
    assert tables.aligned == tables.matched == {}
    assert missing(tables, "") == ({("", "pending"): 1} if filled == "jobs" else {})
    assert missing(tables) == ({("", "not annotated"): 1} if filled == "outcomes" else {})


def test_observations_without_a_plan_are_no_ones(store: Store) -> None:
    store.seen = saw("a")
    assert store.align().aligned == {}


def test_a_stop_request_ends_the_reading(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for word in "abcdef":
        store.made(word)
        store.seen += saw(word)
    monkeypatch.setattr(module, "_ROWS", 4)
    answers = iter([False, True])
    assert used(store.align(hooks=Hooks(stopped=lambda: next(answers)))) == 2


def test_progress_counts_images(store: Store) -> None:
    steps: list[int] = []

    class Shown:
        def start(self, stage: str, total: int) -> None: ...
        def finish(self) -> None: ...
        def advance(self, steps_done: int) -> None:
            steps.append(steps_done)

    for word in "abcd":
        store.made(word)
        store.seen += saw(word)
    store.align(hooks=Hooks(Shown()))
    assert sum(steps) == 2  # half of what two annotators have to look at


def test_matched_sums_are_over_the_images_that_both_could_use(store: Store) -> None:
    for word, clip in (("a", MAN), ("b", DOUBT), ("c", WOMAN)):
        store.made(word)
        store.seen += saw(word, clip)
    store.made("d")
    store.seen.append(Abstention(name_of("d"), CLIP, "no_face"))
    store.seen += [row for word in ("a", "c", "d") for row in saw(word, WOMAN, by=HUMANS)]
    tables = store.align(replace(PLAIN, human="imported:humans"))
    assert tables.human == HUMANS
    assert list(tables.matched) == [CLIP]
    (matched,) = tables.matched[CLIP]
    np.testing.assert_array_equal(matched.moments.sums[:, :2], [[1.0, 1.0]])
    (labelled,) = tables.labelled[CLIP]
    np.testing.assert_array_equal(labelled.moments.sums[:, :2], [[0.0, 2.0]])
    assert means(tables, "gender") == [(1 + 0.25) / 3, (0.75 + 1) / 3]
    assert store.align().matched == {}


def test_an_unknown_human_is_named(store: Store) -> None:
    with pytest.raises(ConfigError, match=r"no annotator 'imported:human'.*imported:humans"):
        store.align(replace(PLAIN, human="imported:human"))


def test_each_image_is_corrected_before_the_average(store: Store, tmp_path: Path) -> None:
    (tmp_path / "snap.toml").write_text('name = "snap"\nsnap = { gender = 0.8 }\n')
    snap = replace(PLAIN, profile=load_profile("snap.toml", tmp_path, GROUPS), human=HUMANS)
    for word, mass in (("a", (0.1, 0.9)), ("b", (0.8, 0.2)), ("c", (0.4, 0.6))):
        store.made(word)
        store.seen += saw(word, mass)
    store.seen += saw("a", (0.1, 0.9), by=HUMANS)
    tables = store.align(snap)
    # 0.8 is not above 0.8, though in single precision it would be.
    assert means(tables, "gender") == pytest.approx([(0 + 0.8 + 0.4) / 3, (1 + 0.2 + 0.6) / 3], abs=1e-12)
    assert means(tables, "gender", by=HUMANS) == pytest.approx([0.1, 0.9], abs=1e-12), "people are not corrected"


def test_what_does_not_fit_into_memory_goes_to_the_study_and_leaves_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = store.study.root
    monkeypatch.chdir(root.parent)
    monkeypatch.setitem(workspace._DUCKDB, "memory_limit", "20MB")
    sql = "SELECT max(b) FROM (SELECT hash(range)::VARCHAR AS b FROM range(800000) ORDER BY b OFFSET 3)"
    before = sorted(root.parent.rglob("*"))
    assert store.study.workspace.query(sql).num_rows == 1
    assert sorted(root.parent.rglob("*")) == before
    left = root / ".tmp-left"
    monkeypatch.setattr("portrayal.store.workspace.uuid.uuid4", lambda: SimpleNamespace(hex="left"))
    left.write_text("where the folder should be")
    with pytest.raises(duckdb.Error, match=r"\.tmp-left"):
        store.study.workspace.query(sql)


def test_what_a_killed_query_left_is_removed_by_the_next_writer(store: Store) -> None:
    left = store.study.root / ".tmp-left"
    left.mkdir()
    (left / "duckdb_temp_storage.tmp").write_bytes(b"killed")
    with store.study.workspace.writing():
        assert not left.exists()


# A slow reference: loops over rows, as plain as can be.

OPTIMISED = replace(PLAIN, profile=load_profile("optimised", Path(), GROUPS), human=HUMANS)
Line = list[float]


Lines = dict[Any, list[Line]]


def reference(store: Store, alignment: Alignment) -> tuple[Lines, Lines, Lines, Counter[Any]]:
    """Return the lines of masses by annotator, generator and prompt; those of images that both people and annotator
    could use, and what people said of these; and what is missing.
    """
    aligned: Lines = {}
    matched: Lines = {}
    labelled: Lines = {}
    absent: Counter[Any] = Counter()
    by_id = {prompt.id: prompt for prompt in store.prompts.values()}
    for job in store.jobs:
        where = (job.generator, job.prompt)
        outcomes = [outcome for outcome in store.outcomes if outcome.job == job.id]
        image = next((outcome.image for outcome in outcomes if outcome.status == "made"), None)
        if image is None:
            last = max(outcomes, key=lambda outcome: outcome.attempt, default=None)
            absent[(*where, "", "", f"{last.status}: {last.reason}" if last else "pending")] += 1
            continue
        both: dict[str, Line] = {}
        for annotator in (CLIP, HUMANS):
            rows = [row for row in store.seen if row.image == image and row.annotator == annotator]
            line, whole, gaps = judge(rows, by_id[job.prompt].people, annotator, alignment)
            if whole:
                absent[(*where, annotator, "", whole)] += 1
                continue
            for attribute, reason in gaps.items():
                absent[(*where, annotator, attribute, reason)] += 1
            aligned.setdefault((annotator, *where), []).append(line)
            both[annotator] = line
        if len(both) == 2 and alignment.human:
            matched.setdefault((CLIP, *where), []).append(both[CLIP])
            labelled.setdefault((CLIP, *where), []).append(both[HUMANS])
    return aligned, matched, labelled, absent


def judge(rows: Sequence[Seen], asked: int, annotator: str, alignment: Alignment) -> tuple[Line, str, dict[str, str]]:
    """Return an image's line, why it cannot be used, and why attributes are missing."""
    if not rows:
        return [], "not annotated", {}
    if asked == 0:
        return [], "group", {}
    masses = [row for row in rows if row.mass is not None]
    if any(row.attribute == PERSON and row.mass and row.mass[0] < alignment.person for row in masses):
        return [], "hallucination", {}
    about = [row for row in rows if row.attribute not in (None, PERSON) and row.subject is not None]
    subjects = sorted({row.subject for row in about if row.subject is not None})
    told = [row for row in masses if dict(alignment.columns).get(row.attribute or "") == len(row.mass or ())]
    shown = len(subjects) if told else 0
    excuse = {1: "one_", 2: "several_"}[asked] if shown == asked else "never"
    reasons = [row.reason or "" for row in rows if row.subject is None]
    if blocking := [reason for reason in reasons if not reason.startswith(excuse)]:
        return [], blocking[-1], {}
    if shown != asked:
        return [], "nothing_observed" if not shown else "one_person" if shown < asked else "several_people", {}
    line: Line = []
    gaps: dict[str, str] = {}
    for subject in subjects:
        for name, size in alignment.columns:
            found = [row.mass for row in told if row.subject == subject and row.attribute == name]
            if found:
                mass = np.array([found[0]], dtype=float)
                line += (mass if annotator == alignment.human else alignment.profile.align(name, mass))[0].tolist()
                continue
            line += [float("nan")] * size
            said = [row.reason for row in rows if row.attribute == name and row.subject is not None and row.reason]
            gaps[name] = said[-1] if said else "nothing_observed"
    return line, "", gaps


def random_store(store: Store, random: Random) -> None:
    """Fill the store with everything that can happen."""
    words = [str(number) for number in range(random.randint(0, 12))]
    for _ in range(random.randint(0, 25)):
        people = random.choice([0, 1, 1, 2])
        job = store.job(f"prompt {random.randint(0, 2)} of {people}", people, random.choice("gh"))
        for attempt in range(random.randint(0, 3)):
            store.outcomes.append(Outcome(job, attempt, "failed", reason=random.choice("xy")))
        fate = random.random()
        if fate < 0.7 and words:
            store.outcomes.append(Outcome(job, 9, "made", image=name_of(random.choice(words))))
        elif fate < 0.8:
            store.outcomes.append(Outcome(job, 9, "refused", reason="policy"))
    turns = [(word, by) for word in words for by in (CLIP, HUMANS, "stranger@1") if random.random() < 0.8]
    random.shuffle(turns)
    for word, by in turns:
        rows = [row for subject in random_subjects(random) for row in random_person(random, word, subject, by)]
        if random.random() < 0.3:
            rows += present(word, random.choice([0.1, 0.2, 0.9]), by)
        if random.random() < 0.2:
            rows += lost(word, random.choice(["no_face", "several_faces", "one_face"]), by=by)
        store.seen += rows or lost(word, "said_nothing", by=by)


def random_subjects(random: Random) -> list[int]:
    return random.sample(range(4), random.choice([0, 1, 1, 1, 2, 2, 3]))


def random_person(random: Random, word: str, subject: int, by: str) -> list[Seen]:
    if random.random() < 0.1:
        return lost(word, "tiny_face", subject, by)

    def mass(size: int) -> Any:
        if random.random() < 0.15:
            return random.choice(["too_dark", "blurred", None, (0.5,) * 4])
        cuts = sorted(random.choices(range(17), k=size - 1))
        return tuple((high - low) / 16 for low, high in zip([0, *cuts], [*cuts, 16], strict=True))

    return saw(word, mass(2), mass(3), subject, by)


def sums_of(lines: Sequence[Line], sizes: Sequence[int]) -> tuple[Array, Array, Array, Array]:
    """Return together, sums, products and hard counts of lines of masses."""
    width = sum(sizes)
    firsts = [sum(sizes[:place]) for place in range(len(sizes))]
    together, sums = np.zeros((len(sizes), len(sizes))), np.zeros(width)
    products, hard = np.zeros((width, width)), np.zeros(width)
    for line in lines:
        full = [0.0 if value != value else value for value in line]
        seen = [line[first] == line[first] for first in firsts]
        together += np.outer(seen, seen)
        sums += full
        products += np.outer(full, full)
        for first, size, there in zip(firsts, sizes, seen, strict=True):
            own = full[first : first + size]
            hard[first + own.index(max(own))] += there
    return together, sums, products, hard


def check(found: Sequence[Aligned], lines: dict[tuple[str, str], list[Line]], sizes: Sequence[int]) -> None:
    assert {(prompt.people, cell) for prompt in found for cell in prompt.cells} >= {
        (len(some[0]) // sum(sizes), cell) for cell, some in lines.items()
    }
    for each in found:
        for row, cell in enumerate(each.cells):
            expected = sums_of(lines.get(cell, []), [*sizes] * each.people)
            moments = each.moments.take([row])
            for got, want in zip(
                (moments.together, moments.sums, moments.products, moments.hard), expected, strict=True
            ):
                np.testing.assert_allclose(got[0], want, atol=1e-12)


@given(seed=st.integers(0, 2**32), rows=st.sampled_from([1, 2, 3, 7, 120_000]), parts=st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_sums_are_those_of_a_slow_reference_however_batches_are_cut(
    write_study: Make, tmp_path_factory: pytest.TempPathFactory, seed: int, rows: int, parts: int
) -> None:
    folder = write_study(tmp_path_factory.mktemp("random") / "study", annotators=[{"use": CLIP}, {"use": HUMANS}])
    store = open_store(folder)
    random_store(store, Random(seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ROWS", rows)
        tables = store.align(OPTIMISED, parts=parts)
    aligned, matched, labelled, absent = reference(store, OPTIMISED)
    names = ("generator", "prompt", "annotator", "attribute", "reason")
    assert Counter({tuple(row[name] for name in names): row["count"] for row in tables.missing.to_pylist()}) == absent
    sizes = [size for _, size in COLUMNS]
    for sums, lines in ((tables.aligned, aligned), (tables.matched, matched), (tables.labelled, labelled)):
        assert set(sums) == {annotator for annotator, _, _ in lines}
        for annotator, found in sums.items():
            own = {(generator, prompt): some for (by, generator, prompt), some in lines.items() if by == annotator}
            check(found, own, sizes)
