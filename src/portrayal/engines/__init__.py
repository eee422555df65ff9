"""Where work runs."""

from portrayal.engines.local import Build, LocalEngine
from portrayal.engines.threads import ThreadEngine
from portrayal.processes import cpu_count

__all__ = ["Build", "LocalEngine", "ThreadEngine", "cpu_count"]
