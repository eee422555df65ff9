"""Who was planted, and how they were perceived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from portrayal.evidence import Confusion, Evidence, Rule

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
NEED = Confusion(Rule("one"))
WOMAN, MAN = (0.0, 1.0), (1.0, 0.0)


def counted(store: Store, need: Confusion = NEED) -> dict[tuple[str, str, str, int], int]:
    """Return annotator, attribute, planted and perceived group of all cells together, and how often."""
    found = store.evidence(need)[need]
    return {
        (*key, planted, perceived): int(count)
        for key, counts in found.counts.items()
        for planted, row in zip(found.planted[key[1]], counts.sum(axis=0), strict=True)
        for perceived, count in enumerate(row)
        if count
    }


def test_planted_groups_against_perceived_ones(store: Store) -> None:
    for word, planted, seen in (("a", "female", WOMAN), ("b", "female", MAN), ("c", "male", (0.6, 0.4))):
        store.made(word, planted=[{"gender": planted}])
        store.saw(word, seen)
    assert counted(store) == {
        (CLIP, "gender", "female", 1): 1,
        (CLIP, "gender", "female", 0): 1,
        (CLIP, "gender", "male", 0): 1,
    }


def test_only_images_in_which_exactly_one_person_was_planted_count(store: Store) -> None:
    everyone: list[Any] = [[{"gender": "female"}], [], None, [{"gender": "male"}, {"gender": "male"}]]
    for number, planted in enumerate(everyone):
        store.made(str(number), planted=planted)
        store.saw(str(number), MAN)
    assert counted(store) == {(CLIP, "gender", "female", 0): 1}


def test_only_usable_images_count(store: Store) -> None:
    for word in "ab":
        store.made(word, planted=[{"gender": "male"}])
        store.saw(word, MAN)
    store.saw("b", MAN, subject=1)
    assert counted(store) == {(CLIP, "gender", "male", 0): 1}
    assert counted(store, Confusion(Rule("each"))) == {(CLIP, "gender", "male", 0): 3}


def test_attributes_that_were_not_planted_are_not_there(store: Store) -> None:
    store.made("a", planted=[{"gender": "male", "hat": "red"}])
    store.saw("a", MAN)
    found = store.evidence(NEED)[NEED]
    assert set(found.counts) == {(CLIP, "gender")}
    assert found.planted == {"gender": ("male",), "hat": ("red",)}


def test_an_attribute_that_was_not_planted_hides_no_later_one(store: Store) -> None:
    store.made("a", planted=[{"age3": "elderly"}])
    store.saw("a", MAN, (1.0, 0.0, 0.0))
    assert counted(store) == {(CLIP, "age3", "elderly", 0): 1}


def test_people_of_whom_different_things_were_planted(store: Store) -> None:
    store.made("a", planted=[{"gender": "male"}])
    store.made("b", planted=[{"age3": "elderly"}])
    store.made("c", planted=[{"age3": "young", "gender": "a third"}])
    for word in "abc":
        store.saw(word, MAN, (1.0, 0.0, 0.0))
    assert counted(store) == {
        (CLIP, "gender", "male", 0): 1,
        (CLIP, "gender", "a third", 0): 1,
        (CLIP, "age3", "elderly", 0): 1,
        (CLIP, "age3", "young", 0): 1,
    }


def test_a_picture_of_several_cells_is_planted_in_each(store: Store) -> None:
    store.made("a", "nurse", planted=[{"gender": "male"}])
    store.made("a", "CEO", planted=[{"gender": "female"}])
    store.made("a", "judge")
    store.saw("a", MAN)
    evidence = store.evidence(NEED)
    counts, places = evidence[NEED].counts[CLIP, "gender"], evidence.plan.places
    assert evidence[NEED].planted["gender"] == ("female", "male")
    for text, rows in (("nurse", [[0, 0], [1, 0]]), ("CEO", [[1, 0], [0, 0]]), ("judge", [[0, 0], [0, 0]])):
        assert counts[places["g", store.prompts[text].id]].tolist() == rows


def test_nothing_planted_has_no_confusion(store: Store) -> None:
    store.made("a")
    store.saw("a")
    assert counted(store) == {}
    plan = store.plan()
    batches = [replace(batch, person=None) for batch in store.batches(plan)]
    assert Evidence.of(plan, [NEED], batches)[NEED].counts == {}


def test_numbers_words_and_the_person_check_are_no_groups(make_store: Callable[..., Store]) -> None:
    store = make_store({CLIP: ("gender", "age", "caption", "person")})
    store.made("a", planted=[{"gender": "male", "age": "30", "person": "person", "caption": "x"}])
    store.told("a", "gender", MAN)
    store.told("a", "age", 30.0)
    store.present("a", 1.0)
    assert counted(store) == {(CLIP, "gender", "male", 0): 1}
