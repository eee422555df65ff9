"""FAIntbench's prompts: 179 occupations, 24 characteristics and 11 relations, each as it is and with groups asked for.

Implicit prompts name a term only and carry the reference that the people drawn are compared with; explicit prompts
also ask for a group. Everything is made from the table of terms, the words for groups, and the templates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import ClassVar

from portrayal.errors import ConfigError, InputError
from portrayal.methods.faintbench.suite.adjusted import adjustments
from portrayal.methods.faintbench.suite.options import NAME, VISIBILITY, FaintbenchSuiteOptions
from portrayal.methods.faintbench.suite.prompt_texts import (
    NEVER_ASKED,
    SUFFIXES,
    WORDS,
    people_of,
    prompt_text,
    released_texts,
)
from portrayal.methods.faintbench.suite.terms import CITATION, shipped_terms
from portrayal.records import SIDES, Attribute, Prompt, Reference, aspect
from portrayal.suites.choosing import among, sample_prompts
from portrayal.suites.named_references import load_reference
from portrayal.suites.suite import Suite, check_names, check_prompts, near_names
from portrayal.suites.term_tables import KINDS, Term, read_terms

__all__ = ["FaintbenchSuiteOptions", "faintbench"]

_OWN_SUFFIX = (
    "The photorealism suffix that follows each FAIntbench prompt is in Portrayal's own words, not in the authors'."
)


@dataclass(frozen=True, slots=True)
class _Topic:
    """What prompts are about: a term, and the reference shares of each aspect of its people."""

    kind: str
    category: str
    name: str
    weight: float
    reference: Mapping[str, Mapping[str, float]]


class _Faintbench:
    Options = FaintbenchSuiteOptions
    references: ClassVar[Mapping[str, str]] = {"gender": NAME, "age3": NAME}

    def __call__(self, options: FaintbenchSuiteOptions, folder: Path) -> Suite:
        options.check()
        prompts = _prompts(options, folder)
        our_suffix = any(prompt.suffix == SUFFIXES[prompt.kind] for prompt in prompts)
        citations = (CITATION, _OWN_SUFFIX) if our_suffix else (CITATION,)
        aliases = {text: prompt.text for prompt in prompts for text in released_texts(prompt.text)}
        return Suite(NAME, prompts, citations, adjustments(options, prompts, _published()), aliases)


faintbench = _Faintbench()


@cache
def _published() -> tuple[Prompt, ...]:
    return tuple(_prompts(FaintbenchSuiteOptions(), Path()))


def _prompts(options: FaintbenchSuiteOptions, folder: Path) -> list[Prompt]:
    topics = _choose(_topics(options, folder), options)
    made = [(f"suite {NAME!r}, term {topic.name!r}", p) for topic in topics for p in _about(topic, options)]
    visible = options.visibility or VISIBILITY
    prompts = [prompt for prompt in check_prompts(made) if prompt.variant in visible]
    if not prompts:
        raise ConfigError(f"suite {NAME!r}: no prompt is left; widen kinds, categories, terms or visibility")
    return sample_prompts(NAME, prompts, options, _stratum)


def _topics(options: FaintbenchSuiteOptions, folder: Path) -> list[_Topic]:
    rows = _rows(options, folder)
    weights = {name.casefold(): weight for name, weight in options.weights.items()}
    check_names(NAME, "term", (*options.terms, *options.drop, *options.weights), [row.name for row in rows])
    references = _references(options, folder, rows)
    topics: dict[str, _Topic] = {}
    for row in sorted(rows, key=lambda row: (KINDS.index(row.kind), row.side == SIDES[1])):
        known = topics.get(row.name)
        reference = {**(known.reference if known else {}), **dict(_shares(row, options, references))}
        weight = weights.get(row.name.casefold(), row.weight)
        topics[row.name] = _Topic(row.kind, row.category, row.name, weight, reference)
    return list(topics.values())


def _rows(options: FaintbenchSuiteOptions, folder: Path) -> tuple[Term, ...]:
    groups = {name: tuple(words) for name, words in options.groups().items()}
    if options.table is not None:
        # Proportions that something else replaces need not be in the table.
        return read_terms(folder / options.table, groups if options.reference == NAME else {})
    for name, names in groups.items():
        if options.reference == NAME and set(names) != set(WORDS.get(name, ())):
            raise ConfigError(
                f"suite {NAME!r}: the published references have no attribute {name!r} with the groups "
                f"{', '.join(names)}; set 'reference' to 'uniform' or a .csv, or give a 'table'"
            )
    return shipped_terms()


def _references(options: FaintbenchSuiteOptions, folder: Path, rows: Sequence[Term]) -> Mapping[str, Reference] | None:
    """Return the references that replace the table's, by attribute."""
    if options.reference == NAME:
        return None
    names = {name.casefold() for row in rows for name in (row.name, *people_of(row.kind, row.name))}
    references = {}
    for attribute, words in options.groups().items():
        references[attribute] = load_reference(options.reference, Attribute(attribute, attribute, tuple(words)), folder)
        for term in references[attribute].by_term:
            if term not in names:
                path = folder / options.reference
                raise InputError(f"{path}: suite {NAME!r} has no term {term!r}{near_names(NAME, term, names)}")
    return references


def _shares(
    row: Term, options: FaintbenchSuiteOptions, references: Mapping[str, Reference] | None
) -> Iterator[tuple[str, Mapping[str, float]]]:
    people = people_of(row.kind, row.name)
    subject = SIDES.index(row.side) if row.side else 0
    for attribute in options.groups():
        if references is None:
            shares = row.shares.get(attribute)
        else:
            reference = references[attribute]
            shares = reference.by_term.get(people[subject].casefold()) or reference.shares(row.name)
        # One released row holds a negative share, which is no proportion.
        if shares and min(shares.values()) >= 0:
            yield aspect(attribute, subject, len(people)), shares


def _choose(topics: Sequence[_Topic], options: FaintbenchSuiteOptions) -> list[_Topic]:
    check_names(NAME, "category", options.categories, sorted({topic.category for topic in topics}))
    in_categories, in_terms, dropped = among(options.categories), among(options.terms), among(options.drop)
    return [
        topic
        for topic in topics
        if topic.kind in (options.kinds or KINDS)
        and in_categories(topic.category)
        and in_terms(topic.name)
        and not (options.drop and dropped(topic.name))
    ]


def _about(topic: _Topic, options: FaintbenchSuiteOptions) -> Iterator[Prompt]:
    yield _prompt(topic, options, "implicit", [], {})
    people = len(people_of(topic.kind, topic.name))
    for attribute, words in options.groups().items():
        if topic.name in NEVER_ASKED.get(attribute, ()):
            continue
        for groups in product(words, repeat=people):
            requested = {aspect(attribute, subject, people): group for subject, group in enumerate(groups)}
            yield _prompt(topic, options, "explicit", [words[group] for group in groups], requested)


def _prompt(
    topic: _Topic, options: FaintbenchSuiteOptions, variant: str, words: Sequence[str], requested: Mapping[str, str]
) -> Prompt:
    return Prompt(
        prompt_text(topic.kind, topic.name, words),
        topic.name,
        NAME,
        topic.category,
        variant,
        weight=topic.weight,
        requested=requested,
        kind=topic.kind,
        suffix={**SUFFIXES, **options.suffix}[topic.kind],
        people=len(people_of(topic.kind, topic.name)),
        reference=topic.reference,
    )


def _stratum(prompt: Prompt) -> tuple[str, str, str]:
    asked = next(iter(prompt.requested), "").rpartition(".")[2]
    return prompt.kind, prompt.variant, asked
