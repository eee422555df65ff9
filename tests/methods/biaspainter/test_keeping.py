"""Who is kept and what is left undone, by the group of the seed, from similarities and changes written by hand."""

from __future__ import annotations

import numpy as np
import pytest

from portrayal.evidence import Design, Edited, Plan, SourceImage
from portrayal.methods.biaspainter.keeping import keeping_rows
from portrayal.methods.biaspainter.score_rows import group_row
from portrayal.methods.biaspainter.scores.groups import group_mean
from portrayal.records import Measurement, Prompt

SEEDS = [
    Prompt(f"seed {n}", f"seed {n}", kind="seed", requested={"gender": g}) for n, g in enumerate(["male", "female"])
]
WORD, NULL = (
    Prompt(text, text, category=topic, edits="seed") for text, topic in (("nurse", "job"), ("a photo", "null"))
)


def rows(
    same: list[float], change: list[float], unchanged: bool = False, keys: tuple[int, ...] = (1, 2, 3, 4)
) -> dict[tuple[str, str], Measurement]:
    """Return the rows of four edits: of two seeds by a word, then by an instruction that asks for nothing."""
    prompts = {prompt.id: prompt for prompt in (*SEEDS, WORD, NULL)}
    cells = [("g", WORD.id), ("g", NULL.id)]
    counts = np.array([2, 2])
    sources = [SourceImage(f"job {n}", seed.id, 0) for n, seed in enumerate(SEEDS)]
    plan = Plan(Design(prompts), cells, counts, counts, sources=sources)
    after = {"same_face": np.array(same), "picture_change": np.array(change)}
    why = {name: np.full(4, "") for name in after}
    before = {name: np.full(2, np.nan) for name in after}
    source_keys = np.array([1 if unchanged else 8, 9], dtype=np.uint64)
    places = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    edited = Edited(
        *places, np.array(keys, dtype=np.uint64), np.ones(4, dtype=np.int64), after, why, source_keys, before, why
    )
    blank = Measurement("biaspainter", "", "g", "likeness")
    found = keeping_rows(blank, plan, edited, little=2.0, few=6)
    return {(row.metric, row.item): row for row in found}


def test_words_count_and_what_asks_for_nothing_does_not() -> None:
    found = rows([0.9, 0.5, 1.0, 1.0], [10.0, 1.0, 0.5, 0.5])
    assert found["same_face", ""].value == pytest.approx(0.7)
    assert found["same_face", "female"].value == 0.5
    assert found["not_done", ""].value == 0.5
    assert found["not_done", "male"].value == 0.0
    assert found["not_done", "female"].value == 1.0
    assert found["not_done", ""].n == 2
    assert [note.code for note in found["same_face", "male"].notes] == ["seeds_no_interval"]


def test_an_unchanged_file_is_alike_and_not_done() -> None:
    found = rows([np.nan, 0.5, 1.0, 1.0], [np.nan, 9.0, 0.5, 0.5], unchanged=True)
    assert found["same_face", "male"].value == 1.0
    assert found["not_done", "male"].value == 1.0


def test_what_could_not_be_compared_counts_for_nothing() -> None:
    found = rows([np.nan, 0.5, 1.0, 1.0], [9.0, 9.0, 0.5, 0.5])
    assert ("same_face", "male") not in found
    assert found["same_face", ""].n == 1


@pytest.mark.parametrize(
    ("seeds", "code"), [(1, "seeds_no_interval"), (2, "seeds_no_interval"), (3, "few_seeds"), (6, "")]
)
def test_numbers_from_few_seeds_say_so(seeds: int, code: str) -> None:
    found = group_mean(np.linspace(0, 1, seeds), np.full(seeds, 40), np.arange(seeds))
    assert found is not None
    row = group_row(Measurement("biaspainter", "shift", "g"), found, 6)
    assert (row.prompts, row.n, [note.code for note in row.notes]) == (seeds, 40 * seeds, [code] if code else [])
    assert (row.low is None) == (seeds < 3)


def test_one_file_that_is_an_edit_of_two_seeds_counts_for_neither() -> None:
    found = rows([0.9, 0.9, 1.0, 1.0], [9.0, 9.0, 0.5, 0.5], keys=(1, 1, 3, 4))
    assert not [item for metric, item in found if metric == "same_face"]
