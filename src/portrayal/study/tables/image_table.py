"""One tidy table of images: a row for each image, annotator and person seen, with labels and probabilities by name.

Nothing of it is ever a Python object: a million images are a few hundred megabytes of Arrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from portrayal.evidence.described_images import NONE
from portrayal.records import Attribute
from portrayal.store.tables.keys import Keys
from portrayal.store.tables.table import Table
from portrayal.study.annotate.made_images import MadeImages, made_images
from portrayal.study.measure.seen_people import KEY, REASON, ROW, SUBJECT, read_people
from portrayal.study.study import OpenStudy
from portrayal.study.tables.filling import FilledColumns
from portrayal.study.tables.plan_answers import PENDING

__all__ = ["image_table"]

Places = NDArray[np.signedinteger[Any]]
_EDGES = 4


def image_table(study: OpenStudy) -> pa.Table:
    """Return the images that the plan has, those of one annotator after those of another.

    An image without a person that an annotator could tell has one row, with the reason; one that it has not looked at
    has the reason ``pending``. ``file`` is relative to the study's folder, or the address in the store
    that ``study.toml`` names.
    """
    images = made_images(study.workspace)
    pa.default_memory_pool().release_unused()  # else what reading one table took stays beside the next
    told = {name: list(annotator.attributes) for name, (_, annotator) in study.annotators.items()}
    observations = study.workspace.tables["observations"]
    seen, reasons = read_people(observations, told)
    attributes = list(
        {attribute.name: attribute for of_annotator in told.values() for attribute in of_annotator}.values()
    )
    builder = _Builder(observations, attributes, [*reasons, PENDING])
    drawn = _drawn(study, images)
    # Without an annotator each image still has its row.
    if not told:
        return builder.rows(drawn, images.keys, "", FilledColumns(0, {KEY: np.uint64}))
    return pa.concat_tables([builder.rows(drawn, images.keys, name, seen.pop(name)) for name in told])


def _drawn(study: OpenStudy, images: MadeImages) -> pa.Table:
    """Return what is known of each image before anyone looks at it."""
    asked = study.workspace.query("SELECT id, text, term, category FROM prompts").to_pydict()
    places = {prompt: place for place, prompt in enumerate(asked["id"])}
    prompt = np.array([places[name] for name in images.prompts], dtype=np.int32)[images.prompt]
    columns = {
        "file": images.files,
        "prompt": _named(prompt, asked["text"]),
        "term": _named(prompt, asked["term"]),
        "category": _named(prompt, asked["category"]),
        "model": _named(images.generator, images.generators),
        "seed": pa.array(images.seed),
    }
    return pa.table(columns)


def _named(numbers: Places, names: Sequence[str]) -> pa.DictionaryArray:
    """Return names by their numbers; the same name may stand there twice, and NONE is nothing."""
    distinct = list(dict.fromkeys(names))
    place = {name: number for number, name in enumerate(distinct)}
    codes = np.array([*(place[name] for name in names), NONE], dtype=np.int32)[numbers]
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes == NONE), pa.array(distinct, pa.string()))


@dataclass(frozen=True, slots=True)
class _Builder:
    """Puts what an annotator said beside the images; ``reasons`` ends with that of an image nobody has looked at."""

    observations: Table
    attributes: Sequence[Attribute]
    reasons: Sequence[str]

    def rows(self, drawn: pa.Table, keys: Keys, annotator: str, seen: FilledColumns) -> pa.Table:
        """Return the rows of one annotator."""
        place, person = _pairs(keys, seen.take(KEY))
        rows = drawn if len(place) == len(keys) else drawn.take(pa.array(place))
        del place  # of a million images every array counts
        for name, column in self._columns(annotator, seen, person):
            rows = rows.append_column(name, column)
        return rows

    def _columns(self, annotator: str, seen: FilledColumns, person: Places) -> Iterator[tuple[str, pa.Array]]:
        yield "annotator", _named(np.full(len(person), 0 if annotator else NONE), [annotator])
        subject = _at(_taken(seen, SUBJECT), person, NONE)
        yield "subject", pa.array(subject, pa.int32(), mask=subject == NONE)
        for attribute in self.attributes:
            yield from self._attribute(attribute, _taken(seen, attribute.name), person)
        yield "box", self._boxes(_at(_taken(seen, ROW), person, NONE))
        pending = len(self.reasons) - 1 if annotator else NONE
        yield "reason", _named(_at(_taken(seen, REASON), person, pending), self.reasons)

    def _attribute(
        self, attribute: Attribute, told: NDArray[Any] | None, person: Places
    ) -> Iterator[tuple[str, pa.Array]]:
        """Yield an attribute's number or words; or its likeliest group, and the probability of each."""
        name = attribute.name
        if attribute.is_text:
            yield name, self._texts(_at(told, person, NONE))
        elif attribute.is_numeric:
            values = _at(told, person, np.nan)
            yield name, pa.array(values, mask=np.isnan(values))
        else:
            masses = np.zeros((0, len(attribute.groups)), dtype=np.float32) if told is None else told
            label = np.where(np.isnan(masses).any(axis=1), NONE, masses.argmax(axis=1)).astype(np.int32)
            yield name, _named(_at(label, person, NONE), attribute.groups)
            for number, group in enumerate(attribute.groups):
                shares = _at(masses[:, number], person, np.float32(np.nan))
                yield f"{name}_{group}", pa.array(shares, mask=np.isnan(shares))

    def _texts(self, rows: Places) -> pa.Array:
        """Return the words of the observations at these rows."""
        order = _in_order(rows)
        texts = pa.chunked_array([chunk for _, chunk in self._scan("text", rows[order])], pa.string())
        place = np.zeros(len(rows), dtype=np.int64)
        place[order] = np.arange(len(order))
        return texts.combine_chunks().take(pa.array(place, mask=rows == NONE))

    def _boxes(self, rows: Places) -> pa.Array:
        """Return the boxes of the observations at these rows: put where they belong at once, for they are many."""
        order = _in_order(rows)
        boxes, told = np.zeros((len(rows), _EDGES), dtype=np.int32), np.zeros(len(rows), dtype=bool)
        for start, chunk in self._scan("box", rows[order]):
            known = np.asarray(pc.equal(pc.list_value_length(chunk), _EDGES).fill_null(False))
            mine = order[start : start + len(chunk)][known]
            boxes[mine] = chunk.filter(pa.array(known)).flatten().to_numpy().reshape(-1, _EDGES)
            told[mine] = True
        ends = np.r_[0, np.cumsum(told) * _EDGES].astype(np.int32)
        edges = boxes if told.all() else boxes[told]
        return pa.ListArray.from_arrays(ends, pa.array(edges.reshape(-1)), mask=pa.array(~told))

    def _scan(self, column: str, wanted: Places) -> Iterator[tuple[int, pa.Array]]:
        """Yield values of a column at rows in their order, some at a time, each time with how many came before."""
        before = 0
        for batch in self.observations.scan((column,)) if len(wanted) else ():
            start, end = np.searchsorted(wanted, [before, before + batch.num_rows])
            yield int(start), batch[column].take(pa.array(wanted[start:end] - before))
            before += batch.num_rows


