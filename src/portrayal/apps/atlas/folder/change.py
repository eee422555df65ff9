"""What is added to an atlas: a study's numbers, files of evaluations and metadata, and what the hub says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from portrayal.apps.atlas.evaluations.csv_rows import CsvAtlas, read_atlas_csv
from portrayal.apps.atlas.evaluations.hub_metadata import read_hub_json
from portrayal.apps.atlas.folder.ask_hub import fetch_records
from portrayal.apps.atlas.folder.atlas_store import Added, AtlasStore
from portrayal.apps.atlas.folder.from_study import study_evaluations
from portrayal.errors import InputError
from portrayal.inputfile import read_text
from portrayal.records.evaluated_models.evaluation import AtlasRows
from portrayal.store.files import write_atomic

__all__ = ["AtlasChange", "add_files", "add_study", "read_atlas_file"]


@dataclass(frozen=True, slots=True)
class AtlasChange:
    """How many evaluations are new, and how many evaluations and models the atlas has now.

    ``problems`` are rows that could not be read and were left out; ``remarks`` say which figures took the place of
    others.
    """

    new: int
    evaluations: int
    models: int
    remarks: Sequence[str] = ()
    problems: Sequence[str] = ()


def add_study(store: AtlasStore, study: Path, run: str = "", *, empty: bool = False) -> AtlasChange:
    """Add the overall numbers of a measured study's generators."""
    evaluations, models = study_evaluations(study, run)
    with store.writing():
        added = store.add(evaluations, models, empty=empty)
    return _change(added, added.rows)


def add_files(
    store: AtlasStore, files: Iterable[Path], *, hub: bool = False, save: Path | None = None, empty: bool = False
) -> AtlasChange:
    """Add what files hold and, with ``hub``, what the hub says about every model; rows that can be read are kept."""
    read = [read_atlas_file(path) for path in files]
    if not read and not hub:
        raise InputError("nothing to import; name a .csv or .json file, or ask the hub with --hub")
    problems = [problem for file in read for problem in file.problems]
    with store.writing():
        evaluations = [row for file in read for row in file.evaluations]
        added = store.add(evaluations, [info for file in read for info in file.models], empty=empty)
        rows = added.rows
        if hub:
            asked = _ask_hub(list(rows.models), save)
            problems += asked.problems
            rows = store.add((), asked.models).rows
    return _change(added, rows, [line for file in read for line in file.repeats], problems)


def read_atlas_file(path: Path) -> CsvAtlas:
    """Return what a CSV file, or saved JSON of the hub, holds."""
    text, today = read_text(path), date.today()
    if path.suffix.lower() == ".json":
        return read_hub_json(text, str(path), today=today)
    return read_atlas_csv(text, str(path), path.name, today=today)


def _ask_hub(models: list[str], save: Path | None) -> CsvAtlas:
    records = list(fetch_records(models))
    text = json.dumps([record for record in records if not isinstance(record, str)], indent=2, ensure_ascii=False)
    if save is not None:
        write_atomic(save, text.encode())
    read = read_hub_json(text, "the hub", today=date.today())
    return CsvAtlas((), read.models, [*(problem for problem in records if isinstance(problem, str)), *read.problems])


def _change(added: Added, rows: AtlasRows, repeats: Sequence[str] = (), problems: Sequence[str] = ()) -> AtlasChange:
    remarks = [*repeats, *_replaced(added)]
    return AtlasChange(added.new, len(rows.evaluations), len(rows.models), remarks, problems)


def _replaced(added: Added) -> Iterator[str]:
    for before, row in added.replaced:
        run = f"run {row.run!r}" if row.run else "a run without a name"
        come = f"now from {row.source or 'an unnamed source'}, before from {before.source or 'an unnamed source'}"
        yield f"{row.model!r}, {run}, was in the atlas with other figures; the last ones given count ({come})"
