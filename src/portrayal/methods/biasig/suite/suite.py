"""The suite: every released prompt with its term, the groups it asks for, weight, category and demographic shares.

Prompts about a term that has no weight cannot be in any total: they are left out, and the page says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from portrayal.errors import ConfigError, InputError
from portrayal.methods.biasig.suite.asked_groups import Question, question, read_question
from portrayal.methods.biasig.suite.options import (
    ATTRIBUTES,
    CITATION,
    KINDS,
    NAME,
    VISIBILITY,
    BiasigSuiteOptions,
)
from portrayal.methods.biasig.suite.released_prompts import RELEASED, read_lines
from portrayal.methods.biasig.suite.truth_files import WEIGHTS, Truths, read_truths, same_term
from portrayal.records import Adjustment, Note, Prompt
from portrayal.suites.choosing import among, choice_notes, sample_terms
from portrayal.suites.suite import Suite, check_names

__all__ = ["PUBLISHED", "biasig"]

PUBLISHED = 47_040
"""Prompts of the release."""
_NAMED = 12
"""How much of what could not be read is named; of the rest the number is said."""


class _Biasig:
    Options = BiasigSuiteOptions

    def __call__(self, options: BiasigSuiteOptions, folder: Path) -> Suite:
        check_names(NAME, "kind", options.kinds, KINDS)
        check_names(NAME, "visibility", options.visibility, VISIBILITY)
        check_names(NAME, "attribute", options.attributes, ATTRIBUTES)
        clone = RELEASED.clone(options.path, folder)
        truths = read_truths(clone)
        released = list(_prompts(clone, truths))
        prompts = _chosen(released, options)
        return Suite(NAME, prompts, (CITATION,), _adjustments(options, released, prompts, truths.unread))


biasig = _Biasig()


def _prompts(clone: Path, truths: Truths) -> Iterator[Prompt]:
    """Yield the prompts in the order of the files; the same line again is the same prompt."""
    seen: set[str] = set()
    read = 0
    for line in read_lines(clone):
        asked = read_question(question(line.text)) if line.text else None
        if asked is None:
            truths.unread.append(line.where.removeprefix(f"{clone}/"))
            continue
        read += 1
        key = asked.kind, same_term(asked.term)
        if key not in truths.weights:
            truths.unread.append(f"{WEIGHTS}: {asked.term}")
        elif line.text not in seen:
            seen.add(line.text)
            yield _prompt(line.text, asked, key, truths)
    if not seen:
        why = "its weights are of other terms" if read else "no line asks what BiasIG asks"
        raise InputError(f"{clone}: {why}; this is not the BiasIG that Portrayal reads")


def _prompt(text: str, asked: Question, key: tuple[str, str], truths: Truths) -> Prompt:
    return Prompt(
        text,
        asked.term,
        NAME,
        category=truths.categories.get(key, ""),
        variant="explicit" if asked.requested else "implicit",
        weight=truths.weights[key],
        requested=asked.requested,
        kind=asked.kind,
        people=asked.people,
        reference=truths.shares.get(key, {}),
    )


def _chosen(released: Sequence[Prompt], options: BiasigSuiteOptions) -> list[Prompt]:
    check_names(NAME, "category", options.categories, sorted({prompt.category for prompt in released}))
    check_names(NAME, "term", options.terms, sorted({prompt.term for prompt in released}))
    in_categories, in_terms = among(options.categories), among(options.terms)
    prompts = [
        prompt
        for prompt in released
        if prompt.kind in (options.kinds or KINDS)
        and prompt.variant in (options.visibility or VISIBILITY)
        and (not options.attributes or not prompt.requested or _asked_attribute(prompt) in options.attributes)
        and in_categories(prompt.category)
        and in_terms(prompt.term)
    ]
    if not prompts:
        raise ConfigError(f"suite {NAME!r}: no prompt is left; widen kinds, visibility, attributes, categories, terms")
    return sample_terms(NAME, _worded(prompts, options.wordings), options)


def _asked_attribute(prompt: Prompt) -> str:
    return next(iter(prompt.requested)).rpartition(".")[2]


def _worded(prompts: Sequence[Prompt], most: int) -> list[Prompt]:
    """Return the first wordings of each question."""
    if not most:
        return list(prompts)
    kept: list[Prompt] = []
    counts: Counter[str] = Counter()
    for prompt in prompts:
        asked = question(prompt.text)
        counts[asked] += 1
        kept += [prompt] if counts[asked] <= most else []
    return kept


def _adjustments(
    options: BiasigSuiteOptions, released: Sequence[Prompt], prompts: Sequence[Prompt], unread: Sequence[str]
) -> tuple[Adjustment, ...]:
    """Return what was chosen of the release, what the files lack of it, and what in them could not be read."""
    notes = [*choice_notes(options, "kinds", "visibility", "attributes", "categories", "terms")]
    notes += [Note.of("most_wordings", n=options.wordings)] if options.wordings else []
    notes += [Note.of("sampled_terms", n=options.sample, seed=options.sample_seed)] if options.sample else []
    ours, theirs = ({prompt.id for prompt in some} for some in (prompts, released))
    adjusted = list(Adjustment.selection(ours, theirs, notes))
    if len(released) != PUBLISHED:
        adjusted.append(Adjustment(Note.of("other_release", n=len(released), m=PUBLISHED)))
    if unread:
        named = list(dict.fromkeys(unread))
        adjusted.append(Adjustment(Note.of("unread", n=len(named)), (Note.listing("names", named[:_NAMED]),)))
    return tuple(adjusted)
