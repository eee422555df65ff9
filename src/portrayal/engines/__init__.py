"""Where work runs."""

from portrayal.engines.local import Build, LocalEngine
from portrayal.engines.threads import ThreadEngine, concurrency
from portrayal.processes import cpu_count

__all__ = ["Build", "LocalEngine", "ThreadEngine", "concurrency", "cpu_count"]
