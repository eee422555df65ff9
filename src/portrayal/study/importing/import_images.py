"""Import: images made elsewhere become part of the study, each stored once, each problem recorded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import pyarrow as pa

from portrayal.engines import LocalEngine, cpu_count
from portrayal.engines.deaths import KILLED
from portrayal.records import (
    OUTCOME_SCHEMA,
    Failed,
    FoundImage,
    Made,
    Outcome,
    content_id,
    plain_text,
    to_table,
)
from portrayal.study.importing.folders.image_files import other_files
from portrayal.study.importing.import_rows import ImportRow, check_models, import_rows, known_prompts, match_prompt
from portrayal.study.importing.read_picture import UNREAD, file_content, read_picture
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["import_images", "unknown_prompts"]

BATCH = 64
_READERS = 8
_FAILURES = """
    SELECT job, count(*) AS n, arg_max(reason, attempt) AS reason FROM outcomes
    WHERE job IN (SELECT id FROM items) GROUP BY job
"""


@dataclass(frozen=True, slots=True)
class Item:
    """A found file and the job it answers."""

    job: str
    index: int
    file: FoundImage


def import_images(study: OpenStudy, files: Sequence[FoundImage], control: RunControl) -> Counter[str]:
    """Add the files to the study and plan anew; return how many came in, by status.

    Importing again adds nothing, except files that failed before and can be read now. Files that are no images and
    only lie beside some are counted as ignored.
    """
    check_models(study, (file.model for file in files))
    ignored = set(other_files(files))
    items = list(_items(study, [file for file in files if file.path not in ignored]))
    counts: Counter[str] = Counter()
    new = list(_pending(study, items))
    failures = _failures(study, new)
    control.progress.start("import", len(new))
    counts["already there"] = len(items) - len(new)
    engine = LocalEngine(min(cpu_count(), -(-len(new) // BATCH)))
    imports = study.workspace.tables["imports"]
    listed, position = _listed(study, new), imports.count()
    examples: dict[str, str] = {}
    for batch, results in engine.map(_build, _batches(new, control), _set_aside):
        made = [result for result in results if isinstance(result, Made)]
        study.workspace.images.add({(result.image, result.ext): result.data for result in made})
        rows = [Outcome.of(result, failures[result.job][0] + 1) for result in results]
        # The job before its outcome: after a crash in between, the next import finds it pending.
        entries = [_import_row(item) for item in batch if item.job not in listed]
        imports.append(import_rows(entries, position, imports.schema))
        position += len(entries)
        study.workspace.tables["outcomes"].append(to_table(_news(rows, failures), OUTCOME_SCHEMA))
        counts.update(row.status if row.status == "made" else f"{row.status}: {row.reason}" for row in rows)
        for row in rows:
            if row.status != "made" and row.reason != UNREAD:  # these are named before
                examples.setdefault(f"{row.status}: {row.reason}", row.detail or "")
        control.progress.advance(len(batch))
    control.progress.finish()
    for label, detail in examples.items():
        control.remark(f"{label} ({counts[label]}), such as {detail}")
    plan(study, control)
    counts["ignored: not an image"] = len(ignored)
    counts["prompts the suite does not have"] = len(unknown_prompts(study, files))
    return +counts


def unknown_prompts(study: OpenStudy, files: Sequence[FoundImage]) -> list[str]:
    """Return the prompts of images that the suite, if there is one, does not have."""
    if study.suite is None:
        return []
    known, ignored = known_prompts(study), set(other_files(files))
    texts = dict.fromkeys(file.prompt.text for file in files if file.path not in ignored)
    return [text for text in texts if match_prompt(known, text) is None]


def _items(study: OpenStudy, files: Sequence[FoundImage]) -> Iterator[Item]:
    """Number the files of each model and prompt; a prompt the suite knows takes the suite's meaning.

    A file is known by its content: the same one is not taken twice from wherever it lies, another one of the same
    name is not mistaken for it, and equal ones count as often as they are there.
    """
    known = known_prompts(study)
    seen: dict[tuple[str, str], int] = defaultdict(int)
    copies: dict[tuple[str, str, str], int] = defaultdict(int)
    with ThreadPoolExecutor(_READERS) as pool:
        contents = list(pool.map(file_content, (file.path for file in files)))
    for file, content in zip(files, contents, strict=True):
        prompt = match_prompt(known, file.prompt.text) or file.prompt
        index = seen[file.model, prompt.id]
        seen[file.model, prompt.id] += 1
        copy = copies[file.model, prompt.id, content]
        copies[file.model, prompt.id, content] += 1
        job = content_id(prompt.text, f"imported:{file.model}", content, str(copy))
        yield Item(job, index, replace(file, prompt=prompt))


def _pending(study: OpenStudy, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the files that gave no image yet; those that failed may have been repaired."""
    ids = pa.table({"id": [item.job for item in items]})
    left = study.workspace.query(
        "SELECT id FROM items ANTI JOIN (SELECT job AS id FROM outcomes WHERE status <> 'failed') USING (id)", items=ids
    )
    wanted = set(left["id"].to_pylist())
    for item in items:
        if item.job in wanted:
            wanted.remove(item.job)
            yield item


def _batches(items: Sequence[Item], control: RunControl) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), BATCH):
        if control.stopped():
            return
        yield items[start : start + BATCH]


def _failures(study: OpenStudy, items: Sequence[Item]) -> Mapping[str, tuple[int, str]]:
    """Return how often each job failed before, and why the last time."""
    ids = pa.table({"id": [item.job for item in items]})
    before = study.workspace.query(_FAILURES, items=ids).to_pylist()
    return defaultdict(lambda: (0, ""), {row["job"]: (row["n"], row["reason"]) for row in before})


def _news(rows: Sequence[Outcome], failures: Mapping[str, tuple[int, str]]) -> Iterator[Outcome]:
    """Yield what was not known before; a file that is still bad adds no row."""
    for row in rows:
        if row.status == "made" or row.reason != failures[row.job][1]:
            yield row


def _listed(study: OpenStudy, items: Sequence[Item]) -> set[str]:
    """Return the jobs that an earlier import has written down."""
    ids = pa.table({"id": pa.array([item.job for item in items], pa.string())})
    return set(study.workspace.query("SELECT id FROM items SEMI JOIN imports USING (id)", items=ids)["id"].to_pylist())


def _import_row(item: Item) -> ImportRow:
    file = item.file
    source = plain_text(str(file.path.absolute()))
    return ImportRow(
        item.job, file.prompt, file.model, index=item.index, source=source, seed=file.seed, about=file.about
    )


def _build() -> Callable[[Sequence[Item]], tuple[Sequence[Item], list[Made | Failed]]]:
    return lambda batch: (batch, [read_picture(item.job, item.file.path) for item in batch])


def _set_aside(batch: Sequence[Item], how: str) -> tuple[Sequence[Item], list[Made | Failed]]:
    """Return that files failed which killed the processes that read them."""
    return batch, [Failed(item.job, KILLED, f"{plain_text(str(item.file.path))}: {how}") for item in batch]
