"""What is behind the pages of any site whose answers a database keeps."""

from __future__ import annotations

from typing import Generic, TypeVar

from portrayal.study.sql.store import ServerStore
from portrayal.study.sql.writer import ChangeWriter
from portrayal.web.started_work import StartedWork

__all__ = ["StoredService"]

T = TypeVar("T")


class StoredService(Generic[T]):
    """A service that commits changes of one kind. A change that was begun is finished before the database is closed."""

    def __init__(self, store: ServerStore[T]) -> None:
        self.secret = store.secret()
        self._store = store
        self._writer = ChangeWriter(store.write)
        self._work = StartedWork()

    async def close(self) -> None:
        """Finish what was begun, then give the database back."""
        await self._work.finish()
        await self._writer.close()
        self._store.close()

    def check_lock(self) -> None:
        """Raise an error when this server is not the only one any more."""
        self._store.check_lock()
