"""Batches over the actors of a cluster: as many as there is room for, none of which any batch depends on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from portrayal.engines.deaths import SetAside
from portrayal.engines.local import B, Build, R
from portrayal.engines.ray.actor_pool import ActorPool
from portrayal.engines.ray.cluster import RayCluster
from portrayal.processes import Resources

__all__ = ["RayEngine"]

_ONE_CPU = Resources()


def _never() -> bool:
    return False


def _unsaid(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Maps a pure function over batches; results come as they are ready, in whatever order.

    ``most`` limits the number of actors; 0: as many as the cluster has room for, and one more is always asked for, so
    that a cluster that can grow does. ``stopped`` is asked whether to leave what no actor has begun; ``remark`` is
    told what the user should know.
    """

    cluster: RayCluster
    resources: Resources = _ONE_CPU
    most: int = 0
    stopped: Callable[[], bool] = _never
    remark: Callable[[str], None] = _unsaid

    def map(
        self, build: Build[B, R], batches: Iterable[B], set_aside: SetAside[B, R] | None = None
    ) -> Generator[list[R], None, None]:
        """Yield what is ready, several results at a time when they come fast; closing it early ends the actors.

        What was given to an actor that dies goes to others. A batch that kills actors is cut into parts, each with a
        result of its own, see :mod:`portrayal.engines.deaths`.
        """
        pool: ActorPool[B, R] = ActorPool(self, build, batches, set_aside)
        try:
            yield from pool.results()
        finally:
            pool.close()
