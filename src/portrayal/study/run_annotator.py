"""From a batch of images to rows, in whatever way the annotator works; nothing is written here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from portrayal.annotators import Annotator, Streaming
from portrayal.annotators.base import Observed, sees_pixels
from portrayal.engines import DeviceEngine, Feed, LocalEngine, ThreadEngine, answering, concurrency
from portrayal.errors import PortrayalError
from portrayal.picturefile import ImageFile
from portrayal.records import OBSERVATION_SCHEMA, Abstention, Image, to_table
from portrayal.store.images import ImageStore
from portrayal.store.ledger import Ledger
from portrayal.store.read_ahead import ReadAhead
from portrayal.study.check_rows import check_rows
from portrayal.study.devices import on_each
from portrayal.study.error_line import error_line
from portrayal.study.feeding import StreamFeed
from portrayal.study.payment import pay_from
from portrayal.study.run_control import RunControl
from portrayal.study.specs import AnnotatorSpec
from portrayal.study.spreading import ray_engine, reading_images

__all__ = ["KILLED", "STREAMED", "AnnotateWork", "AnnotatedBatch", "FeedWork", "run_annotator"]

COMMIT_EVERY = 1.0
"""Seconds: a stream that sees thousands of images a second must not write a file for each batch."""

KILLED = "killed_worker"
"""Why an image is set aside: the process that worked on it died, again and again."""
STREAMED = 4096
"""Images of a batch that a cluster sees as a stream: beginnings and ends, with little under way, are rare."""
_IN_STREAM = 32
_BROKE = "annotator_error"
_GONE = "missing_file"


class AnnotatedBatch(NamedTuple):
    """The names of images, and the rows about them; ``problem`` is the first error that the annotator raised."""

    images: list[str]
    rows: pa.Table
    problem: str = ""

    @property
    def is_broken(self) -> bool:
        """Whether the annotator raised the same kind of error on every image."""
        reasons = set(self.rows.column("reason").to_pylist())
        return len(reasons) == 1 and (reasons.pop() or "").startswith(_BROKE)

    @property
    def killers(self) -> list[str]:
        """The images that are set aside as each killed its worker."""
        found: list[str] = self.rows.filter(pc.equal(self.rows["reason"], KILLED))["image"].to_pylist()
        return found


@dataclass(frozen=True, slots=True)
class AnnotateWork:
    """Builds, in any process, the pure function from a batch of images to what is seen in them.

    With ``streams`` an annotator that can sees a batch as a stream of its own, of so many images at a time.
    """

    spec: AnnotatorSpec
    ledger: Ledger | None = None
    streams: int = 0

    def __call__(self) -> Callable[[Sequence[Image]], AnnotatedBatch]:
        """Load the annotator and return the function."""
        annotator = self.spec.build()
        if self.streams and isinstance(annotator, Streaming):
            return partial(_annotate_streaming, annotator, self.streams)
        if self.ledger is None:
            return partial(_annotate, annotator)
        return partial(_annotate_for_money, pay_from(annotator, self.ledger), self.ledger)


@dataclass(frozen=True, slots=True)
class FeedWork:
    """Builds, in the process of a device, what is fed with batches: a stream that reads ahead, or a plain function."""

    spec: AnnotatorSpec

    def __call__(self) -> Feed[list[Image], AnnotatedBatch]:
        """Load the annotator and return what is to be fed."""
        annotator = self.spec.build()
        if isinstance(annotator, Streaming):
            return StreamFeed(partial(_streamed, annotator), _size, _joined)
        return answering(partial(_annotate, annotator))


def run_annotator(
    spec: AnnotatorSpec,
    batches: Iterator[list[Image]],
    ledger: Ledger,
    workers: int,
    control: RunControl,
    images: ImageStore,
    devices: Sequence[str] = (),
) -> Iterator[AnnotatedBatch]:
    """Yield images and rows as they are to be committed.

    They come through a service, from a cluster, from a process for each of several devices, from a stream, or from
    worker processes.
    """
    if len(devices) == 1:
        spec = spec.on(devices[0])
    annotator = spec.build()
    set_aside = partial(_set_aside, annotator.name)
    if threads := concurrency(annotator):
        yield from map(_joined, ThreadEngine(threads).map(AnnotateWork(spec, ledger), batches))
    elif control.cluster is not None:
        engine = ray_engine(control.cluster, annotator, spec.resources, control)
        work = reading_images(AnnotateWork(spec, streams=_IN_STREAM), images, spec.folder)
        yield from map(_joined, engine.map(work, batches, set_aside))
    elif len(devices) > 1:
        results = DeviceEngine().map([FeedWork(own) for own in on_each(spec, annotator, devices)], batches)
        yield from map(_joined, _grouped(results, COMMIT_EVERY))
    elif isinstance(annotator, Streaming):
        yield from map(_joined, _grouped(_streamed(annotator, batches), COMMIT_EVERY))
    else:
        yield from LocalEngine(workers).map(AnnotateWork(spec), batches, set_aside)


def _set_aside(annotator: str, images: Sequence[Image], how: str) -> AnnotatedBatch:
    """Return the row of an image that killed the processes which looked at it."""
    names = [image.id for image in images]
    rows = [Abstention(name, annotator, KILLED) for name in names]
    return AnnotatedBatch(names, to_table(rows, OBSERVATION_SCHEMA), how)


class _BatchesInFlight:
    """Batches on their way through a stream, which may read ahead in a thread; ``open`` are those it is silent about.

    ``problem`` is why there are no more, when that is not the stream's fault.
    """

    def __init__(self, batches: Iterator[list[Image]]) -> None:
        self.open: dict[str, Image] = {}
        self.problem: Exception | None = None
        self._batches = batches
        self._closed = False
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[list[Image]]:
        return self

    def __next__(self) -> list[Image]:
        with self._lock:
            if self._closed:
                raise StopIteration
            try:
                batch = next(self._batches)
            except StopIteration:
                raise
            except Exception as error:
                self.problem = error
                raise
            self.open.update((image.id, image) for image in batch)
            return batch

    def close(self) -> list[Image]:
        """Give out no more; return what is still open."""
        with self._lock:
            self._closed = True
            return list(self.open.values())


def _streamed(annotator: Annotator, batches: Iterator[list[Image]]) -> Iterator[AnnotatedBatch]:
    """Yield what a stream sees. Where it breaks off, what it holds is shown again without it, and it begins anew."""
    assert isinstance(annotator, Streaming)
    while True:
        in_flight = _BatchesInFlight(batches)
        try:
            for images, seen in annotator.stream(in_flight):
                names = [image.id for image in images]
                yield _complete(annotator, names, list(seen))
                for name in names:
                    in_flight.open.pop(name, None)
        except Exception as error:
            left = in_flight.close()
            if isinstance(error, PortrayalError) or in_flight.problem or not left:
                raise
            yield _annotate_again(annotator, left, error)
        else:
            if left := in_flight.close():
                yield _complete(annotator, [image.id for image in left], [])
            return


def _annotate_streaming(annotator: Annotator, size: int, images: Sequence[Image]) -> AnnotatedBatch:
    some = (list(images[start : start + size]) for start in range(0, len(images), size))
    return _joined(list(_streamed(annotator, some)))


def _annotate_again(annotator: Annotator, images: Sequence[Image], error: Exception) -> AnnotatedBatch:
    """Find the image on which a stream broke; where every one breaks it, the images are not to blame."""
    batch = _annotate(annotator, images)
    reasons = batch.rows.column("reason").to_pylist()
    if len(images) > 1 and all(reason and reason.startswith(_BROKE) for reason in reasons):
        said = next(iter(str(error).splitlines()), "")
        raise PortrayalError(
            f"annotator {annotator.name} fails on every image ({type(error).__name__}: {said}); what was done is kept"
        ) from error
    return batch


def _annotate_for_money(annotator: Annotator, ledger: Ledger, images: Sequence[Image]) -> AnnotatedBatch:
    with ledger.work():
        return _annotate(annotator, images)


def _annotate(annotator: Annotator, images: Sequence[Image]) -> AnnotatedBatch:
    """Return the images' names and rows; an annotator that breaks off is asked image by image."""
    names = [image.id for image in images]
    try:
        with ReadAhead(_files(images) if sees_pixels(annotator) else ()) as ahead:
            return _complete(annotator, names, list(annotator.annotate(_ahead(ahead, images))))
    except PortrayalError:
        raise
    except (Exception, SystemExit) as error:  # code of others may call exit, and the command is not theirs to end
        if len(images) > 1:
            return _joined([_annotate(annotator, [image]) for image in images])
        path = images[0].path
        if isinstance(error, FileNotFoundError) and path is not None and not path.is_file():
            return AnnotatedBatch(names, to_table([Abstention(names[0], annotator.name, _GONE)], OBSERVATION_SCHEMA))
        broke = [Abstention(names[0], annotator.name, f"{_BROKE}: {type(error).__name__}")]
        return AnnotatedBatch(names, to_table(broke, OBSERVATION_SCHEMA), error_line(error))


