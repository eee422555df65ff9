"""What a suite's options leave of it: categories, terms and a sample of so many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

from portrayal.errors import ConfigError
from portrayal.records import Note, Prompt, content_id

__all__ = [
    "allot",
    "among",
    "choice_notes",
    "choose_occupations",
    "sample_prompts",
    "sample_terms",
    "stratified_sample",
]


class _Sampled(Protocol):
    """The options of a sample; ``sample`` 0 is all."""

    @property
    def sample(self) -> int: ...
    @property
    def sample_seed(self) -> int: ...


class _Chosen(_Sampled, Protocol):
    """The options of a choice among occupations; without any name it is all of them."""

    @property
    def categories(self) -> Sequence[str]: ...
    @property
    def terms(self) -> Sequence[str]: ...


class _Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=_Named)


def sample_prompts(
    suite: str,
    prompts: Sequence[Prompt],
    options: _Sampled,
    stratum: Callable[[Prompt], Hashable],
    what: str = "prompts",
) -> list[Prompt]:
    """Return all prompts, or a sample in the proportions of their strata if the options ask for one."""
    if options.sample > len(prompts):
        raise ConfigError(f"suite {suite!r}: 'sample' asks for {options.sample} of {len(prompts)} {what}; lower it")
    return stratified_sample(prompts, options.sample, options.sample_seed, stratum) if options.sample else list(prompts)


def sample_terms(suite: str, prompts: Sequence[Prompt], options: _Sampled) -> list[Prompt]:
    """Return all prompts, or all that are about some of the terms, of each kind in proportion."""
    terms = {
        (asked.kind, asked.term): Prompt(f"{asked.kind} {asked.term}", asked.term, kind=asked.kind) for asked in prompts
    }
    drawn = sample_prompts(suite, [*terms.values()], options, lambda term: term.kind, "terms")
    kept = {(term.kind, term.term) for term in drawn}
    return [asked for asked in prompts if (asked.kind, asked.term) in kept]


def among(names: Sequence[str]) -> Callable[[str], bool]:
    """Return what tells whether a name is one of these, however it is capitalised; without any, every name is.

    >>> [among(["Nurse"])("nurse"), among(["Nurse"])("judge"), among([])("judge")]
    [True, False, True]
    """
    folded = {name.casefold() for name in names}
    return lambda name: not folded or name.casefold() in folded


def choice_notes(options: object, *names: str) -> Iterator[Note]:
    """Yield which names the options of these names choose, for those that choose any."""
    chosen = {name: getattr(options, name) for name in names}
    yield from (Note.listing(f"chosen_{name}", choice) for name, choice in chosen.items() if choice)


def choose_occupations(suite: str, occupations: Sequence[T], category: Callable[[T], str], options: _Chosen) -> list[T]:
    """Return the occupations of the categories and names that the options ask for, or a sample of those.

    Occupations are drawn and not prompts, since whatever is asked about one is compared with what else is asked.
    """
    in_categories, in_terms = among(options.categories), among(options.terms)
    chosen = [each for each in occupations if in_categories(category(each)) and in_terms(each.name)]
    names = [Prompt(occupation.name, occupation.name, category=category(occupation)) for occupation in chosen]
    drawn = sample_prompts(suite, names, options, lambda prompt: prompt.category, "occupations")
    kept = {prompt.term for prompt in drawn}
    return [occupation for occupation in chosen if occupation.name in kept]


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
