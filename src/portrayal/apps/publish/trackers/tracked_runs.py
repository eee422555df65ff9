"""What a tracker of experiments is given of a study: a run for each model, the numbers of all, and the page."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal import __version__
from portrayal.apps.publish.published_numbers import SCOPE, Number, numbers_of
from portrayal.apps.publish.site.study_pages import write_report
from portrayal.store.files import write_atomic
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy

__all__ = ["COLUMNS", "TrackedRun", "tracked_runs", "write_files"]

COLUMNS = (
    "name", "level", "item", "value", "low", "high", "n", "missing", "annotator", "reference", "caveats",
)  # fmt: skip
_OUTSIDE = re.compile(r"[^\w. -]+")
"""What neither tracker takes in the name of a number; slashes fold its charts into groups."""


@dataclass(frozen=True, slots=True)
class TrackedRun:
    """A model of a study: settings to filter by, its numbers over all prompts by name, and what to know of them."""

    model: str
    settings: Mapping[str, str]
    numbers: Mapping[str, float]
    rows: Sequence[Sequence[str | float | None]]
    notes: str

    def as_csv(self) -> bytes:
        """Return all its numbers, those about single terms too, a line each."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([COLUMNS, *self.rows])
        return text.getvalue().encode()


def tracked_runs(study: OpenStudy) -> list[TrackedRun]:
    """Return a run for each model that has numbers."""
    numbers = numbers_of(study)
    title = study.config.study.title
    runs = []
    for identity in dict.fromkeys(number.identity for number in numbers):
        mine = [number for number in numbers if number.identity == identity]
        seen = sorted({number.annotator for number in mine if number.annotator})
        settings = {
            "study": title, "model": mine[0].model, "identity": identity, "annotators": ", ".join(seen),
            "scope": SCOPE, "portrayal": __version__,
        }  # fmt: skip
        rows = [[getattr(number, column) for column in COLUMNS] for number in mine]
        runs.append(TrackedRun(mine[0].model, settings, _named(mine), rows, _notes(title, seen)))
    return runs


def write_files(study: OpenStudy, run: TrackedRun, folder: Path) -> Path:
    """Write the study's report and the numbers of a run to an empty folder, and return the page."""
    write_report(study, gather(study), folder / "report")
    write_atomic(folder / "numbers.csv", run.as_csv())
    return folder / "report" / "index.html"


def _named(numbers: Sequence[Number]) -> dict[str, float]:
    """Return each number over all prompts, beside it the ends of its interval, its images and the missing ones."""
    named: dict[str, float] = {}
    for number in numbers:
        if number.level != "overall":
            continue
        against = "" if number.lower_is_better is None else number.reference  # a share is the same beside any
        about = (number.attribute, number.group, number.item, against, number.language, number.variant)
        parts = [number.method, number.metric, *filter(None, about), *filter(None, [number.annotator])]
        name = "/".join(_OUTSIDE.sub("_", part).strip() for part in parts)
        named[name] = number.value
        if number.low is not None and number.high is not None:
            named |= {f"{name}/low": number.low, f"{name}/high": number.high}
        named |= {f"{name}/images": number.n, f"{name}/missing": number.missing}
    return named


def _notes(title: str, seen: Sequence[str]) -> str:
    perceived = f" Attributes are perceived, by {', '.join(seen)}, whose errors are in the numbers." if seen else ""
    return (
        f"Measured by Portrayal in the study “{title}”. Beside each number stand the ends of its 95 % interval (low, "
        f"high), how many images it rests on and how many are missing. Scope: {SCOPE}.{perceived}"
    )
