"""Processes of this machine that work for this one."""

from portrayal.processes.pool import WorkerDiedError, WorkerPool
from portrayal.processes.resources import Resources, wished_resources
from portrayal.processes.waiting import next_of, result_of
from portrayal.processes.worker import WorkerProcess, cpu_count, deaf_to_ctrl_c

__all__ = [
    "Resources",
    "WorkerDiedError",
    "WorkerPool",
    "WorkerProcess",
    "cpu_count",
    "deaf_to_ctrl_c",
    "next_of",
    "result_of",
    "wished_resources",
]
