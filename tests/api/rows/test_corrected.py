from __future__ import annotations

from typing import Any

from portrayal.api.rows.corrected import CorrectedDifferences
from portrayal.records import Measurement, PartNames
from portrayal.reports.corrected_difference import CorrectedDifference
from portrayal.reports.corrected_share import CorrectedShare


def share(model: str, value: float, n: int = 100) -> CorrectedShare:
    numbers: dict[str, Any] = {"value": value, "low": value - 0.1, "high": value + 0.1, "n": n, "worth": float(n)}
    row = Measurement("representation", "share", model, "a", attribute="gender", group="female", **numbers)
    return CorrectedShare(row, "matrix", value, value - 0.1, value + 0.1, 80, decides=True)


def test_rows_say_what_becomes_of_a_difference_and_leave_out_too_few_images() -> None:
    """Also of one that too few images show, whose verdict would ask how many more are needed."""
    gone = CorrectedDifference(share("g", 0.5), share("h", 0.3), "matrix", 0.05, -0.05, 0.15)
    open_ = CorrectedDifference(share("g", 0.5, 10), share("h", 0.4, 10), "matrix", 0.1, -0.3, 0.5)
    few = CorrectedDifference(share("g", 0.5, 2), share("h", 0.4, 2), "matrix", 0.1, -0.3, 0.5)
    rows = list(CorrectedDifferences([gone, open_, few], PartNames()))
    assert [row["finding"] for row in rows] == ["gone", "undecided"]
    assert rows[0]["low"] < rows[0]["difference"] < rows[0]["high"]
    assert list(CorrectedDifferences([], PartNames())) == []
