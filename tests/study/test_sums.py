from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from portrayal.study.sums import locate, missing_table

Numbers = st.lists(st.integers(0, 20) | st.integers(2**64 - 3, 2**64 - 1), max_size=8)


@given(known=Numbers, keys=Numbers)
def test_keys_are_found_where_they_stand(known: list[int], keys: list[int]) -> None:
    ordered = sorted(known)
    begins, ends = locate(np.array(ordered, dtype=np.uint64), np.array(keys, dtype=np.uint64))
    for key, begin, end in zip(keys, begins, ends, strict=True):
        assert ordered[begin:end] == [key] * known.count(key)


def test_missing_images_are_listed_by_cell() -> None:
    counts = {("clip@1", "", "no_face"): np.array([0, 2]), ("", "", "pending"): np.array([1, 3])}
    rows = missing_table(counts, [("g", "p"), ("g", "q")]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("g", "p", "", "", "pending", 1.0),
        ("g", "q", "", "", "pending", 3.0),
        ("g", "q", "clip@1", "", "no_face", 2.0),
    ]
    assert missing_table({}, []).num_rows == 0
