"""What a study already has of the images that an import speaks of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from portrayal.records import Made, content_id
from portrayal.study.importing.masses import Seen
from portrayal.study.importing.slots import Slot
from portrayal.study.study import Study

__all__ = ["Before", "Whose", "without_pixels"]

_STANDING = """
    SELECT prompt, source, imports.id FROM imports SEMI JOIN slots USING (generator, prompt, source)
    QUALIFY row_number() OVER (PARTITION BY prompt, source ORDER BY position DESC) = 1
"""
_SEEN = "SELECT annotator, image, subject, attribute, mass, reason FROM observations SEMI JOIN images USING (image)"


@dataclass(frozen=True, slots=True)
class Whose:
    """Which model's images are imported, and for which annotator."""

    model: str
    annotator: str

    def job(self, slot: Slot) -> str:
        """Return the job that what is said about the slot makes, where it does not belong to one that is there."""
        return content_id(slot.prompt.text, f"imported:{self.model}", slot.source, self.annotator, repr(slot.seen))


def without_pixels(job: str) -> Made:
    """Return the outcome of a job whose image was never seen here."""
    return Made(job, b"", "", 0, 0, versions="imported", fingerprint=job.encode())


@dataclass(frozen=True, slots=True)
class Before:
    """``standing``: prompt and source to job. ``answered``: jobs. ``mine``: image to what the annotator said about it.

    ``judged``: images that anybody said something about.
    """

    standing: Mapping[tuple[str, str], str] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()
    mine: Mapping[str, set[Seen]] = field(default_factory=dict)
    judged: frozenset[str] = frozenset()

    @classmethod
    def read(cls, study: Study, whose: Whose, slots: Sequence[Slot]) -> Before:
        """Look the slots up: the jobs that stand for them, and those that could."""
        prompts, sources = [slot.prompt.id for slot in slots], [slot.source for slot in slots]
        wanted = pa.table({"generator": [whose.model] * len(slots), "prompt": prompts, "source": sources})
        rows = study.workspace.query(_STANDING, slots=wanted).to_pylist()
        standing = {(row["prompt"], row["source"]): row["id"] for row in rows}
        jobs = {*standing.values(), *map(whose.job, slots)}
        answered = study.workspace.query(
            "SELECT job FROM outcomes SEMI JOIN jobs_asked USING (job)", jobs_asked=_column("job", jobs)
        )
        images = _column("image", (without_pixels(job).image for job in jobs))
        mine: dict[str, set[Seen]] = defaultdict(set)
        judged = set()
        for row in study.workspace.query(_SEEN, images=images).to_pylist():
            judged.add(row["image"])
            if row["annotator"] == whose.annotator:
                mass = None if row["mass"] is None else tuple(row["mass"])
                mine[row["image"]].add((row["subject"], row["attribute"], mass, row["reason"]))
        return cls(standing, frozenset(answered["job"].to_pylist()), mine, frozenset(judged))

    def job(self, whose: Whose, slot: Slot) -> str:
        """Return the job that what is said about the slot belongs to.

        It is the one that stands there if the annotator has not spoken about it. One that nobody has spoken about was
        left by a crash, and is gone on with only by the import that left it.
        """
        own = whose.job(slot)
        standing = self.standing.get((slot.prompt.id, slot.source), own)
        image = without_pixels(standing).image
        return standing if image in self.judged and image not in self.mine else own

    def has(self, slot: Slot) -> bool:
        """Whether this was said before about the image that stands there."""
        standing = self.standing.get((slot.prompt.id, slot.source))
        return standing is not None and self.mine.get(without_pixels(standing).image) == set(slot.seen)


def _column(name: str, values: Iterable[str]) -> pa.Table:
    return pa.table({name: pa.array(sorted(values), pa.string())})
