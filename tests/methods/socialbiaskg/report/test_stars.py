from __future__ import annotations

import pytest

from portrayal.methods.socialbiaskg.report.stars import Mark, star


def mark(back: bool, anchor: str = "edge-0-0") -> Mark:
    return Mark("D", "a → b: dominance", anchor, "dominant_in", "both", 2, uncertain=False, back=back)


def test_each_relation_is_a_line_to_its_own_vertex() -> None:
    found = star("White", [("judge", [mark(False)]), ("cook", []), ("CEO", [mark(False), mark(True)])], of_group=True)
    assert [name for name, _ in found.ends] == ["judge", "CEO"]  # without a relation there is nothing to draw
    assert found.size == (120, 56)
    assert found.dots == [(6, 28), (112, 14), (112, 42)]
    assert [line.path for line in found.lines] == [
        "M6 28C50 28 50 14 94 14",
        "M6 28C50 28 50 38.5 94 38.5",  # two lines end side by side
        "M6 28C50 28 50 45.5 94 45.5",
    ]


@pytest.mark.parametrize(("back", "of_group", "outwards"), [
    (False, True, False), (True, True, True), (False, False, True), (True, False, False),
])  # fmt: skip
def test_an_arrow_points_where_the_relation_leads(back: bool, of_group: bool, outwards: bool) -> None:
    (line,) = star("x", [("y", [mark(back)])], of_group).lines
    assert line.arrow == ("M94 10L104 14L94 18Z" if outwards else "M104 10L94 14L104 18Z")
