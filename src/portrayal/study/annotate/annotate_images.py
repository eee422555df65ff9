"""Annotate: let every annotator look at each image it has not judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from portrayal.annotators import Annotator, Streaming, looks_itself
from portrayal.annotators.annotator import sees_pixels
from portrayal.engines import concurrency, cpu_count
from portrayal.errors import StudyError
from portrayal.evidence import Requires
from portrayal.picturefile import ImageFile
from portrayal.records import Image, Prompt, from_table
from portrayal.stats.exact import Ints
from portrayal.store.ledger import Ledger
from portrayal.store.tables.keys import Keys, key_numbers
from portrayal.store.tables.row_batches import is_word
from portrayal.study.annotate.compare_pictures import compare_pictures
from portrayal.study.annotate.judged import judged_images
from portrayal.study.annotate.kept_images import require_images
from portrayal.study.annotate.precision import check_precision
from portrayal.study.annotate.run_annotator import STREAMED, run_annotator
from portrayal.study.measure.planted import planted_people
from portrayal.study.parts.code_digests import compare_code, remember_code
from portrayal.study.parts.devices import chosen_devices, spread_over
from portrayal.study.parts.given_parts import runs_in_workers
from portrayal.study.parts.specs import AnnotatorSpec
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.study.tables.plan_answers import read_answers

__all__ = ["PendingImages", "annotate"]

_COLUMNS = ("status", "image", "ext", "planted")
_OBJECTS = 10_000
"""Images made of the rows of a table at a time: as objects they take many times the room of rows."""
_MADE = "SELECT job, image, ext FROM outcomes SEMI JOIN sources USING (job) WHERE status = 'made' AND ext <> ''"


def annotate(study: OpenStudy, control: RunControl) -> None:
    """Show every annotator its pending images, each of which gets at least one row; then compare images in pairs."""
    ledger = Ledger(study.workspace, control.budget)
    for name, (_, annotator) in study.annotators.items():
        if not looks_itself(annotator):
            continue
        images = PendingImages(study, name)
        pending = images.count()
        control.progress.start(f"annotate {study.names.annotator(name)}", pending)
        if pending:  # else a stream would load its model for nothing
            _annotate_pending(study, images, pending, ledger, control)
        control.progress.finish()
    compare_pictures(study, control)


def _annotate_pending(
    study: OpenStudy, images: PendingImages, pending: int, ledger: Ledger, control: RunControl
) -> None:
    """Let one annotator look, and commit what it sees as it comes."""
    (spec, annotator), settings = study.annotators[images.annotator], study.config.annotate
    if sees_pixels(annotator):
        require_images(study, images)
    devices = () if control.cluster else chosen_devices(spec, annotator)
    size = 1 if concurrency(annotator) else settings.batch
    if control.cluster and isinstance(annotator, Streaming):
        size = max(size, STREAMED)
    if len(devices) > 1:
        size = _fed_together(annotator, size)
    if control.cluster is None and hasattr(annotator, "unrounded"):
        rounding = (spec.on(devices[0]) if devices else spec).build()
        check_precision(study.workspace, rounding, study.names.annotator(annotator.name), images)
    batches = -(-pending // size)
    workers = 1 if control.cluster else _workers(spec, min(settings.workers or cpu_count(), batches), control)
    if not spec.devices and not isinstance(annotator, Streaming):
        devices = spread_over(devices, workers)
    devices = devices[:batches]
    if spec.instance is not None:
        compare_code(study.workspace, annotator.name, spec.instance, control)
    # Code of the user's own that has not judged anything yet may be wrong as a whole.
    untried = spec.instance is not None and pending == images.total
    remembered = spec.instance is None
    killers: list[str] = []
    store, pictures = study.workspace.images, control.batches(images, size)
    for batch in run_annotator(spec, pictures, ledger, workers=workers, control=control, images=store, devices=devices):
        if untried and batch.is_broken:
            raise StudyError(
                f"annotator {annotator.name} fails on every image it was shown, {len(batch.images)} of them: "
                f"{batch.problem}; nothing is stored: mend it and run again, or let it say nothing of such images"
            )
        untried = False
        study.workspace.tables["observations"].append(batch.rows)
        if not remembered:
            remember_code(study.workspace, annotator.name, spec.instance)
            remembered = True
        killers += batch.killers
        control.progress.advance(len(batch.images))
    if killers:
        control.remark(
            f"{study.names.annotator(annotator.name)}: images that killed the process which looked at them, set aside: "
            f"{len(killers)}; the first: {killers[0]}"
        )


def _fed_together(annotator: Annotator, batch: int) -> int:
    """Return how many images a device is handed at a time.

    A stream puts as many together as suit its model. It is handed a multiple of that, so that however many streams
    there are, the same images are looked at together: numbers may be rounded otherwise in another company.
    """
    together = getattr(annotator, "together", 0) if isinstance(annotator, Streaming) else 0
    return together * max(batch // together, 1) if together else batch


def _workers(spec: AnnotatorSpec, wanted: int, control: RunControl) -> int:
    """Return how many processes look: one for what others cannot import."""
    part = spec.instance
    if part is None or wanted == 1 or concurrency(part) or isinstance(part, Streaming) or runs_in_workers(part):
        return wanted
    control.remark(
        f"{part.name} looks in this process alone, as worker processes cannot import it: "
        "put it into a module to use several"
    )
    return 1


class PendingImages:
    """The images of the plan that an annotator has not judged, in the order in which they were made, each once.

    A picture that answers several prompts is judged once: as one of as many people as any of them asks for.
    """

    def __init__(self, study: OpenStudy, annotator: str) -> None:
        self.annotator = annotator
        self._workspace = study.workspace
        self._answers = read_answers(study.workspace, Requires(sources=study.edits))
        self._sources = _source_files(study) if study.edits else {}
        self._judged = judged_images(study, annotator)
        prompts = {prompt.id: prompt for prompt in from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)}
        self._prompts = [prompts[prompt] for _, prompt in self._answers.cells]
        self._people = np.array([prompt.people for prompt in self._prompts], dtype=np.int64)

    def count(self) -> int:
        """Return how many there are."""
        return sum(len(rows) for _, rows in self._pending(("status", "image")))

    @property
    def total(self) -> int:
        """How many there are with those that it has judged."""
        return self._answers.pictures

    def texts(self) -> Counter[str]:
        """Count them by what they were asked with."""
        texts = Counter[str]()
        for batch, rows in self._pending(("status", "image")):
            texts.update(text for _, (text, _), _ in self._asked(key_numbers(batch["image"])[rows]))
        return texts

    def __iter__(self) -> Iterator[Image]:
        for batch, rows in self._pending(_COLUMNS):
            for start in range(0, len(rows), _OBJECTS):
                yield from self._images(batch.take(pa.array(rows[start : start + _OBJECTS])))

    def _images(self, chosen: pa.RecordBatch) -> Iterator[Image]:
        """Yield the images of some outcomes."""
        asked = self._asked(key_numbers(chosen["image"]))
        columns = chosen["image"].to_pylist(), chosen["ext"].to_pylist(), planted_people(chosen["planted"])
        for image, ext, planted, (people, (text, term), sources) in zip(*columns, asked, strict=True):
            path = self._workspace.images.path(image, ext) if ext else None
            yield Image(image, path, planted, people, text, sources, term)

    def _pending(self, columns: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, Ints]]:
        """Yield stretches of the outcomes, and which rows of them hold pending images."""
        repeated: set[int] = set()
        for batch in self._workspace.tables["outcomes"].scan(columns, ("status",)):
            rows = np.flatnonzero(is_word(batch["status"], "made"))
            names = batch["image"].take(pa.array(rows))
            keys = key_numbers(names)
            places, _ = self._answers.images.find(keys)
            jobs = np.bincount(places, minlength=len(rows))
            new = (jobs > 0) & ~self._judged.has(names)
            for row in np.flatnonzero(new & (jobs > 1)).tolist():
                new[row] = int(keys[row]) not in repeated
                repeated.add(int(keys[row]))
            yield batch, rows[new]

    def _asked(self, keys: Keys) -> list[tuple[int, tuple[str, str], tuple[ImageFile, ...]]]:
        """Return of each image the number of people, the text it was asked with and its term, and what was edited."""
        places, found = self._answers.images.find(keys)
        people = np.zeros(len(keys), dtype=np.int64)
        np.maximum.at(people, places, self._people[found["cell"]])
        texts: dict[int, tuple[str, str]] = {}
        for place, cell in zip(places.tolist(), found["cell"].tolist(), strict=True):
            text = self._prompts[cell].drawn_text, self._prompts[cell].term
            texts[place] = min(text, texts.get(place, text))
        files: dict[int, set[ImageFile]] = {}
        for place, cell, source in zip(*self._edits(keys), strict=True):
            if self._prompts[cell].edits and source in self._sources:
                files.setdefault(place, set()).add(self._sources[source])
        return [
            (asked, texts[place], tuple(sorted(files.get(place, ()), key=str)))
            for place, asked in enumerate(people.tolist())
        ]

    def _edits(self, keys: Keys) -> tuple[list[int], list[int], list[int]]:
        """Return of images that are edited, or edits, their places, cells and the places of their sources."""
        if not self._sources:
            return [], [], []
        places, found = self._answers.find(keys)
        return places.tolist(), found["cell"].tolist(), found["source"].tolist()


def _source_files(study: OpenStudy) -> dict[int, ImageFile]:
    """Return the files of the images that are edited, by their place among the sources."""
    answers = read_answers(study.workspace, Requires(sources=True))
    jobs = {source.job: place for place, source in enumerate(answers.sources)}
    rows = study.workspace.query(_MADE, sources=pa.table({"job": pa.array(jobs, pa.string())})).to_pylist()
    return {jobs[row["job"]]: study.workspace.images.path(row["image"], row["ext"]) for row in rows}
