"""Prompts for single vertices and for pairs of them (Table 3), in a few words and in three situations each.

Prompts about one occupation in one situation share their seeds, so that pictures which differ only in the group that is
asked for can be compared one by one. A pair has a term of its own: who is drawn when a group is asked for says nothing
about who is drawn when none is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from portrayal.errors import ConfigError
from portrayal.methods.socialbiaskg.suite.options import KINDS, NAME, WORDINGS, SuiteOptions
from portrayal.methods.socialbiaskg.vertices import OCCUPATION, Group, Occupation, Vertices, read_vertices
from portrayal.records import Adjustment, Note, Prompt
from portrayal.suites.choosing import choose_occupations
from portrayal.suites.prompt_wording import with_article
from portrayal.suites.suite import Suite, check_names, check_prompts

__all__ = ["CITATION", "socialbiaskg", "socialbiaskg_prompts"]

CITATION = (
    "Knowledge Graphical Representation and Evaluation of Social Perception and Bias in Text-to-Image Models. "
    "(SocialBiasKG, ModelBiasKG: vertices, kinds of edges, prompts, metrics and thresholds)"
)
_ISCO = (
    "International Labour Office (2012): International Standard Classification of Occupations 2008 (ISCO-08): "
    "Structure, Group Definitions and Correspondence Tables. (occupations)"
)
_OWN_WORDS = (
    "The situations are in Portrayal's own words, not in the authors'; so is the choice of the occupations that the "
    "paper does not name. The authors' graph is not public: without a table of edges only printed ones are asked for."
)


class _SocialBiasKG:
    Options = SuiteOptions

    def __call__(self, options: SuiteOptions, folder: Path) -> Suite:
        tables = (folder / path if path else None for path in (options.occupations, options.groups, options.edges))
        occupations, groups, edges = tables
        vertices = read_vertices(occupations, groups, options.group_kind)
        made = list(_prompts(options, vertices, edges))
        if not made:
            raise ConfigError(f"suite {NAME!r}: no prompt is left; widen kinds, wordings, categories or terms")
        prompts = check_prompts([(f"suite {NAME!r}, {prompt.term}", prompt) for prompt in made])
        theirs = {prompt.id for prompt in _published()}
        ours = {prompt.id for prompt in prompts}
        adjusted = Adjustment.selection(ours, theirs, _reasons(options))
        return Suite(NAME, prompts, (CITATION, _ISCO, _OWN_WORDS), adjusted)


socialbiaskg = _SocialBiasKG()


@cache
def _published() -> tuple[Prompt, ...]:
    return socialbiaskg_prompts(SuiteOptions())


def socialbiaskg_prompts(options: SuiteOptions) -> tuple[Prompt, ...]:
    """Return the prompts about the shipped vertices."""
    return tuple(_prompts(options, read_vertices(), None))


def _prompts(options: SuiteOptions, vertices: Vertices, edges: Path | None) -> Iterator[Prompt]:
    chosen = _chosen(options, vertices)
    if "occupation" in options.kinds:
        yield from (prompt for job in chosen for prompt in _of_occupation(options, job))
    if "race" in options.kinds and "simple" in options.wordings:
        yield from (prompt for group in vertices.groups for prompt in _of_group(options, vertices.kind, group))
    if "pair" in options.kinds:
        asked = _pairs(options, vertices, edges)
        for job in chosen:
            for group in vertices.groups:
                if (job.name, group.name) in asked:
                    yield from _of_occupation(options, job, group)


def _chosen(options: SuiteOptions, vertices: Vertices) -> list[Occupation]:
    majors = list(dict.fromkeys(job.major for job in vertices.occupations))
    check_names(NAME, "category", options.categories, majors)
    check_names(NAME, "occupation", options.terms, [job.name for job in vertices.occupations])
    return choose_occupations(NAME, vertices.occupations, lambda job: job.major, options)


def _pairs(options: SuiteOptions, vertices: Vertices, edges: Path | None) -> set[tuple[str, str]]:
    """Return the pairs of an occupation and a group that are asked for."""
    if options.pairs == "all":
        return {(job.name, group.name) for job in vertices.occupations for group in vertices.groups}
    ends = ({end.kind: end.name for end in edge.triple.ends} for edge in vertices.edges(edges))
    return {(names[OCCUPATION], names[vertices.kind]) for names in ends}


def _of_occupation(options: SuiteOptions, job: Occupation, group: Group | None = None) -> Iterator[Prompt]:
    """Yield the prompts about an occupation, or about an occupation and a group."""
    name = f"{group.terms[0]} {job.name}" if group else job.name
    situations = {"simple": [("simple", "")], "contextual": _situations(job)}
    for wording in options.wordings:
        for variant, situation in situations[wording]:
            yield Prompt(
                " ".join(filter(None, (_capital(with_article(name)), situation))),
                name,
                NAME,
                job.major,
                variant,
                requested={OCCUPATION: job.name, **({options.attribute: group.name} if group else {})},
                kind="pair" if group else "occupation",
                seeds=f"{job.name}/{variant}",
            )


def _situations(job: Occupation) -> Sequence[tuple[str, str]]:
    return [(f"contextual {number}", text) for number, text in enumerate(job.situations, start=1)]


def _of_group(options: SuiteOptions, kind: str, group: Group) -> Iterator[Prompt]:
    terms = group.terms if options.words == "all" else group.terms[:1]
    for number, term in enumerate(terms, start=1):
        yield Prompt(
            _capital(with_article(f"{term} person")),
            group.title,
            NAME,
            kind,
            "simple" if number == 1 else f"simple, word {number}",
            requested={options.attribute: group.name},
            kind="race",
        )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _reasons(options: SuiteOptions) -> Iterator[Note]:
    chosen = {
        "only_prompt_kinds": () if set(options.kinds) == set(KINDS) else options.kinds,
        "chosen_wordings": () if set(options.wordings) == set(WORDINGS) else options.wordings,
        "chosen_categories": options.categories,
        "chosen_occupations": options.terms,
        "own_edges": (options.edges.name,) if options.edges else (),
        "own_occupations": (options.occupations.name,) if options.occupations else (),
        "own_groups": (options.groups.name,) if options.groups else (),
    }
    yield from (Note.listing(code, names) for code, names in chosen.items() if names)
    if options.pairs == "all":
        yield Note("all_pairs")
    if options.words == "all":
        yield Note("all_words")
    if options.sample:
        yield Note.of("occupation_sample", n=options.sample, seed=options.sample_seed)
