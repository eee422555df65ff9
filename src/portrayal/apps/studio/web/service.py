"""What is behind the pages: the studies of a folder, their runs, and their pictures."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from filelock import Timeout

from portrayal.apps.studio.across.comparable import ComparableStudies
from portrayal.apps.studio.database.picture_index import PictureIndex
from portrayal.apps.studio.found import FoundStore
from portrayal.apps.studio.listed_studies import (
    STATE,
    ListedStudy,
    check_state,
    find_folder,
    list_studies,
    listed_study,
)
from portrayal.apps.studio.own_pictures.staged import StagedStore
from portrayal.apps.studio.people.people_sites import PeopleSites
from portrayal.apps.studio.runs.newest import NewestPictures
from portrayal.apps.studio.runs.run_queue import RunQueue
from portrayal.apps.studio.runs.run_state import RunView
from portrayal.apps.studio.sharing.packing import Packing
from portrayal.errors import StudyLockedError
from portrayal.store.lock import HeldLock
from portrayal.study.study import OpenStudy
from portrayal.web.picture_cache import PictureCache
from portrayal.web.security.links import new_token

__all__ = ["StudioService"]

THUMBNAIL = 240
TEND_EVERY = 1.0
"""Seconds between looks at the queue."""


@dataclass
class StudioService:
    """One folder of studies; only one server has it at a time. ``token`` is the link's, new with every start."""

    root: Path
    queue: RunQueue
    people: PeopleSites
    lock: HeldLock
    token: str = field(default_factory=new_token)
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    found: FoundStore = field(default_factory=FoundStore)
    comparable: ComparableStudies = field(default_factory=ComparableStudies)
    newest: NewestPictures = field(default_factory=NewestPictures)
    packing: Packing = field(init=False)
    _folders: dict[str, Path] = field(default_factory=dict)
    _indexes: dict[str, PictureIndex] = field(default_factory=dict)
    _caches: dict[tuple[str, int], PictureCache] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.packing = Packing(self.root)

    @classmethod
    def open(cls, root: Path) -> StudioService:
        """Open a folder; an error of one line where another studio has it."""
        check_state(root)
        (root / STATE).mkdir(parents=True, exist_ok=True)
        try:
            lock = HeldLock(root / STATE / "lock")
        except Timeout:
            raise StudyLockedError(f"{root}: another studio has this folder; open that one, or end it first") from None
        service = cls(root, RunQueue(root), PeopleSites(root), lock)
        service.staged.clear()
        return service

    @property
    def staged(self) -> StagedStore:
        """Pictures that came in and are no study yet."""
        return StagedStore(self.root)

    def close(self) -> None:
        """Give the folder back. Runs go on: they are processes of their own."""
        self.lock.release()

    def check_lock(self) -> None:
        """Raise an error when this server is not the only one any more."""
        self.lock.check()

    async def tend(self) -> None:
        """Start queued runs when their turn comes, for as long as the server lives."""
        while True:
            await asyncio.to_thread(self.queue.tend)
            await asyncio.sleep(TEND_EVERY)

    async def studies(self) -> list[tuple[ListedStudy, RunView]]:
        """Return all studies, each with its run."""
        listed = await asyncio.to_thread(list_studies, self.root)
        return [(study, self.queue.view(study.key)) for study in listed]

    async def study(self, key: str) -> ListedStudy | None:
        """Return a study by its key."""
        folder = await asyncio.to_thread(self.folder, key)
        return None if folder is None else await asyncio.to_thread(listed_study, self.root, folder)

    def folder(self, key: str) -> Path | None:
        """Return where a study lies; it is looked for once."""
        folder = find_folder(self.root, key, self._folders.get(key))
        if folder is not None:
            self._folders[key] = folder
        return folder

    def index(self, study: ListedStudy) -> PictureIndex:
        """Return the index of a study's pictures."""
        folder = self.root / STATE / study.key
        return self._indexes.setdefault(study.key, PictureIndex(study.folder, folder))

    def left_out_mark(self, study: ListedStudy) -> Path:
        """Return a file as old as the last change of what is left out here: the list itself may be gone again."""
        return self.root / STATE / study.key / "left-out"

    async def picture(self, study: ListedStudy, name: str, longest: int) -> bytes:
        """Return a picture as JPEG with nothing attached to it."""
        cache = self._caches.get((study.key, longest))
        if cache is None:
            opened = await asyncio.to_thread(OpenStudy, study.folder)
            folder = self.root / STATE / study.key / f"pictures-{longest}"
            cache = self._caches[study.key, longest] = PictureCache(opened.workspace.images, folder, longest)
        return await cache.get(name)