def _files(images: Sequence[Image]) -> Iterator[ImageFile | None]:
    return (file for image in images for file in (image.path, *image.sources))


def _ahead(ahead: ReadAhead, images: Sequence[Image]) -> Sequence[Image]:
    """Return images whose files are read before they are asked for, where that saves time."""
    if not ahead.reads:
        return images
    return [
        replace(image, path=image.path and ahead.file(image.path), sources=tuple(map(ahead.file, image.sources)))
        for image in images
    ]


def _complete(annotator: Annotator, names: list[str], seen: list[Observed]) -> AnnotatedBatch:
    """Check the rows, and give every image one, else it would be asked about for ever."""
    check_rows(annotator, names, seen)
    judged = {row.image for row in seen}
    seen += [Abstention(name, annotator.name, "annotator_said_nothing") for name in names if name not in judged]
    return AnnotatedBatch(names, to_table(seen, OBSERVATION_SCHEMA))


def _size(batch: AnnotatedBatch) -> int:
    return len(batch.images)


def _joined(batches: Sequence[AnnotatedBatch]) -> AnnotatedBatch:
    names = [name for batch in batches for name in batch.images]
    problem = next((batch.problem for batch in batches if batch.problem), "")
    rows = [OBSERVATION_SCHEMA.empty_table(), *(batch.rows for batch in batches)]
    return AnnotatedBatch(names, pa.concat_tables(rows), problem)


def _grouped(results: Iterable[AnnotatedBatch], seconds: float) -> Iterator[list[AnnotatedBatch]]:
    """Yield what came within some seconds together."""
    group: list[AnnotatedBatch] = []
    began = time.monotonic()
    for result in results:
        group.append(result)
        if time.monotonic() - began >= seconds:
            yield group
            group, began = [], time.monotonic()
    if group:
        yield group
