"""Evidence of any kind: added up in any split and any order, and merged in any grouping, it is exactly the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import reduce
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.evidence import (
    Batch,
    Confusion,
    Edits,
    GroupCounts,
    GroupMoments,
    MatchedMoments,
    Missing,
    Need,
    PeopleByPicture,
    Plan,
    Rule,
    SeedPairs,
    Sums,
    Texts,
    Values,
)
from portrayal.methods.faintbench.alignment import load_profile
from portrayal.records import Prompt, attribute_table

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
SIZES = {"gender": 2, "race5": 5}
SOFT = load_profile("optimised", Path(), attribute_table())


def couples(prompts: Collection[Prompt]) -> list[tuple[str, str]]:
    """Every two different prompts."""
    ids = [prompt.id for prompt in prompts]
    return [(x, y) for x in ids for y in ids if x != y]


MOMENTS = GroupMoments(tuple(SIZES.items()), SOFT, Rule("exactly", 0.2), HUMANS)
NEEDS: Mapping[str, Need[Any]] = {
    "labels": GroupCounts(Rule("each")),
    "labels of one person": GroupCounts(Rule("one")),
    "masses": GroupCounts(Rule("each"), "mass"),
    "masses as asked": GroupCounts(Rule("asked"), "mass"),
    "numbers": Values(Rule("each")),
    "missing": Missing(Rule("exactly", 0.2)),
    "missing of each": Missing(Rule("each")),
    "confusion": Confusion(Rule("each")),
    "images told": PeopleByPicture(Rule("each")),
    "moments": MOMENTS,
    "matched": MatchedMoments(MOMENTS, HUMANS),
    "edits": Edits(("gender", "age")),
    "pairs of labels": SeedPairs(Rule("each"), "label", couples),
    "pairs of masses": SeedPairs(Rule("each"), "mass", couples),
    "texts": Texts(Rule("each"), "caption"),
}

Masses = st.lists(st.floats(1e-6, 1.0) | st.sampled_from([0.0, 1e-30, 0.1, 0.2, 1.0]), min_size=5, max_size=5)
"""Weights of groups, of which as many are taken as an attribute has; very unequal, and now and then all nothing."""
Told = Masses | st.integers(0, 4) | st.sampled_from(["too_dark", "blurred", None])
"""What is said of an attribute: a soft mass, a hard one, why there is none, or nothing."""
Number = st.floats(-1e150, 1e150) | st.sampled_from([0.1, 30.0, 1e16, -1e16, 1e-200, float("nan"), "too_dark", None])
Person = st.tuples(st.integers(0, 3), Told, Told, Number)
Look = st.tuples(
    st.lists(Person, max_size=3, unique_by=lambda person: person[0]),
    st.lists(st.sampled_from(["no_face", "several_faces", "one_face", "blurred"]), max_size=2),
    st.none() | st.sampled_from([0.1, 0.2, 0.4, 0.9]),
    st.none() | st.sampled_from(["a nurse", "a tree", ""]),
)
"""One annotator's rows about one image: its people, reasons against it, whether it shows anyone, and a caption."""
Image = st.dictionaries(st.sampled_from([CLIP, HUMANS, "stranger"]), Look, max_size=3)
Job = st.tuples(
    st.integers(0, 3),
    st.sampled_from("gh"),
    st.integers(0, 7),
    st.integers(0, 2),
    st.none()
    | st.lists(st.dictionaries(st.sampled_from(list(SIZES)), st.sampled_from(["male", "latino"])), max_size=2),
)
"""The prompt, the generator, the image, the seed, and who is planted."""
PROMPTS = (("nurse", 1), ("CEO", 1), ("couple", 2), ("nurses", 0))


def fill(store: Store, images: Sequence[Mapping[str, Any]], jobs: Sequence[tuple[Any, ...]]) -> None:
    for prompt, generator, image, seed, planted in jobs:
        text, people = PROMPTS[prompt]
        if image < len(images):
            store.made(str(image), text, people, generator, seed=seed, planted=planted, source=seed)
        else:
            store.unmade("pending", text, people, seed)
    for number, image in enumerate(images):
        for by, (people, reasons, shows, caption) in image.items():
            for reason in reasons:
                store.said(str(number), reason, by=by)
            if shows is not None:
                store.present(str(number), shows, by)
            if caption is not None:
                store.wrote(str(number), caption, by)
            for subject, *told in people:
                for name, what in zip((*SIZES, "age"), told, strict=True):
                    tell(store, str(number), name, what, (subject, by))


def tell(store: Store, word: str, attribute: str, what: Any, whom: tuple[int, str]) -> None:
    if isinstance(what, int):
        store.told(word, attribute, tuple(np.eye(SIZES[attribute])[what % SIZES[attribute]].tolist()), *whom)
    elif isinstance(what, list):
        mass = np.array(what[: SIZES[attribute]])
        store.told(word, attribute, tuple((mass / (mass.sum() or 1.0)).tolist()), *whom)
    elif what is not None:
        store.told(word, attribute, what, *whom)


