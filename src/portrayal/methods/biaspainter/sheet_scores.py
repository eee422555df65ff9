"""Scores of a table of edits, as plain data for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from portrayal.methods.biaspainter.options import BiasPainterOptions
from portrayal.methods.biaspainter.rows import number, seeds_note, word_notes
from portrayal.methods.biaspainter.scores import ATTRIBUTES, Scored, score_words
from portrayal.methods.biaspainter.scores.levels import model_bias
from portrayal.methods.biaspainter.sheet import column, read_sheet
from portrayal.records import Note, said
from portrayal.reports.notes import plain_notes

__all__ = ["score_sheet"]

NULL = "null"
FEW = BiasPainterOptions().few


def score_sheet(path: Path, *, draws: int = 1000, seed: int = 0) -> dict[str, Any]:
    """Return the scores of all words, topics and the model, by attribute; None where there is no data.

    ``note`` of a row says why it has no score or no interval, or that it rests on few seeds; ``notes`` are about all.
    """
    sheet, rng = read_sheet(path), np.random.default_rng(seed)
    null = [place for place, (topic, _) in enumerate(sheet.words) if topic == NULL]
    asked = [word for word in sheet.words if word[0] != NULL]
    scored = [score_words(sheet.faces, name, null=null, draws=draws, rng=rng) for name in ATTRIBUTES]
    return {
        "words": [_word(own, place, *word) for own in scored for place, word in enumerate(asked)],
        "topics": [row for own in scored for row in _topics(own, [topic for topic, _ in asked])],
        "seeds": len(sheet.seeds),
        "null_edits": int(np.isin(sheet.faces.word, null).sum()),
        "notes": [plain_notes([Note(code)]) for code in _missing(asked, null)],
    }


def _missing(asked: Sequence[tuple[str, str]], null: Sequence[int]) -> list[str]:
    """Return what the whole table lacks."""
    return ([] if asked else ["only_null_edits"]) + ([] if null else ["no_null_edits"])


def _word(own: Scored, place: int, topic: str, word: str) -> dict[str, Any]:
    found: dict[str, Any] = {"topic": topic, "word": word, "attribute": own.attribute}
    score, relative = own.score, own.relative
    found |= {"score": column(score.value, place), "low": column(score.low, place), "high": column(score.high, place)}
    found |= {"n": int(own.n[place]), "seeds": int(own.seeds[place])}
    found |= {"p": column(score.p, place), "q": column(score.q, place)}
    found["note"] = plain_notes([*word_notes(own, place, FEW), *_unrelated(own, place)])
    names = {"relative": "value", "relative_low": "low", "relative_high": "high", "relative_q": "q"}
    return found | {
        name: column(getattr(relative, field), place) if relative else None for name, field in names.items()
    }


def _unrelated(own: Scored, place: int) -> Sequence[Note]:
    """Return why a word that has a score has none relative to null edits, though there are some."""
    if own.relative is None or np.isnan(own.score.value[place]) or not np.isnan(own.relative.value[place]):
        return ()
    return (Note("no_null_of_seeds"),)


def _topics(own: Scored, topics: Sequence[str]) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    places = np.arange(len(topics))
    parts = {topic: np.array([name == topic for name in topics]) for topic in topics}
    for topic, chosen in [*parts.items(), ("all", np.ones(len(topics), dtype=bool))]:
        about: dict[str, Any] = {"topic": topic, "attribute": own.attribute}
        if bias := model_bias(own, places[chosen]):
            about |= {"sum": bias.total, "mean": bias.mean, "low": number(bias.low), "high": number(bias.high)}
            about |= {"chance": bias.chance, "words": bias.words, "seeds": bias.seeds}
            rows.append({**about, "note": plain_notes(said(seeds_note(bias.seeds, FEW, bias.low)))})
        elif chosen.any():
            nothing = dict.fromkeys(("sum", "mean", "low", "high", "chance"))
            rows.append({**about, **nothing, "words": 0, "seeds": 0, "note": plain_notes([Note("no_usable_edit")])})
    return rows
