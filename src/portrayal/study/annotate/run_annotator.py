"""From a batch of images to rows, in whatever way the annotator works; nothing is written here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from portrayal.annotators import Annotator, Streaming
from portrayal.engines import DeviceEngine, Feed, LocalEngine, ThreadEngine, answering, concurrency
from portrayal.engines.deaths import KILLED
from portrayal.records import OBSERVATION_SCHEMA, Abstention, Image, to_table
from portrayal.store.images.image_store import ImageStore
from portrayal.store.ledger import Ledger
from portrayal.study.annotate.ask_annotator import AnnotatedBatch, ask_annotator, ask_stream, joined
from portrayal.study.annotate.feeding import StreamFeed
from portrayal.study.parts.devices import on_each
from portrayal.study.parts.payment import pay_from
from portrayal.study.parts.specs import AnnotatorSpec
from portrayal.study.parts.spreading import ray_engine, reading_images
from portrayal.study.run_control import RunControl

__all__ = ["STREAMED", "AnnotateWork", "FeedWork", "run_annotator"]

COMMIT_EVERY = 1.0
"""Seconds: a stream that sees thousands of images a second must not write a file for each batch."""

STREAMED = 4096
"""Images of a batch that a cluster sees as a stream: beginnings and ends, with little under way, are rare."""
_IN_STREAM = 32


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
            return partial(ask_annotator, annotator)
        return partial(_annotate_for_money, pay_from(annotator, self.ledger), self.ledger)


@dataclass(frozen=True, slots=True)
class FeedWork:
    """Builds, in the process of a device, what is fed with batches: a stream that reads ahead, or a plain function."""

    spec: AnnotatorSpec

    def __call__(self) -> Feed[list[Image], AnnotatedBatch]:
        """Load the annotator and return what is to be fed."""
        annotator = self.spec.build()
        if isinstance(annotator, Streaming):
            return StreamFeed(partial(ask_stream, annotator), lambda batch: len(batch.images), joined)
        return answering(partial(ask_annotator, annotator))


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
        yield from map(joined, ThreadEngine(threads).map(AnnotateWork(spec, ledger), batches))
    elif control.cluster is not None:
        engine = ray_engine(control.cluster, annotator, spec.resources, control)
        work = reading_images(AnnotateWork(spec, streams=_IN_STREAM), images, spec.folder)
        yield from map(joined, engine.map(work, batches, set_aside))
    elif len(devices) > 1:
        results = DeviceEngine().map([FeedWork(on_device) for on_device in on_each(spec, annotator, devices)], batches)
        yield from map(joined, _grouped(results, COMMIT_EVERY))
    elif isinstance(annotator, Streaming):
        yield from map(joined, _grouped(ask_stream(annotator, batches), COMMIT_EVERY))
    else:
        yield from LocalEngine(workers).map(AnnotateWork(spec), batches, set_aside)


def _set_aside(annotator: str, images: Sequence[Image], how: str) -> AnnotatedBatch:
    """Return the row of an image that killed the processes which looked at it."""
    names = [image.id for image in images]
    rows = [Abstention(name, annotator, KILLED) for name in names]
    return AnnotatedBatch(names, to_table(rows, OBSERVATION_SCHEMA), how)


def _annotate_streaming(annotator: Annotator, size: int, images: Sequence[Image]) -> AnnotatedBatch:
    some = (list(images[start : start + size]) for start in range(0, len(images), size))
    return joined(list(ask_stream(annotator, some)))


def _annotate_for_money(annotator: Annotator, ledger: Ledger, images: Sequence[Image]) -> AnnotatedBatch:
    with ledger.work():
        return ask_annotator(annotator, images)


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
