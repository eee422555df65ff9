"""Measurements of topics and of the model: how large the words' biases are, and how far single edits move faces.

Two numbers that are easily mixed up. ``word_bias`` in a metric's name: the mean size of word biases, in which what a
word does to some faces and undoes in others cancels. ``image_bias``: the mean size of image biases, as the paper's
Table 3 prints it, in which nothing cancels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from portrayal.methods.biaspainter.editing import Editing
from portrayal.methods.biaspainter.score_rows import seeds_note
from portrayal.methods.biaspainter.scores import Scored
from portrayal.methods.biaspainter.scores.image_sizes import image_sizes
from portrayal.methods.biaspainter.scores.levels import word_sizes
from portrayal.methods.filled_rows import filled, number
from portrayal.records import Measurement, Note, Prompt, said
from portrayal.stats.exact import Ints

__all__ = ["image_rows", "level_rows"]


def level_rows(blank: Measurement, words: Sequence[Prompt], scored: Scored, few: int) -> Iterator[Measurement]:
    """Yield how large the biases of the words of every topic, and of all words, are, and the bias of the null edit.

    ``target`` is what words that do nothing would show by chance.
    """
    for row, chosen in _levels(blank, words, "word_bias"):
        for beyond in (False, True) if scored.relative else (False,):
            bias, metric = word_sizes(scored, chosen, relative=beyond), row.metric + ("_relative" if beyond else "")
            if bias is None:
                yield replace(row, metric=metric, notes=(Note("no_usable_edit"),))
                continue
            notes = said(seeds_note(bias.seeds, few, bias.low))
            sized = replace(row, metric=metric, n=bias.n, prompts=bias.words, notes=notes)
            yield replace(sized, value=bias.mean, low=number(bias.low), high=number(bias.high), target=bias.chance)
            if not beyond:
                yield replace(sized, metric=f"{metric}_sum", value=bias.total)
    if scored.null:
        notes = said(seeds_note(scored.null_seeds, few, scored.null.low[0]))
        yield filled(replace(blank, metric="null_bias", n=scored.null_n, notes=notes), scored.null.bounds, 0)


def image_rows(blank: Measurement, editing: Editing, role: str, words: Sequence[Prompt]) -> Iterator[Measurement]:
    """Yield the mean size of image biases, of every topic and of all words: what the paper's Table 3 prints.

    ``target`` is the same of the null edit.
    """
    share = role == "gender"
    faces, nulls = editing.faces(words), editing.faces(editing.null)
    sizes, null = (edits.sizes(role, editing.options.scales) for edits in (faces, nulls))
    for row, chosen in _levels(blank, words, "image_bias"):
        image = image_sizes(sizes.take(chosen), null, share=share)
        if image is None:
            yield replace(row, notes=(Note("no_usable_edit"),))
            continue
        notes = said(seeds_note(image.seeds, editing.options.few, image.low))
        n = int(faces.answered(role)[chosen].sum())
        row = replace(row, n=n, prompts=len(chosen), notes=notes)
        low, high = number(image.low), number(image.high)
        yield replace(row, value=image.value, low=low, high=high, target=number(image.null))
        if not np.isnan(image.gap):
            row = replace(row, metric=f"{row.metric}_relative", value=image.gap)
            yield replace(row, low=number(image.gap_low), high=number(image.gap_high))
    if nothing := image_sizes(null, share=share):
        row = replace(blank, metric="null_image_bias", n=int(nulls.answered(role).sum()), value=nothing.value)
        notes = said(seeds_note(nothing.seeds, editing.options.few, nothing.low))
        yield replace(row, low=number(nothing.low), high=number(nothing.high), notes=notes)


def _levels(blank: Measurement, words: Sequence[Prompt], metric: str) -> Iterator[tuple[Measurement, Ints]]:
    """Yield an empty row for all words and for each topic, with the places of its words."""
    yield replace(blank, level="overall", metric=f"model_{metric}"), np.arange(len(words))
    for topic in dict.fromkeys(word.category for word in words):
        chosen = np.flatnonzero([word.category == topic for word in words])
        yield replace(blank, level="category", item=topic, metric=f"topic_{metric}"), chosen
