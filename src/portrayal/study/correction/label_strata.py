"""The images of one person that may be labelled, by who drew them and by prompt, and a random draw among them."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["Place", "Strata"]

_IMAGES = f"""
    SELECT generator, prompt, image, any_value(weight) AS weight,
           image IN (SELECT image FROM observations WHERE annotator = '{{people}}') AS labelled
    FROM jobs JOIN ({COUNTING}) AS made ON made.job = jobs.id AND ext <> '' JOIN prompts ON prompts.id = jobs.prompt
    WHERE people < 2 GROUP BY generator, prompt, image ORDER BY generator, prompt, image
"""
Place = tuple[str, str]
"""Generator and prompt."""


@dataclass(frozen=True, slots=True)
class Strata:
    """Images of each place that are not labelled yet, how many are or will be, and what its prompt weighs."""

    left: dict[Place, list[str]]
    labelled: Counter[Place]
    weights: dict[Place, float]

    @classmethod
    def of(cls, study: OpenStudy, people: str) -> Strata:
        """Return the images of a study; those that ``people`` looked at count as labelled."""
        strata = cls(defaultdict(list), Counter(), {})
        for row in study.workspace.query(_IMAGES.format(people=people.replace("'", "''"))).to_pylist():
            place = row["generator"], row["prompt"]
            strata.weights[place] = row["weight"]
            if row["labelled"]:
                strata.labelled[place] += 1
            else:
                strata.left[place].append(row["image"])
        return strata

    def labels(self) -> Counter[str]:
        """Return how many images of each generator are labelled, or drawn to be."""
        counts = Counter(dict.fromkeys((generator for generator, _ in self.weights), 0))
        for (generator, _), number in self.labelled.items():
            counts[generator] += number
        return counts

    def images(self, generator: str) -> int:
        """Return how many images of a generator there are, labelled or not."""
        left = sum(len(images) for (model, _), images in self.left.items() if model == generator)
        return left + self.labels()[generator]

    def generators(self) -> list[str]:
        """Return those of whom images are left."""
        return list(dict.fromkeys(generator for (generator, _), images in self.left.items() if images))

    def draw(self, generator: str, rng: np.random.Generator) -> tuple[str, Place]:
        """Return an image of the prompt that has the fewest labels for its weight, and count it as labelled."""
        places = [place for place, images in self.left.items() if place[0] == generator and images]
        needs = np.array([self.labelled[place] / self.weights[place] for place in places])
        place = places[rng.choice(np.flatnonzero(needs == needs.min()))]
        images = self.left[place]
        image = images.pop(int(rng.integers(len(images))))
        self.labelled[place] += 1
        return image, place

    def probability(self, place: Place) -> float:
        """Return how likely any image of a place is among the labelled ones."""
        return self.labelled[place] / (self.labelled[place] + len(self.left[place]))
