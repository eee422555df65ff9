"""Words as tables: what came uninvited and with which prompts, what was left out, what counted as what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from portrayal.evidence import Plan
from portrayal.methods.base import OwnTable
from portrayal.methods.tbyb.counting import Counted, summed
from portrayal.methods.tbyb.model_rows import StudyCaptions
from portrayal.metrics.objects import peak_curve
from portrayal.records import schema_of
from portrayal.stats.exact import Ints
from portrayal.stats.shares.cells import PromptShares, share_intervals

__all__ = ["own_tables"]

_WITH = 5
"""Terms that are named with a word, those with most of its images."""
_WHO = "generator:text annotator:text"
_UNINVITED = schema_of(
    f"{_WHO} rank:int word:text images:int share:float low:float high:float prompts:int terms:int with:texts "
    "with_images:ints"
)
_WORDS = schema_of(f"{_WHO} rank:int word:text images:int height:float")
_LEFT_OUT = schema_of(f"{_WHO} object:text images:int of:int share:float instead:texts")
_COUNTED_AS = schema_of("word:text object:text why:text similarity:float images:int")


def own_tables(plan: Plan, studied: Sequence[StudyCaptions]) -> Iterator[OwnTable]:
    """Yield the tables of words."""
    uninvited, words, left_out = [], [], []
    for captions in studied:
        for generator, prompts in plan.generators.items():
            cells = np.array(sorted(plan.places[generator, prompt] for prompt in prompts), dtype=np.int64)
            who = {"generator": generator, "annotator": captions.annotator}
            uninvited += [who | row for row in _uninvited(plan, captions.counted, cells)]
            words += [who | row for row in _words(captions.counted, cells)]
            left_out += [who | row for row in _left_out(captions.counted, cells)]
    yield OwnTable("uninvited", pa.Table.from_pylist(uninvited, _UNINVITED))
    yield OwnTable("words", pa.Table.from_pylist(words, _WORDS))
    yield OwnTable("left_out", pa.Table.from_pylist(left_out, _LEFT_OUT))
    yield OwnTable("counted_as", pa.Table.from_pylist(list(_counted_as(studied)), _COUNTED_AS))


def _uninvited(plan: Plan, counted: Counted, cells: Ints) -> Iterator[dict[str, object]]:
    """Yield what captions of one generator name and nothing in the prompt asked for, the commonest first."""
    rows = counted.rows.of_prompts(cells)
    captioned = summed(np.searchsorted(cells, counted.rows.prompt[rows]), counted.rows.images[rows], len(cells))
    row, word = counted.uninvited.chosen(rows)
    if not len(word):
        return
    place, images = np.searchsorted(cells, counted.rows.prompt[rows][row]), counted.rows.images[rows][row]
    different, column = np.unique(word, return_inverse=True)
    used = [counted.uninvited.words[number] for number in different.tolist()]
    table = summed(place * len(used) + column, images, len(cells) * len(used)).reshape(len(cells), len(used))
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = PromptShares.of(table / captioned[:, None], captioned, captioned)
    low, high = share_intervals(shares)
    totals = table.sum(axis=0)
    order = sorted(range(len(used)), key=lambda number: (-totals[number], used[number]))
    for rank, number in enumerate(order, start=1):
        having = np.flatnonzero(table[:, number]).tolist()
        company = Counter[str]()
        for cell in having:
            company[plan.design.prompts[plan.cells[cells[cell]][1]].term] += int(table[cell, number])
        most = company.most_common(_WITH)
        yield {
            "rank": rank,
            "word": used[number],
            "images": int(totals[number]),
            "share": float(shares.share[number]),
            "low": float(low[number]),
            "high": float(high[number]),
            "prompts": len(having),
            "terms": len(company),
            "with": [term for term, _ in most],
            "with_images": [images for _, images in most],
        }


def _words(counted: Counted, cells: Ints) -> Iterator[dict[str, object]]:
    """Yield the words that the distribution bias counts, the commonest first, and the height of the curve at each."""
    rows = counted.rows.of_prompts(cells)
    row, word = counted.counted.chosen(rows)
    different, place = np.unique(word, return_inverse=True)
    totals = summed(place, counted.rows.images[rows][row], len(different)).tolist()
    named = [(counted.counted.words[number], total) for number, total in zip(different.tolist(), totals, strict=True)]
    named.sort(key=lambda pair: (-pair[1], pair[0]))
    heights = peak_curve(totals).tolist()
    for rank, ((name, total), height) in enumerate(zip(named, heights, strict=True), start=1):
        yield {"rank": rank, "word": name, "images": int(total), "height": height}


def _left_out(counted: Counted, cells: Ints) -> Iterator[dict[str, object]]:
    """Yield the objects that prompts of one generator asked for and captions do not name, the commonest first."""
    missing, asked, instead = Counter[str](), Counter[str](), defaultdict[str, Counter[str]](Counter)
    for row in counted.rows.of_prompts(cells).tolist():
        images, matches = int(counted.rows.images[row]), counted.matches[row]
        named, extra = (
            {match.object for match in matches if match.why},
            {match.object for match in matches if not match.why},
        )
        for item in counted.asked[int(counted.rows.prompt[row])].merged:
            asked[item.lemma] += images
            if item.lemma not in named:
                missing[item.lemma] += images
                instead[item.lemma].update(dict.fromkeys(extra, images))
    for name, images in sorted(missing.items(), key=lambda pair: (-pair[1] / asked[pair[0]], pair[0])):
        others = sorted(instead[name].items(), key=lambda pair: (-pair[1], pair[0]))[:_WITH]
        yield {
            "object": name,
            "images": images,
            "of": asked[name],
            "share": images / asked[name],
            "instead": [other for other, _ in others],
        }


def _counted_as(studied: Sequence[StudyCaptions]) -> Iterator[dict[str, object]]:
    """Yield words that count as another one, an object of the prompt, with why and in how many images."""
    counts = Counter[tuple[str, str, str, float | None]]()
    for captions in studied:
        rows = captions.counted.rows
        for images, matches in zip(rows.images.tolist(), captions.counted.matches, strict=True):
            for match in dict.fromkeys(matches):
                if match.why not in ("", "same"):
                    counts[match.word, match.object, match.why, match.similarity] += int(images)
    for (word, name, why, near), images in sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0]))):
        yield {"word": word, "object": name, "why": why, "similarity": near, "images": images}
