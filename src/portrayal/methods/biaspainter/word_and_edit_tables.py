"""Tables of BiasPainter's own: every word with all that was computed of it, and every edit with what moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.methods.biaspainter.editing import NULL, Editing
from portrayal.methods.biaspainter.scores import ATTRIBUTES, Scored, image_bias
from portrayal.methods.filled_rows import at
from portrayal.records import Prompt

__all__ = ["EDIT_SCHEMA", "WORD_SCHEMA", "edit_rows", "word_table"]

_SCORE = ("score", "low", "high", "p", "q")
WORD_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("generator", "annotator", "topic", "word", "attribute", "text")]
    + [(name, pa.float64()) for name in (*_SCORE, *(f"relative_{name}" for name in _SCORE))]
    + [("n", pa.int64()), ("seeds", pa.int64()), ("planned", pa.int64()), ("stands_out", pa.bool_())]
)
EDIT_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("generator", "annotator", "topic", "word", "instruction", "seed", "seed_gender")]
    + [("seed_image", pa.string()), ("image", pa.string()), ("people", pa.int64()), ("unchanged", pa.bool_())]
    + [
        (f"{name}_{what}", kind)
        for name in ATTRIBUTES
        for what, kind in (
            ("before", pa.float64()), ("after", pa.float64()), ("bias", pa.float64()), ("significant", pa.bool_()),
            ("missing", pa.string()),
        )
    ]
)  # fmt: skip
"""Gender is 0 for male and 1 for female; images are named by the first 16 digits of their name.

``seed_gender`` is the one that a seed counts as: its label, or else as it was perceived.
"""


def word_table(editing: Editing, words: Sequence[Prompt], scored: Sequence[Scored]) -> list[dict[str, Any]]:
    """Return a row for each word and attribute, and one for the edits that ask for nothing."""
    planned = editing.planned(words)
    rows = []
    for score in scored:
        for place, word in enumerate(words):
            row: dict[str, Any] = {
                "generator": editing.generator,
                "annotator": editing.annotator,
                "topic": word.category,
            }
            row |= {"word": word.term, "attribute": editing.options.attributes[score.attribute], "text": word.text}
            for prefix, columns in (("", score.score), ("relative_", score.relative)):
                names = zip(_SCORE, ("value", "low", "high", "p", "q"), strict=True)
                row |= {prefix + name: at(getattr(columns, field), place) if columns else None for name, field in names}
            judged = row["relative_q"] if score.relative else row["q"]
            row |= {"n": int(score.n[place]), "seeds": int(score.seeds[place]), "planned": int(planned[place])}
            rows.append({**row, "stands_out": judged is not None and judged <= editing.options.error_rate})
        if score.null:
            rows.append(_null_row(editing, score))
    return rows


def _null_row(editing: Editing, score: Scored) -> dict[str, Any]:
    """Return the row of the edits that ask for nothing, all taken together: of the topic null, without a word."""
    assert score.null is not None
    row: dict[str, Any] = dict.fromkeys(WORD_SCHEMA.names)
    row |= {"generator": editing.generator, "annotator": editing.annotator, "topic": NULL, "word": ""}
    row |= {
        "attribute": editing.options.attributes[score.attribute],
        "text": "; ".join(word.text for word in editing.null),
    }
    names = zip(_SCORE, ("value", "low", "high", "p"), strict=False)
    row |= {name: at(getattr(score.null, field), 0) for name, field in names}
    row |= {"n": score.null_n, "seeds": score.null_seeds, "planned": int(editing.planned(editing.null).sum())}
    return {**row, "stands_out": False}


def edit_rows(editing: Editing) -> pa.Table:
    """Return a row for each edit, in the order of prompts and seeds."""
    chosen, word = editing.entries(editing.prompts)
    order = np.argsort(word, kind="stable")
    chosen, word = chosen[order], word[order]
    edited, source = editing.edited, editing.edited.source[chosen]
    columns: dict[str, Any] = {
        "generator": [editing.generator] * len(chosen),
        "annotator": [editing.annotator] * len(chosen),
        **{
            column: [getattr(editing.prompts[place], name) for place in word.tolist()]
            for column, name in (("topic", "category"), ("word", "term"), ("instruction", "variant"))
        },
        "seed": [editing.seeds.names[place] for place in source.tolist()],
        "seed_gender": [editing.seeds.groups["gender"][place] for place in source.tolist()],
        "seed_image": [f"{key:016x}" for key in edited.source_key[source].tolist()],
        "image": [f"{key:016x}" for key in edited.key[chosen].tolist()],
        "people": edited.people[chosen],
        "unchanged": edited.unchanged[chosen],
    }
    for name, attribute in editing.options.attributes.items():
        before, after = edited.before[attribute][source], edited.after[attribute][chosen]
        bias = image_bias(name, before, after, editing.options.scales)
        why = np.where(edited.why_before[attribute][source] != "", "seed: ", "").astype(object)
        why = why + np.where(why != "", edited.why_before[attribute][source], edited.why_after[attribute][chosen])
        columns |= {f"{name}_before": _column(before), f"{name}_after": _column(after), f"{name}_bias": _column(bias)}
        columns[f"{name}_significant"] = pa.array(np.abs(bias) >= 1, mask=np.isnan(bias))
        columns[f"{name}_missing"] = [text or None for text in why.tolist()]
    return pa.table([columns[name] for name in EDIT_SCHEMA.names], names=EDIT_SCHEMA.names).cast(EDIT_SCHEMA)


def _column(values: Any) -> pa.Array:
    return pa.array(values, pa.float64(), mask=np.isnan(values))
