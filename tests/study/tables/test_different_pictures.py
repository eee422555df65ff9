"""The same bytes are one picture, however often and by whomever they were made."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.store.tables import key_index
from portrayal.store.tables.key_index import KeyIndex
from portrayal.study.tables.different_pictures import count_pictures, pictures_of_several_prompts
from portrayal.study.tables.plan_answers import Answers

IMAGES = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("pq"), st.integers(0, 9)), max_size=60)


@pytest.mark.slow
@given(images=IMAGES)
def test_counts_are_those_of_sets(images: list[tuple[str, str, int]]) -> None:
    cells = sorted({(generator, prompt) for generator, prompt, _ in images})
    index = KeyIndex(len(images), {"cell": 8})
    for generator, prompt, picture in images:
        index.add(np.array([picture << 3], dtype=np.uint64), cell=np.array([cells.index((generator, prompt))]))
    own = defaultdict(set)
    for generator, _, picture in images:
        own[generator].add(picture)
    none = np.zeros(len(cells), dtype=np.int64)
    found = count_pictures(Answers(cells, none, none, {}, index))
    assert found.distinct == {name: len(made) for name, made in own.items()}
    both = {(one, two): len(own[one] & own[two]) for one, two in combinations(sorted(own), 2)}
    assert found.shared == {pair: count for pair, count in both.items() if count}


def test_stretches_never_tear_equal_keys_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_index, "_STRETCH", 4)
    index = KeyIndex(40, {"cell": 8})
    numbers = np.repeat(np.arange(1, 9, dtype=np.uint64), 5) << np.uint64(40)
    index.add(numbers, cell=np.arange(40))
    stretches = [own for own, _ in index.stretches()]
    assert np.array_equal(np.concatenate(stretches), numbers)
    assert all(len(set(own.tolist())) * 5 == len(own) for own in stretches)
    assert index.distinct() == 8


@given(images=IMAGES)
def test_pictures_of_several_prompts_are_those_of_sets(images: list[tuple[str, str, int]]) -> None:
    cells = sorted({(generator, prompt) for generator, prompt, _ in images})
    index = KeyIndex(len(images), {"cell": 8})
    for generator, prompt, picture in images:
        index.add(np.array([picture << 3], dtype=np.uint64), cell=np.array([cells.index((generator, prompt))]))
    none = np.zeros(len(cells), dtype=np.int64)
    pictures, found = pictures_of_several_prompts(Answers(cells, none, none, {}, index))
    by_picture = defaultdict(set)
    for picture, cell in zip(pictures.tolist(), found.tolist(), strict=True):
        by_picture[picture].add(cell)
    own = defaultdict(set)
    for generator, prompt, picture in images:
        own[generator, picture].add(cells.index((generator, prompt)))
    assert sorted(map(sorted, by_picture.values())) == sorted(sorted(made) for made in own.values() if len(made) > 1)
    assert len(found) == sum(map(len, by_picture.values()))
