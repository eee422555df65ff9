from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.methods import Alignment
from portrayal.methods.alignment import Profile
from portrayal.records import OBSERVATION_SCHEMA, Abstention, Observation, to_table
from portrayal.store.table import Table
from portrayal.study.pivot import COLUMNS, ENCODED, NONE, Looked, Pivot, _keys

Seen = Observation | Abstention

WE, THEY = "clip@1", "humans"
ALIGNMENT = Alignment((("gender", 2), ("age3", 3)), Profile("plain", {}, ()), person=0.2)


def name_of(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


A, B, C = (name_of(word) for word in "abc")


def batches(rows: Iterable[Seen], size: int = 1000) -> list[pa.RecordBatch]:
    """Return rows as a scan yields them; all but the first batch are slices, which begin at an offset."""
    table = to_table(rows, OBSERVATION_SCHEMA).select(COLUMNS)
    for name in ENCODED:
        table = table.set_column(table.schema.get_field_index(name), name, table[name].dictionary_encode())
    return list(table.combine_chunks().to_batches(max_chunksize=size))


def look(rows: Iterable[Seen], size: int = 1000, alignment: Alignment = ALIGNMENT) -> list[Looked]:
    return list(Pivot(alignment, [WE, THEY], size).images(batches(rows, size)))


def look_once(rows: Iterable[Seen], alignment: Alignment = ALIGNMENT) -> Looked:
    """Return what one annotator saw; the last image of a batch waits for more rows and comes by itself."""
    parts = look(rows, alignment=alignment)

    def joined(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    return replace(
        parts[-1],
        keys=joined("keys"),
        people=joined("people"),
        mass=joined("mass"),
        person=joined("person"),
        reason=joined("reason"),
        why=joined("why"),
    )


def key_of(name: str) -> int:
    return int(name[:16], 16)


@given(names=st.lists(st.binary(min_size=32, max_size=32), max_size=6), start=st.integers(0, 6), stop=st.integers(0, 6))
def test_keys_are_the_first_64_bits_also_of_slices(names: list[bytes], start: int, stop: int) -> None:
    digits = [name.hex() for name in names]
    assert _keys(pa.array(digits, pa.string())[start:stop]).tolist() == [key_of(name) for name in digits[start:stop]]


def test_keys_of_capitals_are_the_same() -> None:
    assert _keys(pa.array([A.upper()])).tolist() == [key_of(A)]


def test_a_line_for_each_image() -> None:
    rows: list[Seen] = [
        Observation(A, WE, 0, "gender", (0.25, 0.75)),
        Observation(A, WE, 0, "age3", (0.5, 0.25, 0.25)),
        Abstention(B, WE, "no_face"),
        Observation(C, WE, 1, "gender", (0.0, 1.0)),
        Abstention(C, WE, "too_dark", 1, "age3"),
        Abstention(C, WE, "tiny_face", 0),
    ]
    looked = look_once(rows)
    assert looked.annotator == WE
    assert looked.keys.tolist() == [key_of(A), key_of(B), key_of(C)]
    assert looked.people.tolist() == [1, 0, 1]
    assert looked.person.all()
    np.testing.assert_array_equal(looked.mass[0, 0], [0.25, 0.75, 0.5, 0.25, 0.25])
    np.testing.assert_array_equal(looked.mass[2, 0], [0.0, 1.0, np.nan, np.nan, np.nan])
    assert np.isnan(looked.mass[:, 1]).all()
    assert [looked.names[code] if code != NONE else "" for code in looked.reason] == ["", "no_face", ""]
    assert looked.why[:2].tolist() == [[NONE, NONE], [NONE, NONE]]
    assert looked.names[looked.why[2, 1]] == "too_dark"


@pytest.mark.parametrize(
    ("subjects", "people"), [((0,), 1), ((3,), 1), ((0, 1), 2), ((2, 0), 2), ((0, 1, 2), 3), ((5, 0, 7, 6), 3)]
)
def test_people_are_counted_by_their_numbers_up_to_more_than_two(subjects: Sequence[int], people: int) -> None:
    rows = [Observation(A, WE, subject, "gender", (subject / 8, 1 - subject / 8)) for subject in subjects]
    looked = look_once([*rows, Abstention(A, WE, "tiny_face", 9)])
    assert looked.people.tolist() == [people]
    if people < 3:
        assert looked.mass[0, :people, 0].tolist() == [subject / 8 for subject in sorted(subjects)]


def test_who_has_a_number_only_is_there_too() -> None:
    looked = look_once([Observation(A, WE, 0, "gender", (1.0, 0.0)), Observation(A, WE, 1, "age", value=30.0)])
    assert looked.people.tolist() == [2]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 100])
def test_an_image_cut_by_a_batch_is_one_image(size: int) -> None:
    rows = [
        Observation(image, WE, subject, "gender", (subject / 4, 1 - subject / 4))
        for image in (A, B, C)
        for subject in (1, 2)
    ]
    looked = look(rows, size)
    assert [int(key) for part in looked for key in part.keys] == [key_of(A), key_of(B), key_of(C)]
    for part in looked:
        assert set(part.people.tolist()) == {2}
        assert part.mass[:, :, 0].tolist() == [[0.25, 0.5]] * len(part.keys)


