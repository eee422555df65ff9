"""How a part is spread over a cluster: what its workers need, and that they see what it needs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from portrayal.engines import Build
from portrayal.engines.ray import RayCluster, RayEngine
from portrayal.errors import InputError
from portrayal.processes import Resources, wished_resources
from portrayal.store.images.image_store import ImageStore
from portrayal.study.config import CONFIG_NAME, ResourcesConfig, read_config
from portrayal.study.run_control import RunControl

__all__ = ["SharedFolder", "ray_engine", "reading_images", "resources_of"]

B = TypeVar("B")
R = TypeVar("R")


def resources_of(part: object, config: ResourcesConfig) -> Resources:
    """Return what study.toml gives each worker of a part, and where it says nothing, what the part wishes."""
    wished = wished_resources(part)
    return Resources(
        wished.cpus if config.cpus is None else config.cpus,
        wished.gpus if config.gpus is None else config.gpus,
        wished.memory if config.gib is None else round(config.gib * 2**30),
        wished.or_no_gpu and config.gpus is None,
    )


def ray_engine(cluster: RayCluster, part: object, config: ResourcesConfig, control: RunControl) -> RayEngine:
    """Return what runs a part on the cluster."""
    return RayEngine(cluster, resources_of(part, config), config.workers, control.stopped, control.remark)


@dataclass(frozen=True, slots=True)
class SharedFolder(Generic[B, R]):
    """Builds work that reads images of a study's folder, where that is the same folder as here.

    Elsewhere every image would be missing, and that would be written down as what was seen.
    """

    work: Build[B, R]
    root: Path
    digest: str

    @classmethod
    def of(cls, work: Build[B, R], root: Path) -> SharedFolder[B, R]:
        """Remember by what the folder is known."""
        return cls(work, root, _digest(root))

    def __call__(self) -> Callable[[B], R]:
        """Check the folder, and build the work."""
        there = (self.root / CONFIG_NAME).is_file()
        if not there or _digest(self.root) != self.digest:
            what = "is another one here" if there else "is not here"
            raise InputError(
                f"the study's folder {self.root} {what}; put it on a file system that all nodes share, under one path"
            )
        return self.work()


@dataclass(frozen=True, slots=True)
class _ReachedStore(Generic[B, R]):
    """Builds work that reads images of a store, where that can be reached."""

    work: Build[B, R]
    images: ImageStore

    def __call__(self) -> Callable[[B], R]:
        """Ask the store, and build the work."""
        self.images.check()
        return self.work()


def reading_images(work: Build[B, R], images: ImageStore, root: Path) -> Build[B, R]:
    """Return work that reads a study's images, or writes to their store, and is built only on nodes that can."""
    return _ReachedStore(work, images) if images.shared else SharedFolder.of(work, root)


def _digest(root: Path) -> str:
    return hashlib.sha256(read_config(root)).hexdigest()
