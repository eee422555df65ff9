"""Where work runs."""

from portrayal.engines.local import Build, LocalEngine, cpu_count

__all__ = ["Build", "LocalEngine", "cpu_count"]
