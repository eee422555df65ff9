"""From rows to images: what belongs together stays together, however the rows are cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.evidence.described_images import NONE, Described
from portrayal.evidence.observations import COLUMNS, ENCODED, ObservationReader
from portrayal.records import OBSERVATION_SCHEMA, PERSON, Attribute, to_table
from portrayal.store.tables.table import Table

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
GENDER = Attribute("gender", "perceived gender", ("male", "female"))
AGE = Attribute("age", "perceived age", unit="years")


def look(store: Store, size: int = 1000, enough: int = 1000) -> list[Described]:
    return list(ObservationReader([CLIP, HUMANS], enough).images(store.rows(size)))


def look_once(store: Store) -> Described:
    (found,) = look(store)
    return found


def key_of(store: Store, word: str) -> int:
    return int(store.name_of(word)[:16], 16)


def said_by(images: Described) -> list[str]:
    return [images.names[code] if code != NONE else "" for code in images.said]


def test_what_is_told_of_each_image(store: Store) -> None:
    store.saw("a", (0.25, 0.75), (0.5, 0.25, 0.25))
    store.said("b", "no_face")
    store.saw("c", (0.0, 1.0), "too_dark", subject=1)
    store.said("c", "tiny_face", subject=0)
    images = look_once(store)
    assert images.annotator == CLIP
    assert images.keys.tolist() == [key_of(store, word) for word in "abc"]
    assert images.people.tolist() == [1, 0, 1]
    assert np.isnan(images.shows_person).all()
    rows, masses = images.masses("gender", 2)
    assert images.image[rows].tolist() == [0, 2]
    assert masses.tolist() == [[0.25, 0.75], [0.0, 1.0]]
    rows, masses = images.masses("age3", 3)
    assert (images.image[rows].tolist(), masses.tolist()) == ([0], [[0.5, 0.25, 0.25]])
    assert said_by(images) == ["", "no_face", ""]
    assert not images.is_later.any()
    dark = np.flatnonzero((images.rows.subject != NONE) & (images.rows.reason != NONE))
    assert [images.names[images.rows.reason[row]] for row in dark] == ["too_dark", "tiny_face"]


@pytest.mark.parametrize(
    ("subjects", "people"), [((0,), 1), ((3,), 1), ((0, 1), 2), ((2, 0), 2), ((0, 1, 2), 3), ((5, 0, 7, 6), 4)]
)
def test_people_are_counted_by_their_numbers(store: Store, subjects: Sequence[int], people: int) -> None:
    for subject in subjects:
        store.told("a", "gender", (subject / 8, 1 - subject / 8), subject)
    store.said("a", "tiny_face", subject=9)
    images = look_once(store)
    assert images.people.tolist() == [people]
    rows, masses = images.masses("gender", 2)
    assert masses[~images.is_later[rows], 0].tolist() == [min(subjects) / 8]
    assert sorted(masses[images.is_later[rows], 0]) == [subject / 8 for subject in sorted(subjects)[1:]]


def test_who_has_a_number_only_is_there_too(store: Store) -> None:
    store.told("a", "gender", (1.0, 0.0))
    store.told("a", "age", 30.0, subject=1)
    assert look_once(store).people.tolist() == [2]


def test_who_could_not_be_told_is_there_too_and_the_person_check_describes_nobody(store: Store) -> None:
    store.told("a", "gender", "too_dark", subject=1)
    store.present("a", 1.0)
    store.present("b", 0.3)
    images = look_once(store)
    assert images.people.tolist() == [1, 0]
    assert images.shows_person.tolist() == [1.0, 0.3]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 100])
def test_an_image_cut_by_a_batch_is_one_image(store: Store, size: int) -> None:
    for word in "abc":
        for subject in (1, 2):
            store.told(word, "gender", (subject / 4, 1 - subject / 4), subject)
    parts = look(store, size, size)
    assert [int(key) for part in parts for key in part.keys] == [key_of(store, word) for word in "abc"]
    for part in parts:
        assert set(part.people.tolist()) <= {2}
        _, masses = part.masses("gender", 2)
        assert masses[:, 0].tolist() == [0.25, 0.5] * len(part.keys)


Told = st.lists(
    st.tuples(
        st.sampled_from([CLIP, HUMANS, "stranger"]), st.integers(0, 3), st.sampled_from(["gender", "age3", "tone3", ""])
    ),
    min_size=1,
    max_size=5,
)


@pytest.mark.slow
@given(images=st.lists(Told, max_size=6), size=st.integers(1, 9), enough=st.integers(1, 20))
def test_batches_change_nothing(make_store: Callable[..., Store], images: Any, size: int, enough: int) -> None:
    store = make_store()
    sizes = {"gender": 2, "age3": 3, "tone3": 3}
    for number, told in enumerate(images):
        for by, subject, attribute in sorted(set(told)):
            if attribute:
                mass = (0.5, *[0.5 / (sizes[attribute] - 1)] * (sizes[attribute] - 1))
                store.told(str(number), attribute, mass, subject, by)
            else:
                store.said(str(number), f"reason {subject}", by=by)
    whole, cut = lines(look(store)), lines(look(store, size, enough))
    assert whole == cut
    assert {by for by, _ in whole} <= {CLIP, HUMANS}


def lines(looked: Iterable[Described]) -> dict[tuple[str, int], tuple[Any, ...]]:
    """Return people, masses and reasons by annotator and image, each of which comes once."""
    found: dict[tuple[str, int], tuple[Any, ...]] = {}
    for part in looked:
        for place, key in enumerate(part.keys.tolist()):
            assert (part.annotator, key) not in found
            masses = []
            for name, size in (("gender", 2), ("age3", 3), ("tone3", 3)):
                rows, own = part.masses(name, size)
                mine = part.image[rows] == place
                masses.append((part.rows.subject[rows][mine].tolist(), own[mine].tolist()))
            found[part.annotator, key] = (int(part.people[place]), said_by(part)[place], masses)
    return found


def test_names_keep_their_numbers_when_dictionaries_change(make_store: Callable[..., Store]) -> None:
    first, second = make_store(), make_store()
    first.said("a", "no_face")
    first.said("b", "blurred")
    second.said("c", "blurred", by=HUMANS)
    reader = ObservationReader([CLIP, HUMANS], 1)
    parts = list(reader.images([*first.rows(), *second.rows()]))
    found = [(part.annotator, name) for part in parts for name in said_by(part)]
    assert found == [(CLIP, "no_face"), (CLIP, "blurred"), (HUMANS, "blurred")]
    assert len({part.codes["blurred"] for part in parts}) == 1
    assert reader.names.index(PERSON) == 0


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        (["blurred", "several_faces"], "blurred"),
        (["several_faces", "blurred"], "blurred"),
        (["one_face", "several_faces"], "several_faces"),
        (["blurred", "too_dark"], "too_dark"),
    ],
)
def test_of_several_reasons_one_that_does_not_merely_count_people(store: Store, given: list[str], chosen: str) -> None:
    for reason in given:
        store.said("a", reason)
    assert said_by(look_once(store)) == [chosen]


def test_columns_without_any_value(make_store: Callable[..., Store]) -> None:
    silent, numbers = make_store(), make_store()
    silent.said("a", "no_face")
    silent.said("b", "no_face")
    assert look_once(silent).people.tolist() == [0, 0]
    assert len(look_once(silent).told(GENDER)) == len(look_once(silent).told(AGE)) == 0
    numbers.told("a", "age", 3.0)
    assert said_by(look_once(numbers)) == [""]


def test_numbers_that_are_none_are_left_out(store: Store) -> None:
    for word, value in (("a", 30.0), ("b", float("nan")), ("c", float("inf")), ("d", -1e140), ("e", 1e200)):
        store.told(word, "age", value)
    images = look_once(store)
    rows, values = images.values("age")
    assert (images.image[rows].tolist(), values.tolist()) == ([0, 3], [30.0, -1e140])
    assert images.told(AGE).tolist() == rows.tolist()
    assert images.people.tolist() == [1, 1, 1, 1, 1]


def test_rows_that_name_no_image_or_nobody_are_left_out(store: Store) -> None:
    for _ in range(3):
        store.told("a", "gender", (0.5, 0.5))
    table = pa.Table.from_batches(store.rows())
    name = store.name_of("a")
    for column, values in (("image", [name, None, name]), ("annotator", [CLIP, CLIP, None])):
        encoded = pa.array(values).dictionary_encode()
        table = table.set_column(table.schema.get_field_index(column), column, encoded)
    looked = list(ObservationReader([CLIP], 1).images(table.to_batches()))
    assert [key for part in looked for key in part.keys.tolist() if key] == [key_of(store, "a")]


def test_a_mass_with_holes_or_of_another_length_is_no_mass(store: Store) -> None:
    store.saw("a", (0.5, 0.5), (0.5, 0.25, 0.25))
    store.told("b", "gender", (0.2, 0.3, 0.5))
    table = pa.Table.from_batches(store.rows())
    holes = pa.array([[0.5, None], [0.5, 0.25, 0.25], [0.2, 0.3, 0.5]], pa.list_(pa.float32()))
    table = table.set_column(table.schema.get_field_index("mass"), "mass", holes)
    (images,) = ObservationReader([CLIP], 9).images(table.to_batches())
    assert len(images.masses("gender", 2)[0]) == len(images.told(GENDER)) == 0
    assert images.masses("age3", 3)[1].tolist() == [[0.5, 0.25, 0.25]]
    assert images.people.tolist() == [1, 1]


def test_no_rows_at_all(make_store: Callable[..., Store]) -> None:
    store = make_store()
    assert look(store) == []
    store.said("a", "no_face")
    (full,) = store.rows()
    empty = full.slice(0, 0)
    assert list(ObservationReader([CLIP], 1).images([empty])) == []
    assert len(list(ObservationReader([CLIP], 1).images([empty, full, empty]))) == 1


def test_decimals_survive_single_precision_and_can_be_had_as_stored(store: Store) -> None:
    for number in range(11):
        store.told(str(number), "gender", (number / 10, 1 - number / 10))
    images = look_once(store)
    assert images.masses("gender", 2)[1][:, 0].tolist() == [number / 10 for number in range(11)]
    stored = images.masses("gender", 2, raw=True)[1][:, 0]
    assert stored.tolist() == [float(np.float32(number / 10)) for number in range(11)]


def test_from_the_disk(store: Store, tmp_path: Path) -> None:
    table = Table(tmp_path, OBSERVATION_SCHEMA)
    for number in range(40):
        store.told(str(number), "gender", (number / 64, 1 - number / 64))
    for start in range(0, 40, 5):
        table.append(to_table(store.seen[start : start + 5], OBSERVATION_SCHEMA))
    found = lines(ObservationReader([CLIP], 1).images(table.scan(COLUMNS, ENCODED)))
    assert found == lines(look(store))
