"""The SocialBiasKG part of a report."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.graph import Graph, shared_by_all
from portrayal.graph.graphml import graphml
from portrayal.graph.tables import edge_csv, vertex_csv
from portrayal.graph.turtle import jsonld, turtle
from portrayal.methods.socialbiaskg.report.deviations import deviations, rankings
from portrayal.methods.socialbiaskg.report.figures import (
    difference_table,
    matrix_chart,
    matrix_tables,
    rank_table,
    undrawn_table,
)
from portrayal.methods.socialbiaskg.report.matrix import Matrix, matrix, shown_images, type_titles
from portrayal.methods.socialbiaskg.report.rows import NAME, TABLES, Relations, relations
from portrayal.methods.socialbiaskg.report.words import findings, group_title, moved_line, type_title
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.deviation import Deviation, Ranking
from portrayal.reports.finding import Finding
from portrayal.reports.language import t, word
from portrayal.reports.named import NamedChart, NamedTable
from portrayal.reports.notes import adjustment_words
from portrayal.reports.section import Section, Shown
from portrayal.reports.words import count, decimal, percent

__all__ = ["SocialBiasKGContent", "SocialBiasKGSection"]


@dataclass(frozen=True)
class SocialBiasKGContent:
    """Everything the section shows."""

    adjusted: Sequence[str]
    people: int
    models: Sequence[tuple[str, Sequence[Finding], str]]
    """Each generator with what is to be said of it, and what moved thresholds would change."""
    types: Sequence[tuple[str, str, str]]
    matrices: Sequence[Matrix]
    differences: Sequence[Sequence[str]]
    undrawn: Sequence[tuple[str, str, str, str]]
    """Groups, how many of people's relations are about each, and how many of them no model draws."""
    shared: str
    ranks: Sequence[tuple[str, str, str]]
    files: Sequence[tuple[str, Sequence[tuple[str, str]]]]


class SocialBiasKGSection(Section):
    """SocialBiasKG's section."""

    style = "section.css"
    tables = TABLES
    owned = (f"{NAME}/*/*.csv", f"{NAME}/*/graph.*")

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when no edge was tested."""
        found = relations(data)
        if found is None:
            return None
        content = SocialBiasKGContent(
            _adjusted(data, found),
            len(found.people),
            [(name, findings(found, name), moved_line(rows)) for name, rows in found.edges.items()],
            type_titles(),
            [matrix(data, found, name, number) for number, name in enumerate(found.edges)],
            _differences(found),
            _undrawn(found),
            _shared(found),
            _ranks(found),
            _listed(found),
        )
        attributes = frozenset(row.attribute for row in data.measurements if row.method == NAME)
        shown = [thumb for drawn in content.matrices for card in drawn.cards for thumb in card.pictures]
        cards = frozenset(card.anchor for drawn in content.matrices for card in drawn.cards)
        return Shown(content, [(NAME, "SocialBiasKG")], attributes, rows=cards, pictures=shown)

    def deviations(self, data: ReportData) -> Iterable[Deviation]:
        """Return the relations that are in the images."""
        found = relations(data)
        return deviations(data, found) if found else ()

    def rankings(self, data: ReportData) -> Iterable[Ranking]:
        """Return how many of people's relations each model has."""
        return rankings(data)

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say with what relations are compared, and how many of people's could not be tested."""
        found = relations(data)
        if found is None:
            return
        yield t("Relations are compared with the thresholds of their rules, not with a reference.")
        for generator, edges in found.edges.items():
            seen = [own for own in edges if own.annotated]
            if lost := sum(own.found is None for own in seen):
                yield t(
                    "{generator}: {lost} of {n|relation|relations} that people see could not be tested.",
                    generator=generator,
                    lost=count(lost),
                    n=len(seen),
                )

    def images(self, data: ReportData) -> Iterable[str]:
        """Return the pictures behind edges."""
        found = relations(data)
        return {image for own in shown_images(found).values() for image in own} if found else ()

    def files(self, data: ReportData) -> Mapping[str, str]:
        """Return the graphs, in every format that can be written here."""
        found = relations(data)
        if found is None:
            return {}
        graphs = [found.people_graph(), *(found.graph(name) for name in found.edges)]
        written = (_written(graph).items() for graph in graphs)
        return {path: text for own in written for path, text in own}

    def charts(self, data: ReportData) -> Iterator[NamedChart]:
        """Yield the matrix of each generator."""
        found = relations(data)
        for number, name in enumerate(found.edges if found else ()):
            assert found is not None
            yield matrix_chart(data, matrix(data, found, name, number))

    def printed(self, data: ReportData) -> Iterator[NamedTable]:
        """Yield the matrix and the relations of each generator, then how graphs differ."""
        found = relations(data)
        if found is not None:
            for number, name in enumerate(found.edges):
                yield from matrix_tables(data, matrix(data, found, name, number))
            yield difference_table(data, _differences(found))
            if ranks := _ranks(found):
                yield rank_table(data, ranks)
            yield undrawn_table(data, _undrawn(found))

    def item(self, row: Measurement) -> str:
        """Return what a row is about."""
        if row.level == "edge_type":
            name, _, way = row.item.partition(" ")
            back = not way.startswith(OCCUPATION)
            title = type_title(name)
            return t("{relation}, from groups", relation=title) if back else title
        return word(row.item) if row.item else t("all relations")


