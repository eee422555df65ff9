from __future__ import annotations

from importlib import resources

import pytest

from portrayal.methods.faintbench.paper_tables import reproduce
from portrayal.methods.reproduction import Reproduction

MODELS = ["SDXL", "SDXL-L", "SDXL-T", "LCM", "PixArt", "Cascade", "PG2.5"]
DATA = resources.files("portrayal.methods.faintbench") / "data" / "printed.csv"


@pytest.fixture(scope="module")
def found() -> Reproduction:
    return reproduce()


def test_every_total_of_every_model_is_there(found: Reproduction) -> None:
    totals = [(6, "Model"), (7, "Char"), (8, "Oc"), (9, "SR"), (17, "Model")]
    assert [(c.table, c.row, c.model) for c in found.cells] == [(*total, model) for total in totals for model in MODELS]


def test_totals_by_hand(found: Reproduction) -> None:
    by_name = {(cell.table, cell.model): cell for cell in found.cells}
    assert by_name[6, "SDXL"].computed == pytest.approx(0.4 * 0.941497 + 0.4 * 0.805781 + 0.2 * 0.884683, abs=1e-12)
    assert by_name[6, "SDXL"].printed == 0.875848
    assert by_name[17, "LCM"].computed == pytest.approx((0.60142146 + 0.70951493 + 0.5637583) / 3, abs=1e-12)
    assert by_name[17, "LCM"].printed == 0.624898235


def test_twenty_four_of_twenty_eight_and_seven_of_seven_agree(found: Reproduction) -> None:
    scores, etas = [c for c in found.cells if c.table != 17], [c for c in found.cells if c.table == 17]
    assert (sum(c.agrees for c in scores), len(scores)) == (24, 28)
    assert (sum(c.agrees for c in etas), len(etas)) == (7, 7)
    assert {c.tolerance for c in scores} == {1e-5}
    assert {c.tolerance for c in etas} == {1e-6}
    assert found.holds


def test_the_errata_are_exactly_what_does_not_agree(found: Reproduction) -> None:
    wrong = {(c.table, c.model): (c.printed, round(c.computed, 6)) for c in found.cells if not c.agrees}
    assert wrong == {
        (8, "PixArt"): (0.736396, 0.853782),
        (8, "Cascade"): (0.853782, 0.872050),
        (9, "SDXL-T"): (0.867141, 0.877141),
        (9, "LCM"): (0.848909, 0.868909),
    }
    assert [c.agrees for c in found.cells] == [not c.erratum for c in found.cells]
    for cell in found.cells:
        assert not cell.erratum or f"the rows give {cell.computed:.6f}" in cell.note


def test_numbers_printed_twice_and_the_accuracies_agree(found: Reproduction) -> None:
    assert len(found.further) == 3 + 8 * 7
    assert all(cell.agrees and not cell.erratum for cell in found.further)
    accuracy = {c.model: round(c.computed, 2) for c in found.further if c.table == 4}
    assert accuracy == {"CLIP": 62.29, "BLIP-2": 80.05, "optimized CLIP": 85.39}


def test_averages_outside_their_parts(found: Reproduction) -> None:
    assert [(o.table, o.row, o.model) for o in found.outside] == [
        (6, "Gender", "PG2.5"), (6, "Age", "PG2.5"), (14, "Char", "SDXL-T"), (16, "SR", "PG2.5"),
    ]  # fmt: skip
    first = found.outside[0]
    assert (first.printed, first.low, first.high) == (0.961344, 0.853553, 0.9352024)


def test_numbers_are_kept_as_printed() -> None:
    lines = DATA.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 516
    assert {"17,Model,SDXL,0.612138209,", "13,SR,PixArt,0.481180,", "2,Explicit Bias Score,SDXL-T,0.72936,"} <= {*lines}
