"""Import: what FAIntbench's alignment wrote about images becomes images without pixels, and observations.

An image is known by its place: model, prompt, number. What an annotator said about it is known by its content. Said
again, it adds nothing; by another annotator, it is added to the same image; said otherwise by the same one, it makes
a new image that stands in the old one's place, since an observation once written is never changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

from portrayal.annotators import Annotator
from portrayal.records import (
    OBSERVATION_SCHEMA,
    OUTCOME_SCHEMA,
    Abstention,
    Attribute,
    Observation,
    Outcome,
    Prompt,
    plain_text,
    to_table,
)
from portrayal.study.importing.before import Before, Whose, without_pixels
from portrayal.study.importing.masses import SET_ASIDE, Seen, check_attributes
from portrayal.study.importing.rows import Entry, check_models, import_rows, known_prompts
from portrayal.study.importing.slots import Page, Slot, read_pages
from portrayal.study.plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import Study

__all__ = ["Checked", "check_faintbench", "import_faintbench", "observed"]

BATCH = 20_000
"""Images a commit: few enough for memory, many enough that looking up what is there already takes little time."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was read to its end: how many images it speaks of, and what there is to say about its prompts."""

    path: Path
    whose: Whose
    known: Mapping[str, Prompt]
    attributes: Sequence[Attribute]
    images: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def pages(self) -> Iterator[Page]:
        """Yield the file prompt by prompt."""
        return read_pages(self.path, self.known, self.attributes)


def check_faintbench(study: Study, path: Path, model: str, annotator: Annotator) -> Checked:
    """Read the whole file, so that a bad one leaves nothing half done. Without a name the model is called like it."""
    whose = Whose(model or plain_text(path.stem), annotator.name)
    check_models(study, [whose.model], pictures=False)
    attributes = check_attributes(annotator.name, annotator.attributes)
    file = Checked(path, whose, known_prompts(study), attributes)
    images = 0
    for page in file.pages():
        images += len(page.slots)
        file.counts["prompts"] += 1
        file.counts["prompts the suite does not have"] += not page.known
        file.counts["prompts without images"] += not page.slots
    return replace(file, images=images)


def import_faintbench(study: Study, file: Checked, control: RunControl) -> Counter[str]:
    """Add the file's images and observations and plan anew; return the counts."""
    whose = file.whose
    counts = Counter({"images": 0, "set aside by the authors": 0, "already there": 0, **file.counts})
    # Where the model is new, nothing can be there already, and looking it up is most of the time.
    fresh = whose.model not in study.workspace.query("SELECT DISTINCT generator FROM imports")["generator"].to_pylist()
    control.progress.start("import", file.images)
    for chunk in _chunks(file.pages(), control):
        new = _add(study, whose, chunk, Before() if fresh else Before.read(study, whose, chunk))
        aside = sum(slot.seen == SET_ASIDE for slot in new)
        counts.update({"images": len(new) - aside, "set aside by the authors": aside})
        counts["already there"] += len(chunk) - len(new)
        control.progress.advance(len(chunk))
    control.progress.finish()
    plan(study, control)
    return +counts


def observed(image: str, annotator: str, seen: Seen) -> Observation | Abstention:
    """Return the row that records what was seen in an image."""
    subject, attribute, mass, reason = seen
    if reason is not None:
        return Abstention(image, annotator, reason, subject, attribute)
    assert subject is not None
    assert attribute is not None
    return Observation(image, annotator, subject, attribute, mass)


def _chunks(pages: Iterator[Page], control: RunControl) -> Iterator[list[Slot]]:
    slots = chain.from_iterable(page.slots for page in pages)
    while not control.stopped() and (chunk := list(islice(slots, BATCH))):
        yield chunk


def _add(study: Study, whose: Whose, chunk: Sequence[Slot], before: Before) -> list[Slot]:
    """Write, and return, what the study does not have yet of a chunk.

    First that the images exist, last what was seen: after a crash in between, the next import finds them unseen.
    """
    new = [slot for slot in chunk if not before.has(slot)]
    made = [without_pixels(before.job(whose, slot)) for slot in new]
    images = [result.image for result in made]
    tables = study.workspace.tables
    entries = [
        Entry(result.job, slot.prompt, whose.model, slot.index, slot.source)
        for slot, result in zip(new, made, strict=True)
        if before.standing.get((slot.prompt.id, slot.source)) != result.job
    ]
    tables["imports"].append(import_rows(entries, tables["imports"].count(), tables["imports"].schema))
    outcomes = [Outcome.of(result, 1) for result in made if result.job not in before.answered]
    tables["outcomes"].append(to_table(outcomes, OUTCOME_SCHEMA))
    unseen = [(slot, image) for slot, image in zip(new, images, strict=True) if image not in before.mine]
    rows = [observed(image, whose.annotator, seen) for slot, image in unseen for seen in slot.seen]
    tables["observations"].append(to_table(rows, OBSERVATION_SCHEMA))
    return new
