"""The images of the plan, one for each job that has one, in the order in which they were made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from portrayal.stats.exact import Ints
from portrayal.store.tables.keys import Keys, key_numbers
from portrayal.store.tables.row_batches import is_word
from portrayal.store.workspace import Workspace
from portrayal.study.tables.attempt_keys import attempt_keys
from portrayal.study.tables.filling import FilledColumns
from portrayal.study.tables.waiting import matches

__all__ = ["MadeImages", "made_images"]

_COLUMNS = ("job", "attempt", "status", "image", "ext")
_JOB = {"key": np.uint64, "prompt": np.int32, "generator": np.int32, "seed": np.int64}
_MADE = {"job": np.uint64, "attempt": np.int32, "image": np.uint64}


@dataclass(frozen=True, slots=True)
class MadeImages:
    """Files are as people find them, nothing for an image without pixels; names of images become keys.

    Those in the study's own folder begin with ``images/``, others with the address of their store.

    ``prompt`` and ``generator`` are places in the lists of names.
    """

    files: pa.ChunkedArray
    keys: Keys
    prompt: NDArray[np.int32]
    generator: NDArray[np.int32]
    seed: Ints
    prompts: list[str]
    generators: list[str]


def made_images(workspace: Workspace) -> MadeImages:
    """Read the plan and what came of it."""
    prompts: dict[str, int] = {}
    generators: dict[str, int] = {}
    jobs = FilledColumns(workspace.tables["jobs"].count(), _JOB)
    for batch in workspace.tables["jobs"].scan(("id", "generator", "prompt", "seed"), ("generator", "prompt")):
        prompt, generator = _numbers(batch["prompt"], prompts), _numbers(batch["generator"], generators)
        seed = batch["seed"].to_numpy()
        jobs.add({"key": key_numbers(batch["id"]), "prompt": prompt, "generator": generator, "seed": seed})
    made, keys, files = _made(workspace)
    place, found = matches(jobs.take("key"), made)
    if not found.all():  # a smaller plan than before: their jobs are not asked for any more
        keys, files = keys[found], files.filter(pa.array(found))
    prompt, generator, seed = (jobs.take(name)[place] for name in ("prompt", "generator", "seed"))
    return MadeImages(
        files, keys, prompt, generator=generator, seed=seed, prompts=list(prompts), generators=list(generators)
    )


def _numbers(column: pa.DictionaryArray, known: dict[str, int]) -> NDArray[np.int32]:
    numbers = [known.setdefault(name, len(known)) for name in column.dictionary.to_pylist()]
    return np.asarray(np.array(numbers, dtype=np.int32)[column.indices.to_numpy()])


def _made(workspace: Workspace) -> tuple[Keys, Keys, pa.ChunkedArray]:
    """Return the jobs that were made and not rejected since, their images and their files."""
    table = workspace.tables["outcomes"]
    columns, files, rejected = FilledColumns(table.count(), _MADE), [], []
    for batch in table.scan(_COLUMNS, ("status", "ext")):
        made, thrown = (is_word(batch["status"], word) for word in ("made", "rejected"))
        jobs, attempts = key_numbers(batch["job"]), batch["attempt"].to_numpy()
        rejected += [attempt_keys(jobs[thrown], attempts[thrown])] if thrown.any() else []
        drawn = batch if made.all() else batch.filter(pa.array(made))
        files.append(_files(workspace.images.where, drawn["image"], drawn["ext"]))
        columns.add({"job": jobs[made], "attempt": attempts[made], "image": key_numbers(drawn["image"])})
    paths = pa.chunked_array(files, pa.string())
    if rejected:
        kept = ~np.isin(attempt_keys(columns["job"], columns["attempt"]), np.concatenate(rejected))
        return columns["job"][kept], columns["image"][kept], paths.filter(pa.array(kept))
    return columns.take("job"), columns.take("image"), paths


def _files(where: str, names: pa.StringArray, endings: pa.DictionaryArray) -> pa.StringArray:
    """Return where pictures lie, as an image store puts them."""
    ending = endings.cast(pa.string())
    ending = pc.if_else(pc.equal(ending, ""), pa.scalar(None, pa.string()), ending)
    path = pc.binary_join_element_wise(where, pc.utf8_slice_codeunits(names, 0, 2), names, "/")
    return pc.binary_join_element_wise(path, ending, ".")
