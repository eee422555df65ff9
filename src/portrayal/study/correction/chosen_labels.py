"""Whether the images that people labelled were drawn at random, as far as what annotators read in them tells.

Whoever labels only images that an annotator reads as women learns nothing of those read as men. Then neither the
confusion matrix nor the labelled sample says how it errs, however many labels there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from portrayal.stats.annotation.drawn_at_random import drawn_at_random
from portrayal.stats.intervals import Array
from portrayal.study.correction.labelled import Key, Place
from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["chosen_labels"]

_CHOSEN = 0.001
"""Where random images would be read so unlike the others of their prompts in so few studies, they were chosen."""

# What people could not tell was looked at all the same: chosen are the images, not the answers.
_READ = f"""
    WITH looked AS (SELECT DISTINCT image FROM observations WHERE annotator = '{{people}}'),
    made AS (
        SELECT DISTINCT jobs.generator, jobs.prompt, image FROM jobs JOIN ({COUNTING}) AS made ON made.job = jobs.id
    ),
    places AS (SELECT DISTINCT generator, prompt FROM made SEMI JOIN looked USING (image)),
    asked AS (SELECT * FROM made SEMI JOIN places USING (generator, prompt)),
    single AS (
        SELECT annotator, image, attribute, any_value(mass) AS mass FROM observations SEMI JOIN asked USING (image)
        WHERE len(mass) > 0 AND annotator <> '{{people}}' GROUP BY annotator, image, attribute HAVING count(*) = 1
    )
    SELECT annotator, attribute, generator, prompt, list_position(mass, list_max(mass)) AS seen,
           image IN (SELECT image FROM looked) AS labelled, count(*) AS images
    FROM single JOIN asked USING (image) GROUP BY ALL ORDER BY ALL
"""


@dataclass(frozen=True)
class _Readings:
    """As whom an annotator reads the people of each place, in images that people looked at and in the others."""

    labelled: dict[Place, Array] = field(default_factory=dict)
    others: dict[Place, Array] = field(default_factory=dict)

    def tables(self, groups: int) -> tuple[Array, Array]:
        """Return both as counts (places, as whom they are read)."""
        places = sorted(self.labelled.keys() | self.others.keys())
        found = [[counts.get(place, np.zeros(groups)) for place in places] for counts in (self.labelled, self.others)]
        return np.array(found[0]), np.array(found[1])


def chosen_labels(study: OpenStudy, people: str) -> set[Key]:
    """Return the annotators and attributes that the images which ``people`` looked at are no random part for."""
    chosen = set()
    for key, mine in _readings(study, people).items():
        labelled, others = mine.tables(len(study.attributes[key[1]].groups))
        if drawn_at_random(labelled, others, np.random.default_rng([study.config.study.seed, 3])) <= _CHOSEN:
            chosen.add(key)
    return chosen


def _readings(study: OpenStudy, people: str) -> Mapping[Key, _Readings]:
    found: dict[Key, _Readings] = {}
    for row in study.workspace.query(_READ.format(people=people.replace("'", "''"))).to_pylist():
        mine = found.setdefault((row["annotator"], row["attribute"]), _Readings())
        groups = len(study.attributes[row["attribute"]].groups)
        counts = mine.labelled if row["labelled"] else mine.others
        counts.setdefault((row["generator"], row["prompt"]), np.zeros(groups))[row["seen"] - 1] += row["images"]
    return found
