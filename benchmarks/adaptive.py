"""What adaptive runs save, and what their intervals and verdicts are worth at every look.

python benchmarks/adaptive.py [--paths 10000]

Prints tables of docs/validity.md: images, coverage and error rates of runs that stop when an interval is narrow
enough, of tests on what such runs drew, and of a policy. Each path is one study of one share; several prompts and
several groups are in ``benchmarks/adaptive_terms.py``. The decisions are those that studies make, by the same
functions.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from portrayal.apps.check.adaptive_rule import HARDLY, grown
from portrayal.apps.check.decisions.further_images import FurtherShares, images_to_decide
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, clopper_pearson
from portrayal.stats.sample_size import HalfWidth, images_for
from portrayal.stats.sequential.fixed_width import GROWTH, confidence_at_stops, half_width, times_as_many
from portrayal.stats.sequential.looks import times_at_looks
from portrayal.stats.two_sides.two_shares import difference_p

HALF, PILOT, MOST, ROUNDS = 0.1, 10, 130, 6
MIX = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Shares of a group by term, as generators show them: many near 0 or 1, some between."""
WALD = math.ceil(1.959964**2 / 4 / HALF**2)
POLICY_LOOKS, SCENARIOS = 8, 10
_MANY_LOOKS = 100
TAIL = 0.05 / (2 * SCENARIOS)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paths", type=int, default=10_000)
    paths = parser.parse_args().paths
    for table in (narrow, tests, policy, without_end):
        for line in table(paths):
            print(line, flush=True)
        print()


def narrow(paths: int) -> Iterator[str]:
    """Yield images and coverage of shares that are drawn until their interval is narrow enough."""
    rng, fixed, used = np.random.default_rng(29), images_for(HalfWidth(HALF, 0.5), 0.5), []
    yield f"fixed design for the worst share: {WALD} images by the normal formula, {fixed} by the exact interval"
    yield "| true share | images | of the fixed design | coverage at the stop | lowest at any look | bias |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for share in MIX:
        seen, images, held = _until_narrow(rng, share, paths)
        used.append(images.mean())
        bias = f"{100 * ((seen / images).mean() - share):+.2f}"
        cells = (
            share,
            f"{images.mean():.0f}",
            f"{images.mean() / WALD:.0%}",
            f"{held[-1]:.2%}",
            f"{min(held):.2%}",
            bias,
        )
        yield "| " + " | ".join(map(str, cells)) + " |"
    mean = np.mean(used)
    yield f"mix: {mean:.1f} images, {mean / WALD:.1%} of {WALD}, {mean / (fixed or 1):.1%} of {fixed}"


def _until_narrow(rng: np.random.Generator, share: float, paths: int) -> tuple[Ints, Ints, list[float]]:
    """Return images of the group and all images at the stop, and how often intervals hold at each look."""
    images = np.full(paths, PILOT)
    seen, held = rng.binomial(images, share), []
    for look in range(1, ROUNDS + 1):
        low, high = clopper_pearson(seen / images, images, confidence_at_stops(0.05))
        held.append(float(((low <= share) & (share <= high)).mean()))
        following = following_images(images, seen) if look < ROUNDS else images
        seen, images = seen + rng.binomial(following - images, share), following
    return seen, images, held


def following_images(images: Ints, seen: Ints) -> Ints:
    """Return how many images each path has after the next round, of which so many were seen to show the group."""
    following = images.copy()
    for size in np.unique(images).tolist():
        here = images == size
        following[here] = _table(size)[seen[here]]
    return following


@cache
def _table(size: int) -> Ints:
    """Return by images of the group how many images there are after the next round."""
    return np.array([_after(seen / size, size) for seen in range(size + 1)])


def _after(share: float, size: int) -> int:
    confidence = confidence_at_stops(0.05)
    worth = np.array([float(size)])
    if half_width(np.array([share]), worth, worth, confidence)[0] <= HALF + 1e-12:
        return size
    times = max(times_as_many(share, (float(size), float(size)), HALF, confidence), GROWTH)
    return min(math.ceil(size * times), MOST)


def tests(paths: int) -> Iterator[str]:
    """Yield how often a p-value of at most 0.05 is found where there is nothing, on what such runs drew."""
    rng, looks = np.random.default_rng(31), times_at_looks(ROUNDS, ROUNDS)
    yield "| true share | beside itself: as if at once | allowing for looks | two models alike: as if | allowing |"
    yield "| --- | --- | --- | --- | --- |"
    for share in (0.05, 0.1, 0.2, 0.35, 0.5):
        (seen, images, _), (other, others, _) = (_until_narrow(rng, share, paths) for _ in range(2))
        alone = _exact_p(seen, images, share)
        apart = difference_p(seen / images, images, other / others, others)
        cells = [f"{np.mean(p <= level):.2%}" for p in (alone, apart) for level in (0.05, 0.05 / looks)]
        yield f"| {share} | " + " | ".join(cells) + " |"


