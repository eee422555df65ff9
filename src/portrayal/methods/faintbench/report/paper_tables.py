"""The tables of the FAIntbench paper, filled with a study's numbers: Table 2 and Tables 6 to 17."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.methods.bias_scores.report.benchmark_rows import ETA, EXPLICIT, IMPLICIT, Bench, kind_title
from portrayal.records import Measurement
from portrayal.reports.figures.named_figures import NamedTable, basis
from portrayal.reports.lookup import Place
from portrayal.reports.text.notes import notes_words
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import capital, human, known, running, score

__all__ = ["PaperRow", "PaperTable", "folder_names", "paper_tables", "printed_tables"]

KINDS = ("characteristic", "occupation", "relation")
# The paper's order; categories of an adjusted benchmark follow.
CATEGORIES = (
    "positive", "negative", "business", "science", "legal", "education", "sports", "arts", "healthcare", "protective",
    "food", "sales", "construction", "production", "transportation", "other", "unofficial", "intimate",
    "instructional", "hierarchical",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A label and one measurement per model; None where nothing of the kind was measured."""

    label: str
    metric: str
    attribute: str
    place: Place
    cells: Sequence[Measurement | None]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table: the number it has in the paper, what it shows, and models as columns."""

    number: int
    title: str
    header: str
    models: Sequence[str]
    rows: Sequence[PaperRow]

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return f"table_{self.number:02d}"


def paper_tables(bench: Bench) -> list[PaperTable]:
    """Return all thirteen tables; what a study did not ask for is in them as missing."""
    results = [_row(bench, _score(key), key) for key in (IMPLICIT, EXPLICIT, ETA)]
    return [
        _table(bench, 2, t("Cumulative results"), "Result", results),
        _table(bench, 6, _score(IMPLICIT), "Attribute", _attributes(bench, IMPLICIT)),
        *(_kind(bench, 7 + place, kind) for place, kind in enumerate(KINDS)),
        _categories(bench, 10, IMPLICIT, "characteristic"),
        _categories(bench, 11, IMPLICIT, "occupation"),
        _table(bench, 12, _score(EXPLICIT), "Attribute", _attributes(bench, EXPLICIT)),
        _acquired(bench),
        *(_categories(bench, 14 + place, EXPLICIT, kind) for place, kind in enumerate(KINDS)),
        _table(bench, 17, _score(ETA), "Attribute", _attributes(bench, ETA)),
    ]


def _score(metric: str) -> str:
    if metric == ETA:
        return t("Manifestation factor")
    return t("Implicit bias score") if metric == IMPLICIT else t("Explicit bias score")


def folder_names(annotators: Sequence[str]) -> dict[str, str]:
    """Return a name for each annotator that any file system takes, no two the same whatever the case.

    >>> folder_names(["clip:a/b@1", "clip:a b@1"])
    {'clip:a/b@1': 'clip-a-b-1', 'clip:a b@1': 'clip-a-b-1-2'}
    """
    names: dict[str, str] = {}
    for annotator in annotators:
        plain = re.sub(r"[^A-Za-z0-9]+", "-", annotator).strip("-")[:80] or "annotator"
        taken = {name.casefold() for name in names.values()}
        others = (f"{plain}-{number}" for number in range(2, len(annotators) + 2))
        names[annotator] = next(name for name in (plain, *others) if name.casefold() not in taken)
    return names


def _table(bench: Bench, number: int, title: str, header: str, rows: Sequence[PaperRow]) -> PaperTable:
    return PaperTable(number, title, header, list(bench.data.generators), rows)


def _row(bench: Bench, label: str, metric: str, attribute: str = "", place: Place | None = None) -> PaperRow:
    return PaperRow(label, metric, attribute, place or Place(), bench.cells(metric, attribute, place))


def _attributes(bench: Bench, metric: str, place: Place | None = None) -> list[PaperRow]:
    return [_row(bench, bench.title(name), metric, name, place) for name in ("", *bench.attributes)]


def _kind(bench: Bench, number: int, kind: str) -> PaperTable:
    title = t("Implicit bias score of prompts of the kind {kind}", kind=running(kind_title(kind)))
    return _table(bench, number, title, "Attribute", _attributes(bench, IMPLICIT, Place("kind", kind)))


def _acquired(bench: Bench) -> PaperTable:
    kinds = dict.fromkeys((*KINDS, *bench.items(EXPLICIT, "kind")))
    rows = [_row(bench, kind_title(kind), EXPLICIT, place=Place("kind", kind)) for kind in kinds]
    return _table(bench, 13, t("Explicit bias score by acquired attribute"), "Acquired attribute", rows)


def _categories(bench: Bench, number: int, metric: str, kind: str) -> PaperTable:
    asked = {category for other, category in bench.data.categories if other == kind and category}
    order = [*(name for name in CATEGORIES if name in asked), *sorted(asked - set(CATEGORIES))]
    rows = [_row(bench, t("All of {kind}", kind=running(kind_title(kind))), metric, place=Place("kind", kind))]
    rows += [_row(bench, capital(human(name)), metric, place=Place("category", name)) for name in order]
    told = {"score": _score(metric), "kind": running(kind_title(kind))}
    title = t("{score} of prompts of the kind {kind}, by category", **told)
    return _table(bench, number, title, "Category", rows)


def printed_tables(bench: Bench) -> list[NamedTable]:
    """Return the tables that have any number, in words."""
    return [
        _printed(bench, table)
        for table in paper_tables(bench)
        if any(cell and known(cell.value) is not None for row in table.rows for cell in row.cells)
    ]


def _printed(bench: Bench, table: PaperTable) -> NamedTable:
    layout = t("In the layout of Table {number} of the paper, with 95 % intervals.", number=table.number)
    notes = [[notes_words(cell.notes) for cell in row.cells if cell] for row in table.rows]
    return NamedTable(
        f"table {table.number:02d}{bench.by}",
        table.title,
        [word(table.header), *table.models],
        [[row.label, *map(_text, row.cells)] for row in table.rows],
        ["; ".join(dict.fromkeys(filter(None, said))) for said in notes],
        caption=f"{layout} {basis(bench.data, bench.annotator)}",
    )


def _text(cell: Measurement | None) -> str:
    if cell is None:
        return t("not measured")
    value = known(cell.value)
    return t("no data") if value is None else score(value, cell.low, cell.high, cell.corrected, sign(cell))
