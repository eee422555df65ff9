"""What a suite's options leave of it: categories, terms and a sample of so many."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

from portrayal.errors import ConfigError
from portrayal.records import Prompt
from portrayal.suites.sampling import stratified_sample

__all__ = ["choose_occupations", "sample_prompts"]


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


def choose_occupations(suite: str, occupations: Sequence[T], category: Callable[[T], str], options: _Chosen) -> list[T]:
    """Return the occupations of the categories and names that the options ask for, or a sample of those.

    Occupations are drawn and not prompts, since whatever is asked about one is compared with what else is asked.
    """
    categories, terms = ({name.casefold() for name in own} for own in (options.categories, options.terms))
    chosen = [
        own
        for own in occupations
        if (not categories or category(own).casefold() in categories) and (not terms or own.name.casefold() in terms)
    ]
    names = [Prompt(own.name, own.name, category=category(own)) for own in chosen]
    drawn = sample_prompts(suite, names, options, lambda prompt: prompt.category, "occupations")
    kept = {prompt.term for prompt in drawn}
    return [own for own in chosen if own.name in kept]