def _exact_p(seen: Ints, images: Ints, share: float) -> Array:
    from scipy.special import bdtr, bdtrc

    few = bdtr(seen, images, share)
    many = np.where(seen > 0, bdtrc(np.maximum(seen - 1, 0), images, share), 1.0)
    return np.asarray(np.minimum(2 * np.minimum(few, many), 1.0))


def policy(paths: int) -> Iterator[str]:
    """Yield images and verdicts of ten scenarios that are drawn until they are decided."""
    limits, fixed = Limits(0.3, 0.7), _fixed(Limits(0.3, 0.7))
    yield f"fixed design ten points from a limit four times in five: {fixed} images"
    yield "| true share | images | of the fixed design | decided | decided by the fixed one | wrong at any look |"
    yield "| --- | --- | --- | --- | --- | --- |"
    rng, used = np.random.default_rng(32), []
    for share in (*MIX, 0.3, 0.3 - 1e-9, 0.4):
        images, decided, wrong = _until_decided(rng, share, limits, paths, math.ceil(1.4 * fixed))
        used += [images] if share in MIX else []
        right = limits.judge(share, share)
        by_fixed = np.mean(
            [_judged(seen, fixed, limits, 1) is right for seen in rng.binomial(fixed, share, 2000).tolist()]
        )
        yield f"| {share:.2f} | {images:.0f} | {images / fixed:.0%} | {decided:.1%} | {by_fixed:.1%} | {wrong:.3%} |"
    yield f"mix: {np.mean(used):.1f} images of each, {np.mean(used) / fixed:.1%} of {fixed}"


def without_end(paths: int) -> Iterator[str]:
    """Yield the same of ``rounds = 0``: a look has its part of the error rate however many come before and after it."""
    limits = Limits(0.3, 0.7)
    most = 20 * _fixed(limits)
    yield f"no end of rounds, up to {most} images"
    yield "| true share | images | decided | wrong at any look |"
    yield "| --- | --- | --- | --- |"
    rng = np.random.default_rng(33)
    for share in (0.1, 0.2, 0.25, 0.3, 0.3 - 1e-9, 0.35, 0.4, 0.5):
        images, decided, wrong = _until_decided(rng, share, limits, paths, most, planned=0)
        yield f"| {share:.2f} | {images:.0f} | {decided:.1%} | {wrong:.3%} |"


def _fixed(limits: Limits) -> int:
    """Return how many images decide a share ten points inside a limit four times in five."""
    from scipy.stats import binom

    for images in range(50, 2000, 5):
        chances = binom.pmf(np.arange(images + 1), images, limits.least + 0.1)
        decided = [_judged(seen, images, limits, 1) is Verdict.PASS for seen in range(images + 1)]
        if chances[np.array(decided)].sum() >= 0.8:
            return images
    raise AssertionError("unreachable")


def _until_decided(
    rng: np.random.Generator, share: float, limits: Limits, paths: int, most: int, planned: int = POLICY_LOOKS
) -> tuple[float, float, float]:
    """Return images on average, how often it is decided, and how often wrongly at any look, stopped or not.

    ``planned`` looks at most; 0: without end.
    """
    images, seen = np.full(paths, PILOT), rng.binomial(PILOT, share, paths)
    wrong, right = np.zeros(paths, dtype=bool), limits.judge(share, share)
    decided, open_ = np.zeros(paths, dtype=bool), np.ones(paths, dtype=bool)
    for look in range(1, (planned or _MANY_LOOKS) + 1):
        times = times_at_looks(planned, look)
        pairs = np.column_stack([images, seen])
        states, place = np.unique(pairs, axis=0, return_inverse=True)
        verdicts = [_judged(x, n, limits, times) for n, x in states.tolist()]
        settled = np.array([verdict is not Verdict.UNDECIDED for verdict in verdicts])[place]
        wrong |= np.array([verdict not in (right, Verdict.UNDECIDED) for verdict in verdicts])[place]
        decided, open_ = decided | (settled & open_), open_ & ~settled
        if look == planned or not open_.any():
            break
        after = np.array([_grown(x, n, limits, most, times) for n, x in states.tolist()])[place]
        following = np.where(open_, after, images)
        if (following == images).all():
            break
        seen, images = seen + rng.binomial(following - images, share), following
    return float(images.mean()), float((decided & ~wrong).mean()), float(wrong.mean())


@cache
def _judged(seen: int, images: int, limits: Limits, looks: int) -> Verdict:
    return SeenImages(seen, images - seen).judge(limits, TAIL / looks)


@cache
def _grown(seen: int, images: int, limits: Limits, most: int, times: int) -> int:
    if images >= most or _judged(seen, images, limits, times) is not Verdict.UNDECIDED:
        return images
    further = FurtherShares(SeenImages(seen, images - seen), limits, TAIL / times)
    if images >= 40 and further.decided(most - images) < HARDLY:
        return images
    return min(grown(images, images_to_decide(further.decided) or most), most)


if __name__ == "__main__":
    main()
