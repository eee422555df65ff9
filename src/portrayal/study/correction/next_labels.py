"""Which images to label next: those that narrow the widest interval of a corrected share the most.

Labels go, one after the other, to the model whose share over all prompts is known worst, and within it to the prompt
whose weight has the fewest of them; of a prompt's images each is as likely to be drawn as any other. So what comes back
is a random part of the images of each prompt, with probabilities that are known, and may correct shares by itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.annotators import Annotator
from portrayal.records import Measurement
from portrayal.stats.annotation.prediction_powered import LabelledImages, Powered
from portrayal.study.correction.correct_shares import ENOUGH, Asked, labelled_images, measured_shares, powered_share
from portrayal.study.correction.label_strata import Place, Strata
from portrayal.study.correction.labelled import labelled_people
from portrayal.study.study import OpenStudy

__all__ = ["MISREAD", "LabelPlan", "LabelledShare", "labelled_share", "next_labels"]

MISREAD = 0.1
"""How many readings are taken to be wrong as long as fewer labels than these say it."""
_FEW = 10
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """The images to label, each with the probability that it is among those labelled by then, and what that is worth.

    ``before`` and ``after`` are the widest 95 % interval of a corrected share over all prompts of a model; None before
    where few are labelled, and after where no share is measured. ``about`` says whose it is. So many images are
    ``lacking`` then: until every model has enough labels, one that has not is corrected by the confusion matrix alone.
    """

    images: Mapping[str, float]
    before: float | None = None
    after: float | None = None
    about: str = ""
    lacking: int = 0

    @property
    def worth(self) -> str:
        """What the labels are worth, in a sentence."""
        if not self.lacking:
            return self._narrowed
        give = "1 more image gives" if self.lacking == 1 else f"{self.lacking} more images give"
        return f"{self._narrowed}, once {give} every model the {ENOUGH} labels that this takes"

    @property
    def _narrowed(self) -> str:
        if self.after is None:
            return "no share of these attributes is measured yet, so they are spread over models and prompts alike"
        after = f"{100 * self.after:.0f} points"
        if self.before is None:
            return f"with them the widest interval of a corrected share will be about {after} wide ({self.about})"
        return f"they narrow the widest interval ({self.about}) from {100 * self.before:.0f} to about {after}"


@dataclass(frozen=True, slots=True)
class LabelledShare:
    """A share over all prompts of a generator, as so many labels know it; ``guessed`` where they are too few.

    Not every image that people look at becomes a label: of one they cannot tell, or the annotator can read nothing.
    ``telling`` is the part that does.
    """

    row: Measurement
    known: Powered
    labels: int
    telling: float
    guessed: bool

    def lacking(self, more: int) -> int:
        """Return how many images its own labels are short of deciding anything, with so many labelled images more."""
        short = ENOUGH - self.labels - more * self.telling
        return math.ceil(short / self.telling - _ROUNDING) if short > 0 and self.telling else 0

    def width(self, more: int) -> float:
        """Return how wide its interval is with so many labelled images more.

        Rounded, so that groups that are each other's rest are as wide whatever processor adds them up.
        """
        labels = self.known.labels * max(self.labels + more * self.telling, 1) / max(self.labels, 1)
        return round(replace(self.known, labels=labels).interval().width, 9)


def next_labels(study: OpenStudy, people: Annotator, count: int, rng: np.random.Generator) -> LabelPlan:
    """Return the ``count`` images that ``people`` should label next, or all that are left."""
    strata = Strata.of(study, people.name)
    shares = list(_shares(study, people, strata))
    labels, more = strata.labels(), Counter[str]()
    widest = max(shares, key=lambda share: share.width(0), default=None)
    before = None if widest is None or widest.labels < ENOUGH else widest.width(0)
    widths = {name: _width(shares, name, 0) for name in labels}
    images: dict[str, Place] = {}
    for _ in range(count):
        if not (models := strata.generators()):
            break
        worst = max(models, key=lambda name: (widths[name], -labels[name] - more[name]))
        image, place = strata.draw(worst, rng)
        images[image] = place
        more[worst] += 1
        widths[worst] = _width(shares, worst, more[worst])
    probabilities = {image: strata.probability(place) for image, place in images.items()}
    if widest is None or not images:
        return LabelPlan(probabilities)
    row = widest.row
    about = f"{study.names.generator(row.generator)}, {row.attribute}: {row.group}"
    left = Counter(generator for (generator, _), waiting in strata.left.items() for _ in waiting)
    lacking = Counter[str]()
    for share in shares:
        name = share.row.generator
        lacking[name] = max(lacking[name], share.lacking(more[name]))
    possible = sum(number for name, number in lacking.items() if number <= left[name])
    return LabelPlan(probabilities, before, max(widths.values()), about, possible)


def _width(shares: Sequence[LabelledShare], generator: str, more: int) -> float:
    return max((share.width(more) for share in shares if share.row.generator == generator), default=0.0)


def _shares(study: OpenStudy, people: Annotator, pictures: Strata) -> Iterator[LabelledShare]:
    """Yield the shares over all prompts of attributes that people can label."""
    own, asked = labelled_people(study, people.name), Asked.of(study)
    told = {attribute.name for attribute in people.attributes}
    for rows in measured_shares(study):
        row = next(iter(rows.values()))
        whole = row.level == "overall" and not row.language and not row.variant
        if whole and row.attribute in told and row.annotator != people.name:
            labelled, weights = own.get((row.annotator, row.attribute)), asked.weights(row)
            strata = labelled.of(row.generator, weights) if labelled else {}
            labels = round(sum(float(counts.sum()) for counts in strata.values()))
            looked, there = pictures.labels()[row.generator], pictures.images(row.generator)
            telling = labels / looked if labels >= _FEW else min(row.n / max(there, 1), 1.0)
            for place, group in enumerate(study.attributes[row.attribute].groups):
                images = labelled_images(strata, weights, place) if labels >= _FEW else None
                yield labelled_share(rows[group], images, labels, telling)


def labelled_share(row: Measurement, labelled: LabelledImages | None, labels: int, telling: float) -> LabelledShare:
    """Return how a share is known by its labelled images, or None where these are too few to say."""
    if labelled is not None:
        return LabelledShare(row, powered_share(row, labelled), labels, telling, guessed=False)
    share, images = row.value or 0.0, max(row.n, 1)
    smooth = (share * images + 0.5) / (images + 1)
    known = Powered(share, math.nan, MISREAD, imputed=smooth * (1 - smooth) / images, tuning=1.0, labels=max(labels, 1))
    return LabelledShare(row, known, labels, telling, guessed=True)
