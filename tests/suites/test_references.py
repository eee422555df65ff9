from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from portrayal.csvfile import read_csv
from portrayal.errors import ConfigError, InputError
from portrayal.records import Attribute, attribute_table
from portrayal.suites import load_reference
from portrayal.suites.bafis import isco_of, occupations
from portrayal.suites.reference_tables import TableChoice, TableReference
from portrayal.suites.terms import TERM_ATTRIBUTES, shipped_terms

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


def test_the_shipped_reference_knows_nurses() -> None:
    reference = load_reference("faintbench", GENDER, Path())
    assert reference.shares("NURSE") == {"male": 0.138, "female": 0.862}
    assert reference.shares("no such occupation") is None
    assert "FAIntbench" in reference.source


def test_the_shipped_reference_covers_every_occupation_but_the_row_released_with_a_negative_share() -> None:
    covered = {name: set(load_reference("faintbench", KNOWN[name], Path()).by_term) for name in TERM_ATTRIBUTES}
    everyone = {term.name.casefold() for term in shipped_terms() if term.kind == "occupation"}
    assert covered["gender"] == covered["race5"] == everyone
    assert covered["age3"] == everyone - {"fashion designer"}


def test_every_shipped_row_is_a_distribution_but_the_negative_one() -> None:
    rows = [(term.name, name, shares) for term in shipped_terms() for name, shares in term.shares.items()]
    assert len(rows) == 225 * 3
    assert [row for row in rows if abs(sum(row[2].values()) - 1) > 0.005] == []
    assert [row[:2] for row in rows if min(row[2].values()) < 0] == [("Fashion Designer", "age3")]
    assert [row for row in rows if tuple(row[2]) != KNOWN[row[1]].groups] == []


@pytest.mark.parametrize(
    ("name", "attribute", "message"),
    [
        ("faintbench", KNOWN["tone3"], "reference 'faintbench' has no 'tone3'; use 'uniform' or your own .csv"),
        (
            "faintbench",
            Attribute("gender", "perceived gender", ("male", "female", "ambiguous")),
            "reference 'faintbench' has other groups of 'gender' than male, female, ambiguous; use 'uniform' or",
        ),
        ("unifrom", GENDER, "no reference named 'unifrom'; give 'uniform', 'faintbench', 'us', 'none' or the"),
        ("", GENDER, "no reference named ''; give"),
        ("us", KNOWN["race5"], "reference 'us' has no 'race5'; use 'uniform' or your own .csv"),
        (
            "us",
            Attribute("gender", "perceived gender", ("male", "female", "ambiguous")),
            "reference 'us' has other groups of 'gender' than male, female, ambiguous; use 'uniform' or",
        ),
        (
            TableChoice(table="uniform", region="US"),
            GENDER,
            "reference 'uniform' has no regions and years to choose from; leave them out",
        ),
    ],
)
def test_a_reference_that_does_not_exist(name: str | TableChoice, attribute: Attribute, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_reference(name, attribute, Path())
    assert str(caught.value).startswith(message)


def test_a_missing_csv_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv: no such file; check the path$"):
        load_reference("gone.csv", GENDER, tmp_path)


def test_us_has_equal_names_first_then_the_mean_of_equal_codes() -> None:
    us = load_reference("us", GENDER, Path())
    assert us.shares("Nurse") == {"male": 0.138, "female": 0.862}  # FAIntbench has a nurse
    designers = [
        term.shares["gender"]["male"] for term in shipped_terms() if isco_of(term.name, "faintbench") == "2166"
    ]
    assert len(designers) == 2
    assert isco_of("graphic designer") == "2166"
    assert isinstance(us, TableReference)
    assert us.found["graphic designer"]["male"] == pytest.approx(sum(designers) / 2, abs=5e-5)
    assert us.shares("no such occupation") is None
    assert (us.name, "FAIntbench" in us.source) == ("us", True)


def test_us_does_not_take_an_artist_for_a_house_painter() -> None:
    assert isco_of("painter") != isco_of("painter", "faintbench")
    assert load_reference("us", GENDER, Path()).shares("painter") is None


def test_us_covers_what_the_documentation_says() -> None:
    us = load_reference("us", GENDER, Path())
    names = [occupation.name for occupation in occupations()]
    assert sum(name.casefold() in us.by_term for name in names) == 50
    assert sum(us.shares(name) is not None for name in names) == 85


def test_the_shipped_table_is_what_the_released_figures_give() -> None:
    """Every figure of reference_us.csv follows from the released terms and the codes; none is made up."""
    path = Path(str(resources.files("portrayal.suites") / "data" / "reference_us.csv"))
    terms = {term.name: term for term in shipped_terms() if term.kind == "occupation"}
    coded = {name: isco_of(name, "faintbench") for name in terms}
    bafis = {occupation.name: occupation.isco for occupation in occupations()}
    rows = read_csv(path, ["occupation", "isco", "region", "year", "attribute", "group", "share", "source"])
    for row in rows:
        attribute, group = row["attribute"], row["group"]
        own = [row["occupation"]] if row["occupation"] else [name for name in terms if coded[name] == row["isco"]]
        usable = [terms[name].shares[attribute] for name in own if min(terms[name].shares[attribute].values()) >= 0]
        assert row.number("share") == pytest.approx(sum(shares[group] for shares in usable) / len(usable), abs=5e-5)
        assert (row["region"], row["year"]) == ("US", "")
        assert all(name in row["source"] for name in own if min(terms[name].shares[attribute].values()) >= 0)
    named = {row["occupation"] for row in rows if row["attribute"] == "gender"} - {""}
    assert named == {name for name, code in coded.items() if code and bafis.get(name.casefold(), code) == code}
