"""The suite: occupations and adjectives in ten languages, named, described, in the feminine and with the gender star.

All ways of asking about a term are drawn with the same seeds, so that languages can be compared pair by pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from portrayal.errors import ConfigError
from portrayal.methods.magbig.suite.options import CITATION, KINDS, LANGUAGES, NAME, VARIANTS, MagbigSuiteOptions
from portrayal.methods.magbig.suite.released_files import RELEASED, Row, read_release
from portrayal.records import Adjustment, Note, Prompt
from portrayal.suites.choosing import among, choice_notes, sample_terms
from portrayal.suites.suite import Suite, check_names

__all__ = ["magbig"]

_NAMED = 12
"""How much of what is not asked is named; of the rest the number is said."""


class _Magbig:
    Options = MagbigSuiteOptions

    def __call__(self, options: MagbigSuiteOptions, folder: Path) -> Suite:
        check_names(NAME, "language", options.languages, tuple(LANGUAGES), fold=str)
        check_names(NAME, "variant", options.variants, VARIANTS, fold=str)
        check_names(NAME, "kind", options.kinds, KINDS)
        release = read_release(RELEASED.clone(options.path, folder))
        released, same = _distinct(release.rows)
        prompts = _chosen(released, options)
        ours, theirs = ({prompt.id for prompt in some} for some in (prompts, released))
        adjusted = list(Adjustment.selection(ours, theirs, _reasons(options)))
        for code, names in (("same_words", same), ("lacking", release.lacking)):
            if names:
                named = Note.listing("names", names[:_NAMED])
                adjusted.append(Adjustment(Note.of(code, n=len(names)), (named,)))
        return Suite(NAME, prompts, (CITATION,), tuple(adjusted))


magbig = _Magbig()


def _distinct(rows: Sequence[Row]) -> tuple[list[Prompt], list[str]]:
    """Return a prompt for each text, and whose text is one that stands already: the same words draw the same.

    Translation gives several terms one word in places, and some names are feminine everywhere. What cannot be told
    apart is asked once, for the first of them.
    """
    prompts: dict[str, Prompt] = {}
    same: list[str] = []
    for row in rows:
        if row.text in prompts:
            same.append(f"{row.term} ({row.language} {row.variant})")
            continue
        prompts[row.text] = Prompt(
            row.text,
            row.term,
            NAME,
            category=row.kind,
            variant=row.variant,
            language=row.language,
            requested={"gender": "female"} if row.variant == "feminine" else {},
            kind=row.kind,
            seeds=f"{row.kind} {row.term}",
        )
    return list(prompts.values()), same


def _chosen(released: Sequence[Prompt], options: MagbigSuiteOptions) -> list[Prompt]:
    check_names(NAME, "term", options.terms, sorted({prompt.term for prompt in released}))
    in_terms = among(options.terms)
    prompts = [
        prompt
        for prompt in released
        if prompt.language in (options.languages or LANGUAGES)
        and prompt.variant in (options.variants or VARIANTS)
        and prompt.kind in (options.kinds or KINDS)
        and in_terms(prompt.term)
    ]
    if not prompts:
        raise ConfigError(f"suite {NAME!r}: no prompt is left; widen languages, variants, kinds or terms")
    return sample_terms(NAME, prompts, options)


def _reasons(options: MagbigSuiteOptions) -> list[Note]:
    notes = [*choice_notes(options, "languages", "variants", "kinds", "terms")]
    return notes + ([Note.of("sampled_terms", n=options.sample, seed=options.sample_seed)] if options.sample else [])
