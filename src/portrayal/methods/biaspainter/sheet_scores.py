"""Scores of a table of edits, as plain data for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from portrayal.methods.biaspainter.scores import ATTRIBUTES, Scored, score_words
from portrayal.methods.biaspainter.scores.levels import model_bias
from portrayal.methods.biaspainter.sheet import column, read_sheet

__all__ = ["score_sheet"]

NULL = "null"


def score_sheet(path: Path, *, draws: int = 1000, seed: int = 0) -> dict[str, Any]:
    """Return the scores of all words, topics and the model, by attribute; None where there is no data."""
    sheet, rng = read_sheet(path), np.random.default_rng(seed)
    null = [place for place, (topic, _) in enumerate(sheet.words) if topic == NULL]
    asked = [word for word in sheet.words if word[0] != NULL]
    scored = [score_words(sheet.faces, name, null=null, draws=draws, rng=rng) for name in ATTRIBUTES]
    return {
        "words": [_word(own, place, *word) for own in scored for place, word in enumerate(asked)],
        "topics": [row for own in scored for row in _topics(own, [topic for topic, _ in asked])],
        "seeds": len(sheet.seeds),
        "null_edits": int(np.isin(sheet.faces.word, null).sum()),
    }


def _word(own: Scored, place: int, topic: str, word: str) -> dict[str, Any]:
    found: dict[str, Any] = {"topic": topic, "word": word, "attribute": own.attribute}
    score, relative = own.score, own.relative
    found |= {"score": column(score.value, place), "low": column(score.low, place), "high": column(score.high, place)}
    found |= {"n": int(own.n[place]), "seeds": int(own.seeds[place])}
    found |= {"p": column(score.p, place), "q": column(score.q, place)}
    names = {"relative": "value", "relative_low": "low", "relative_high": "high", "relative_q": "q"}
    return found | {
        name: column(getattr(relative, field), place) if relative else None for name, field in names.items()
    }


def _topics(own: Scored, topics: Sequence[str]) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    places = np.arange(len(topics))
    parts = {topic: np.array([name == topic for name in topics]) for topic in topics}
    for topic, chosen in [*parts.items(), ("all", np.ones(len(topics), dtype=bool))]:
        if bias := model_bias(own, places[chosen]):
            about = {"topic": topic, "attribute": own.attribute, "sum": bias.total, "mean": bias.mean}
            rows.append({**about, "low": bias.low, "high": bias.high, "chance": bias.chance, "words": bias.words})
    return rows
