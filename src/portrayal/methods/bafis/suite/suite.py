"""BAFIS' prompts: 151 occupations asked for in seven ways, in English and German, and in the languages of packs.

All prompts about an occupation share their seeds, so that image 3 of one can be set beside image 3 of another and
only the words between them differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

from portrayal.csvfile import read_shipped
from portrayal.errors import ConfigError
from portrayal.methods.bafis.suite.occupations import Occupation, occupations, released_stars, with_released_stars
from portrayal.methods.bafis.suite.options import NAME, PUBLISHED_VARIANTS, VARIANTS, BafisSuiteOptions
from portrayal.methods.bafis.suite.packs import Pack, read_pack
from portrayal.methods.bafis.suite.prompt_sentences import sentences
from portrayal.records import Adjustment, Note, Prompt
from portrayal.suites.choosing import choose_occupations
from portrayal.suites.suite import Suite, check_prompts

__all__ = ["bafis"]

_BAFIS = (
    "Thomas Klassert, Adrian Ulges, Biying Fu (2026): BAFIS: Dataset + Framework to assess occupational Bias and Human "
    "Preference in modern Text-to-image Models. (occupations, variants, wording of direct and group prompts)"
)
_FRIEDRICH = (
    "Felix Friedrich, Katharina Hämmerl, Patrick Schramowski, Manuel Brack, Jindrich Libovicky, Kristian Kersting, "
    "Alexander Fraser (2024): Multilingual Text-to-Image Generation Magnifies Gender Stereotypes and Prompt "
    "Engineering May Not Help You. (occupations, names of the six categories)"
)
_OWN_WORDS = (
    "The indirect prompts of BAFIS are in Portrayal's own words, not in the authors'; so are the assignment of "
    "occupations to categories and to ISCO-08 codes, and a few corrected German forms."
)
_CORRECTED = ("occupation", "language", "variant", "released", "kind")
_SPELLINGS = ("spelling", "grammar")
"""Why a released prompt may stand for ours: the others name another occupation or more than one."""


class _Bafis:
    Options = BafisSuiteOptions
    references: ClassVar[Mapping[str, str]] = {"gender": "us"}

    def __call__(self, options: BafisSuiteOptions, folder: Path) -> Suite:
        options.check()
        packs = {code: read_pack(folder / options.packs[code]) for code in options.spoken() if code in options.packs}
        prompts = _prompts(options, packs)
        differences = adjustments(options, packs, prompts, _published())
        return Suite(NAME, prompts, (_BAFIS, _FRIEDRICH, _OWN_WORDS), differences, _aliases(options, prompts, packs))


bafis = _Bafis()


@cache
def _published() -> tuple[Prompt, ...]:
    return tuple(_prompts(BafisSuiteOptions(), {}))


def _prompts(options: BafisSuiteOptions, packs: Mapping[str, Pack]) -> list[Prompt]:
    table = with_released_stars() if options.star == "released" else occupations()
    made = [
        (where, _prompt(occupation, language, variant, text))
        for occupation in choose_occupations(NAME, table, lambda occupation: occupation.category, options)
        for language in options.spoken()
        for variant, where, text in _texts(occupation, language, options.form, packs.get(language))
        if variant in options.variants
    ]
    if not made:
        raise ConfigError(f"suite {NAME!r}: no prompt is left; widen languages, variants, categories or terms")
    return check_prompts(made)


def _texts(occupation: Occupation, language: str, form: str, pack: Pack | None) -> Iterator[tuple[str, str, str]]:
    """Yield variant, where its text stands, and the text; a pack's column replaces the shipped sentences."""
    shipped = sentences(occupation, language, form)
    for variant in VARIANTS:
        if pack and variant in pack.variants:
            if listed := pack.texts.get((occupation.name, variant)):
                yield variant, *listed
        elif variant in shipped:
            yield variant, f"suite {NAME!r}, {occupation.name}, {language} {variant}", shipped[variant]


def _prompt(occupation: Occupation, language: str, variant: str, text: str) -> Prompt:
    return Prompt(
        text,
        occupation.name,
        NAME,
        category=occupation.category,
        variant=variant,
        language=language,
        requested={"gender": "female"} if variant == "feminine" else {},
        kind="occupation",
        people=0 if variant == "group" else 1,
        seeds=occupation.name,
    )


def _aliases(options: BafisSuiteOptions, prompts: list[Prompt], packs: Mapping[str, Pack]) -> dict[str, str]:
    """Return the released prompts that differ from ours by spelling or grammar alone, each with ours.

    Those without a face are other prompts than the ones released with it.
    """
    if options.form != "face":
        return {}
    replaced = {(language, variant) for language, pack in packs.items() for variant in pack.variants}
    ours = {(prompt.term, prompt.language, prompt.variant): prompt.text for prompt in prompts}
    return {
        text: ours[key] for text, key in _respelled() if key in ours and key[1:] not in replaced and ours[key] != text
    }


def _respelled() -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield the released prompts that are spelled otherwise here, with their occupation, language and variant."""
    for row in read_shipped("portrayal.methods.bafis", "corrections.csv", _CORRECTED):
        if row["kind"] in _SPELLINGS:
            yield row["released"], (row["occupation"], row["language"], row["variant"])
    named = {occupation.name: occupation for occupation in with_released_stars()}
    for star in released_stars():
        if star.kind in _SPELLINGS:
            yield sentences(named[star.occupation], "de", "face")["star"], (star.occupation, "de", "star")


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
