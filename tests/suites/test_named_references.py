from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.records import attribute_table
from portrayal.suites import load_reference
from portrayal.suites.reference_tables import TableChoice

KNOWN = attribute_table()
GENDER = KNOWN["gender"]


@pytest.mark.parametrize("name", ["gender", "age3", "race5"])
def test_uniform_gives_every_group_of_every_term_the_same(name: str) -> None:
    reference = load_reference("uniform", KNOWN[name], Path())
    shares = reference.shares("anything")
    assert shares is not None
    assert list(shares) == list(KNOWN[name].groups)
    assert set(shares.values()) == {1 / len(KNOWN[name].groups)}
    assert (reference.name, reference.attribute) == ("uniform", name)


def test_none_compares_with_nothing() -> None:
    assert load_reference("none", GENDER, Path()).shares("nurse") is None


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("unifrom", "no reference named 'unifrom'; give 'uniform', 'none', 'faintbench', 'us' or the"),
        ("", "no reference named ''; give"),
        (
            TableChoice(table="uniform", region="US"),
            "reference 'uniform' has no regions and years to choose from; leave them out",
        ),
    ],
)
def test_a_reference_that_does_not_exist(chosen: str | TableChoice, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_reference(chosen, GENDER, Path())
    assert str(caught.value).startswith(message)


def test_a_missing_csv_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv: no such file; check the path$"):
        load_reference("gone.csv", GENDER, tmp_path)
