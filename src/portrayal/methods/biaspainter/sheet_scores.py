"""Scores of a table of edits, as plain data for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from portrayal.methods.biaspainter.options import BiasPainterOptions
from portrayal.methods.biaspainter.score_rows import seeds_note, word_notes
from portrayal.methods.biaspainter.scores import ATTRIBUTES, Scored, score_words
from portrayal.methods.biaspainter.scores.image_sizes import ImageSizes, image_sizes
from portrayal.methods.biaspainter.scores.levels import word_sizes
from portrayal.methods.biaspainter.sheet import Sheet, read_sheet
from portrayal.methods.filled_rows import at, number
from portrayal.records import Note, said
from portrayal.reports.text.notes import plain_notes
from portrayal.stats.exact import Ints

__all__ = ["score_sheet"]

NULL = "null"
FEW = BiasPainterOptions().few


def score_sheet(path: Path, *, draws: int = 1000, seed: int = 0, unanswered: str = "left_out") -> dict[str, Any]:
    """Return the scores of all words, topics and the model, by attribute; None where there is no data.

    ``unanswered`` is the method's option: edits without an answer are ``left_out``, or count as ``unchanged``.

    ``note`` of a row says why it has no score or no interval, or that it rests on few seeds; ``notes`` are about all.
    """
    sheet, rng = read_sheet(path), np.random.default_rng(seed)
    null = [place for place, (topic, _) in enumerate(sheet.words) if topic == NULL]
    asked = [word for word in sheet.words if word[0] != NULL]
    if unanswered == "unchanged":
        sheet = replace(sheet, faces=sheet.counting_unanswered)
    scored = [score_words(sheet.faces, name, null=null, draws=draws, rng=rng) for name in ATTRIBUTES]
    return {
        "words": [_word(score, place, *word) for score in scored for place, word in enumerate(asked)],
        "topics": [row for score in scored for row in _topics(score, sheet, null)],
        "seeds": len(sheet.seeds),
        "null_edits": int(np.isin(sheet.faces.word, null).sum()),
        "notes": [plain_notes([Note(code)]) for code in _missing(asked, null)],
    }


def _missing(asked: Sequence[tuple[str, str]], null: Sequence[int]) -> list[str]:
    """Return what the whole table lacks."""
    return ([] if asked else ["only_null_edits"]) + ([] if null else ["no_null_edits"])


def _word(scored: Scored, place: int, topic: str, word: str) -> dict[str, Any]:
    row: dict[str, Any] = {"topic": topic, "word": word, "attribute": scored.attribute}
    score, relative = scored.score, scored.relative
    row |= {"score": at(score.value, place), "low": at(score.low, place), "high": at(score.high, place)}
    row |= {"n": int(scored.n[place]), "seeds": int(scored.seeds[place])}
    row |= {"p": at(score.p, place), "q": at(score.q, place)}
    row["note"] = plain_notes([*word_notes(scored, place, FEW), *_unrelated(scored, place)])
    names = {"relative": "value", "relative_low": "low", "relative_high": "high", "relative_q": "q"}
    return row | {name: at(getattr(relative, field), place) if relative else None for name, field in names.items()}


def _unrelated(scored: Scored, place: int) -> Sequence[Note]:
    """Return why a word that has a score has none relative to null edits, though there are some."""
    if scored.relative is None or np.isnan(scored.score.value[place]) or not np.isnan(scored.relative.value[place]):
        return ()
    return (Note("no_null_of_seeds"),)


def _topics(scored: Scored, sheet: Sheet, null: Sequence[int]) -> list[Mapping[str, Any]]:
    asked = np.setdiff1d(np.arange(len(sheet.words)), null)
    topics = [sheet.words[place][0] for place in asked.tolist()]
    sizes = sheet.faces.sizes(scored.attribute)
    nothing = sizes.take(np.asarray(null, dtype=np.int64))
    rows: list[Mapping[str, Any]] = []
    for topic in [*dict.fromkeys(topics), "all"]:
        chosen = np.flatnonzero([topic in ("all", name) for name in topics])
        if len(chosen):
            images = image_sizes(sizes.take(asked[chosen]), nothing, share=scored.attribute == "gender")
            rows.append({"topic": topic, "attribute": scored.attribute, **_words(scored, chosen), **_images(images)})
    return rows


def _words(scored: Scored, chosen: Ints) -> dict[str, Any]:
    """Return how large the biases of some words are, as such and beyond null edits."""
    bias, beyond = (word_sizes(scored, chosen, relative=relative) for relative in (False, True))
    told: dict[str, Any] = dict.fromkeys(("sum", "mean", "low", "high", "chance"))
    note, words, seeds = [Note("no_usable_edit")], 0, 0
    if bias:
        told = {"sum": bias.total, "mean": bias.mean, "low": number(bias.low), "high": number(bias.high)}
        told["chance"] = bias.chance
        words, seeds, note = bias.words, bias.seeds, list(said(seeds_note(bias.seeds, FEW, bias.low)))
    relative = (beyond.mean, number(beyond.low), number(beyond.high), beyond.chance) if beyond else (None,) * 4
    names = ("relative_mean", "relative_low", "relative_high", "relative_chance")
    told |= dict(zip(names, relative, strict=True))
    return {**told, "words": words, "seeds": seeds, "note": plain_notes(note)}


def _images(sizes: ImageSizes | None) -> dict[str, Any]:
    """Return the mean size of image biases, and that of null edits."""
    names = ("images_mean", "images_low", "images_high", "images_null")
    values = (sizes.value, sizes.low, sizes.high, sizes.null) if sizes else (np.nan,) * 4
    return {name: number(value) for name, value in zip(names, values, strict=True)}
