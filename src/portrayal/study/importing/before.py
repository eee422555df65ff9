"""What a study already has of the images that an import speaks of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from portrayal.records import Finding, ImageResults, Made, content_id
from portrayal.study.study import OpenStudy

__all__ = ["Before", "Whose", "without_pixels"]

_STANDING = """
    SELECT prompt, source, imports.id FROM imports SEMI JOIN wanted USING (generator, prompt, source)
    QUALIFY row_number() OVER (PARTITION BY prompt, source ORDER BY position DESC) = 1
"""
_SEEN = "SELECT annotator, image, subject, attribute, mass, reason FROM observations SEMI JOIN images USING (image)"


@dataclass(frozen=True, slots=True)
class Whose:
    """Which model's images are imported, for which annotator, and by which reader of results."""

    model: str
    annotator: str
    reader: str

    def source(self, image: ImageResults) -> str:
        """Return how the image's place in its file is kept; by its beginning it is told from that of a picture."""
        return f"{self.reader}:{image.source}"

    def job(self, image: ImageResults) -> str:
        """Return the job that what is said about the image makes, where it does not belong to one that is there."""
        where, said = self.source(image), repr(image.findings)
        return content_id(image.prompt.text, f"imported:{self.model}", where, self.annotator, said)


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
    mine: Mapping[str, set[Finding]] = field(default_factory=dict)
    judged: frozenset[str] = frozenset()

    @classmethod
    def read(cls, study: OpenStudy, whose: Whose, results: Sequence[ImageResults]) -> Before:
        """Look the images up: the jobs that stand for them, and those that could."""
        prompts, sources = [image.prompt.id for image in results], [whose.source(image) for image in results]
        wanted = pa.table({"generator": [whose.model] * len(results), "prompt": prompts, "source": sources})
        rows = study.workspace.query(_STANDING, wanted=wanted).to_pylist()
        standing = {(row["prompt"], row["source"]): row["id"] for row in rows}
        jobs = {*standing.values(), *map(whose.job, results)}
        answered = study.workspace.query(
            "SELECT job FROM outcomes SEMI JOIN jobs_asked USING (job)", jobs_asked=_column("job", jobs)
        )
        images = _column("image", (without_pixels(job).image for job in jobs))
        mine: dict[str, set[Finding]] = defaultdict(set)
        judged = set()
        for row in study.workspace.query(_SEEN, images=images).to_pylist():
            judged.add(row["image"])
            if row["annotator"] == whose.annotator:
                mass = None if row["mass"] is None else tuple(row["mass"])
                mine[row["image"]].add((row["subject"], row["attribute"], mass, row["reason"]))
        return cls(standing, frozenset(answered["job"].to_pylist()), mine, frozenset(judged))

    def place(self, whose: Whose, image: ImageResults) -> str | None:
        """Return the job that stands where the image does, if there is one."""
        return self.standing.get((image.prompt.id, whose.source(image)))

    def job(self, whose: Whose, image: ImageResults) -> str:
        """Return the job that what is said about the image belongs to.

        It is the one that stands there if the annotator has not spoken about it. One that nobody has spoken about was
        left by a crash, and is gone on with only by the import that left it.
        """
        job_of_image = whose.job(image)
        standing = self.place(whose, image) or job_of_image
        name = without_pixels(standing).image
        return standing if name in self.judged and name not in self.mine else job_of_image

    def has(self, whose: Whose, image: ImageResults) -> bool:
        """Whether this was said before about the image that stands there."""
        standing = self.place(whose, image)
        return standing is not None and self.mine.get(without_pixels(standing).image) == set(image.findings)


def _column(name: str, values: Iterable[str]) -> pa.Table:
    return pa.table({name: pa.array(sorted(values), pa.string())})