def plain(result: Any) -> Any:
    """Return a result as plain values, to be compared exactly; nan is a value like any other."""
    if is_dataclass(result) and not isinstance(result, type):
        return {field.name: plain(getattr(result, field.name)) for field in fields(result)}
    if isinstance(result, np.ndarray):
        kind, values = result.dtype.kind, result.ravel().tolist()
        return kind, result.shape, [repr(value if kind == "U" else float(value)) for value in values]
    if isinstance(result, Mapping):
        return {key: plain(value) for key, value in result.items()}
    if isinstance(result, list | tuple):
        return [plain(value) for value in result]
    return result


def add_up(need: Need[Any], plan: Plan, batches: Sequence[Batch]) -> Sums[Any]:
    sums = need.begin(plan)
    for batch in batches:
        sums.add(batch)
    return sums


def merge_all(parts: list[Sums[Any]], random: Random) -> Sums[Any]:
    """Merge any two, again and again, until there is one."""
    while len(parts) > 1:
        random.shuffle(parts)
        parts[-1].merge(parts.pop(0))
    return parts[0]


@pytest.mark.slow
@given(
    images=st.lists(Image, min_size=1, max_size=6),
    jobs=st.lists(Job, max_size=12),
    cut=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    parts=st.integers(1, 4),
    random=st.randoms(use_true_random=False),
)
@settings(max_examples=150)
def test_any_split_order_and_grouping_gives_exactly_the_same(
    make_store: Callable[..., Store], images: Any, jobs: Any, cut: tuple[int, int], parts: int, random: Random
) -> None:
    store = make_store({CLIP: (*SIZES, "age", "person"), HUMANS: (*SIZES, "age")}, editing=("CEO",))
    fill(store, images, jobs)
    plan = store.plan(list(NEEDS.values()))
    whole, pieces = store.batches(plan, 10_000, 10_000), store.batches(plan, *cut)
    random.shuffle(pieces)
    bags: list[list[Batch]] = [[] for _ in range(parts)]
    for piece in pieces:
        random.choice(bags).append(piece)
    for name, need in NEEDS.items():
        expected = plain(add_up(need, plan, whole).result())
        merged = merge_all([add_up(need, plan, bag) for bag in bags], random)
        assert plain(merged.result()) == expected, name


def many(store: Store, random: Random) -> None:
    """Fill a store with a few hundred images: enough that sums of floating point numbers depend on their order."""
    for number in range(300):
        word, text = str(number), PROMPTS[random.choice([0, 1, 1, 2])]
        planted = [{"gender": random.choice(["male", "female"])}] if random.random() < 0.5 else None
        store.made(word, *text, random.choice("gh"), seed=random.randint(0, 6), planted=planted, source=number % 50)
        if random.random() < 0.2:
            store.made(word, "judge", 1, "g", seed=random.randint(0, 6))
        for by in (CLIP, HUMANS):
            for subject in range(random.choice([1, 1, text[1]])):
                for name, size in SIZES.items():
                    tell(store, word, name, [random.random() ** 12 for _ in range(size)], (subject, by))
                store.told(word, "age", random.lognormvariate(0, 20), subject, by)
            store.wrote(word, random.choice(["a nurse", "a judge", f"nurse {number}"]), by)


@pytest.mark.slow
def test_hundreds_of_images_in_any_order(make_store: Callable[..., Store]) -> None:
    random = Random(5)
    store = make_store({CLIP: (*SIZES, "age"), HUMANS: (*SIZES, "age")}, editing=("CEO",))
    many(store, random)
    plan = store.plan(list(NEEDS.values()))
    whole, pieces = store.batches(plan, 10_000, 10_000), store.batches(plan, 5, 5)
    assert len(pieces) > 100
    for name, need in NEEDS.items():
        expected = plain(add_up(need, plan, whole).result())
        for parts in (1, 7):
            random.shuffle(pieces)
            bags = [pieces[start::parts] for start in range(parts)]
            found = merge_all([add_up(need, plan, bag) for bag in bags], random).result()
            assert plain(found) == expected, name


def test_the_images_above_would_notice_a_sum_that_rounds(make_store: Callable[..., Store]) -> None:
    """Plain sums of the same numbers do depend on the order: what is tested above is not true by chance."""
    store = make_store({CLIP: (*SIZES, "age")})
    many(store, Random(5))
    numbers = [float(np.float32(row.mass[0])) for row in store.seen if row.mass is not None]
    ages = [row.value for row in store.seen if row.value is not None]
    for own in (numbers, ages):
        assert reduce(float.__add__, own) != reduce(float.__add__, own[::-1])


@pytest.mark.slow
def test_merging_leaves_the_other_as_it_is(make_store: Callable[..., Store]) -> None:
    store = make_store({CLIP: (*SIZES, "age"), HUMANS: (*SIZES, "age")}, editing=("CEO",))
    many(store, Random(6))
    plan = store.plan(list(NEEDS.values()))
    batches = store.batches(plan, 50, 50)
    for name, need in NEEDS.items():
        one, other = (add_up(need, plan, own) for own in (batches[::2], batches[1::2]))
        before = plain(other.result())
        one.merge(other)
        both = plain(one.result())
        empty = need.begin(plan)
        empty.merge(other)
        empty.merge(add_up(need, plan, batches[::2]))
        assert plain(empty.result()) == both, name
        assert plain(other.result()) == before, name
