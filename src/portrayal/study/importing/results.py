"""Import: what others wrote down about images becomes images without pixels, and observations.

Files are read by registered readers. An image is known by its place: model, prompt, number. What an annotator said
about it is known by its content. Said again, it adds nothing; by another annotator, it is added to the same image; said
otherwise by the same one, it makes a new image that stands in the old one's place, since an observation once written is
never changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

from portrayal.annotators import Annotator
from portrayal.bundles import BundleRegistry
from portrayal.records import (
    OBSERVATION_SCHEMA,
    OUTCOME_SCHEMA,
    SET_ASIDE,
    Abstention,
    Finding,
    ImageResults,
    Observation,
    Outcome,
    Prompt,
    PromptResults,
    plain_text,
    to_table,
)
from portrayal.study.importing.before import Before, Whose, without_pixels
from portrayal.study.importing.import_rows import ImportRow, check_models, import_rows, known_prompts
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["RESULTS", "CheckedResults", "ResultsReader", "check_results", "import_results", "observed"]

ResultsReader = Callable[[Path, Mapping[str, Prompt], Annotator], Iterator[PromptResults]]
"""What a registry entry points to: from a file, the suite's prompts by their plain text, and the annotator whose
results these are, to what the file says, prompt by prompt; whatever is wrong with the file is an error."""

RESULTS: BundleRegistry[ResultsReader] = BundleRegistry("results reader", "results")
"""By the names of their options: ``portrayal import --NAME``."""

BATCH = 20_000
"""Images a commit: few enough for memory, many enough that looking up what is there already takes little time."""


@dataclass(frozen=True, slots=True)
class CheckedResults:
    """A file that was read to its end: how many images it speaks of, and what there is to say about its prompts."""

    path: Path
    whose: Whose
    known: Mapping[str, Prompt]
    annotator: Annotator
    images: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def prompts(self) -> Iterator[PromptResults]:
        """Yield the file prompt by prompt."""
        return RESULTS.load(self.whose.reader)(self.path, self.known, self.annotator)


def check_results(study: OpenStudy, reader: str, path: Path, model: str, annotator: Annotator) -> CheckedResults:
    """Read the whole file, so that a bad one leaves nothing half done. Without a name the model is called like it."""
    whose = Whose(model or plain_text(path.stem), annotator.name, reader)
    check_models(study, [whose.model], reader)
    file = CheckedResults(path, whose, known_prompts(study), annotator)
    images, seen = 0, set[str]()
    for prompt in file.prompts():
        images += len(prompt.images)
        file.counts["prompts"] += 1
        file.counts["prompts that count as the same as an earlier one"] += prompt.prompt.id in seen
        seen.add(prompt.prompt.id)
        file.counts["prompts the suite does not have"] += not prompt.known
        file.counts["prompts without images"] += not prompt.images
    return replace(file, images=images)


def import_results(study: OpenStudy, file: CheckedResults, control: RunControl) -> Counter[str]:
    """Add the file's images and observations and plan anew; return the counts."""
    whose = file.whose
    counts = Counter({"images": 0, "set aside by the authors": 0, "already there": 0, **file.counts})
    # Where the model is new, nothing can be there already, and looking it up is most of the time.
    fresh = whose.model not in study.workspace.query("SELECT DISTINCT generator FROM imports")["generator"].to_pylist()
    control.progress.start("import", file.images)
    for chunk in _chunks(file.prompts(), control):
        new = _add(study, whose, chunk, Before() if fresh else Before.read(study, whose, chunk))
        aside = sum(image.findings == SET_ASIDE for image in new)
        counts.update({"images": len(new) - aside, "set aside by the authors": aside})
        counts["already there"] += len(chunk) - len(new)
        control.progress.advance(len(chunk))
    control.progress.finish()
    plan(study, control)
    return +counts


def observed(image: str, annotator: str, finding: Finding) -> Observation | Abstention:
    """Return the row that records what was seen in an image."""
    subject, attribute, mass, reason = finding
    if reason is not None:
        return Abstention(image, annotator, reason, subject, attribute)
    assert subject is not None
    assert attribute is not None
    return Observation(image, annotator, subject, attribute, mass)


def _chunks(prompts: Iterator[PromptResults], control: RunControl) -> Iterator[list[ImageResults]]:
    images = chain.from_iterable(prompt.images for prompt in prompts)
    while not control.stopped() and (chunk := list(islice(images, BATCH))):
        yield chunk


def _add(study: OpenStudy, whose: Whose, chunk: Sequence[ImageResults], before: Before) -> list[ImageResults]:
    """Write, and return, what the study does not have yet of a chunk.

    First that the images exist, last what was seen: after a crash in between, the next import finds them unseen.
    """
    new = [image for image in chunk if not before.has(whose, image)]
    made = [without_pixels(before.job(whose, image)) for image in new]
    tables = study.workspace.tables
    entries = [
        ImportRow(result.job, image.prompt, whose.model, image.index, whose.source(image))
        for image, result in zip(new, made, strict=True)
        if before.place(whose, image) != result.job
    ]
    tables["imports"].append(import_rows(entries, tables["imports"].count(), tables["imports"].schema))
    outcomes = [Outcome.of(result, 1) for result in made if result.job not in before.answered]
    tables["outcomes"].append(to_table(outcomes, OUTCOME_SCHEMA))
    unseen = [(image, result.image) for image, result in zip(new, made, strict=True) if result.image not in before.mine]
    rows = [observed(name, whose.annotator, finding) for image, name in unseen for finding in image.findings]
    tables["observations"].append(to_table(rows, OBSERVATION_SCHEMA))
    return new
