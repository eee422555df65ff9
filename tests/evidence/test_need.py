"""The same picture again is no further evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from portrayal.evidence import GroupCounts, Missing, Rule

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
ONE = Rule("one")
MAN, WOMAN = (1.0, 0.0), (0.0, 1.0)


def counts(store: Store, text: str, generator: str = "g") -> list[float]:
    need = GroupCounts(ONE)
    evidence = store.evidence(need)
    place = evidence.plan.places[generator, store.prompts[text].id]
    return list(evidence[need][CLIP, "gender"][place].tolist())


def test_a_picture_counts_once_for_its_prompt_however_often_it_was_made(store: Store) -> None:
    for word in ("a", "a", "a", "b"):
        store.made(word)
    store.saw("a", WOMAN)
    store.saw("b", MAN)
    assert counts(store, "nurse") == [1.0, 1.0]


def test_each_prompt_and_each_generator_counts_it(store: Store) -> None:
    store.made("a", "nurse")
    store.made("a", "CEO")
    store.made("a", "nurse", generator="other")
    store.saw("a", WOMAN)
    assert counts(store, "nurse") == counts(store, "CEO") == counts(store, "nurse", "other") == [0.0, 1.0]


def test_repeats_are_not_missing(store: Store) -> None:
    for word in ("a", "a", "b", "b"):
        store.made(word)
    store.saw("a", WOMAN)
    store.said("b", "no_face")
    assert store.missing(ONE) == {("", "no_face"): 1}


def test_every_edit_counts_also_one_that_changes_nothing(store: Store) -> None:
    store.editing = ("soldier",)
    for _ in range(3):
        store.made("a", "soldier", source=0)
    store.saw("a", WOMAN)
    assert counts(store, "soldier") == [0.0, 3.0]


def test_everything_asked_for_is_used_missing_or_a_repeat(store: Store) -> None:
    for word in ("a", "a", "b", "c", "c"):
        store.made(word)
    store.unmade("refused")
    store.saw("a", WOMAN)
    store.saw("b", "too_dark")
    need = Missing(ONE)
    evidence = store.evidence(need)
    lost = sum(
        int(own.sum()) for (who, name, _), own in evidence[need].counts.items() if who in ("", CLIP) and not name
    )
    (batch,) = (own for own in store.batches(evidence.plan, enough=1000) if own.images.annotator == CLIP)
    assert (int(batch.usable(ONE).sum()), int(batch.repeats.sum()), lost) == (2, 1, 1 + 2)  # nobody looked at c
