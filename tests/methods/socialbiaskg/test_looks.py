"""What is kept image by image comes out the same however the images are split up, and in whatever order they come."""

from __future__ import annotations

import hashlib
import random

import numpy as np

from portrayal.evidence import Batch, Design, Plan, Rule
from portrayal.evidence.observations import ENCODED, TEXT, ObservationReader
from portrayal.methods.socialbiaskg.looks import Look, Looks, LookSums
from portrayal.records import OBSERVATION_SCHEMA, Abstention, Observation, Prompt, attribute_table, to_table

WHO = "simulated@1"
NEED = Looks(Rule("one"), ("race11", "occupation", "niqe"))
PROMPT = Prompt("A judge", "judge")
PLAN = Plan(
    Design({PROMPT.id: PROMPT}, attribute_table(), {WHO: ("race11", "occupation", "niqe")}),
    [("a", PROMPT.id), ("b", PROMPT.id)],
    np.array([20, 20]),
    np.array([20, 20]),
)


def rows(number: int) -> list[Observation | Abstention]:
    image = hashlib.sha256(str(number).encode()).hexdigest()
    if number % 7 == 0:
        return [Abstention(image, WHO, "no_face")]
    race = attribute_table()["race11"]
    return [
        Observation(image, WHO, 0, "race11", race.one_hot(race.groups[number % 11])),
        Observation(image, WHO, 0, "occupation", text=("judge", "clerk", "none")[number % 3]),
        Observation(image, WHO, 0, "niqe", value=number / 2),
    ]


def sums(numbers: list[int]) -> LookSums:
    own = NEED.begin(PLAN)
    if not numbers:
        return own
    table = to_table([row for number in numbers for row in rows(number)], OBSERVATION_SCHEMA)
    table = table.drop_columns(["box"])
    for name in (*ENCODED, TEXT):
        place = table.column_names.index(name)
        table = table.set_column(place, name, table[name].combine_chunks().dictionary_encode())
    for images in ObservationReader([WHO], 1000).images(iter(table.combine_chunks().to_batches())):
        place = np.arange(len(images.keys))
        own.add(Batch(PLAN, images, place, np.array([number % 2 for number in numbers])))
    return own


def told(look: Look) -> list[tuple[int, int, object]]:
    named = [look.names[int(value)] if look.names else value for value in look.value.tolist()]
    return list(zip(look.key.tolist(), look.cell.tolist(), named, strict=True))


def test_any_split_and_order() -> None:
    numbers = list(range(40))
    whole = {key: told(look) for key, look in sums(numbers).result().items()}
    assert set(whole) == {(WHO, "race11"), (WHO, "occupation"), (WHO, "niqe")}
    assert len(whole[WHO, "occupation"]) == 34  # six images show nobody
    random.Random(1).shuffle(numbers)
    parts = [sums(numbers[start : start + 9]) for start in range(0, 40, 9)]
    merged = NEED.begin(PLAN)
    for part in parts:
        merged.merge(part)
    assert {key: told(look) for key, look in merged.result().items()} == whole


def test_nothing_gives_nothing() -> None:
    assert sums([]).result() == {}
