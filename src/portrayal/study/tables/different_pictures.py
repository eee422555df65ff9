"""How many different pictures there are: the same bytes are one picture, however often they were made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from portrayal.stats.exact import Ints
from portrayal.study.tables.plan_answers import Answers

__all__ = ["PictureCounts", "count_pictures", "pictures_of_several_prompts"]


@dataclass(frozen=True, slots=True)
class PictureCounts:
    """Different pictures by generator, and by two generators those that both have made."""

    distinct: dict[str, int] = field(default_factory=dict)
    shared: dict[tuple[str, str], int] = field(default_factory=dict)


def count_pictures(answers: Answers) -> PictureCounts:
    """Count in one pass over the images, in the order of their names."""
    names = list(dict.fromkeys(generator for generator, _ in answers.cells))
    of_cell = _generator_of(answers)
    distinct = np.zeros(len(names), dtype=np.int64)
    shared = Counter[tuple[int, int]]()
    for keys, numbers in answers.images.stretches():
        # Cells are in the order of generators, so those who made the same picture stand in that order too.
        generator = of_cell[numbers["cell"]]
        new = np.r_[True, (keys[1:] != keys[:-1]) | (generator[1:] != generator[:-1])]
        keys, generator = keys[new], generator[new]
        distinct += np.bincount(generator, minlength=len(names))
        for step in range(1, len(names)):
            same = np.flatnonzero(keys[step:] == keys[:-step])
            if not len(same):
                break
            pairs = generator[same] * len(names) + generator[same + step]
            for pair, count in zip(*np.unique(pairs, return_counts=True), strict=True):
                shared[int(pair) // len(names), int(pair) % len(names)] += int(count)
    made = {names[number]: count for number, count in enumerate(distinct.tolist()) if count}
    return PictureCounts(made, {(names[one], names[two]): count for (one, two), count in sorted(shared.items())})


def pictures_of_several_prompts(answers: Answers) -> tuple[Ints, Ints]:
    """Return the number and the cell of every picture that one generator made for several prompts.

    A picture has a number for each generator, and stands there once for each of its prompts.
    """
    of_cell = _generator_of(answers)
    pictures, cells, before = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], 0
    for keys, fields in answers.images.stretches():
        cell = fields["cell"]
        new = np.r_[True, (keys[1:] != keys[:-1]) | (cell[1:] != cell[:-1])]
        keys, cell = keys[new], cell[new]
        begins = np.r_[True, (keys[1:] != keys[:-1]) | (of_cell[cell[1:]] != of_cell[cell[:-1]])]
        number = np.cumsum(begins) - 1
        several = np.bincount(number)[number] > 1
        pictures.append(number[several] + before)
        cells.append(cell[several])
        before += len(keys)
    return np.concatenate(pictures), np.concatenate(cells)


def _generator_of(answers: Answers) -> Ints:
    """Return the number of the generator of each cell."""
    names = dict.fromkeys(generator for generator, _ in answers.cells)
    place = {name: number for number, name in enumerate(names)}
    return np.array([place[generator] for generator, _ in answers.cells], dtype=np.int64)
