"""One writer per study: a second one waits, or is told who holds the lock."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from portrayal.errors import InputError, StudyLockedError
from portrayal.inputfile import read_bytes
from portrayal.store.files import storage_errors
from portrayal.store.own_files import check_own

__all__ = ["HeldLock", "one_writer"]

_LARGEST_OWNER = 1000


class HeldLock:
    """A lock file that this process holds until :meth:`release`, or until it ends, however it ends.

    The operating system locks the file, not its name. Whoever deletes the file lets the next process make and lock a
    new one, so :meth:`check` is asked before anything is committed.

    Raises
    ------
    filelock.Timeout
        When another process holds it, unless told to wait.
    """

    def __init__(self, path: Path, *, wait: bool = False) -> None:
        check_own(path)
        self._path = path
        # Held by the process, not by the thread that happens to take it.
        self._lock = FileLock(path, timeout=-1 if wait else 0, thread_local=False)
        self._lock.acquire()
        self._file = _identity(path)

    @property
    def lost(self) -> bool:
        """Whether the file was deleted or replaced."""
        return self._file is None or _identity(self._path) != self._file

    def check(self) -> None:
        """Raise an error when the lock is lost: another process may be at work."""
        if self.lost:
            raise StudyLockedError(
                f"{self._path}: somebody deleted this lock file, so another process may be at work beside this one, "
                "which stops; what was done is kept: see that no other is left, then run again"
            )

    def release(self) -> None:
        """Let others have it."""
        self._lock.release()


@contextlib.contextmanager
def one_writer(root: Path, *, wait: bool = False) -> Iterator[HeldLock]:
    """Hold the lock of the study at ``root``; the operating system gives it up when this process ends."""
    owner = root / ".lock-owner"
    check_own(owner)
    with storage_errors(root):
        try:
            held = HeldLock(root / ".lock", wait=wait)
        except Timeout:
            raise StudyLockedError(
                f"{root}: another portrayal process{_holder(root)} is working on this study; "
                "wait for it to end, or add --wait (in Python: wait=True)"
            ) from None
        try:
            owner.write_text(json.dumps({"pid": os.getpid()}))
            yield held
        finally:
            if not held.lost:  # else it names another process by now
                owner.unlink(missing_ok=True)
            held.release()


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another of the same name; one that is open keeps its number."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino


def _holder(root: Path) -> str:
    try:
        return f" (pid {int(json.loads(read_bytes(root / '.lock-owner', _LARGEST_OWNER))['pid'])})"
    except (InputError, ValueError, KeyError, TypeError):
        return ""
