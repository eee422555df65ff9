"""The SocialBiasKG part of a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.methods.socialbiaskg.report.answers import answer
from portrayal.methods.socialbiaskg.report.compared import differences, ranks, shared, undrawn, unique
from portrayal.methods.socialbiaskg.report.deviations import deviations, rankings
from portrayal.methods.socialbiaskg.report.figures import (
    difference_table,
    matrix_chart,
    matrix_tables,
    rank_table,
    undrawn_table,
    unique_table,
)
from portrayal.methods.socialbiaskg.report.files import graph_files, listed_files
from portrayal.methods.socialbiaskg.report.matrix import Matrix, matrix, shown_images, type_titles
from portrayal.methods.socialbiaskg.report.rows import NAME, TABLES, Relations, relations
from portrayal.methods.socialbiaskg.report.states import even_too
from portrayal.methods.socialbiaskg.report.words import findings, moved_line, type_title
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviation import Answer, Deviation, Ranking
from portrayal.reports.language import t, word
from portrayal.reports.named import NamedChart, NamedTable
from portrayal.reports.notes import adjustment_words
from portrayal.reports.section import Section, Shown
from portrayal.reports.summary import Summary
from portrayal.reports.words import count

__all__ = ["SocialBiasKGContent", "SocialBiasKGSection"]

_PUBLISHED_IMAGES = 10
"""Of each prompt."""


@dataclass(frozen=True)
class SocialBiasKGContent:
    """Everything the section shows."""

    adjusted: Sequence[str]
    people: int
    models: Sequence[tuple[str, Sequence[Summary], str]]
    """Each generator with what is to be said of it, and what moved thresholds would change."""
    types: Sequence[tuple[str, str, str]]
    matrices: Sequence[Matrix]
    differences: Sequence[Sequence[str]]
    undrawn: Sequence[tuple[str, str, str, str]]
    """Groups, how many of people's relations are about each, and how many of them no model draws."""
    shared: str
    unique: Sequence[tuple[str, str, str, str]]
    """Models, relations that each draws and no other does, what was measured, and what is known of the others."""
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
            differences(found),
            undrawn(found),
            shared(found),
            unique(found),
            ranks(found),
            listed_files(found),
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
        """Return how many of people's relations each of several models has."""
        found = relations(data)
        return rankings(data, found) if found else ()

    def answers(self, data: ReportData) -> Mapping[str, Answer]:
        """Return which of people's relations each model repeats or contradicts, and what could not be decided."""
        found = relations(data)
        said = {name: answer(data, found, name) for name in found.edges} if found else {}
        return {name: own for name, own in said.items() if own is not None}

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say with what relations are compared, and which of them an even model has too."""
        found = relations(data)
        if found is None:
            return
        yield t("Relations are compared with the thresholds of their rules, not with a reference.")
        if any(even_too(own) for edges in found.edges.values() for own in edges if own.annotated):
            yield t(
                "An even model shows every group equally often. With so many groups, each is then below the threshold "
                "of underrepresentation, so such a relation alone is no sign of bias."
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
        return {path: text for graph in graphs for path, text in graph_files(graph).items()}

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
            yield difference_table(data, differences(found))
            if ranked := ranks(found):
                yield rank_table(data, ranked)
            yield undrawn_table(data, undrawn(found))
            if alone := unique(found):
                yield unique_table(data, alone)

    def item(self, row: Measurement) -> str:
        """Return what a row is about."""
        if row.level == "edge_type":
            name, _, way = row.item.partition(" ")
            back = not way.startswith(OCCUPATION)
            title = type_title(name)
            return t("{relation}, from groups", relation=title) if back else title
        return word(row.item) if row.item else t("all relations")


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
