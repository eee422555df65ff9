"""Rows of methods are checked before anything is stored: one line names the method, the metric and what is wrong."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins import write_plugin

from portrayal.errors import StudyError
from portrayal.methods.base import OwnTable
from portrayal.records import Measurement, Note
from portrayal.study.measure.check_measurements import checked_measurements

Run = Callable[..., subprocess.CompletedProcess[str]]

ROW = Measurement("shaky", "wobble", "simulated@1", value=0.5, low=0.4, high=0.6, n=3)
NUMPYS: dict[str, Any] = {"n": np.int64(3), "worth": np.float32(2.5), "drawn": np.int32(0)}
PLUGIN = """
from math import nan
from portrayal.methods.base import Method
from portrayal.records import Measurement, Note


class Shaky(Method):
    name = "shaky"

    def measure(self, evidence, *, rng):
        yield Measurement("shaky", "steady", "simulated@1", value=1.0)
        yield ROW
"""


def wrong(row: Any) -> str:
    """Return why a row is refused; it comes after one that is in order."""
    with pytest.raises(StudyError) as refused:
        list(checked_measurements("shaky", [ROW, row]))
    return str(refused.value)


def test_counts_are_whole_numbers_that_a_float_holds() -> None:
    most = replace(ROW, n=2**53)
    assert list(checked_measurements("shaky", [most])) == [most]
    for count in (2**53 + 1, -1):
        assert "n is" in wrong(replace(ROW, n=count))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('Measurement("shaky", "wobble", "m", value=0.0, low=5, high=-5)', "low 5 is above high -5"),
        ('Measurement("shaky", "wobble", "m", value=0.0, low=nan, high=nan)', "low is nan; give a finite number"),
        (
            'Measurement("shaky", "wobble", "m", notes=(Note.of("only_image", n=2),))',
            "no note has the code 'only_image'; did you mean 'only_images'?",
        ),
        ('Measurement("shaky", "wobble", "m", value="much")', "value is 'much'; give a finite number, or None"),
        ('{"metric": "wobble", "value": 0.5}', "it gave {'metric': 'wobble', 'value': 0.5}; give Measurement("),
    ],
    ids=["ends the wrong way round", "nan", "unknown note", "text", "dict"],
)
def test_the_command_says_so_in_one_line_and_stores_nothing(
    row: str, message: str, finished_copy: Path, cli: Run, monkeypatch: pytest.MonkeyPatch, request: Any
) -> None:
    folder, module = finished_copy.parent / "plugin", f"shaky_{request.node.callspec.id.replace(' ', '_')}"
    write_plugin(folder, module, PLUGIN.replace("ROW", row), f"[portrayal.methods]\nshaky = {module}:Shaky\n")
    monkeypatch.syspath_prepend(str(folder))
    tables = finished_copy / "tables"
    before = {path: path.read_bytes() for path in tables.rglob("*") if path.is_file()}
    ran = cli("measure", finished_copy, "--method", "shaky")
    assert ran.returncode == 2
    assert ran.stdout == ""
    (line,) = ran.stderr.splitlines()
    assert "method shaky, metric 'wobble': " in line
    assert message in line
    assert {path: path.read_bytes() for path in tables.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "row",
    [
        ROW,
        replace(ROW, value=None, low=None, high=None, notes=(Note("no_usable_images"),)),
        replace(ROW, low=0.6, high=0.7, corrected=0.65),  # the interval is around the corrected value
        replace(ROW, high=None),  # an upper end that is not finite
        replace(ROW, low=0.5 + 1e-13, high=0.5),  # rounding
        replace(ROW, value=3, **NUMPYS),
        replace(ROW, notes=(Note.of("only_images", n=2), Note.listing("chosen_categories", ["a", "b"]))),
        replace(ROW, notes=(Note("no_pairs"),)),  # of a method's folder
        OwnTable("edges", pa.table({"a": [1]})),
    ],
)
def test_a_row_in_order_is_taken_as_it_is(row: Any) -> None:
    assert [found is row for found in checked_measurements("shaky", [row])] == [True]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "other"}, "its row is of the method 'other'; give self.name"),
        ({"metric": None}, "method shaky, metric None: metric is None; give a text"),
        ({"generator": 3}, "metric 'wobble': generator is 3; give a text"),
        ({"item": b"nurse"}, "item is b'nurse'; give a text"),
        ({"prompt_set": None}, "prompt_set is None; give a text"),
        ({"value": math.inf}, "value is inf; give a finite number, or None where there is none"),
        ({"value": math.nan}, "value is nan"),
        ({"value": True}, "value is True"),
        ({"value": np.array(0.5)}, "value is array(0.5)"),
        ({"value": 2**53 + 1}, "value is 9007199254740993"),
        ({"value": 10**400}, "value is 1000"),
        ({"high": -math.inf}, "high is -inf"),
        ({"like_low": 0.7, "like_high": 0.6}, "like_low 0.7 is above like_high 0.6"),
        ({"low": 0.6 + 1e-6}, "is above high 0.6; give the ends of the interval in their order"),
        ({"n": -1}, "n is -1; give a whole number, 0 or more"),
        ({"n": 2.0}, "n is 2.0"),
        ({"missing": True}, "missing is True"),
        ({"prompts": None}, "prompts is None"),
        ({"n": 2**64}, "n is 18446744073709551616"),
        ({"notes": ("only_images",)}, "its notes hold 'only_images'; give Note(code) or Note.of(code, …)"),
        ({"notes": (Note(None),)}, "its notes hold Note(code=None"),  # type: ignore[arg-type]
        ({"notes": (Note("zzz"),)}, "no note has the code 'zzz'; name its words in notes of the bundle"),
        ({"notes": (Note("only_images", (("n", 2),)),)}, "has the values (('n', 2),); give texts"),  # type: ignore[arg-type]
        ({"notes": (Note("only_images", {"n": "2"}),)}, "has the values {'n': '2'}; give texts"),  # type: ignore[arg-type]
        ({"notes": (Note.of("only_images", n="two"),)}, "(('n', 'two'),); give numbers where its words count"),
    ],
)
def test_a_row_that_nobody_could_store_or_read_is_refused(changes: dict[str, Any], message: str) -> None:
    assert message in wrong(replace(ROW, **changes))


def test_what_is_no_row_is_refused() -> None:
    assert wrong({"value": 1}) == (
        "method shaky: it gave {'value': 1}; give Measurement(self.name, metric, generator, …) or OwnTable(name, rows)"
    )
    assert "it gave ('wobble', 0.5)" in wrong(("wobble", 0.5))
    with pytest.raises(StudyError, match=r"^method shaky: measure gave None; yield Measurement\("):
        list(checked_measurements("shaky", None))


@given(st.floats(), st.floats())
def test_ends_are_taken_exactly_if_finite_and_in_their_order(low: float, high: float) -> None:
    row = replace(ROW, low=low, high=high)
    in_order = math.isfinite(low) and math.isfinite(high) and (low <= high or math.isclose(low, high, abs_tol=1e-12))
    try:
        assert list(checked_measurements("shaky", [row])) == [row]
    except StudyError:
        assert not in_order
    else:
        assert in_order
