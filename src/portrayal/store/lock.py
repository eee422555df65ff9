"""One writer per study: a second one waits, or is told who holds the lock."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from portrayal.errors import InputError, StudyLockedError
from portrayal.inputfile import read_bytes, read_regular
from portrayal.store.files import storage_errors
from portrayal.store.own_files import check_own

__all__ = ["HeldLock", "one_writer"]

_LARGEST_OWNER = 1000


class HeldLock:
    """A lock file that this process holds until :meth:`release`, or until it ends, however it ends.

    The operating system locks the file, not its name. Whoever deletes the file lets the next process make and lock a
    new one, so :meth:`check` is asked before anything is committed. A network file system may lose locks without a
    word. So who holds this one writes that into ``owner``, and sees there when somebody else does.

    Raises
    ------
    filelock.Timeout
        When another process holds it, unless told to wait.
    """

    def __init__(self, path: Path, *, wait: bool = False, owner: Path | None = None) -> None:
        check_own(path)
        self._path, self._owner = path, owner
        self._word = json.dumps({"pid": os.getpid(), "token": secrets.token_hex(8)})
        # Held by the process, not by the thread that happens to take it.
        self._lock = FileLock(path, timeout=-1 if wait else 0, thread_local=False)
        self._lock.acquire()
        try:
            self._file = _identity(path)
            if owner is not None:
                owner.write_text(self._word)
        except BaseException:
            self._lock.release()
            raise

    @property
    def lost(self) -> bool:
        """Whether the file was deleted or replaced, or somebody else holds it."""
        return self._is_replaced() or self._is_taken()

    def check(self) -> None:
        """Raise an error when the lock is lost: another process may be at work."""
        if self.lost:
            why = "somebody deleted this lock file" if self._is_replaced() else "somebody else took this lock"
            raise StudyLockedError(
                f"{self._path}: {why}, so another process may be at work beside this one, "
                "which stops; what was done is kept: see that no other is left, then run again"
            )

    def release(self) -> None:
        """Let others have it."""
        self._lock.release()

    def _is_replaced(self) -> bool:
        return self._file is None or _identity(self._path) != self._file

    def _is_taken(self) -> bool:
        try:
            return self._owner is not None and read_regular(self._owner, _LARGEST_OWNER).decode() != self._word
        except (OSError, InputError, UnicodeDecodeError):
            return True  # whoever had it meanwhile took it away at the end


@contextlib.contextmanager
def one_writer(root: Path, *, wait: bool = False) -> Iterator[HeldLock]:
    """Hold the lock of the study at ``root``; the operating system gives it up when this process ends."""
    owner = root / ".lock-owner"
    check_own(owner)
    with storage_errors(root):
        try:
            held = HeldLock(root / ".lock", wait=wait, owner=owner)
        except Timeout:
            raise StudyLockedError(
                f"{root}: another portrayal process{_holder(root)} is working on this study; "
                "wait for it to end, or add --wait (in Python: wait=True)"
            ) from None
        try:
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
    except (InputError, ValueError, KeyError, TypeError, OverflowError):
        return ""