Rows = st.lists(
    st.tuples(st.sampled_from([WE, THEY, "stranger"]), st.integers(0, 3), st.sampled_from(["gender", "age3", "tone3"])),
    min_size=1,
    max_size=5,
)


@given(images=st.lists(Rows, max_size=6), size=st.integers(1, 9), enough=st.integers(1, 20))
@settings(deadline=None)
def test_batches_change_nothing(images: list[list[tuple[str, int, str]]], size: int, enough: int) -> None:
    sizes = {"gender": 2, "age3": 3, "tone3": 3}
    rows: list[Seen] = []
    for number, told in enumerate(images):
        for by, subject, attribute in sorted(set(told)):
            mass = (0.5, *[0.5 / (sizes[attribute] - 1)] * (sizes[attribute] - 1))
            rows.append(Observation(name_of(str(number)), by, subject, attribute, mass))
    whole = lines(look(rows))
    cut = lines(Pivot(ALIGNMENT, [WE, THEY], enough).images(batches(rows, size)))
    assert whole == cut
    assert {by for by, _ in whole} <= {WE, THEY}


def lines(looked: Iterable[Looked]) -> dict[tuple[str, int], tuple[int, str]]:
    """Return people and masses by annotator and image, each of which comes once."""
    found = {}
    for part in looked:
        for row, key in enumerate(part.keys.tolist()):
            assert (part.annotator, key) not in found
            found[part.annotator, key] = (int(part.people[row]), str(part.mass[row].tolist()))
    return found


def test_names_keep_their_numbers_when_dictionaries_change() -> None:
    first = batches([Abstention(A, WE, "no_face"), Abstention(B, WE, "blurred")])
    second = batches([Abstention(C, THEY, "blurred")])
    found = [
        (part.annotator, part.names[code])
        for part in Pivot(ALIGNMENT, [WE, THEY], 1).images([*first, *second])
        for code in part.reason
    ]
    assert found == [(WE, "no_face"), (WE, "blurred"), (THEY, "blurred")]


def test_columns_without_any_value() -> None:
    looked = look_once([Abstention(A, WE, "no_face"), Abstention(B, WE, "no_face")])
    assert looked.people.tolist() == [0, 0]
    looked = look_once([Observation(A, WE, 0, "age", value=3.0)])
    assert looked.reason.tolist() == [NONE]


def test_rows_that_name_no_image_or_nobody_are_left_out() -> None:
    table = pa.Table.from_batches(batches([Observation(A, WE, 0, "gender", (0.5, 0.5))] * 3))
    for name, values in (("image", [A, None, A]), ("annotator", [WE, WE, None])):
        column = pa.array(values).dictionary_encode()
        table = table.set_column(table.schema.get_field_index(name), name, column)
    looked = list(Pivot(ALIGNMENT, [WE], 1).images(table.to_batches()))
    assert [key for part in looked for key in part.keys.tolist() if key] == [key_of(A)]


def test_a_mass_with_holes_is_no_mass() -> None:
    rows = batches([Observation(A, WE, 0, "gender", (0.5, 0.5)), Observation(A, WE, 0, "age3", (0.5, 0.25, 0.25))])
    holes = pa.array([[0.5, None], [0.5, 0.25, 0.25]], pa.list_(pa.float32()))
    table = pa.Table.from_batches(rows)
    table = table.set_column(table.schema.get_field_index("mass"), "mass", holes)
    (looked,) = Pivot(ALIGNMENT, [WE], 1).images(table.to_batches())
    assert np.isnan(looked.mass[0, 0]).tolist() == [True, True, False, False, False]


def test_no_rows_at_all() -> None:
    assert look([]) == []
    (full,) = batches([Abstention(A, WE, "no_face")])
    empty = full.slice(0, 0)
    assert list(Pivot(ALIGNMENT, [WE], 1).images([empty])) == []
    assert len(list(Pivot(ALIGNMENT, [WE], 1).images([empty, full, empty]))) == 1


def test_decimals_survive_single_precision() -> None:
    rows = [Observation(name_of(str(n)), WE, 0, "gender", (n / 10, 1 - n / 10)) for n in range(11)]
    looked = look_once(rows)
    assert looked.mass[:, 0, 0].tolist() == [n / 10 for n in range(11)]


@pytest.mark.parametrize("threshold", [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
def test_the_person_threshold_itself_passes(threshold: float) -> None:
    rows = [Observation(A, WE, 0, "person", (threshold, 1 - threshold))]
    rows += [Observation(B, WE, 0, "person", (threshold - 1e-6, 1 - threshold))]
    looked = look_once(rows, alignment=replace(ALIGNMENT, person=threshold))
    assert looked.person.tolist() == [True, False]


def test_from_the_disk(tmp_path: Path) -> None:
    table = Table(tmp_path, OBSERVATION_SCHEMA)
    rows: list[Seen] = [Observation(name_of(str(n)), WE, 0, "gender", (n / 64, 1 - n / 64)) for n in range(40)]
    for start in range(0, 40, 5):
        table.append(to_table(rows[start : start + 5], OBSERVATION_SCHEMA))
    found = lines(Pivot(ALIGNMENT, [WE], 1).images(table.scan(COLUMNS, ENCODED, 7)))
    assert found == lines(look(rows))
