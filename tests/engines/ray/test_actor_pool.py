"""Who is to blame when an actor dies; with a Ray of which every answer is lost that was not fetched before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from portrayal.engines.ray import RayCluster, RayEngine, actor_pool
from portrayal.engines.ray.actor_pool import ActorPool
from portrayal.engines.ray.head import Head

POISON = -1


class LostError(Exception):
    """What Ray raises where an actor died."""


@dataclass
class Actor:
    """Does all that it was given when somebody waits; if anything of that is poison, all of it is lost."""

    given: dict[object, list[int]] = field(default_factory=dict)

    @property
    def start(self) -> Any:
        return SimpleNamespace(remote=lambda *_: ("started", object()))

    @property
    def work(self) -> Any:
        return SimpleNamespace(remote=self._take)

    def _take(self, batch: list[int]) -> object:
        reference = object()
        self.given[reference] = batch
        return reference


class Ray:
    """As much of Ray as a pool of actors uses."""

    exceptions = SimpleNamespace(RayError=LostError, RayTaskError=ZeroDivisionError)

    def __init__(self) -> None:
        self.actors: list[Actor] = []

    def remote(self, **_: object) -> Callable[[type], Any]:
        def start() -> Actor:
            self.actors.append(Actor())
            return self.actors[-1]

        return lambda _: SimpleNamespace(remote=start)

    def wait(self, references: Sequence[object], **_: object) -> tuple[Sequence[object], Sequence[object]]:
        return references, []

    def get(self, reference: object) -> Any:
        if isinstance(reference, tuple):  # to the answer of one that started
            return "here", ""
        (given,) = [actor.given for actor in self.actors if reference in actor.given]
        if any(POISON in batch for batch in given.values()):
            raise LostError("it died")
        return True, [2 * number for number in given.pop(reference)]

    def kill(self, actor: Actor) -> None:
        actor.given.clear()


@pytest.mark.parametrize("size", [1, 3])
def test_what_an_actor_had_done_before_another_batch_killed_it_is_not_to_blame(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(actor_pool, "packed_build", lambda build: build)
    monkeypatch.setattr(actor_pool, "shipped_actor", lambda: Actor)
    there = [SimpleNamespace(slots=lambda _: 2)]
    nodes = SimpleNamespace(settled=lambda wanted: wanted, nodes=lambda: there, head=Head())
    numbers = [1, 2, 3, 4, POISON, 5, 6, 7, 8, 9]
    batches = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    pool: ActorPool[list[int], list[int]] = ActorPool(
        RayEngine(cast("RayCluster", nodes)), lambda: list, batches, lambda batch, _: [-number for number in batch]
    )
    pool._ray = Ray()
    found = sorted(number for results in pool.results() for result in results for number in result)
    assert found == sorted([1, *(2 * number for number in numbers if number != POISON)])
