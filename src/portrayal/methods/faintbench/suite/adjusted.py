"""How a chosen FAIntbench suite differs from the published one, for the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from portrayal.methods.faintbench.suite.options import NAME, FaintbenchSuiteOptions
from portrayal.methods.faintbench.suite.prompt_texts import SUFFIXES, WORDS
from portrayal.records import Adjustment, Note, Prompt
from portrayal.suites.choosing import choice_notes

__all__ = ["adjustments"]


def adjustments(
    options: FaintbenchSuiteOptions, prompts: Sequence[Prompt], published: Sequence[Prompt]
) -> tuple[Adjustment, ...]:
    """Return each difference that the options make; none where they make none."""
    ours, theirs = ({prompt.id for prompt in chosen} for chosen in (prompts, published))
    return (
        *Adjustment.selection(ours, theirs, _reasons(options)),
        *_weights(prompts, published),
        *_references(options, prompts, published),
        *_words(options),
        *_suffix(options),
    )


def _reasons(options: FaintbenchSuiteOptions) -> Iterator[Note]:
    yield from choice_notes(options, "kinds", "categories", "visibility", "attributes", "terms")
    changed = {"dropped_terms": options.drop, "other_words": tuple(_changed_words(options))}
    yield from (Note.listing(code, names) for code, names in changed.items() if names)
    if options.table:
        yield Note.of("own_terms", name=options.table.name)
    if options.sample:
        yield Note.of("stratified_sample", n=options.sample, seed=options.sample_seed)


def _weights(prompts: Sequence[Prompt], published: Sequence[Prompt]) -> Iterator[Adjustment]:
    before = {prompt.term: prompt.weight for prompt in published}
    now = {prompt.term: prompt.weight for prompt in prompts}
    changed = tuple(
        Note.of("weight_of_term", name=term, n=f"{weight:g}", m=f"{before[term]:g}")
        for term, weight in now.items()
        if weight != before.get(term, weight)
    )
    if changed:
        yield Adjustment(Note("weights_changed"), changed)


def _references(
    options: FaintbenchSuiteOptions, prompts: Sequence[Prompt], published: Sequence[Prompt]
) -> Iterator[Adjustment]:
    if options.reference != NAME:
        yield Adjustment(Note.of("other_references", name=options.reference))
        return
    before = {prompt.term: prompt.reference for prompt in published}
    now = {prompt.term: prompt.reference for prompt in prompts}
    changed = [term for term, reference in now.items() if term in before and _differ(reference, before[term])]
    if changed:
        yield Adjustment(Note("references_changed"), (Note.listing("names", changed),))


def _differ(now: Mapping[str, Mapping[str, float]], before: Mapping[str, Mapping[str, float]]) -> bool:
    return any(shares != before.get(aspect) for aspect, shares in now.items())


def _changed_words(options: FaintbenchSuiteOptions) -> dict[str, Mapping[str, str]]:
    return {name: words for name, words in options.groups().items() if words != WORDS.get(name)}


def _words(options: FaintbenchSuiteOptions) -> Iterator[Adjustment]:
    for name, words in _changed_words(options).items():
        shown = tuple(Note.of("word_for_group", group=group, name=word) for group, word in words.items())
        yield Adjustment(Note.of("group_words", attribute=name), shown)


def _suffix(options: FaintbenchSuiteOptions) -> Iterator[Adjustment]:
    if any(text != SUFFIXES[kind] for kind, text in options.suffix.items()):
        yield Adjustment(Note("suffix_changed"))