def _taken(seen: FilledColumns, name: str) -> NDArray[Any] | None:
    """Return a column, if this annotator has it."""
    return seen.take(name) if name in seen else None


def _in_order(rows: Places) -> Places:
    """Return the places of rows that there are, in the order of the rows."""
    told = np.flatnonzero(rows != NONE)
    return told[np.argsort(rows[told])]


def _pairs(images: Keys, people: Keys) -> tuple[Places, Places]:
    """Return the image and the person of each row: every person in an image, or NONE where nobody looked."""
    if np.array_equal(images, people):
        return np.arange(len(images)), np.arange(len(images))
    order = np.argsort(people, kind="stable").astype(np.int32)
    start, count = _extents(images, people[order])
    rows = np.maximum(count, 1)
    place = np.repeat(np.arange(len(images), dtype=np.int32), rows)
    person = start[place]
    if len(place) > len(images):
        person += np.arange(len(place), dtype=np.int32) - np.repeat(np.cumsum(rows, dtype=np.int32) - rows, rows)
    person = np.append(order, np.int32(NONE))[np.minimum(person, len(order))]
    person[count[place] == 0] = NONE
    return place, person


def _extents(wanted: Keys, keys: Keys) -> tuple[Places, Places]:
    """Return where each of the wanted begins among keys in their order, and how often it is there."""
    by_key = np.argsort(wanted).astype(np.int32)
    start, count = np.empty_like(by_key), np.empty_like(by_key)
    asked = wanted[by_key]
    start[by_key] = np.searchsorted(keys, asked, "left")
    count[by_key] = np.searchsorted(keys, asked, "right")
    return start, count - start


def _at(values: NDArray[Any] | None, person: Places, nothing: Any) -> NDArray[Any]:
    """Return the values of people, and ``nothing`` where there is nobody."""
    if values is None or not len(values):
        return np.full(len(person), nothing)
    of_people = values[person]
    of_people[person == NONE] = nothing
    return of_people
