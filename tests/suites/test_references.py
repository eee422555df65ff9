from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.records import Attribute, Reference, attribute_table
from portrayal.suites import load_reference
from portrayal.suites.terms import TERM_ATTRIBUTES, shipped_terms

KNOWN = attribute_table()
GENDER = KNOWN["gender"]


def load_csv(folder: Path, content: str, attribute: Attribute = GENDER) -> Reference:
    (folder / "mine.csv").write_text(content, encoding="utf-8")
    return load_reference("mine.csv", attribute, folder)


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
        ("unifrom", GENDER, "no reference named 'unifrom'; give 'uniform', 'faintbench', 'none' or the path of a .csv"),
        ("", GENDER, "no reference named ''; give"),
    ],
)
def test_a_reference_that_does_not_exist(name: str, attribute: Attribute, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_reference(name, attribute, Path())
    assert str(caught.value).startswith(message)


def test_a_csv_with_terms_a_default_and_sources(tmp_path: Path) -> None:
    content = """\
term,attribute,group,share,source
Nurse,gender,female,0.88,BLS 2023
Nurse,gender,male,0.12,BLS 2023
,gender,male,0.5,census
*,gender,female,0.5,census
Nurse,age3,young,1,not asked for
"""
    assert load_csv(tmp_path, content) == Reference(
        "mine.csv",
        "gender",
        {"nurse": {"female": 0.88, "male": 0.12}},
        {"male": 0.5, "female": 0.5},
        "BLS 2023; census; not asked for",
    )


def test_shares_may_miss_1_by_rounding(tmp_path: Path) -> None:
    assert load_csv(tmp_path, "attribute,group,share\ngender,male,0.333\ngender,female,0.663\n").default


HEAD = "attribute,group,share,term\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD + "gender,male,0.5,x\ngender,female,0.4,x\n",
         "{path}: term 'x', gender: shares add up to 0.900, they must add up to 1"),
        (HEAD + "gender,male,0.5,\ngender,female,0.506,\n",
         "{path}: term '*', gender: shares add up to 1.006, they must add up to 1"),
        (HEAD + "gender,femal,0.5,x\n",
         "{path}:2: attribute 'gender' has no group 'femal'; did you mean 'female'?"),
        (HEAD + "gender,male,0.5,x\ngender,male,0.5,X\n",
         "{path}:3: group 'male' stands twice for the same term"),
        (HEAD + "gender,male,1,x\n", "{path}: term 'x', gender: no share for female; add it, 0 if none"),
        (HEAD + "gender,male,1.5,x\n", "{path}:2: share must lie between 0 and 1, got 1.5"),
        (HEAD + "gender,male,-0.1,x\n", "{path}:2: share must lie between 0 and 1, got -0.1"),
        (HEAD + "gender,male,nan,x\n", "{path}:2: column 'share' must be a number, got 'nan'"),
        (HEAD + "gender,male,half,x\n", "{path}:2: column 'share' must be a number, got 'half'"),
        (HEAD + "gender,male,,x\n", "{path}:2: column 'share' must be a number, got ''"),
        (HEAD + "age3,young,1,x\n",
         "{path}: no row for attribute 'gender'; add some or choose another reference"),
        ("attribute,group\ngender,male\n", "{path}: column 'share' is missing; the file has attribute, group"),
        (HEAD.replace("term", "tern") + "gender,male,1,x\n", "{path}: unknown column 'tern'; did you mean"),
    ],
)  # fmt: skip
def test_mistakes_in_a_csv_are_named(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_csv(tmp_path, content)
    assert str(caught.value).startswith(message.format(path=tmp_path / "mine.csv"))


def test_a_missing_csv_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv: no such file; check the path$"):
        load_reference("gone.csv", GENDER, tmp_path)
