from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from portrayal.csvfile import read_csv
from portrayal.errors import ConfigError
from portrayal.methods.bafis.suite import occupations
from portrayal.methods.faintbench.suite.terms import shipped_terms
from portrayal.records import Attribute, attribute_table
from portrayal.suites import load_reference
from portrayal.suites.isco import isco_of
from portrayal.suites.reference_tables import TableReference
from portrayal.suites.term_tables import TERM_ATTRIBUTES

KNOWN = attribute_table()
GENDER = KNOWN["gender"]


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


@pytest.mark.parametrize(
    ("name", "attribute", "message"),
    [
        ("faintbench", KNOWN["tone3"], "reference 'faintbench' has no 'tone3'; use 'uniform' or your own .csv"),
        (
            "faintbench",
            Attribute("gender", "perceived gender", ("male", "female", "ambiguous")),
            "reference 'faintbench' has other groups of 'gender' than male, female, ambiguous; use 'uniform' or",
        ),
        ("us", KNOWN["race5"], "reference 'us' has no 'race5'; use 'uniform' or your own .csv"),
        (
            "us",
            Attribute("gender", "perceived gender", ("male", "female", "ambiguous")),
            "reference 'us' has other groups of 'gender' than male, female, ambiguous; use 'uniform' or",
        ),
    ],
)
def test_attributes_and_groups_that_it_does_not_have(name: str, attribute: Attribute, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_reference(name, attribute, Path())
    assert str(caught.value).startswith(message)


def test_us_has_equal_names_first_then_the_mean_of_equal_codes() -> None:
    us = load_reference("us", GENDER, Path())
    assert us.shares("Nurse") == {"male": 0.138, "female": 0.862}  # FAIntbench has a nurse
    designers = [
        term.shares["gender"]["male"] for term in shipped_terms() if isco_of(term.name, "faintbench") == "2166"
    ]
    assert len(designers) == 2
    assert isco_of("graphic designer", "bafis") == "2166"
    assert isinstance(us, TableReference)
    assert us.by_occupation["graphic designer"]["male"] == pytest.approx(sum(designers) / 2, abs=5e-5)
    assert us.shares("no such occupation") is None
    assert (us.name, "FAIntbench" in us.source) == ("us", True)


def test_us_does_not_take_an_artist_for_a_house_painter() -> None:
    assert isco_of("painter", "bafis") != isco_of("painter", "faintbench")
    assert load_reference("us", GENDER, Path()).shares("painter") is None


def test_us_covers_what_the_documentation_says() -> None:
    us = load_reference("us", GENDER, Path())
    names = [occupation.name for occupation in occupations()]
    assert sum(name.casefold() in us.by_term for name in names) == 50
    assert sum(us.shares(name) is not None for name in names) == 85


def test_the_shipped_table_is_what_the_released_figures_give() -> None:
    """Every figure of reference_us.csv follows from the released terms and the codes; none is made up."""
    path = Path(str(resources.files("portrayal.methods.faintbench") / "data" / "reference_us.csv"))
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
