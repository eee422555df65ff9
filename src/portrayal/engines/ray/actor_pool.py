"""The actors of a stage: who works on what, and what becomes of that when one dies."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from portrayal import __version__
from portrayal.engines.deaths import Deaths, SetAside, Task
from portrayal.engines.local import B, Build, R
from portrayal.engines.ray.address import first_line
from portrayal.engines.ray.cluster import packed_build, shipped_actor
from portrayal.errors import PortrayalError

if TYPE_CHECKING:
    from portrayal.engines.ray.engine import RayEngine

__all__ = ["ActorPool"]

_AHEAD, _FEW_AHEAD = 4, 2
"""Batches that an actor has at a time: one it works on, and some that wait beside it; few where they take long, else
the last ones would wait behind each other while other actors have nothing to do."""
_LONG = 1.0
"""Seconds."""
_LOOK_UP_EVERY = 0.5
"""Seconds between looks at the cluster, and at whether to stop."""
_TELL_AFTER = 15.0
"""Seconds without any actor, after which that is told."""
_FAILED_STARTS = 8
"""Actors that may die in a row while they start."""


@dataclass(eq=False, slots=True)
class _Actor(Generic[B]):
    handle: Any
    node: str = ""
    begun: float = 0.0
    """When it began what it works on, by its first task."""
    tasks: dict[Any, Task[B]] = field(default_factory=dict)
    """By the reference to the answer, in the order in which they are worked on."""

    def done(self, reference: Any) -> float:
        """Forget a task that is done, and return how many seconds it took."""
        del self.tasks[reference]
        before, self.begun = self.begun, time.monotonic()
        return self.begun - before


class ActorPool(Generic[B, R]):
    """The actors of one stage, and which batch is where."""

    def __init__(
        self, engine: RayEngine, build: Build[B, R], batches: Iterable[B], set_aside: SetAside[B, R] | None
    ) -> None:
        import ray

        self._ray, self._engine = ray, engine
        self._resources = engine.cluster.settled(engine.resources)
        self._build = packed_build(build)
        self._source = iter(batches)
        self._exhausted = False
        self._waiting: deque[Task[B]] = deque()
        self._starting: dict[Any, _Actor[B]] = {}
        self._actors: list[_Actor[B]] = []
        self._deaths: Deaths[B, R] = Deaths(set_aside, engine.most or self._slots())
        self._failed_starts = 0
        self._wanted, self._looked, self._ahead = 1, 0.0, _FEW_AHEAD
        self._alone_since: float | None = time.monotonic()
        self._reached = True

    def results(self) -> Generator[list[R], None, None]:
        """Hand out and take in, until nothing is left."""
        while True:
            self._look_up()
            if self._reached:
                self._hand_out()
                self._start_and_stop()
                if not self._starting and not self._actors:
                    break
            if results := self._take_in():
                yield results
        if held := self._deaths.ended():
            yield held

    def close(self) -> None:
        """End all actors."""
        for actor in (*self._starting.values(), *self._actors):
            self._ray.kill(actor.handle)

    def _look_up(self) -> None:
        """See how many actors there may be, and whether to stop."""
        now = time.monotonic()
        if now - self._looked < _LOOK_UP_EVERY:
            return
        self._looked, self._reached = now, self._engine.cluster.head.answers()
        if not self._reached:
            return
        self._wanted = self._engine.most or max(self._slots(), len(self._actors) + 1)
        if self._engine.stopped():
            self._exhausted = True
            self._waiting.clear()
        if self._alone_since is not None and now - self._alone_since > _TELL_AFTER and self._starting:
            self._alone_since = None
            self._engine.remark(f"waiting for the cluster: no node has room yet for {self._resources}")

    def _slots(self) -> int:
        return sum(node.slots(self._resources) for node in self._engine.cluster.nodes())

    def _hand_out(self) -> None:
        """Give each actor what it may have; one for each actor that is yet to come stays behind.

        What may have killed an actor has the next one for itself. Else what comes behind it could kill that too, before
        the answer was sent, and it would be taken for guilty once more.
        """
        kept = max(self._wanted - len(self._actors), 0)
        for have in range(self._ahead):
            for actor in self._actors:
                if len(actor.tasks) != have or any(task.deaths for task in actor.tasks.values()):
                    continue
                if (task := self._next(kept if have else 0, suspects=not have)) is not None:
                    actor.begun = actor.begun if have else time.monotonic()
                    actor.tasks[actor.handle.work.remote(task.batch)] = task
        self._fill(kept)

    def _next(self, kept: int, *, suspects: bool) -> Task[B] | None:
        self._fill(kept + 1)
        if len(self._waiting) <= kept or (self._waiting[0].deaths and not suspects):
            return None
        return self._waiting.popleft()

    def _fill(self, count: int) -> None:
        while len(self._waiting) < count and not self._exhausted:
            self._draw()

    def _draw(self) -> None:
        """Take another batch from the stage."""
        try:
            self._waiting.append(Task(next(self._source)))
        except StopIteration:
            self._exhausted = True

    def _start_and_stop(self) -> None:
        """Start actors that are needed, and let those go that are not."""
        for actor in [actor for actor in self._actors if not actor.tasks]:
            self._actors.remove(actor)  # there was nothing for it: others may use its place
            self._ray.kill(actor.handle)
        needed = min(self._wanted - len(self._actors), len(self._waiting))
        while len(self._starting) < needed:
            handle = self._class().remote()
            self._starting[handle.start.remote(__version__, self._build)] = _Actor(handle)
        while len(self._starting) > max(needed, 0):
            _, actor = self._starting.popitem()
            self._ray.kill(actor.handle)

    def _class(self) -> Any:
        """Return the class of actors; Ray restarts none: it would wait for its place, and its batches with it."""
        wanted = self._resources
        memory = {"memory": wanted.memory} if wanted.memory else {}
        return self._ray.remote(
            num_cpus=wanted.cpus, num_gpus=wanted.gpus, max_restarts=0, max_task_retries=0, **memory
        )(shipped_actor())

    def _take_in(self) -> list[R]:
        """Wait a moment for answers, and return the results among them."""
        references = [*self._starting, *(reference for actor in self._actors for reference in actor.tasks)]
        if not references:
            time.sleep(_LOOK_UP_EVERY)
            return []
        ready, _ = self._ray.wait(references, num_returns=len(references), timeout=0)
        if not ready:
            ready, _ = self._ray.wait(references, num_returns=1, timeout=_LOOK_UP_EVERY)
        answered = set(ready)
        for reference in self._starting.keys() & answered:
            self._add_started(self._starting.pop(reference), reference)
        return [result for actor in list(self._actors) for result in self._answers(actor, answered)]

    def _add_started(self, actor: _Actor[B], reference: Any) -> None:
        """Take an actor in that has built its part, or say why it has not."""
        try:
            actor.node, problem = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            self._failed_starts += 1
            if self._failed_starts > _FAILED_STARTS or isinstance(error, self._ray.exceptions.RayTaskError):
                raise PortrayalError(f"no worker can be started on the cluster: {first_line(error)}") from None
            return
        if problem:
            raise PortrayalError(f"node {actor.node}: {problem}")
        self._failed_starts, self._alone_since = 0, None
        self._actors.append(actor)
        self._deaths.workers = max(self._deaths.workers, len(self._actors))

    def _answers(self, actor: _Actor[B], answered: set[Any]) -> list[R]:
        """Return the results that an actor gave; one that died leaves what it had to others."""
        results: list[R] = []
        for reference in [reference for reference in actor.tasks if reference in answered]:
            try:
                done, value = self._ray.get(reference)
            except self._ray.exceptions.RayTaskError as error:
                raise PortrayalError(f"node {actor.node}: {first_line(error)}") from None
            except self._ray.exceptions.RayError as error:
                self._bury(actor, first_line(error))
                break
            self._ahead = _FEW_AHEAD if actor.done(reference) > _LONG else _AHEAD
            if not done:
                raise value if isinstance(value, Exception) else PortrayalError(f"node {actor.node}: {value}")
            results += [*self._deaths.worked(), value]
        return results

    def _bury(self, actor: _Actor[B], how: str) -> None:
        """Forget an actor. What it worked on may have killed it; what waited behind that has not."""
        self._actors.remove(actor)
        self._ray.kill(actor.handle)  # it may only be out of reach, and must not go on
        worked_on, *behind = actor.tasks.values()
        self._waiting.extendleft(reversed([*behind, *self._deaths.died(worked_on, how)]))
