from __future__ import annotations

from portrayal.methods.faintbench.suite.terms import shipped_table, shipped_terms
from portrayal.records import attribute_table


def test_the_shipped_table_as_text_has_the_shipped_terms() -> None:
    assert len(shipped_table().splitlines()) == len(shipped_terms()) + 1 == 226


def test_every_shipped_row_is_a_distribution_but_the_negative_one() -> None:
    known = attribute_table()
    rows = [(term.name, name, shares) for term in shipped_terms() for name, shares in term.shares.items()]
    assert len(rows) == 225 * 3
    assert [row for row in rows if abs(sum(row[2].values()) - 1) > 0.005] == []
    assert [row[:2] for row in rows if min(row[2].values()) < 0] == [("Fashion Designer", "age3")]
    assert [row for row in rows if tuple(row[2]) != known[row[1]].groups] == []
