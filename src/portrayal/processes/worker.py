"""Worker processes that outlive a Ctrl-C but not their parent, and never run the user's script again.

Nor do they import what lies in the folder in which they are started: a study may be somebody else's.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker, spawn, util
from multiprocessing.context import SpawnProcess
from typing import Any

__all__ = ["WorkerProcess", "cpu_count", "deaf_to_ctrl_c", "settle_in"]

_MAIN = ("init_main_from_name", "init_main_from_path")
"""What tells a spawned process to run the main module again."""
_OF_CHILDREN: Any = util
"""Where multiprocessing asks for the options of what it starts."""
_starting, _starting_safely = threading.Lock(), threading.Lock()
_UNSAID = "ignore::UserWarning:multiprocessing.resource_tracker"


def cpu_count() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerProcess(SpawnProcess):
    """Spawned, not forked: a fork copies locks that other libraries' threads may hold."""

    def start(self) -> None:
        """Begin, without the main module of the parent and deaf to Ctrl-C from the first moment on."""
        with deaf_to_ctrl_c(), _main_left_out(), _folder_left_out():
            super().start()


@contextlib.contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Block SIGINT while workers are started: they inherit that, and so survive a Ctrl-C before they can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    _start_tracker()  # it unblocks the signal when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_tracker() -> None:
    """Start the process that frees what a killed one left in memory, and let it do so without a word."""
    sys.warnoptions.append(_UNSAID)
    try:
        with _folder_left_out():
            resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(_UNSAID)


@contextlib.contextmanager
def _main_left_out() -> Iterator[None]:
    """Tell processes that this thread starts nothing of the main module.

    Spawned processes otherwise run it again for what it defines. Without ``if __name__ == "__main__"`` that would
    begin the user's study anew in each of them, and what is read from stdin is not there to be run again. Processes
    that other threads start meanwhile, with other libraries, are told as ever.
    """
    with _starting:
        told, thread = spawn.get_preparation_data, threading.get_ident()

        def tell(name: str) -> dict[str, Any]:
            leave_out = _MAIN if threading.get_ident() == thread else ()
            return {key: value for key, value in told(name).items() if key not in leave_out}

        spawn.get_preparation_data = tell
        try:
            yield
        finally:
            spawn.get_preparation_data = told


@contextlib.contextmanager
def _folder_left_out() -> Iterator[None]:
    """Let processes that this thread starts not look for modules in the current folder.

    They are started as ``python -c``, which has it on its path before everything else until the parent's path arrives;
    a study's folder could hold a ``pickle.py``.
    """
    with _starting_safely:
        flags, thread = _OF_CHILDREN._args_from_interpreter_flags, threading.get_ident()

        def safe_flags() -> list[str]:
            wanted = threading.get_ident() == thread and not sys.flags.safe_path
            return [*flags(), *(["-P"] if wanted else [])]

        _OF_CHILDREN._args_from_interpreter_flags = safe_flags
        try:
            yield
        finally:
            _OF_CHILDREN._args_from_interpreter_flags = flags


def settle_in() -> None:
    """Make this worker leave Ctrl-C to its parent, which lets the work in flight finish, and end when that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
