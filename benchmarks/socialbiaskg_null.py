"""How often a page of SocialBiasKG says that a relation is there which is not; the first table of docs/validity.md.

python benchmarks/socialbiaskg_null.py [--repetitions 300]

Ten occupations, four prompts each, eleven groups. Each page is made by the method and by its part of the report, from
the groups that images show and from how alike they are. In a row all relations of a kind lie exactly at a threshold, or
an even model has them too, so that there is nothing to tell. *Pages with a false relation*: the first sentence says of
any of people's relations that the pictures repeat it, and not that an even model would too, or one of that kind is
listed as sure. *By intervals alone*: the rule holds and the 95 % interval of the metric leaves the threshold out, for
any of them. Last, how many of ten relations are repeated that are there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.evidence import ComparedPairs
from portrayal.graph import Edge, Graph, Key
from portrayal.methods.socialbiaskg.edge_tables import own_tables
from portrayal.methods.socialbiaskg.edges import ModelEdges, graph_of
from portrayal.methods.socialbiaskg.looks import Look
from portrayal.methods.socialbiaskg.options import SocialBiasKGOptions
from portrayal.methods.socialbiaskg.perceived import Cells, Perceived, Seen
from portrayal.methods.socialbiaskg.report.relations import NAME, read_relations
from portrayal.methods.socialbiaskg.report.section import SocialBiasKGSection
from portrayal.methods.socialbiaskg.report.states import State, even_too, state
from portrayal.methods.socialbiaskg.vertices import read_vertices, schema
from portrayal.records import Measurement
from portrayal.reports import ReportData
from portrayal.reports.findings.deviations.selection import select
from portrayal.stats.intervals import Array

JOBS, PROMPTS, MODEL = 10, 4, "model"
VERTICES = read_vertices()
NAMES = [own.name for own in VERTICES.occupations[:JOBS]]
GROUPS = [own.name for own in VERTICES.groups]
EMPTY = ReportData("", [MODEL], [], (), 10, {}, (), {}, {})
Alike = Callable[[np.random.Generator, int], Array]


@dataclass(frozen=True)
class Case:
    """What people see at every occupation, which groups images show, and how alike the images of a prompt are."""

    title: str
    relation: str
    shares: Sequence[float]
    alike: Alike | None = None


def two_styles(common: float, low: float, high: float) -> Alike:
    """Return how alike images of two styles are, of which one has a share ``common``."""

    def draw(rng: np.random.Generator, images: int) -> Array:
        style = rng.random(images) < common
        one, other = np.triu_indices(images, 1)
        return np.where(style[one] == style[other], high, low) + rng.normal(0, 0.03, len(one))

    return draw


RARE = 1 - 0.88 ** (1 / 40)
"""The share of each of ten groups of which forty images show 1.2 on average, beside one that is always there."""
NOTHING = [
    Case("two groups of 0.4 each: dominance", "dominant_in", [0.4, 0.4, *[0.2 / 9] * 9]),
    Case("an even model: underrepresentation", "underrepresented_in", [1 / 11] * 11),
    Case("a group of 0.2: underrepresentation", "underrepresented_in", [0.2, *[0.8 / 4] * 4, *[0.0] * 6]),
    Case("2.2 groups in forty images: diversity", "stereotyped_as", [1 - 10 * RARE, *[RARE] * 10]),
    Case("two styles, mean 0.4", "associated_with", [1 / 11] * 11, two_styles(0.5, 0.1, 0.7)),
    Case(
        "two styles, one rare, mean 0.4", "associated_with", [1 / 11] * 11, two_styles(0.95, 0.05, 0.05 + 0.35 / 0.905)
    ),
]
THERE = [
    Case("a group of 0.7: dominance", "dominant_in", [0.7, *[0.03] * 10]),
    Case("a group that is never shown: underrepresentation", "underrepresented_in", [0.0, *[0.1] * 10]),
    Case("one group alone: diversity", "stereotyped_as", [1.0, *[0.0] * 10]),
    Case("two styles, mean 0.6: similarity", "associated_with", [1 / 11] * 11, two_styles(0.5, 0.4, 0.8)),
]


def made(case: Case, images: int, rng: np.random.Generator) -> ReportData:
    """Return what a report shows of a study of such images."""
    cells = JOBS * PROMPTS
    seen = np.concatenate([np.zeros(0), *(rng.choice(11, images, p=case.shares) for _ in range(cells))])
    key, cell = np.arange(len(seen), dtype=np.uint64), np.repeat(np.arange(cells), images)
    one, other = np.triu_indices(images, 1)
    alike = [case.alike(rng, images) for _ in range(cells)] if case.alike else []
    couples = np.repeat(np.arange(len(alike)), len(one))
    style = np.concatenate([np.zeros(0), *alike])
    pairs = ComparedPairs(couples, couples, np.tile(one, len(alike)), np.tile(other, len(alike)), style, style)
    look = Seen(Look(key, cell, seen, tuple(GROUPS)), cells)
    planned = np.full(cells, images)
    perceived = Perceived(GROUPS, look, None, None, None, np.zeros(cells, dtype=np.int64), planned, pairs, style)
    people = [Edge(Key("occupation", job), case.relation, Key("race", GROUPS[0])) for job in NAMES]
    where = {job: list(range(PROMPTS * place, PROMPTS * (place + 1))) for place, job in enumerate(NAMES)}
    return shown(ModelEdges(Cells(where, {}, {}), perceived, people, SocialBiasKGOptions()), people)


def shown(model: ModelEdges, people: Sequence[Edge]) -> ReportData:
    """Return the tables of a model as a report has them."""
    vertices = list(VERTICES.by_key.values())
    tested = [*model.annotated(), *model.emergent()]
    graph = graph_of(MODEL, vertices, tested)
    mine: Mapping[str, Graph] = {MODEL: graph}
    tables = own_tables({MODEL: tested}, Graph("people", vertices, people), mine, mine, schema=schema(), german={})
    compared = Measurement(NAME, "compared", MODEL, "", value=float(model.compared))
    return replace(
        EMPTY, measurements=[compared], own_rows={f"{NAME}.{own.name}": own.rows.to_pylist() for own in tables}
    )


def page(data: ReportData, kind: str) -> tuple[bool, bool, int]:
    """Return whether a page tells a relation of a kind, whether intervals alone would, and how many are repeated."""
    found = read_relations(data)
    assert found is not None
    edges = [own for own in found.edges[MODEL] if own.annotated]
    repeated = [own for own in edges if state(own) is State.REPEATED and not even_too(own)]
    chosen = select(list(SocialBiasKGSection().deviations(data)))
    sure = any(chosen.is_sure(own) for own in chosen.found if kind in own.subject)
    alone = any(own.found and not own.uncertain for own in found.edges[MODEL] if own.triple.type == kind)
    return bool(repeated) or sure, alone, sum(state(own) is State.REPEATED for own in edges)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=300)
    repetitions = parser.parse_args().repetitions
    print("| nothing to tell | images of a prompt | pages with a false relation, % | by intervals alone, % |")
    print("| --- | --- | --- | --- |")
    for case in NOTHING:
        for images in (3, 10, 30):
            rng = np.random.default_rng(images)
            runs = [page(made(case, images, rng), case.relation) for _ in range(repetitions)]
            false, alone = (100 * np.mean([own[place] for own in runs]) for place in (0, 1))
            print(f"| {case.title} | {images} | {false:.1f} | {alone:.1f} |", flush=True)
    print("\n| there | images of a prompt | of ten, repeated |")
    print("| --- | --- | --- |")
    for case in THERE:
        for images in (3, 10, 30, 60):
            rng = np.random.default_rng(images)
            runs = [page(made(case, images, rng), case.relation) for _ in range(max(repetitions // 10, 1))]
            print(f"| {case.title} | {images} | {np.mean([own[2] for own in runs]):.1f} |", flush=True)


if __name__ == "__main__":
    main()
