"""Drawing until a share is known well enough: how sure the interval must be for that, and how many images it takes.

Images are drawn in rounds until the interval of Clopper and Pearson is at most twice ``half`` wide. That the interval
itself says when to stop lets it miss more often, by up to a quarter; so it is made for seven tenths of the error that
is wanted. Then it holds the truth at the stop as often as it should, whatever the share is: the fixed-width design of
Frey (2010, The American Statistician 64), with rounds of several images. What comes out is not simulated here but added
up over all that may happen; ``benchmarks/adaptive.py`` does both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, clopper_pearson

__all__ = ["GROWTH", "FixedWidth", "confidence_at_stops", "half_width", "images_in_rounds", "times_as_many"]

GROWTH = 1.1
"""A round brings a tenth of the images before it, or more."""
_SPENT = 0.7
_ROUNDING = 1e-12
_MOST_TIMES = 1e4
_NARROW, _ROOM, _PILOT = 0.05, 1.3, 10


def confidence_at_stops(error_rate: float) -> float:
    """Return the confidence of intervals that miss with a chance of at most ``error_rate`` where they say when to stop.

    >>> confidence_at_stops(0.05)
    0.965
    """
    return 1 - _SPENT * error_rate


def half_width(share: Array, low_worth: Array, high_worth: Array, confidence: float) -> Array:
    """Return half the width of the interval of each share, of which so many images tell below and above."""
    low, high = clopper_pearson(share, low_worth, confidence)[0], clopper_pearson(share, high_worth, confidence)[1]
    return np.asarray((high - low) / 2)


def times_as_many(share: float, worths: tuple[float, float], half: float, confidence: float) -> float:
    """Return about how many times as many images would know a share seen so well, at least 1.

    >>> round(times_as_many(0.5, (20.0, 20.0), 0.1, 0.965), 1), times_as_many(0.0, (40.0, 40.0), 0.1, 0.965)
    (6.1, 1.0)
    """
    times: Array = np.power(GROWTH, np.arange(math.ceil(math.log(_MOST_TIMES, GROWTH)), dtype=float))
    wide = half_width(np.full(len(times), share), worths[0] * times, worths[1] * times, confidence)
    enough = wide <= half + _ROUNDING
    return float(times[enough.argmax()]) if enough.any() else _MOST_TIMES


@lru_cache(maxsize=256)
def images_in_rounds(half: float, share: float, first: int = 10) -> float:
    """Return how many images it takes on average to know a share so well, drawn in rounds of which ``first`` is one.

    >>> [round(images_in_rounds(0.1, share)) for share in (0.02, 0.5)]
    [28, 126]
    >>> round(images_in_rounds(0.1, 0.02, first=80))
    80
    """
    # Below that shares are as good as normal: the images grow with the squared width alone.
    near = max(half, _NARROW)
    most = math.ceil(_ROOM / near**2)
    begun = max(min(first, _PILOT), round(first * (half / near) ** 2))
    _, images = FixedWidth(near, min(begun, most), most, 6).coverage_and_images(share)
    return max(images * (near / half) ** 2, first)


@dataclass(frozen=True)
class FixedWidth:
    """The design for one share: the wanted half-width, images before the first look and at most, looks at most."""

    half: float
    first: int
    most: int
    looks: int
    error_rate: float = 0.05

    @property
    def confidence(self) -> float:
        """That of the interval at each look."""
        return confidence_at_stops(self.error_rate)

    @cached_property
    def sizes(self) -> Ints:
        """The numbers of images at which a look may be."""
        sizes = [min(self.first, self.most)]
        while sizes[-1] < self.most:
            sizes.append(min(max(math.ceil(sizes[-1] * GROWTH), sizes[-1] + 1), self.most))
        return np.array(sizes, dtype=np.int64)

    @cached_property
    def following(self) -> list[Ints]:
        """By place of a size and by images seen, the place of the next look; the same place: it is over."""
        places = []
        for place, size in enumerate(self.sizes.tolist()):
            share = np.arange(size + 1) / size
            later = np.full(size + 1, len(self.sizes) - 1)
            for ahead in range(len(self.sizes) - 1, place - 1, -1):
                images = np.full(size + 1, float(self.sizes[ahead]))
                later[half_width(share, images, images, self.confidence) <= self.half + _ROUNDING] = ahead
            places.append(later)
        return places

    def coverage_and_images(self, share: float) -> tuple[float, float]:
        """Return how often the interval at the stop holds a true share, and how many images it takes on average.

        >>> design = FixedWidth(0.2, 5, 40, 6)
        >>> [round(number, 3) for number in design.coverage_and_images(0.05)]
        [0.995, 12.203]
        """
        from scipy.stats import binom  # scipy takes a moment to load

        last, held, images = len(self.sizes) - 1, 0.0, 0.0
        at = {0: binom.pmf(np.arange(self.sizes[0] + 1), self.sizes[0], share)}
        for look in range(1, self.looks + 1):
            further: dict[int, Array] = {}
            for place, chance in at.items():
                size, ahead = int(self.sizes[place]), self.following[place]
                over = np.full(size + 1, place == last or look == self.looks) | (ahead == place)
                low, high = clopper_pearson(np.arange(size + 1) / size, size, self.confidence)
                held += float(chance[over & (low <= share) & (share <= high)].sum())
                images += size * float(chance[over].sum())
                for later in np.unique(ahead[~over]).tolist():
                    more = int(self.sizes[later]) - size
                    stays = np.where((ahead == later) & ~over, chance, 0.0)
                    grown = np.convolve(stays, binom.pmf(np.arange(more + 1), more, share))
                    further[later] = further.get(later, 0.0) + grown
            at = further
        return held, images
