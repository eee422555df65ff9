"""How annotators read the people of whom others, whose word counts, said who they are; one person to an image."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from portrayal.errors import InputError, did_you_mean
from portrayal.stats.intervals import Array
from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["Key", "Labelled", "Place", "chosen_labeller", "labelled_people", "labellers"]

Key = tuple[str, str]
"""Annotator and attribute."""
Place = tuple[str, str]
"""Generator and prompt."""

# Who is as much of one group as of another is of none: taking the first would favour it.
_PAIRS = """
    WITH labelled AS (SELECT DISTINCT image FROM observations WHERE annotator = '{people}'),
    single AS (
        SELECT annotator, image, attribute, any_value(mass) AS mass FROM observations SEMI JOIN labelled USING (image)
        WHERE len(mass) > 0 GROUP BY annotator, image, attribute HAVING count(*) = 1
    ),
    told AS (
        SELECT annotator, image, attribute, list_position(mass, list_max(mass)) AS place,
               len(list_filter(mass, lambda part: part = list_max(mass))) > 1 AS tied
        FROM single
    ),
    pairs AS (
        SELECT read.annotator, attribute, image, truth.place AS truth, read.place AS seen
        FROM told AS read JOIN told AS truth USING (image, attribute)
        WHERE truth.annotator = '{people}' AND read.annotator <> '{people}' AND NOT truth.tied
    )
"""
_COUNTS = "SELECT annotator, attribute, truth, seen, count(*) AS images FROM pairs GROUP BY ALL ORDER BY ALL"
_PLACES = f"""
    , made AS (
        SELECT DISTINCT jobs.generator, jobs.prompt, image FROM jobs JOIN ({COUNTING}) AS made ON made.job = jobs.id
    )
    SELECT annotator, attribute, truth, seen, generator, prompt, count(*) AS images FROM pairs JOIN made USING (image)
    GROUP BY ALL ORDER BY ALL
"""


@dataclass
class Labelled:
    """How one annotator read the people labelled for one attribute: counts (who they are, as whom they are read).

    ``confusion`` counts every image once, ``places`` those of each generator and prompt.
    """

    confusion: Array
    places: dict[Place, Array] = field(default_factory=dict)

    def of(self, generator: str, prompts: Iterable[str]) -> dict[str, Array]:
        """Return the counts of those of a generator's prompts of which any image is labelled."""
        return {prompt: self.places[generator, prompt] for prompt in prompts if (generator, prompt) in self.places}


def labellers(study: OpenStudy) -> list[str]:
    """Return the annotators whose labels say how others err: the one that study.toml names, else all from outside."""
    named = study.config.report.labels_by
    return [chosen_labeller(study, named)] if named else _from_outside(study)


def chosen_labeller(study: OpenStudy, reference: str = "") -> str:
    """Return whose word counts: the one named, or the only one whose labels came from outside."""
    known = _from_outside(study)
    wanted = reference or study.config.report.labels_by
    if not known:
        raise InputError(
            f"{study.root}: nobody has labelled images, so nothing says how often annotators err; "
            "see: portrayal labels --help"
        )
    fitting = [who for who in known if not wanted or wanted in study.annotator_names(who)]
    if not fitting:
        names = {name for who in known for name in study.annotator_names(who) if name}
        raise InputError(
            f"{study.root}: no annotator {wanted!r} whose labels were imported{did_you_mean(wanted, names)}"
        )
    if len(fitting) > 1:
        raise InputError(f"{study.root}: whose word counts? Say it with --reference: {', '.join(sorted(fitting))}")
    return fitting[0]


def _from_outside(study: OpenStudy) -> list[str]:
    return [who for who, (_, annotator) in study.annotators.items() if annotator.name.startswith("imported")]


def labelled_people(study: OpenStudy, people: str) -> Mapping[Key, Labelled]:
    """Return how each annotator read the people whom ``people`` labelled."""
    pairs = _PAIRS.format(people=people.replace("'", "''"))
    labelled: dict[Key, Labelled] = {}
    for row in study.workspace.query(pairs + _COUNTS).to_pylist():
        size = len(study.attributes[row["attribute"]].groups)
        mine = labelled.setdefault((row["annotator"], row["attribute"]), Labelled(np.zeros((size, size))))
        mine.confusion[row["truth"] - 1, row["seen"] - 1] = row["images"]
    for row in study.workspace.query(pairs + _PLACES).to_pylist():
        mine = labelled[row["annotator"], row["attribute"]]
        counts = mine.places.setdefault((row["generator"], row["prompt"]), np.zeros(mine.confusion.shape))
        counts[row["truth"] - 1, row["seen"] - 1] = row["images"]
    return labelled
