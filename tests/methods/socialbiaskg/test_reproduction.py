from __future__ import annotations

import pytest

from portrayal.methods.socialbiaskg.reproduction import reproduce


def test_what_the_paper_prints_but_for_errata() -> None:
    found = reproduce()
    assert found.holds
    assert [(cell.row, cell.computed) for cell in found.cells if cell.table == 3] == [
        ("occupation only", 400),
        ("race only", 11),
        ("occupation and race", 1168),
        ("simple", 403),
        ("contextual", 1176),
        ("all", 1579),
    ]
    assert [cell.printed for cell in found.cells if cell.erratum] == [1568]


def test_shares_of_shared_edges_are_printed_as_counts() -> None:
    wrong = [cell for cell in reproduce().further if cell.erratum]
    assert [cell.printed for cell in wrong] == [94, 6, 4, 1]
    assert sum(cell.printed for cell in wrong) == 105
    assert sum(cell.computed for cell in wrong) == pytest.approx(100)
    assert all(cell.agrees for cell in reproduce().further if not cell.erratum)
