from __future__ import annotations

import pytest

from portrayal.errors import UnknownNameError
from portrayal.methods import REPRODUCTIONS
from portrayal.methods.reproduction import PrintedNumber, Reproduction


def test_a_cell_that_is_off_by_more_than_rounding_breaks_it() -> None:
    near, far = PrintedNumber(6, "Model", "x", 0.50001, 0.5, 1.1e-5), PrintedNumber(6, "Model", "x", 0.50002, 0.5, 1e-5)
    known = PrintedNumber(6, "Model", "x", 0.6, 0.5, 1e-5, "a typing error")
    assert Reproduction([near, known], [near], []).holds
    assert not Reproduction([near, far], [], []).holds
    assert not Reproduction([near], [far], []).holds


def test_a_paper_that_is_not_known() -> None:
    with pytest.raises(UnknownNameError, match=r"no reproduction named 'faintbnch'; did you mean 'faintbench'\?"):
        REPRODUCTIONS.load("faintbnch")
