"""Recomputing what FAIntbench's paper prints from other numbers it prints.

The printed numbers are in ``data/printed.csv``. A known mistake of the paper is marked there as an erratum; it is
shown, never followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from portrayal.csvfile import read_shipped
from portrayal.methods.reproduction import Outlier, PrintedNumber, Reproduction
from portrayal.metrics import weighted_total

__all__ = ["reproduce"]

_WEIGHTS = {"Gender": 0.4, "Race": 0.4, "Age": 0.2}
_EQUAL = dict.fromkeys(_WEIGHTS, 1.0)
_CLOSE = 1e-5

# table, row of the total, weights of the rows it is made of, tolerance
_TOTALS = (
    (6, "Model", _WEIGHTS, _CLOSE),
    (7, "Char", _WEIGHTS, _CLOSE),
    (8, "Oc", _WEIGHTS, _CLOSE),
    (9, "SR", _WEIGHTS, _CLOSE),
    (17, "Model", _EQUAL, 1e-6),
)
_PERCENTAGES = (4, "Sum", _WEIGHTS, 0.005)

# a row, and the row of another table that it repeats, often with fewer digits
_REPEATS = (
    ((2, "Implicit Bias Score"), (6, "Model")),
    ((2, "Explicit Bias Score"), (12, "Model")),
    ((2, "Manifestation Factor"), (17, "Model")),
    ((10, "Char"), (7, "Char")),
    ((11, "Occupational"), (8, "Oc")),
    ((14, "Char"), (13, "Char")),
    ((15, "Oc"), (13, "Oc")),
    ((16, "SR"), (13, "SR")),
)
# a row, and the tables of which it must be some average: all other rows of its own table, or its namesakes in others
_AVERAGES = (
    *((6, row, (7, 8, 9)) for row in _WEIGHTS),
    (12, "Model", (12,)),
    (10, "Char", (10,)),
    (11, "Occupational", (11,)),
    (14, "Char", (14,)),
    (15, "Oc", (15,)),
    (16, "SR", (16,)),
)


Printed = Mapping[tuple[int, str], Mapping[str, float]]
Errata = Mapping[tuple[int, str, str], str]


def reproduce() -> Reproduction:
    """Return what can be recomputed: totals; accuracies of Table 4 and numbers printed twice; averages."""
    printed, errata = _read()
    cells = [cell for total in _TOTALS for cell in _total(printed, errata, *total)]
    further = [*_total(printed, errata, *_PERCENTAGES), *_repeats(printed)]
    return Reproduction(cells, further, list(_outside(printed)))


def _read() -> tuple[Printed, Errata]:
    rows = read_shipped("portrayal.methods.faintbench", "printed.csv", ["table", "row", "model", "value", "erratum"])
    printed: dict[tuple[int, str], dict[str, float]] = {}
    for row in rows:
        printed.setdefault((int(row["table"]), row["row"]), {})[row["model"]] = row.number("value")
    return printed, {(int(row["table"]), row["row"], row["model"]): row["erratum"] for row in rows}


def _total(
    printed: Printed, errata: Errata, table: int, row: str, weights: Mapping[str, float], tolerance: float
) -> Iterator[PrintedNumber]:
    for model, value in printed[table, row].items():
        parts = [printed[table, part][model] for part in weights]
        computed = float(weighted_total(parts, list(weights.values())))
        yield PrintedNumber(table, row, model, computed, value, tolerance=tolerance, note=errata[table, row, model])


def _repeats(printed: Printed) -> Iterator[PrintedNumber]:
    for (table, row), source in _REPEATS:
        for model, value in printed[table, row].items():
            yield PrintedNumber(table, row, model, printed[source][model], value, tolerance=_CLOSE)


def _outside(printed: Printed) -> Iterator[Outlier]:
    for table, row, tables in _AVERAGES:
        parts = [values for (t, r), values in printed.items() if t in tables and (r == row) == (t != table)]
        for model, value in printed[table, row].items():
            low, high = min(part[model] for part in parts), max(part[model] for part in parts)
            if not low - _CLOSE <= value <= high + _CLOSE:
                yield Outlier(table, row, model, printed=value, low=low, high=high)
