"""Compare: pairs of images that methods want compared, each once, and those that are done stay done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.annotators.quality.sentences import Sentences
from portrayal.engines import cpu_count
from portrayal.picturefile import ImageFile
from portrayal.records import COMPARISON_SCHEMA, Comparison, to_table
from portrayal.store.images.read_ahead import ReadAhead
from portrayal.study.annotate.picture_pairs import (
    PART,
    caption_comparer,
    captioner,
    picture_needs,
    pictures_table,
    structure_comparer,
)
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.vision.pictures import Unreadable, open_rgb
from portrayal.vision.ssim import Grey, ssim

__all__ = ["compare_pictures"]

_BATCH = 256
"""Pairs compared and committed at a time; their pictures are in memory together."""
_TEXTS = 128
"""Captions that the sentence model reads at a time."""
_PENDING = """
    SELECT image, other, any_value(ext) AS ext, any_value(other_ext) AS other_ext, min(number) AS number
    FROM (SELECT *, row_number() OVER () AS number FROM pairs)
    ANTI JOIN (SELECT image, other FROM comparisons WHERE comparer = '{comparer}') USING (image, other)
    GROUP BY image, other ORDER BY number
"""
_CAPTIONED = """
    WITH captions AS (
        SELECT image, any_value(text) AS text FROM observations
        WHERE annotator = '{annotator}' AND attribute = 'caption' AND text IS NOT NULL GROUP BY image
    )
    SELECT pending.image, pending.other, one.text, two.text AS other_text
    FROM pending JOIN captions AS one ON one.image = pending.image JOIN captions AS two ON two.image = pending.other
    ORDER BY number
"""
Row = dict[str, Any]
Compare = Callable[[Sequence[Row]], Sequence[float | str]]
"""From pairs to how alike they are, or why that cannot be said."""


def compare_pictures(study: OpenStudy, control: RunControl) -> None:
    """Compare what is pending: by structure, and by captions where an annotator wrote some."""
    for need in picture_needs(study):
        pairs = pictures_table(study, need)
        name = structure_comparer(need)
        with ThreadPoolExecutor(cpu_count()) as pool:
            _work(study, control, name, _pending(study, pairs, name), _Structure(study, need.size, pool))
        if who := captioner(study, need):
            sentences = Sentences(PART, "", "", "auto")
            name = caption_comparer(study, need, sentences)
            pending = _pending(study, pairs, name)
            captioned = study.workspace.query(_CAPTIONED.format(annotator=_quoted(who)), pending=pending)
            _work(study, control, name, captioned, _Captions(sentences))


def _pending(study: OpenStudy, pairs: pa.Table, comparer: str) -> pa.Table:
    return study.workspace.query(_PENDING.format(comparer=_quoted(comparer)), pairs=pairs)


def _quoted(text: str) -> str:
    return text.replace("'", "''")


def _work(study: OpenStudy, control: RunControl, comparer: str, pending: pa.Table, compare: Compare) -> None:
    """Compare batch by batch, each committed before the next, until done or asked to stop."""
    control.progress.start(f"compare {comparer}", pending.num_rows)
    for batch in _batches(pending, control):
        likenesses = compare(batch)
        rows = [_row(pair, comparer, said) for pair, said in zip(batch, likenesses, strict=True)]
        study.workspace.tables["comparisons"].append(to_table(rows, COMPARISON_SCHEMA))
        control.progress.advance(len(rows))
    control.progress.finish()


def _batches(pending: pa.Table, control: RunControl) -> Iterator[list[Row]]:
    for start in range(0, pending.num_rows, _BATCH):
        if control.stopped():
            return
        yield pending.slice(start, _BATCH).to_pylist()


def _row(pair: Row, comparer: str, said: float | str) -> Comparison:
    if isinstance(said, str):
        return Comparison(pair["image"], pair["other"], comparer, reason=said)
    return Comparison(pair["image"], pair["other"], comparer, float(said))


class _Structure:
    """Structural similarity of pictures in grey, all of one size; each is opened once in a batch."""

    def __init__(self, study: OpenStudy, size: int, pool: ThreadPoolExecutor) -> None:
        self._images, self._size, self._pool = study.workspace.images, size, pool

    def __call__(self, batch: Sequence[Row]) -> list[float | str]:
        files = {row["image"]: row["ext"] for row in batch} | {row["other"]: row["other_ext"] for row in batch}
        paths = [self._images.path(image, ext) if ext else None for image, ext in files.items()]
        with ReadAhead(paths) as ahead:
            pictures = self._pool.map(lambda path: self._open(path and ahead.file(path)), paths)
            opened = dict(zip(files, pictures, strict=True))
        return list(self._pool.map(_structure, ((opened[row["image"]], opened[row["other"]]) for row in batch)))

    def _open(self, path: ImageFile | None) -> Grey | str:
        try:
            picture = open_rgb(path)
        except Unreadable as error:
            return error.reason
        return Grey.of(np.asarray(picture.convert("L").resize((self._size, self._size))))


def _structure(pair: tuple[Grey | str, Grey | str]) -> float | str:
    one, other = pair
    if isinstance(one, str):
        return one
    return other if isinstance(other, str) else ssim(one, other)


class _Captions:
    """Cosine of captions as vectors of a sentence model; each text is read once in a batch."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences

    def __call__(self, batch: Sequence[Row]) -> list[float | str]:
        texts = list(dict.fromkeys(text for row in batch for text in (row["text"], row["other_text"])))
        parts = [self._sentences.embed(texts[start : start + _TEXTS]) for start in range(0, len(texts), _TEXTS)]
        vectors = dict(zip(texts, np.concatenate(parts), strict=True))
        return [float(np.dot(vectors[row["text"]], vectors[row["other_text"]])) for row in batch]
