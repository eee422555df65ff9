"""Processes of this machine that work for this one."""

from portrayal.processes.pool import WorkerDiedError, WorkerPool
from portrayal.processes.waiting import next_of, result_of
from portrayal.processes.worker import WorkerProcess, cpu_count, deaf_to_ctrl_c

__all__ = ["WorkerDiedError", "WorkerPool", "WorkerProcess", "cpu_count", "deaf_to_ctrl_c", "next_of", "result_of"]
