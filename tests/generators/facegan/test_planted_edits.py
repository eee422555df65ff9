"""Planted edits: which steps an edit makes, how often, and how far it strays."""

from __future__ import annotations

from statistics import fmean, pstdev

import pytest

from portrayal.errors import ConfigError
from portrayal.generators.facegan import Facegan
from portrayal.generators.facegan.planted_edits import PlantedEdit, planted_edits
from portrayal.settings import parse_settings

NURSE = {"Nurse": PlantedEdit(gender=1.2, chance=0.8), "CEO": PlantedEdit(age=0.4)}


def test_a_term_moves_along_its_directions_and_others_nobody() -> None:
    edits = planted_edits(NURSE)
    assert edits.steps("ceo", "job") == {"age": 0.4}
    assert edits.steps("brave", "job") == {}


def test_a_chance_is_met_and_belongs_to_the_edit() -> None:
    edits = planted_edits(NURSE)
    moved = [bool(edits.steps("nurse", str(number))) for number in range(2000)]
    assert fmean(moved) == pytest.approx(0.8, abs=0.04)  # five standard errors
    assert moved == [bool(edits.steps(" NURSE", str(number))) for number in range(2000)]


def test_what_every_edit_does_is_added() -> None:
    edits = planted_edits({**NURSE, "*": PlantedEdit(age=0.2, tone=0.1)})
    assert edits.steps("CEO", "job") == {"age": pytest.approx(0.6), "tone": 0.1}
    assert edits.steps("brave", "job") == {"age": 0.2, "tone": 0.1}


def test_jitter_strays_evenly_and_differently_in_every_edit() -> None:
    edits = planted_edits(NURSE, jitter=0.1)
    strayed = [edits.steps("brave", str(number))["age"] for number in range(2000)]
    assert fmean(strayed) == pytest.approx(0.0, abs=0.012)
    assert pstdev(strayed) == pytest.approx(0.1, rel=0.1)


def test_without_any_of_ones_own_the_shipped_ones_count() -> None:
    assert planted_edits({}).steps("nurse", "job") == {"gender": 1.5}
    assert planted_edits(NURSE).steps("mechanic", "job") == {}


@pytest.mark.parametrize(
    ("edit", "message"), [({"gender": 3}, "gender"), ({"chance": 2}, "chance"), ({"hair": 1}, "unknown key")]
)
def test_wrong_edits_are_refused(edit: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_settings(Facegan.Options, {"edits": {"nurse": edit}}, "study.toml")
