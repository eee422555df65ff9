"""A smaller sample of prompts in the proportions of the whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

from portrayal.records import Prompt, content_id

__all__ = ["allot", "stratified_sample"]


def allot(sizes: Sequence[int], total: int) -> list[int]:
    """Share ``total`` places out in proportion to ``sizes``; the largest remainders get what is left, first come first.

    >>> allot([1969, 264, 421], 100)
    [74, 10, 16]
    """
    exact = [Fraction(size * total, sum(sizes)) for size in sizes]
    places = [int(share) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda index: places[index] - exact[index])
    for index in by_remainder[: total - sum(places)]:
        places[index] += 1
    return places


def stratified_sample(
    prompts: Sequence[Prompt], size: int, seed: int, stratum: Callable[[Prompt], Hashable]
) -> list[Prompt]:
    """Return ``size`` prompts in their old order, each stratum in proportion; the same seed chooses the same ones.

    Prompts are drawn by a hash of seed and text, so that a larger sample goes on where a smaller one stopped.
    """
    strata: defaultdict[Hashable, list[Prompt]] = defaultdict(list)
    for prompt in prompts:
        strata[stratum(prompt)].append(prompt)
    chosen: set[str] = set()
    for members, places in zip(strata.values(), allot([len(m) for m in strata.values()], size), strict=True):
        drawn = sorted(members, key=lambda prompt: content_id(str(seed), prompt.id))
        chosen |= {prompt.id for prompt in drawn[:places]}
    return [prompt for prompt in prompts if prompt.id in chosen]
