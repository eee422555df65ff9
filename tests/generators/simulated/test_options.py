from __future__ import annotations

from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.generators.simulated import Simulated, SimulatedOptions
from portrayal.settings import parse_settings

EVEN = {"male": 0.5, "female": 0.5}
MEN = {"male": 1.0, "female": 0.0}
WOMEN = {"male": 0.0, "female": 1.0}


def build(**options: Any) -> Simulated:
    return Simulated("", parse_settings(SimulatedOptions, options, "study.toml"))


def test_the_default_shares_are_fixed_as_they_are_part_of_no_name() -> None:
    assert {name: list(shares.values()) for name, shares in SimulatedOptions().shares.items()} == {
        "gender": [0.5, 0.5],
        "age3": [0.4, 0.4, 0.2],
        "tone3": [0.4, 0.3, 0.3],
    }
    assert SimulatedOptions(obey=1.0).changed() == {}


def test_sides_may_be_tables_as_toml_reads_dots_without_quotes() -> None:
    quoted = build(shares={"left.gender": MEN}, terms={"Boss": {"right.gender": WOMEN}})
    plain = build(shares={"left": {"gender": MEN}}, terms={"Boss": {"right": {"gender": WOMEN}}})
    assert plain.options == quoted.options
    assert plain.options.changed() == quoted.options.changed()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shares": {"gender": {"male": 0.5, "female": 0.4}}}, "'shares': shares of 'gender' must be positive and add"),
        ({"moves": {"CEO": {"gender": {"male": 0.7, "female": 0.4}}}}, "'moves': moves of 'CEO', 'gender' must be"),
        ({"moves": {"CEO": {"gender": {"male": -0.1}}}}, "'moves': moves of 'CEO', 'gender' must be positive"),
        (
            {"shares": {"gender": {"male": 1.5, "female": -0.5}}},
            "'shares': shares of 'gender' must be positive and add",
        ),
        (
            {"shares": {"gender": {"male": float("nan"), "female": 0.5}}},
            "'shares': shares of 'gender' must be positive",
        ),
        ({"shares": {"gender": {}}}, "'shares': shares of 'gender' must be positive and add up to 1"),
        (
            {"terms": {"nurse": {"gender": {"male": 0.5}}}},
            "'terms': shares of 'gender' must be positive and add up to 1",
        ),
        (
            {"shares": {"lefft.gender": EVEN}},
            "'shares': shares of 'lefft.gender': no side 'lefft'; did you mean 'left'",
        ),
        ({"terms": {"Boss": {"x.gender": EVEN}}}, "'terms': shares of 'x.gender': no side 'x'; known: left, right"),
        ({"shares": {"left": {"gender": {"male": 2}}}}, "'shares': shares of 'left.gender' must be positive and add"),
        ({"shares": 1}, "'shares': input should be a"),
        ({"terms": 1}, "'terms': input should be a"),
        ({"group": [4, 2]}, "'group': must be the smallest size, then the largest"),
        ({"group": [0, 2]}, "'group.1': input should be greater than or equal to 1 (got 0)"),
        ({"obey": 1.5}, "'obey': input should be less than or equal to 1 (got 1.5)"),
        ({"refused": 1.5}, "'refused': input should be less than or equal to 1 (got 1.5)"),
        ({"failed": -0.1}, "'failed': input should be greater than or equal to 0 (got -0.1)"),
        ({"no_person": "often"}, "'no_person': input should be a valid number"),
        ({"size": 0}, "'size': input should be greater than or equal to 2 (got 0)"),
        ({"sizes": 8}, "unknown key 'sizes'; did you mean 'size'?"),
    ],
)
def test_options_that_make_no_sense_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(**options)
    assert str(caught.value).startswith(f"study.toml: {message}")
