"""Where work runs."""

from portrayal.engines.devices import DeviceEngine, Feed, answering
from portrayal.engines.local import Build, LocalEngine
from portrayal.engines.threads import ThreadEngine, concurrency
from portrayal.processes import cpu_count

__all__ = [
    "Build",
    "DeviceEngine",
    "Feed",
    "LocalEngine",
    "ThreadEngine",
    "answering",
    "concurrency",
    "cpu_count",
]