def _folder(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "graph"
    return f"{NAME}/{plain}"


def _written(graph: Graph) -> dict[str, str]:
    folder = _folder(graph.name)
    files = {"vertices.csv": vertex_csv(graph.vertices), "edges.csv": edge_csv(graph.edges)}
    files |= {"graph.ttl": turtle(graph), "graph.jsonld": jsonld(graph)}
    if importlib.util.find_spec("networkx"):
        files["graph.graphml"] = graphml(graph)
    return {f"{folder}/{name}": text for name, text in files.items()}


def _listed(found: Relations) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the files of each graph: what they are called, and where they lie."""
    names = [("CSV", "edges.csv"), ("Turtle", "graph.ttl"), ("JSON-LD", "graph.jsonld")]
    if importlib.util.find_spec("networkx"):
        names.append(("GraphML", "graph.graphml"))
    graphs = [(t("people"), "people"), *((name, name) for name in found.edges)]
    return [(title, [(form, f"{_folder(name)}/{file}") for form, file in names]) for title, name in graphs]


def _adjusted(data: ReportData, found: Relations) -> list[str]:
    """Return how the study differs from the published one: as it was set up, and in what there was to measure."""
    own = [adjustment_words(one) for one in data.adjusted.get(NAME, ())]
    # The suite and the method may take the same table of edges; that is said once.
    said = [text for place, text in enumerate(own) if not any(text in other for other in own[:place])]
    fewest = data.images_per_prompt if data.fewest_per_prompt is None else data.fewest_per_prompt
    if fewest != data.images_per_prompt:
        said.append(t("from {n} to {m} images of a prompt, not 10", n=count(fewest), m=count(data.images_per_prompt)))
    elif fewest != _PUBLISHED_IMAGES:
        said.append(t("{n|image|images} of each prompt, not 10", n=fewest))
    tests = [row for rows in found.edges.values() for own in rows for row in own.tests]
    if any(row["metric"] == "failure" and not row["occupation_told"] for row in tests):
        said.append(t("failures are about groups alone, since nobody tells occupations"))
    if any(row["untold"] == "too_few_groups" for row in tests):
        said.append(t("with so few groups, how many of them are seen can speak for no stereotype"))
    return said


_PUBLISHED_IMAGES = 10
_COUNTS = ("compared", "untested", "shared", "first_only", "second_only", "contradictory")


def _differences(found: Relations) -> list[list[str]]:
    rows = []
    for row in found.differences:
        if not row["type"]:
            first = t("people") if row["first"] == "people" else row["first"]
            counts = [_counted(row[name]) for name in _COUNTS]
            jaccard = "–" if row["jaccard"] is None else decimal(row["jaccard"])
            rows.append([first, row["second"], *counts, jaccard, _counted(row["distance"])])
    return rows


def _counted(number: int | None) -> str:
    return "–" if number is None else count(number)


def _undrawn(found: Relations) -> list[tuple[str, str, str, str]]:
    """Return, for each group, how many of people's relations no model draws, of those that every model could show."""
    told = [{own.triple for own in rows if own.annotated and own.found is not None} for rows in found.edges.values()]
    tested = set.intersection(*told)
    drawn = {own.triple for rows in found.edges.values() for own in rows if own.annotated and own.found}
    about, lost = Counter[str](), Counter[str]()
    for triple in tested:
        group = next(end.name for end in triple.ends if end.kind != OCCUPATION)
        about[group] += 1
        lost[group] += triple not in drawn
    return [
        (group_title(name), count(number), count(lost[name]), percent(lost[name] / number))
        for name, number in sorted(about.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _shared(found: Relations) -> str:
    """Return what all models have of people's relations."""
    graphs = [Graph(name, found.vertices, found.graph(name).edges) for name in found.edges]
    common = [triple for triple in shared_by_all(graphs) if triple in found.people]
    if len(graphs) < 2:
        return ""
    if not common:
        return t("No relation of people’s was found in the images of all models.")
    kinds = Counter(triple.type for triple in common).most_common()
    listed = ", ".join(f"{type_title(name)} {count(number)}" for name, number in kinds)
    return t("{n|relation|relations} of people’s that all models draw: {listed}.", n=len(common), listed=listed)


def _ranks(found: Relations) -> list[tuple[str, str, str]]:
    """Return each generator's mean rank of intensity on shared edges, and on how many it is the strongest."""
    ranks: dict[str, list[float]] = {}
    for row in found.ranks:
        ranks.setdefault(row["generator"], []).append(row["rank"])
    if len(ranks) < 2:
        return []
    means = sorted((sum(own) / len(own), name, sum(rank == 1 for rank in own)) for name, own in ranks.items())
    total = len(next(iter(ranks.values())))
    return [(name, decimal(mean, 1), f"{count(first)} / {count(total)}") for mean, name, first in means]
