"""Scores captions without a study: a CSV of models, prompts and captions, one row an image."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError
from portrayal.methods.tbyb.counting import CaptionRows, Counted, Judged, WordRows, count_captions, summed
from portrayal.methods.tbyb.options import TbybOptions
from portrayal.methods.tbyb.scores import RAREFIED, Score, rarefied, scored
from portrayal.methods.tbyb.words import Analyser
from portrayal.metrics.object_intervals import object_scores
from portrayal.records import Note
from portrayal.reports.text.notes import plain_notes
from portrayal.stats.exact import Ints

__all__ = ["score_captions"]

_MISSED = {"1": 1.0, "true": 1.0, "yes": 1.0, "0": 0.0, "false": 0.0, "no": 0.0, "": np.nan}
_LISTED = 20
_RAREFIED_DRAWS = 100


@dataclass(frozen=True, slots=True, eq=False)
class _Images:
    """Rows of the file as numbers: the model and the cell (a model and a prompt) of each, and whether it is missed."""

    models: Sequence[str]
    cells: Sequence[tuple[int, str]]
    cell: Ints
    missed: np.ndarray[Any, np.dtype[np.float64]]
    captions: Sequence[str]


def score_captions(path: Path, options: TbybOptions, seed: int = 0) -> dict[str, Any]:
    """Return the scores of every model in ``path`` with their intervals, and the words behind them, ready for JSON.

    Parameters
    ----------
    path
        A CSV ``model,prompt,caption[,missed]``. A row without a caption has none; ``missed`` is 1 where the image does
        not show its prompt, 0 where it does, empty where nobody judged.
    options
        How captions are read; paths in it start at the working folder.
    seed
        Decides what is drawn for the intervals.
    """
    images = _read(path)
    analyser = Analyser(options, Path())
    written = [place for place, caption in enumerate(images.captions) if caption]
    rows = CaptionRows.of(images.cell[written], [images.captions[place] for place in written], np.ones(len(written)))
    counted = count_captions(analyser, [prompt for _, prompt in images.cells], rows)
    rows = counted.rows
    judged = ~np.isnan(images.missed)
    told = Judged(
        summed(images.cell, judged.astype(float), len(images.cells)),
        summed(images.cell, np.nan_to_num(images.missed), len(images.cells)),
    )
    by_model = np.array([model for model, _ in images.cells], dtype=np.int64)
    sizes = summed(by_model[rows.prompt], rows.images, len(images.models))
    common = int(sizes[sizes > 0].min(initial=np.inf)) if len(set(sizes.tolist())) > 1 else 0
    asked = np.bincount(by_model[images.cell], minlength=len(images.models)).tolist()
    models = []
    for number, model in enumerate(images.models):
        cells = _cells(by_model, number)
        rng = np.random.default_rng([seed, number])
        scores = _model(counted, cells, Judged(told.judged[cells], told.missed[cells]), options.draws, rng)
        extra = {"at_common_size": _rarefied(counted, cells, common, rng)} if common else {}
        models.append({"model": model, "images": asked[number], "captions": int(sizes[number]), **scores, **extra})
    return {"models": models, "parameters": {**options.model_dump(mode="json"), **analyser.settings, "seed": seed}}


def _cells(by_model: Ints, number: int) -> Ints:
    """Return the cells of a model; they stand together."""
    return np.arange(*np.searchsorted(by_model, [number, number + 1]))


def _model(counted: Counted, cells: Ints, judged: Judged, draws: int, rng: np.random.Generator) -> Mapping[str, object]:
    counts = counted.object_counts(cells, judged)
    objectless = round(float(counted.objectless[cells].sum()))
    silent = Note("nobody_judged" if not judged.judged.any() else "none_judged")
    scores = {
        score.metric: _numbers(score)
        for score in scored(object_scores(counts, draws=draws, rng=rng), silent, objectless=objectless)
    }
    left_out = (
        {"left_out": {"images": objectless, "note": plain_notes([Note("no_object_asked")])}} if objectless else {}
    )
    lost = round(float(counted.unfindable[cells].sum()))
    never_found = (
        {"never_found": {"images": lost, "note": plain_notes([Note.of("unfindable", n=lost)])}} if lost else {}
    )
    return {
        "prompts": int((counts.images > 0).sum()),
        **left_out,
        **never_found,
        "scores": scores,
        "uninvited": list(_commonest(counted, counted.uninvited, cells)),
        "counted": list(_commonest(counted, counted.counted, cells)),
    }


def _commonest(counted: Counted, words: WordRows, cells: Ints) -> Iterator[dict[str, object]]:
    """Yield the commonest words of some cells, and in how many images each is."""
    rows = counted.rows.of_prompts(cells)
    row, word = words.chosen(rows)
    different, place = np.unique(word, return_inverse=True)
    totals = summed(place, counted.rows.images[rows][row], len(different))
    named = [(words.words[number], int(total)) for number, total in zip(different.tolist(), totals, strict=True)]
    for name, total in sorted(named, key=lambda pair: (-pair[1], pair[0]))[:_LISTED]:
        yield {"word": name, "images": total}


def _rarefied(counted: Counted, cells: Ints, size: int, rng: np.random.Generator) -> dict[str, object]:
    rows = counted.rows.of_prompts(cells)
    row, word = counted.counted.chosen(rows)
    words = np.split(word, np.searchsorted(row, np.arange(1, len(rows))))
    score = (
        rarefied(words, counted.rows.prompt[rows], size, draws=_RAREFIED_DRAWS, rng=rng)
        if len(rows)
        else Score(RAREFIED, None, None, None, Note("no_caption"))
    )
    return {"images": size, **_numbers(score)}


def _numbers(score: Score) -> dict[str, object]:
    note = {"note": plain_notes([score.note])} if score.note else {}
    return {"value": score.value, "low": score.low, "high": score.high, **note}


def _read(path: Path) -> _Images:
    models: dict[str, dict[str, None]] = {}
    rows = read_csv(path, ("model", "prompt", "caption"), ("missed",))
    for row in rows:
        for column in ("model", "prompt"):
            if not row[column]:
                raise InputError(f"{row.where}: column '{column}' is empty; every image has a model and a prompt")
        models.setdefault(row["model"], {})[row["prompt"]] = None
    cells = [(number, prompt) for number, prompts in enumerate(models.values()) for prompt in prompts]
    numbers = {name: number for number, name in enumerate(models)}
    places = {cell: place for place, cell in enumerate(cells)}
    cell = np.array([places[numbers[row["model"]], row["prompt"]] for row in rows], dtype=np.int64)
    missed = np.array([_missed(row) for row in rows])
    return _Images(list(models), cells, cell, missed, [row["caption"] for row in rows])


def _missed(row: CsvRow) -> float:
    text = row["missed"].casefold()
    if text not in _MISSED:
        raise InputError(f"{row.where}: column 'missed' must be 1, 0 or empty, got {row['missed']!r}")
    return _MISSED[text]
