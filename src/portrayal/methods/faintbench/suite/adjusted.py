"""How a chosen FAIntbench suite differs from the published one, in lines for the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from portrayal.methods.faintbench.suite.options import NAME, FaintbenchSuiteOptions
from portrayal.methods.faintbench.suite.wording import SUFFIXES, WORDS
from portrayal.records import Prompt

__all__ = ["adjustments"]

_SHOWN = 10


def adjustments(
    options: FaintbenchSuiteOptions, prompts: Sequence[Prompt], published: Sequence[Prompt]
) -> tuple[str, ...]:
    """Return a line for each difference that the options make; none where they make none."""
    return tuple(
        line
        for lines in (
            _selection(options, prompts, published),
            _weights(prompts, published),
            _references(options, prompts, published),
            _words(options),
            _suffix(options),
        )
        for line in lines
    )


def _selection(
    options: FaintbenchSuiteOptions, prompts: Sequence[Prompt], published: Sequence[Prompt]
) -> Iterator[str]:
    ours, theirs = ({prompt.id for prompt in chosen} for chosen in (prompts, published))
    if ours != theirs:
        others = f" and {len(ours - theirs):,} others" if ours - theirs else ""
        yield f"{len(ours & theirs):,} of {len(theirs):,} prompts{others}: {'; '.join(_reasons(options))}"


def _reasons(options: FaintbenchSuiteOptions) -> Iterator[str]:
    chosen = {
        "kinds": options.kinds,
        "categories": options.categories,
        "visibility": options.visibility,
        "attributes": options.attributes,
        "only the terms": options.terms,
        "without the terms": options.drop,
        "other words for": tuple(_changed_words(options)),
    }
    yield from (f"{name} {_listed(values)}" for name, values in chosen.items() if values)
    if options.table:
        yield f"terms of {options.table.name}"
    if options.sample:
        yield f"a stratified sample of {options.sample:,} (seed {options.sample_seed})"


def _weights(prompts: Sequence[Prompt], published: Sequence[Prompt]) -> Iterator[str]:
    before = {prompt.term: prompt.weight for prompt in published}
    now = {prompt.term: prompt.weight for prompt in prompts}
    changed = [
        f"{term} {weight:g} (published {before[term]:g})"
        for term, weight in now.items()
        if weight != before.get(term, weight)
    ]
    if changed:
        yield f"weights changed: {_listed(changed)}"


def _references(
    options: FaintbenchSuiteOptions, prompts: Sequence[Prompt], published: Sequence[Prompt]
) -> Iterator[str]:
    if options.reference != NAME:
        yield f"references: {options.reference} instead of the published"
        return
    before = {prompt.term: prompt.reference for prompt in published}
    now = {prompt.term: prompt.reference for prompt in prompts}
    changed = [term for term, reference in now.items() if term in before and _differ(reference, before[term])]
    if changed:
        yield f"references changed: {_listed(changed)}"


def _differ(now: Mapping[str, Mapping[str, float]], before: Mapping[str, Mapping[str, float]]) -> bool:
    return any(shares != before.get(aspect) for aspect, shares in now.items())


def _changed_words(options: FaintbenchSuiteOptions) -> dict[str, Mapping[str, str]]:
    return {name: words for name, words in options.groups().items() if words != WORDS.get(name)}


def _words(options: FaintbenchSuiteOptions) -> Iterator[str]:
    for name, words in _changed_words(options).items():
        shown = [f'{group} "{word}"' for group, word in words.items()]
        yield f"group words changed: {name} {', '.join(shown)}"


def _suffix(options: FaintbenchSuiteOptions) -> Iterator[str]:
    if any(text != SUFFIXES[kind] for kind, text in options.suffix.items()):
        yield "photorealism suffix changed"


def _listed(values: Iterable[str]) -> str:
    shown = list(values)
    more = f" and {len(shown) - _SHOWN:,} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more
