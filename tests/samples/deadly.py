"""Parts that kill the process they work in, and parts that take their time; importable by worker processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portrayal.annotators.annotator import Observed
from portrayal.records import Attribute, Image, Job, Made, Observation, Prompt, attribute_table
from portrayal.study.importing.import_images import _build

POISON = -1
_GENDER = attribute_table()["gender"]


def doubler() -> Callable[[list[int]], list[int]]:
    """Build a function that doubles numbers and dies of a poisoned one."""
    return _double


def _double(batch: list[int]) -> list[int]:
    if POISON in batch:
        os.kill(os.getpid(), signal.SIGKILL)
    return [2 * number for number in batch]


@dataclass
class Looker:
    """Sees what is planted, and dies of ``victims``; of ``enders`` by an exception that ends a process.

    In the folder ``gates`` it writes down which process it is; at an image that has a file ``IMAGE.closed`` there it
    leaves a file ``IMAGE.here`` and waits until the first is gone.
    """

    victims: tuple[str, ...] = ()
    enders: tuple[str, ...] = ()
    gates: Path | None = None
    name: str = "looker@1"
    looks: bool = True
    citations: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = (_GENDER,)

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        for image in images:
            if image.id in self.victims:
                os.kill(os.getpid(), signal.SIGKILL)
            if image.id in self.enders:
                raise KeyboardInterrupt
            if self.gates is not None:
                _pass(self.gates, image.id)
            yield Observation(image.id, self.name, 0, "gender", mass=(1.0, 0.0))


@dataclass
class Drawer:
    """Draws a picture of a few bytes, in a process of its own, and dies of one prompt."""

    victim: str
    apart: bool = True
    name: str = "drawer@1"
    citations: tuple[str, ...] = ()

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made]:
        for job in jobs:
            if self.victim in job.text:
                os.kill(os.getpid(), signal.SIGKILL)
            yield Made(job.id, f"picture {job.id} by {os.getpid()}".encode(), "png", 1, 1)

    def truth(self, prompt: Prompt) -> None:
        return None


class StreamingLooker(Looker):
    """Sees a stream, and writes down how many images came at a time."""

    def stream(self, batches: Iterator[Sequence[Image]]) -> Iterator[tuple[Sequence[Image], list[Observed]]]:
        self.came: list[int] = []
        for images in batches:
            self.came.append(len(images))
            yield images, list(self.annotate(images))


def _pass(gates: Path, image: str) -> None:
    (gates / f"{os.getpid()}.pid").touch()
    gate = gates / f"{image}.closed"
    while gate.exists():
        (gates / f"{image}.here").touch()
        time.sleep(0.02)


@dataclass(frozen=True)
class DeadlyReader:
    """Builds a reader of files to import that dies of one of them."""

    victim: str

    def __call__(self) -> Callable[[Sequence[Any]], Any]:
        return self._read

    def _read(self, items: Sequence[Any]) -> Any:
        if any(item.file.path.name == self.victim for item in items):
            os.kill(os.getpid(), signal.SIGKILL)
        return _build()(items)
