from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.store.tables.keys import key_numbers, names_to_keys

Digits = st.sampled_from([16, 32]).flatmap(lambda size: st.binary(min_size=size, max_size=size)).map(bytes.hex)
"""Names of jobs and of images: 32 or 64 hexadecimal digits."""
Odd = st.text(max_size=80).filter(lambda name: len(name.encode()) not in (32, 64))
"""Names of somebody's own."""
First = st.sampled_from([0, 16])


def expected(name: str | None, first: int) -> int:
    return 0 if name is None else int(name[first : first + 16], 16)


@given(names=st.lists(Digits | st.none(), max_size=8), first=First, start=st.integers(0, 8), stop=st.integers(0, 8))
def test_keys_are_64_bits_of_the_names_also_of_slices(
    names: list[str | None], first: int, start: int, stop: int
) -> None:
    found = key_numbers(pa.array(names, pa.string())[start:stop], first)
    assert found.dtype == np.uint64
    assert found.tolist() == [expected(name, first) for name in names[start:stop]]


@given(size=st.sampled_from([16, 32]), first=First, data=st.data())
def test_names_of_one_length_are_read_at_once(size: int, first: int, data: st.DataObject) -> None:
    raw = data.draw(st.lists(st.binary(min_size=size, max_size=size), min_size=1, max_size=8))
    start = data.draw(st.integers(0, len(raw)))
    names = [name.hex() for name in raw]
    assert key_numbers(pa.array(names)[start:], first).tolist() == [expected(name, first) for name in names[start:]]


@given(name=Digits, first=First)
def test_keys_of_capitals_are_the_same(name: str, first: int) -> None:
    assert key_numbers(pa.array([name.upper()]), first).tolist() == [expected(name, first)]


@given(names=st.lists(Digits | st.none() | Odd, max_size=12), start=st.integers(0, 12))
def test_odd_names_have_keys_of_their_own_and_leave_the_others_theirs(names: list[str | None], start: int) -> None:
    high, low = (key_numbers(pa.array(names, pa.string())[start:], first).tolist() for first in (0, 16))
    keys = dict(zip(names[start:], zip(high, low, strict=True), strict=True))
    odd = {name: key for name, key in keys.items() if name is not None and len(name.encode()) not in (32, 64)}
    for name in keys.keys() - odd.keys():
        assert keys[name] == (expected(name, 0), expected(name, 16))
    assert len(set(odd.values())) == len(odd)
    assert not set(odd.values()) & {key for name, key in keys.items() if name not in odd}


@given(names=st.lists(Odd, min_size=1, max_size=6), others=st.lists(Digits | st.none() | Odd, max_size=4))
def test_an_odd_name_has_the_same_key_wherever_it_stands(names: list[str], others: list[str | None]) -> None:
    for first in (0, 16):
        alone = [key_numbers(pa.array([name]), first).tolist()[0] for name in names]
        assert key_numbers(pa.array([*others, *names]), first).tolist()[len(others) :] == alone


@pytest.mark.parametrize("name", ["", "a", "job 0", "f" * 31, "f" * 33, "ä" * 20])
def test_a_name_of_another_length_is_hashed(name: str) -> None:
    high, low = (int(key_numbers(pa.array([name]), first)[0]) for first in (0, 16))
    assert len({high, low, 0}) == 3, "two halves of a hash, neither of which is that of no name"


def test_no_names_have_no_keys() -> None:
    assert key_numbers(pa.array([], pa.string())).tolist() == []
    assert key_numbers(pa.nulls(3, pa.string())).tolist() == [0, 0, 0]


@given(names=st.lists(Digits | st.none() | Odd, max_size=8), first=First, start=st.integers(0, 8))
def test_encoded_names_have_the_same_keys(names: list[str | None], first: int, start: int) -> None:
    plain = pa.array(names, pa.string())
    encoded = plain.dictionary_encode()
    assert names_to_keys(encoded[start:], first).tolist() == key_numbers(plain[start:], first).tolist()
    assert names_to_keys(plain[start:], first).tolist() == key_numbers(plain[start:], first).tolist()
