"""What an annotator says of a batch of images, or of a stream of them, whatever it does on the way."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from portrayal.annotators import Annotator, Streaming
from portrayal.annotators.annotator import Observed, sees_pixels
from portrayal.engines.deaths import KILLED
from portrayal.errors import PortrayalError, message_of
from portrayal.picturefile import ImageFile
from portrayal.records import OBSERVATION_SCHEMA, PERSON, Abstention, Attribute, Image, Observation, to_table
from portrayal.store.images.read_ahead import ReadAhead
from portrayal.study.parts.error_line import error_line, shown

__all__ = ["AnnotatedBatch", "ask_annotator", "ask_stream", "check_rows", "joined"]

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
        images: list[str] = self.rows.filter(pc.equal(self.rows["reason"], KILLED))["image"].to_pylist()
        return images


def joined(batches: Sequence[AnnotatedBatch]) -> AnnotatedBatch:
    """Return batches as one; of several problems the first."""
    names = [name for batch in batches for name in batch.images]
    problem = next((batch.problem for batch in batches if batch.problem), "")
    rows = [OBSERVATION_SCHEMA.empty_table(), *(batch.rows for batch in batches)]
    return AnnotatedBatch(names, pa.concat_tables(rows), problem)


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


def ask_stream(annotator: Annotator, batches: Iterator[list[Image]]) -> Iterator[AnnotatedBatch]:
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


def _annotate_again(annotator: Annotator, images: Sequence[Image], error: Exception) -> AnnotatedBatch:
    """Find the image on which a stream broke; where every one breaks it, the images are not to blame."""
    batch = ask_annotator(annotator, images)
    reasons = batch.rows.column("reason").to_pylist()
    if len(images) > 1 and all(reason and reason.startswith(_BROKE) for reason in reasons):
        said = next(iter(message_of(error).splitlines()), "")
        raise PortrayalError(
            f"annotator {annotator.name} fails on every image ({type(error).__name__}: {said}); what was done is kept"
        ) from error
    return batch


def ask_annotator(annotator: Annotator, images: Sequence[Image]) -> AnnotatedBatch:
    """Return the images' names and rows; an annotator that breaks off is asked image by image."""
    names = [image.id for image in images]
    try:
        with ReadAhead(_files(images) if sees_pixels(annotator) else ()) as ahead:
            return _complete(annotator, names, list(annotator.annotate(_ahead(ahead, images))))
    except PortrayalError:
        raise
    except (Exception, SystemExit) as error:  # code of others may call exit, and the command is not theirs to end
        if len(images) > 1:
            return joined([ask_annotator(annotator, [image]) for image in images])
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


_PERSON = Attribute(PERSON, "shows people", ("yes", "no"))


def check_rows(annotator: Annotator, images: Collection[str], rows: Sequence[Any]) -> None:
    """Raise a TypeError or ValueError that says what is wrong with the rows about some images."""
    known, asked = {PERSON: _PERSON, **{attribute.name: attribute for attribute in annotator.attributes}}, set(images)
    for row in rows:
        if not isinstance(row, Observation | Abstention):
            raise TypeError(f"it gave {shown(row)}; give Observation(image.id, …) or Abstention(image.id, …)")
        if row.image not in asked:
            raise ValueError(f"it speaks of the image {shown(row.image)}, which it was not shown; give image.id")
        if row.annotator != annotator.name:
            raise ValueError(f"it calls itself {shown(row.annotator)} and is {annotator.name!r}; give self.name")
        if row.attribute is not None and row.attribute not in known:
            raise ValueError(f"it tells {shown(row.attribute)}, which is none of its attributes: {', '.join(known)}")
        if isinstance(row, Observation) and row.mass is not None:
            groups = known[row.attribute].groups
            if len(row.mass) != len(groups):
                raise ValueError(f"its masses of {row.attribute}: {len(row.mass)}, and there are {len(groups)} groups")
