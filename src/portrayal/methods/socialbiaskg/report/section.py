"""The SocialBiasKG part of a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.methods.socialbiaskg.report.graph_files import graph_files, listed_files
from portrayal.methods.socialbiaskg.report.graph_tables import (
    difference_table,
    rank_table,
    shared,
    undrawn_table,
    unique_table,
)
from portrayal.methods.socialbiaskg.report.matrix import Matrix, matrix, shown_images, type_titles
from portrayal.methods.socialbiaskg.report.matrix_tables import matrix_chart, matrix_tables
from portrayal.methods.socialbiaskg.report.model_answers import answer
from portrayal.methods.socialbiaskg.report.relation_deviations import deviations, rankings
from portrayal.methods.socialbiaskg.report.relation_words import findings, moved_line, type_title
from portrayal.methods.socialbiaskg.report.relations import NAME, TABLES, Relations, read_relations
from portrayal.methods.socialbiaskg.report.states import even_too
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart, NamedTable
from portrayal.reports.findings.deviations.deviation import Answer, Deviation, Ranking
from portrayal.reports.section import Section, Shown
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.notes import adjustment_words
from portrayal.reports.text.words import count

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
    matrix_charts: Sequence[NamedChart]
    matrix_tables: Sequence[NamedTable]
    """The matrices once more, for files: those of the page lead to cards."""
    differences: NamedTable
    ranks: NamedTable | None
    undrawn: NamedTable
    shared: str
    unique: NamedTable | None
    files: Sequence[tuple[str, Sequence[tuple[str, str]]]]


class SocialBiasKGSection(Section):
    """SocialBiasKG's section."""

    template = "section.html.j2"
    style = "section.css"
    tables = TABLES
    owned = (f"{NAME}/*/*.csv", f"{NAME}/*/graph.*")

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when no edge was tested."""
        relations = read_relations(data)
        if relations is None:
            return None
        matrices = [matrix(data, relations, name, number) for number, name in enumerate(relations.edges)]
        content = SocialBiasKGContent(
            adjusted=_adjusted(data, relations),
            people=len(relations.people),
            models=[(name, findings(relations, name), moved_line(rows)) for name, rows in relations.edges.items()],
            types=type_titles(),
            matrices=matrices,
            matrix_charts=[matrix_chart(data, drawn) for drawn in matrices],
            matrix_tables=[table for drawn in matrices for table in matrix_tables(data, drawn)],
            differences=difference_table(data, relations),
            ranks=rank_table(data, relations),
            undrawn=undrawn_table(data, relations),
            shared=shared(relations),
            unique=unique_table(data, relations),
            files=listed_files(relations),
        )
        attributes = frozenset(row.attribute for row in data.rows(NAME))
        shown = [thumb for drawn in content.matrices for card in drawn.cards for thumb in card.pictures]
        cards = frozenset(card.anchor for drawn in content.matrices for card in drawn.cards)
        return Shown(content, [(NAME, "SocialBiasKG")], attributes, cards=cards, pictures=shown)

    def deviations(self, data: ReportData) -> Iterable[Deviation]:
        """Return the relations that are in the images."""
        relations = read_relations(data)
        return deviations(data, relations) if relations else ()

    def rankings(self, data: ReportData) -> Iterable[Ranking]:
        """Return how many of people's relations each of several models has."""
        relations = read_relations(data)
        return rankings(data, relations) if relations else ()

    def answers(self, data: ReportData) -> Mapping[str, Answer]:
        """Return which of people's relations each model repeats or contradicts, and what could not be decided."""
        relations = read_relations(data)
        said = {name: answer(data, relations, name) for name in relations.edges} if relations else {}
        return {name: known for name, known in said.items() if known is not None}

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say with what relations are compared, and which of them an even model has too."""
        relations = read_relations(data)
        if relations is None:
            return
        yield t("Relations are compared with the thresholds of their rules, not with a reference.")
        if any(even_too(edge) for edges in relations.edges.values() for edge in edges if edge.annotated):
            yield t(
                "An even model shows every group equally often. With so many groups, each is then below the threshold "
                "of underrepresentation, so such a relation alone is no sign of bias."
            )

    def images(self, data: ReportData) -> Iterable[str]:
        """Return the pictures behind edges."""
        relations = read_relations(data)
        return {image for images in shown_images(relations).values() for image in images} if relations else ()

    def files(self, data: ReportData) -> Mapping[str, str]:
        """Return the graphs, in every format that can be written here."""
        relations = read_relations(data)
        if relations is None:
            return {}
        graphs = [relations.people_graph(), *(relations.graph(name) for name in relations.edges)]
        return {path: text for graph in graphs for path, text in graph_files(graph).items()}

    def item(self, row: Measurement) -> str:
        """Return what a row is about."""
        if row.level == "edge_type":
            name, _, way = row.item.partition(" ")
            back = not way.startswith(OCCUPATION)
            title = type_title(name)
            return t("{relation}, from groups", relation=title) if back else title
        return word(row.item) if row.item else t("all relations")


def _adjusted(data: ReportData, relations: Relations) -> list[str]:
    """Return how the study differs from the published one: as it was set up, and in what there was to measure."""
    adjusted = [adjustment_words(one) for one in data.adjusted.get(NAME, ())]
    # The suite and the method may take the same table of edges; that is said once.
    said = [text for place, text in enumerate(adjusted) if not any(text in other for other in adjusted[:place])]
    fewest = data.images_per_prompt if data.fewest_per_prompt is None else data.fewest_per_prompt
    if fewest != data.images_per_prompt:
        said.append(t("from {n} to {m} images of a prompt, not 10", n=count(fewest), m=count(data.images_per_prompt)))
    elif fewest != _PUBLISHED_IMAGES:
        said.append(t("{n|image|images} of each prompt, not 10", n=fewest))
    tests = [row for rows in relations.edges.values() for edge in rows for row in edge.tests]
    if any(row["metric"] == "failure" and not row["occupation_told"] for row in tests):
        said.append(t("failures are about groups alone, since no annotator reports occupations"))
    if any(row["untold"] == "too_few_groups" for row in tests):
        said.append(t("with so few groups, how many of them are seen can speak for no stereotype"))
    return said
