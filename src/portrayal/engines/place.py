"""Where parts work, as a user names it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from portrayal.engines.ray import RayCluster, connect
from portrayal.errors import ConfigError, UnknownNameError, did_you_mean

__all__ = ["ENGINES", "HERE", "Place"]

ENGINES = ("local", "ray")


@dataclass(frozen=True, slots=True)
class Place:
    """An engine by name and, of a cluster, its address; without one it is looked for."""

    engine: str = "local"
    address: str = ""

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise UnknownNameError(f"no engine named {self.engine!r}{did_you_mean(self.engine, ENGINES)}")
        if self.address and self.engine == "local":
            raise ConfigError("an address is that of a cluster; say --engine ray too")

    def reached(self) -> contextlib.AbstractContextManager[RayCluster | None]:
        """Return what connects to the cluster as long as it is entered; None for this machine."""
        return contextlib.nullcontext() if self.engine == "local" else connect(self.address)


HERE = Place()
