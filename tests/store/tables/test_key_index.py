from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.store.tables.key_index import KeyIndex, KeySet
from portrayal.store.tables.keys import Keys

Numbers = (
    st.integers(0, 9)
    | st.integers(2**54 - 3, 2**54 + 3)
    | st.integers(2**62 - 3, 2**62 + 3)
    | st.integers(2**64 - 5, 2**64 - 1)
)
"""Keys, few of them different; some differ in their last bits only, and some are tiny or huge as floating point."""
Entries = st.lists(st.tuples(Numbers, st.integers(0, 7), st.integers(0, 2**40 - 1) | st.integers(0, 3)), max_size=14)
"""Keys, each with a cell and a seed."""
FIELDS = {"cell": 3, "seed": 40}


def array(keys: Sequence[int]) -> Keys:
    return np.array(keys, dtype=np.uint64)


def index_of(*batches: Sequence[tuple[int, int, int]], spare: int = 0) -> KeyIndex:
    index = KeyIndex(sum(map(len, batches)) + spare, FIELDS)
    for batch in batches:
        keys, cells, seeds = ([row[place] for row in batch] for place in range(3))
        index.add(array(keys), cell=np.array(cells, dtype=np.int64), seed=np.array(seeds, dtype=np.int64))
    return index


def matches(index: KeyIndex, keys: Sequence[int]) -> Counter[tuple[int, int, int]]:
    places, found = index.find(array(keys))
    return Counter(zip(places.tolist(), found["cell"].tolist(), found["seed"].tolist(), strict=True))


@given(first=Entries, second=Entries, keys=st.lists(Numbers, max_size=8), spare=st.integers(0, 3))
def test_every_match_is_found_with_what_belongs_to_it(first: Any, second: Any, keys: list[int], spare: int) -> None:
    index = index_of(first, second, spare=spare)
    rows = [*first, *second]
    assert len(index) == len(rows)
    expected = Counter((place, *row[1:]) for place, key in enumerate(keys) for row in rows if row[0] == key)
    assert matches(index, keys) == expected
    assert matches(index, keys[::-1]) == Counter({(len(keys) - 1 - p, *r): n for (p, *r), n in expected.items()})


@given(rows=Entries, keys=Entries)
def test_a_key_is_there_with_the_numbers_that_are_asked_for(rows: Any, keys: Any) -> None:
    index = index_of(rows)
    asked = array([key for key, _, _ in keys])
    assert index.has(asked).tolist() == [any(row[0] == key for row in rows) for key, _, _ in keys]
    cells, seeds = (np.array([row[place] for row in keys], dtype=np.int64) for place in (1, 2))
    assert index.has(asked, cell=cells).tolist() == [
        any(row[:2] == (key, cell) for row in rows) for key, cell, _ in keys
    ]
    assert index.has(asked, cell=cells, seed=seeds).tolist() == [key in rows for key in keys]


@given(rows=Entries)
def test_everything_can_be_had_in_order(rows: Any) -> None:
    keys, fields = index_of(rows, spare=2).ordered()
    assert keys.tolist() == sorted(row[0] for row in rows)
    columns = (keys.tolist(), fields["cell"].tolist(), fields["seed"].tolist())
    assert Counter(zip(*columns, strict=True)) == Counter(rows)


def test_an_empty_index_has_nothing() -> None:
    for room in (0, 5):
        index = KeyIndex(room, FIELDS)
        places, found = index.find(array([0, 1, 2**64 - 1]))
        assert (places.tolist(), {name: own.tolist() for name, own in found.items()}) == ([], {"cell": [], "seed": []})
        assert index.has(array([0, 2])).tolist() == [False, False]
        assert (len(index), index.has(array([])).tolist(), index.ordered()[0].tolist()) == (0, [], [])


def test_keys_alone_need_no_numbers() -> None:
    index = KeyIndex(3)
    index.add(array([7, 3, 7]))
    assert index.has(array([3, 4, 7])).tolist() == [True, False, True]
    assert index.find(array([7]))[0].tolist() == [0, 0]


