"""How a chosen BAFIS suite differs from the published one, in lines for the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from portrayal.methods.bafis.suite.occupations import occupations
from portrayal.methods.bafis.suite.options import PUBLISHED_VARIANTS, BafisSuiteOptions
from portrayal.methods.bafis.suite.packs import Pack
from portrayal.records import Prompt

__all__ = ["adjustments"]

_SHOWN = 10


def adjustments(
    options: BafisSuiteOptions, packs: Mapping[str, Pack], prompts: Sequence[Prompt], published: Sequence[Prompt]
) -> tuple[str, ...]:
    """Return a line for each difference that the options make; none where they make none."""
    return (*_selection(options, packs, prompts, published), *_gaps(options, packs, prompts))


def _selection(
    options: BafisSuiteOptions, packs: Mapping[str, Pack], prompts: Sequence[Prompt], published: Sequence[Prompt]
) -> Iterator[str]:
    ours, theirs = ({prompt.id for prompt in chosen} for chosen in (prompts, published))
    if ours != theirs:
        others = f" and {len(ours - theirs):,} others" if ours - theirs else ""
        yield f"{len(ours & theirs):,} of {len(theirs):,} prompts{others}: {'; '.join(_reasons(options, packs))}"


def _reasons(options: BafisSuiteOptions, packs: Mapping[str, Pack]) -> Iterator[str]:
    chosen = {
        "languages": options.languages,
        "variants": () if set(options.variants) == set(PUBLISHED_VARIANTS) else options.variants,
        "categories": options.categories,
        "only the occupations": options.terms,
        "language packs": tuple(f"{code} ({pack.path.name})" for code, pack in packs.items()),
    }
    yield from (f"{name} {_listed(values)}" for name, values in chosen.items() if values)
    if options.sample:
        yield f"a sample of {options.sample:,} occupations (seed {options.sample_seed})"


def _gaps(options: BafisSuiteOptions, packs: Mapping[str, Pack], prompts: Sequence[Prompt]) -> Iterator[str]:
    """Yield what a pack has no text for, of the occupations that are asked about at all."""
    asked = {prompt.term for prompt in prompts}
    names = [occupation.name for occupation in occupations() if occupation.name in asked]
    for code, pack in packs.items():
        for variant in (variant for variant in pack.variants if variant in options.variants):
            absent = [name for name in names if (name, variant) not in pack.texts]
            if absent:
                count = f"{len(absent):,} of {len(names):,} occupations"
                yield f"language pack {code} ({pack.path.name}): no {variant} prompt for {count}: {_listed(absent)}"


def _listed(values: Iterable[str]) -> str:
    shown = list(values)
    more = f" and {len(shown) - _SHOWN:,} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more
