"""All evidence of random studies on disk against a slow reference: loops over jobs and rows, as plain as can be."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from portrayal.evidence import (
    Confusion,
    Evidence,
    GroupCounts,
    GroupMoments,
    MatchedMoments,
    Missing,
    People,
    PromptMoments,
    Rule,
    SeedPairs,
    Values,
)
from portrayal.methods.faintbench.alignment import load_profile
from portrayal.records import PERSON, Abstention, Observation, Outcome, Prompt, attribute_table
from portrayal.stats.intervals import Array
from portrayal.study.measure.collect import collect
from portrayal.study.run_control import RunControl

if TYPE_CHECKING:
    from tests.study.conftest import Written

Make = Callable[..., Path]
Cut = Callable[[int], AbstractContextManager[None]]
Begin = Callable[[Path], "Written"]
Seen = Observation | Abstention
Line = list[float]
LOOKS = {"attributes": ["gender", "race5", "age"]}
SIZES = {"gender": 2, "race5": 5}
PROFILE = load_profile("optimised", Path(), attribute_table())
PERSON_THRESHOLD = 0.2


def couples(prompts: Collection[Prompt]) -> list[tuple[str, str]]:
    """Every two prompts of as many people."""
    return [(x.id, y.id) for x in prompts for y in prompts if x.id < y.id and x.people == y.people]


@dataclass
class Reference:
    """What was added up, as plain values."""

    labels: Counter[Any] = field(default_factory=Counter)
    masses: dict[Any, list[float]] = field(default_factory=lambda: defaultdict(list))
    numbers: dict[Any, list[float]] = field(default_factory=lambda: defaultdict(list))
    missing: Counter[Any] = field(default_factory=Counter)
    confusion: Counter[Any] = field(default_factory=Counter)
    people: dict[Any, list[Line]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[Any, list[Line]] = field(default_factory=lambda: defaultdict(list))


def refer(written: Written, people: People, annotators: Sequence[str], threshold: float) -> Reference:
    """Add everything up for one rule."""
    found, counted = Reference(), set[tuple[Any, ...]]()
    asked = {prompt.id: prompt.people for prompt in written.prompts.values()}
    for job in sorted(written.jobs, key=lambda job: job.seed):  # of the same picture again, the smallest seed counts
        cell = (job.generator, job.prompt)
        outcomes = [outcome for outcome in written.outcomes if outcome.job == job.id]
        made = next((outcome for outcome in outcomes if outcome.status == "made"), None)
        if made is None:
            last = max(outcomes, key=lambda outcome: outcome.attempt, default=None)
            found.missing[cell, "", "", f"{last.status}: {last.reason}" if last else "pending"] += 1
            continue
        for by in annotators:
            rows = [row for row in written.seen if row.image == made.image and row.annotator == by]
            if rows and (cell, made.image, by) in counted:
                continue  # the same picture again in answer to the same prompt
            counted.add((cell, made.image, by))
            reason = why_not(rows, asked[job.prompt], people, threshold)
            if reason:
                found.missing[cell, by, "", reason] += 1
                continue
            for name, gap in gaps(rows):
                found.missing[cell, by, name, gap] += 1
            add(found, rows, (cell, by), made, job.seed)
            found.lines[by, cell].append([float(job.index), *line_of(rows, by, max(asked[job.prompt], 1))])
    return found


def add(found: Reference, rows: Sequence[Seen], where: tuple[Any, str], made: Outcome, seed: int) -> None:
    for row in rows:
        key = (*where, row.attribute)
        if row.mass is not None and SIZES.get(row.attribute or "") == len(row.mass):
            masses = [float(np.float32(part)) for part in row.mass]
            best = masses.index(max(masses))
            found.labels[(*key, best)] += 1
            for group, mass in enumerate(masses):
                found.masses[(*key, group)].append(mass)
            person = made.planted[0] if made.planted and len(made.planted) == 1 else {}
            if row.attribute in person:
                found.confusion[(*key, person[row.attribute], best)] += 1
            if seed:
                found.people[(*key, seed)].append([float(group == best) for group in range(len(masses))])
        elif row.value is not None and math.isfinite(row.value) and row.attribute == "age":
            found.numbers[key].append(row.value)


def why_not(rows: Sequence[Seen], asked: int, people: People, threshold: float) -> str:
    """Return why an image cannot be used, "" where it can."""
    if not rows:
        return "not annotated"
    wanted = {"one": (1, 1), "each": (1, 99), "exactly": (asked, asked)}[people]
    if wanted[1] == 0:
        return "group"
    shows = [row.mass[0] for row in rows if row.attribute == PERSON and row.mass]
    if shows and shows[0] < threshold:
        return "hallucination"
    described = len({row.subject for row in rows if row.subject is not None and row.attribute not in (None, PERSON)})
    fits = wanted[0] <= described <= wanted[1]
    excuse = {1: "one_", 2: "several_", 99: ""}[wanted[1]] if fits else "never"
    reasons = [row.reason for row in rows if row.subject is None and row.reason]
    if blocking := [reason for reason in reasons if not reason.startswith(excuse)]:
        other = [reason for reason in blocking if not reason.startswith(("one_", "several_"))]
        return (other or blocking)[-1]
    if not described:
        return "no_person" if shows and shows[0] < 0.5 else "nothing_observed"
    return "" if fits else "one_person" if described < wanted[0] else "several_people"


def gaps(rows: Sequence[Seen]) -> Iterator[tuple[str, str]]:
    """Yield the attributes that are not told of everybody in a usable image, and why."""
    subjects = {row.subject for row in rows if row.subject is not None and row.attribute not in (None, PERSON)}
    for name in (*SIZES, "age"):
        own = [row for row in rows if row.attribute == name and row.subject is not None]
        told = [row for row in own if row.value is not None or len(row.mass or ()) == SIZES.get(name)]
        said = [row.reason for row in own if row.reason]
        if said or len(told) < len(subjects):
            yield name, (said or ["nothing_observed"])[-1]


def line_of(rows: Sequence[Seen], by: str, people: int) -> Line:
    """Return the corrected masses of the people of an image side by side, nan where there are none."""
    subjects = sorted({row.subject for row in rows if row.subject is not None and row.attribute not in (None, PERSON)})
    line: Line = []
    for subject in subjects[:people]:
        for name, size in SIZES.items():
            own = [row.mass for row in rows if row.subject == subject and row.attribute == name]
            if own and own[0] is not None and len(own[0]) == size:
                mass = np.round(np.array([own[0]], dtype=np.float32).astype(float), 7)
                line += (mass if "humans" in by else PROFILE.align(name, mass))[0].tolist()
            else:
                line += [math.nan] * size
    return line


def random_study(written: Written, random: Random, annotators: Sequence[str]) -> None:
    """Fill the tables with everything that can happen."""
    words = [str(number) for number in range(random.randint(0, 12))]
    crowds: list[Any] = [None, [], [{"gender": "male"}], [{"race5": "latino"}] * 2, [{"race5": "latino"}]]
    people_of = {word: random.choice(crowds) for word in words}
    for _ in range(random.randint(0, 25)):
        people = random.choice([0, 1, 1, 2])
        text = f"prompt {random.randint(0, 2)} of {people}"
        job = written.job(text, people, random.choice("gh"), random.randint(0, 3))
        for attempt in range(random.randint(0, 3)):
            written.outcomes.append(Outcome(job, attempt, "failed", reason=random.choice("xy")))
        fate = random.random()
        if fate < 0.7 and words:
            word = random.choice(words)
            written.outcomes.append(Outcome(job, 9, "made", image=written.name_of(word), planted=people_of[word]))
        elif fate < 0.8:
            written.outcomes.append(Outcome(job, 9, "refused", reason="policy"))
    turns = [(word, by) for word in words for by in (*annotators, "stranger@1") if random.random() < 0.8]
    random.shuffle(turns)
    for word, by in turns:
        before = len(written.seen)
        for subject in random.sample(range(4), random.choice([0, 1, 1, 1, 2, 2, 3])):
            random_person(written, random, (word, by, subject))
        if random.random() < 0.3:
            written.told(word, by, 0, PERSON, random.choice([(0.1, 0.9), (0.2, 0.8), (0.4, 0.6), (0.9, 0.1)]))
        if random.random() < 0.2:
            written.told(word, by, what=random.choice(["no_face", "several_faces", "one_face"]))
        if len(written.seen) == before:
            written.told(word, by, what="said_nothing")


def random_person(written: Written, random: Random, whom: tuple[str, str, int]) -> None:
    if random.random() < 0.1:
        written.told(*whom, what="tiny_face")
        return
    for name, size in SIZES.items():
        if random.random() < 0.15:
            what: Any = random.choice(["too_dark", "blurred", None, (0.5,) * 4])
        else:
            weights = [random.random() ** 4 for _ in range(size)]
            what = tuple(weight / sum(weights) for weight in weights)
        if what is not None:
            written.told(*whom, name, what)
    if random.random() < 0.8:
        written.told(*whom, "age", random.choice(["too_dark", random.lognormvariate(3, 2), -random.random()]))


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


def check_moments(found: Mapping[str, Sequence[PromptMoments]], lines: Mapping[Any, Sequence[Line]]) -> None:
    assert set(found) == {by for by, _ in lines}
    for by, parts in found.items():
        assert {cell for part in parts for cell in part.cells} >= {cell for who, cell in lines if who == by}
        for part in parts:
            for row, cell in enumerate(part.cells):
                own = [line[1:] for line in lines.get((by, cell), ())]
                moments = part.moments.take([row])
                arrays = (moments.together, moments.sums, moments.products, moments.hard)
                for got, want in zip(arrays, sums_of(own, [*SIZES.values()] * part.people), strict=True):
                    np.testing.assert_allclose(got[0], want, atol=1e-10)


def check_counts(evidence: Evidence, found: Reference, rule: Rule) -> None:
    cells = evidence.plan.cells

    def spread(results: Mapping[tuple[str, str], Array]) -> dict[Any, float]:
        return {
            (cells[cell], *key, group): value
            for key, counts in results.items()
            for (cell, group), value in np.ndenumerate(counts)
            if value
        }

    assert spread(evidence[GroupCounts(rule)]) == found.labels
    assert spread(evidence[GroupCounts(rule, "mass")]) == {
        key: total for key, parts in found.masses.items() if (total := math.fsum(parts))
    }
    numbers = {
        (cells[cell], *key): (int(own.n[cell]), own.total[cell], own.squares[cell])
        for key, own in evidence[Values(rule)].items()
        for cell in np.flatnonzero(own.n).tolist()
    }
    assert numbers == {
        key: (len(own), math.fsum(own), math.fsum(value * value for value in own)) for key, own in found.numbers.items()
    }
    confusion = evidence[Confusion(rule)]
    assert {
        (cells[cell], *key, confusion.planted[key[1]][planted], perceived): count
        for key, counts in confusion.counts.items()
        for (cell, planted, perceived), count in np.ndenumerate(counts)
        if count
    } == found.confusion


def check_missing(evidence: Evidence, found: Reference, rule: Rule) -> None:
    assert {
        (evidence.plan.cells[cell], *key): int(counts[cell])
        for key, counts in evidence[Missing(rule)].counts.items()
        for cell in np.flatnonzero(counts).tolist()
    } == found.missing


def check_pairs(evidence: Evidence, need: SeedPairs, found: Reference, written: Written) -> None:
    shares = {key: np.mean(own, axis=0) for key, own in found.people.items()}
    planned = {((job.generator, job.prompt), job.seed) for job in written.jobs if job.seed}
    cells = evidence.plan.cells
    for x, y in ((x, y) for x in range(len(cells)) for y in range(len(cells))):
        one, other = cells[x], cells[y]
        if one[0] != other[0] or (one[1], other[1]) not in couples(list(evidence.plan.design.prompts.values())):
            assert (x, y) not in evidence[need].planned
            continue
        partners = [seed for cell, seed in planned if cell == one and (other, seed) in planned]
        assert evidence[need].planned.get((x, y), 0) == len(partners)
        for key in {key[1:3] for key in shares}:
            gaps = [
                share - shares[other, *key, seed]
                for (cell, *about, seed), share in shares.items()
                if cell == one and tuple(about) == key and (other, *key, seed) in shares
            ]
            seen = evidence[need].differences.get(key, {}).get((x, y))
            assert (seen.n if seen else 0) == len(gaps)
            if seen:
                np.testing.assert_allclose(seen.totals, np.sum(gaps, axis=0), atol=1e-12)
                np.testing.assert_allclose(seen.squares, np.sum(np.square(gaps), axis=0), atol=1e-12)


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), rows=st.sampled_from([1, 2, 3, 7, 120_000]), parts=st.integers(1, 3))
@settings(max_examples=40)
@example(seed=1724, rows=1, parts=1)
def test_evidence_is_that_of_a_slow_reference_however_batches_are_cut(
    by_hand: Begin, write_study: Make, cut_tables: Cut, tmp_path_factory: pytest.TempPathFactory,
    seed: int, rows: int, parts: int,
) -> None:  # fmt: skip
    looks = [{"use": name, "options": LOOKS} for name in ("imported:clip", "imported:humans")]
    written = by_hand(write_study(tmp_path_factory.mktemp("random") / "study", annotators=looks))
    annotators = clip, humans = list(written.study.annotators)
    random_study(written, Random(seed), annotators)
    exactly = Rule("exactly", PERSON_THRESHOLD)
    moments = GroupMoments(tuple(SIZES.items()), PROFILE, exactly, "humans")
    matched, pairs = MatchedMoments(moments, "humans"), SeedPairs(Rule("each"), "label", couples)
    rules = [Rule("one"), Rule("each")]
    kinds = [kind for rule in rules for kind in (GroupCounts(rule), GroupCounts(rule, "mass"), Values(rule))]
    others = [kind for rule in rules for kind in (Missing(rule), Confusion(rule))]
    with cut_tables(rows):
        evidence = collect(
            written.write(parts), [moments, matched, pairs, Missing(exactly), *kinds, *others], RunControl()
        )
    for rule in rules:
        found = refer(written, rule.people, annotators, rule.person)
        check_counts(evidence, found, rule)
        check_missing(evidence, found, rule)
        if rule.people == "each":
            check_pairs(evidence, pairs, found, written)
    found = refer(written, "exactly", annotators, PERSON_THRESHOLD)
    check_missing(evidence, found, exactly)
    check_moments(evidence[moments], found.lines)
    both: dict[str, dict[Any, list[Line]]] = {clip: {}, humans: {}}
    for (by, cell), own in found.lines.items():
        other = {line[0] for line in found.lines.get((humans if by == clip else clip, cell), ())}
        if kept := [line for line in own if line[0] in other]:
            both[by][clip, cell] = kept
    check_moments(evidence[matched].seen, both[clip])
    check_moments(evidence[matched].labelled, both[humans])