def test_numbers_may_fill_the_room_that_they_have() -> None:
    index = KeyIndex(2, {"wide": 49, "bit": 1})
    index.add(array([2**64 - 1, 5]), wide=np.array([2**49 - 1, 0]), bit=np.array([1, 0]))
    _, found = index.find(array([2**64 - 1]))
    assert (found["wide"].tolist(), found["bit"].tolist()) == ([2**49 - 1], [1])
    with pytest.raises(ValueError, match="need more than 50 bits"):
        KeyIndex(1, {"wide": 50, "bit": 1})


def test_nothing_can_be_added_after_the_first_search() -> None:
    index = KeyIndex(2)
    index.add(array([1]))
    index.has(array([1]))
    with pytest.raises(ValueError, match="cannot be added"):
        index.add(array([2]))


@pytest.mark.parametrize("repeated", [False, True])
def test_many_keys_in_many_batches(repeated: bool) -> None:
    rng = np.random.default_rng(4)
    keys = rng.integers(0, 2**64, 20_000, dtype=np.uint64)
    keys[:200] >>= np.uint64(11)  # as floating point these are subnormal
    if repeated:
        keys[-5000:] = keys[:5000]
    index = KeyIndex(len(keys), {"place": 20})
    for start in range(0, len(keys), 777):
        index.add(keys[start : start + 777], place=np.arange(start, min(start + 777, len(keys))))
    order = rng.permutation(len(keys))
    places, found = index.find(keys[order])
    assert (keys[order][places] == keys[found["place"]]).all()
    assert len(places) == len(keys) + (2 * 5000 if repeated else 0)
    assert set(zip(order[places].tolist(), found["place"].tolist(), strict=True)) >= {(n, n) for n in order.tolist()}
    assert not index.has(keys ^ np.uint64(1)).any()
    np.testing.assert_array_equal(index.ordered()[0], np.sort(keys))


Names = st.sampled_from([16 * byte for byte in ("00", "ff", "a7")] + [32 * "1c", "one", "two", ""])
"""A few names, of either length and of somebody's own."""
Bits = st.none() | st.integers(0, 113)


def flipped(name: str, bit: int | None) -> str:
    """Return the name with one of its first 114 bits changed."""
    if bit is None or len(name) < 32:
        return name
    whole = int(name, 16) ^ (1 << (4 * len(name) - 1 - bit))
    return f"{whole:0{len(name)}x}"


@given(
    names=st.lists(st.tuples(Names, Bits), max_size=8),
    asked=st.lists(st.tuples(Names, Bits), max_size=8),
    encoded=st.booleans(),
)
def test_names_are_told_apart_and_counted(names: Any, asked: Any, encoded: bool) -> None:
    own, others = ([flipped(*name) for name in some] for some in (names, asked))
    known = KeySet(len(own))
    half = len(own) // 2
    for part in (own[:half], own[half:]):
        column = pa.array(part, pa.string())
        known.add(column.dictionary_encode() if encoded else column)
    column = pa.array(others, pa.string())
    column = column.dictionary_encode() if encoded else column
    assert known.has(column).tolist() == [name in own for name in others]
    assert known.count(column).tolist() == [own.count(name) for name in others]


def test_an_index_in_another_process_finds_the_same_and_may_share_its_memory() -> None:
    keys = np.random.default_rng(4).integers(0, 2**63, 1_000, dtype=np.uint64)
    index = KeyIndex(2_000, {"cell": 10})
    index.add(keys, cell=np.arange(1_000))
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(index, protocol=5, buffer_callback=buffers.append)
    assert sum(buffer.raw().nbytes for buffer in buffers) < 18 * 1_000, "room that is not used does not travel"
    again = pickle.loads(data, buffers=[bytes(buffer.raw()) for buffer in buffers])
    for own in (index, again):
        places, found = own.find(keys[::-1])
        assert found["cell"].tolist() == list(range(999, -1, -1))
        assert len(places) == len(own) == 1_000
