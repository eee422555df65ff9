"""What a study asks and who looks."""

from __future__ import annotations

import numpy as np
import pytest

from portrayal.errors import ConfigError
from portrayal.evidence import Design, Plan
from portrayal.records import Prompt, attribute_table

NURSE, COUPLE, NURSES = Prompt("nurse", "nurse"), Prompt("couple", "couple", people=2), Prompt("n", "n", people=0)
PROMPTS = {prompt.id: prompt for prompt in (NURSE, COUPLE, NURSES)}


def test_annotators_are_known_by_any_of_their_names() -> None:
    design = Design(names={"clip@1": "clip@1", "clip": "clip@1"})
    assert design.annotator("clip") == design.annotator("clip@1") == "clip@1"
    with pytest.raises(ConfigError, match=r"no annotator 'clpi' among the \[\[annotators\]\]; did you mean 'clip'"):
        design.annotator("clpi")


def test_only_what_annotators_tell_is_told() -> None:
    design = Design({}, attribute_table(), {"a": ["gender"], "b": ["gender", "age"]})
    assert list(design.told) == ["gender", "age"]
    assert design.told["gender"].groups == ("male", "female")


def test_a_plan_knows_its_cells() -> None:
    cells = [("h", COUPLE.id), ("g", NURSES.id), ("g", NURSE.id)]
    plan = Plan(Design(PROMPTS), cells, np.array([1, 2, 3]), np.array([0, 0, 0]))
    assert plan.people.tolist() == [2, 0, 1]
    assert plan.places == {cell: place for place, cell in enumerate(cells)}
    assert plan.generators == {"h": [COUPLE.id], "g": [NURSE.id, NURSES.id]}, "in the order of the design"
    assert plan.zeros(2).tolist() == [[0, 0]] * 3


def test_a_plan_of_nothing() -> None:
    plan = Plan(Design(PROMPTS), [], np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    assert (plan.people.tolist(), plan.places, plan.generators) == ([], {}, {})
