"""One writer per study: a second one waits, or is told who holds the lock."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from portrayal.errors import StudyLockedError
from portrayal.store.files import storage_errors

__all__ = ["one_writer"]


@contextlib.contextmanager
def one_writer(root: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold the lock of the study at ``root``; the operating system gives it up when this process ends."""
    with storage_errors(root):
        lock = FileLock(root / ".lock", timeout=-1 if wait else 0)
        try:
            lock.acquire()
        except Timeout:
            raise StudyLockedError(
                f"{root}: another portrayal process{_holder(root)} is working on this study; "
                "wait for it to end, or add --wait"
            ) from None
        owner = root / ".lock-owner"
        try:
            owner.write_text(json.dumps({"pid": os.getpid()}))
            yield
        finally:
            owner.unlink(missing_ok=True)
            lock.release()


def _holder(root: Path) -> str:
    try:
        return f" (pid {json.loads((root / '.lock-owner').read_text())['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
