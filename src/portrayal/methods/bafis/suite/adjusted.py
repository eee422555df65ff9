"""How a chosen BAFIS suite differs from the published one, for the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from portrayal.methods.bafis.suite.occupations import occupations
from portrayal.methods.bafis.suite.options import PUBLISHED_VARIANTS, BafisSuiteOptions
from portrayal.methods.bafis.suite.packs import Pack
from portrayal.records import Adjustment, Note, Prompt

__all__ = ["adjustments"]


def adjustments(
    options: BafisSuiteOptions, packs: Mapping[str, Pack], prompts: Sequence[Prompt], published: Sequence[Prompt]
) -> tuple[Adjustment, ...]:
    """Return each difference that the options make; none where they make none."""
    ours, theirs = ({prompt.id for prompt in chosen} for chosen in (prompts, published))
    return (*Adjustment.selection(ours, theirs, _reasons(options, packs)), *_gaps(options, packs, prompts))


def _reasons(options: BafisSuiteOptions, packs: Mapping[str, Pack]) -> Iterator[Note]:
    chosen = {
        "chosen_languages": options.languages,
        "chosen_variants": () if set(options.variants) == set(PUBLISHED_VARIANTS) else options.variants,
        "chosen_categories": options.categories,
        "chosen_occupations": options.terms,
        "language_packs": tuple(_named(code, pack) for code, pack in packs.items()),
    }
    yield from (Note.listing(code, names) for code, names in chosen.items() if names)
    if options.form == "reduced":
        yield Note("reduced_form")
    if options.star == "released":
        yield Note("released_star")
    if options.sample:
        yield Note.of("occupation_sample", n=options.sample, seed=options.sample_seed)


def _gaps(options: BafisSuiteOptions, packs: Mapping[str, Pack], prompts: Sequence[Prompt]) -> Iterator[Adjustment]:
    """Yield what a pack has no text for, of the occupations that are asked about at all."""
    asked = {prompt.term for prompt in prompts}
    names = [occupation.name for occupation in occupations() if occupation.name in asked]
    for code, pack in packs.items():
        for variant in (variant for variant in pack.variants if variant in options.variants):
            absent = [name for name in names if (name, variant) not in pack.texts]
            if absent:
                numbers = {"n": len(absent), "m": len(names)}
                what = Note.of("pack_gap", name=_named(code, pack), variant=variant, **numbers)
                yield Adjustment(what, (Note.listing("names", absent),))


def _named(code: str, pack: Pack) -> str:
    return f"{code} ({pack.path.name})"
