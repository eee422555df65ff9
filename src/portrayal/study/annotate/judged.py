"""Which images each annotator has judged, and how often it abstained: one pass over the observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.store.tables.key_index import KeySet
from portrayal.store.tables.keys import Keys, names_to_keys
from portrayal.store.tables.row_batches import is_word
from portrayal.study.study import OpenStudy
from portrayal.study.tables.plan_answers import Answers

__all__ = ["Judged", "count_judged", "judged_images"]

_ENCODED = ("image", "annotator", "reason")


@dataclass
class Judged:
    """How many images of the plan an annotator has judged, in how many it told anything, and gave each reason."""

    images: int = 0
    perceived: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    _last: int | None = None
    _said: set[str] = field(default_factory=set)
    _told: bool = False

    def add(self, keys: Keys, reasons: pa.DictionaryArray) -> None:
        """Count rows; those of an image stand together, but may go on in the next batch."""
        begins = np.r_[self._last is None or int(keys[0]) != self._last, keys[1:] != keys[:-1]]
        self.images += int(begins.sum())
        image = np.cumsum(begins)
        codes = reasons.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        names = reasons.dictionary.to_pylist()
        self._add_perceived(image, codes < 0)
        given = np.unique(np.column_stack([image, codes])[codes >= 0], axis=0)
        before = self._said if not begins[0] else set()
        self.reasons.update(names[code] for place, code in given.tolist() if place or names[code] not in before)
        said = {names[code] for place, code in given.tolist() if place == image[-1]}
        self._said = said | (before if image[-1] == 0 else set())
        self._last = int(keys[-1])

    def _add_perceived(self, image: NDArray[np.int64], told: NDArray[np.bool_]) -> None:
        """Count images with a row that gives no reason; image 0 may have been counted in the batch before."""
        images = set(np.unique(image[told]).tolist()) | ({0} if self._told and image[0] == 0 else set())
        self.perceived += len(images) - (self._told and 0 in images)
        self._told = int(image[-1]) in images


def count_judged(study: OpenStudy, answers: Answers) -> Mapping[str, Judged]:
    """Return the counts of the study's annotators; images of an earlier, larger plan are kept but not counted."""
    counts = {name: Judged() for name in study.annotators}
    for batch in study.workspace.tables["observations"].scan(_ENCODED, _ENCODED):
        keys = names_to_keys(batch["image"])
        planned = answers.images.has(keys)
        names = batch["annotator"].dictionary.to_pylist()
        who = batch["annotator"].indices.to_numpy()
        for number in np.unique(who[planned]).tolist():
            if names[number] in counts:
                mine = np.flatnonzero(planned & (who == number))
                counts[names[number]].add(keys[mine], batch["reason"].take(pa.array(mine)))
    return counts


def judged_images(study: OpenStudy, annotator: str) -> KeySet:
    """Return the images that an annotator has judged."""
    table = study.workspace.tables["observations"]
    images = KeySet(table.count())
    for batch in table.scan(("image", "annotator"), ("image", "annotator")):
        mine = np.flatnonzero(is_word(batch["annotator"], annotator))
        if len(mine):
            chosen = batch["image"].take(pa.array(mine))
            keys = names_to_keys(chosen)
            first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])  # the rows of an image stand together
            images.add(chosen.take(pa.array(first)))
    return images
