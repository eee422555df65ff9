from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portrayal.errors import InputError
from portrayal.methods.bafis.suite import occupations
from portrayal.records import Attribute, attribute_table
from portrayal.settings import parse_settings
from portrayal.suites.named_references import load_reference
from portrayal.suites.reference_tables import TableChoice, TableReference

KNOWN = attribute_table()
GENDER = KNOWN["gender"]


def load(
    folder: Path, content: str, attribute: Attribute = GENDER, region: str = "", year: int | str = ""
) -> TableReference:
    (folder / "mine.csv").write_text(content, encoding="utf-8")
    chosen = parse_settings(TableChoice, {"table": "mine.csv", "region": region, "year": year}, "here")
    found = load_reference(chosen, attribute, folder)
    assert isinstance(found, TableReference)
    return found


def female(reference: TableReference, term: str) -> float | None:
    shares = reference.shares(term)
    return None if shares is None else round(shares["female"], 9)


def test_the_older_columns_with_terms_a_default_and_sources(tmp_path: Path) -> None:
    content = """\
term,attribute,group,share,source
Nurse,gender,female,0.88,BLS 2023
Nurse,gender,male,0.12,BLS 2023
,gender,male,0.5,census
*,gender,female,0.5,census
Nurse,age3,young,1,not asked for
"""
    assert load(tmp_path, content) == TableReference(
        "mine.csv",
        "gender",
        {"nurse": {"female": 0.88, "male": 0.12}},
        {"male": 0.5, "female": 0.5},
        "BLS 2023; census",
    )


STATISTICS = """\
occupation,isco,category,region,year,group,share,source
nurse,,,Example,2024,female,0.9,made up
Buchhalter,,,Example,2024,female,0.6,made up
,2221,,Example,2024,female,0.8,made up
,222,,Example,2024,female,0.7,made up
,2,,Example,2024,female,0.4,made up
,,Construction & Maintenance,Example,2024,female,0.05,made up
*,,,Example,2024,female,0.45,made up
"""


def test_the_most_particular_row_counts(tmp_path: Path) -> None:
    table = load(tmp_path, STATISTICS)
    codes = {occupation.name: occupation.isco for occupation in occupations()}
    assert female(table, "Nurse") == 0.9  # by name
    assert female(table, "accountant") == 0.6  # by its German name, before the code 2
    assert codes["accountant"].startswith("2")
    assert female(table, "Surgeon") == 0.4  # FAIntbench's occupations have codes too: 2212 lies in 2
    assert codes["carpenter"].startswith("7")
    assert female(table, "carpenter") == 0.05  # by its category
    assert female(table, "cashier") == 0.45  # *
    assert female(table, "astronaut nobody knows") == 0.45
    assert (table.name, table.source) == ("mine.csv (Example, 2024)", "made up")


@pytest.mark.parametrize(("codes", "share"), [(["2221", "222", "22", "2"], 0.1), (["222", "22", "2"], 0.2),
                                              (["22", "2"], 0.3), (["2"], 0.4), (["1"], None)])  # fmt: skip
def test_the_longest_code_counts(tmp_path: Path, codes: list[str], share: float | None) -> None:
    shares = {"2221": 0.1, "222": 0.2, "22": 0.3, "2": 0.4, "1": 0.5}
    rows = "".join(f"{code},female,{shares[code]}\n" for code in codes)
    assert female(load(tmp_path, "isco,group,share\n" + rows), "nurse") == share


def test_a_code_beside_a_name_counts_and_the_name_is_a_label(tmp_path: Path) -> None:
    table = load(tmp_path, "occupation,isco,group,share\nKrankenpflege,2221,female,0.8\n")
    assert female(table, "nurse") == 0.8
    assert female(table, "Krankenpflege") is None


def test_of_two_groups_one_is_enough(tmp_path: Path) -> None:
    table = load(tmp_path, "occupation,group,share\nnurse,female,0.9\nclerk,male,0\n")
    assert table.shares("nurse") == {"female": 0.9, "male": pytest.approx(0.1)}
    assert table.shares("clerk") == {"male": 0.0, "female": 1.0}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25)
@given(share=st.floats(0, 1))
def test_the_other_group_is_a_share_too(tmp_path: Path, share: float) -> None:
    shares = load(tmp_path, f"occupation,group,share\nnurse,female,{share!r}\n").shares("nurse")
    assert shares is not None
    assert sum(shares.values()) == pytest.approx(1)
    assert all(0 <= own <= 1 for own in shares.values())


def test_shares_may_miss_1_by_rounding(tmp_path: Path) -> None:
    assert load(tmp_path, "attribute,group,share\ngender,male,0.333\ngender,female,0.663\n").default


SEVERAL = """\
occupation,region,year,group,share
nurse,Example,2020,female,0.8
nurse,Example,2024,female,0.7
nurse,Elsewhere,2024,female,0.6
"""


def test_region_and_year_are_chosen(tmp_path: Path) -> None:
    assert female(load(tmp_path, SEVERAL, region="example", year=2024), "nurse") == 0.7
    assert female(load(tmp_path, SEVERAL, region="Example", year="2020"), "nurse") == 0.8
    found = load(tmp_path, SEVERAL, region="Elsewhere")  # it has one year only
    assert (female(found, "nurse"), found.name) == (0.6, "mine.csv (Elsewhere, 2024)")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (("", ""), "several regions (Example, Elsewhere); choose one: { table = …, region = … }"),
        (("Example", ""), "several years (2020, 2024); choose one: { table = …, year = … }"),
        (("Exampel", ""), "no region 'Exampel'; there is Example, Elsewhere"),
        (("Example", 2023), "no year '2023'; there is 2020, 2024"),
    ],
)
def test_what_is_ambiguous_or_not_there_is_listed(tmp_path: Path, choice: tuple[str, int | str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, SEVERAL, GENDER, *choice)
    assert str(caught.value) == f"{tmp_path / 'mine.csv'}: {message}"


HEAD = "attribute,group,share,term\n"
AGES = "attribute,group,share,occupation\n"


@pytest.mark.parametrize(
    ("content", "attribute", "message"),
    [
        (HEAD + "gender,male,0.5,x\ngender,female,0.4,x\n", "gender",
         ":3: 'x', gender: shares add up to 0.900, they must add up to 1"),
        (HEAD + "gender,male,0.5,\ngender,female,0.506,\n", "gender",
         ":3: '*', gender: shares add up to 1.006, they must add up to 1"),
        (HEAD + "gender,femal,0.5,x\n", "gender",
         ":2: attribute 'gender' has no group 'femal'; did you mean 'female'?"),
        (HEAD + "gender,male,0.5,x\ngender,male,0.5,X\n", "gender",
         ":3: 'x' has group 'male' already; keep one row"),
        (AGES + "age3,young,1,x\n", "age3", ":2: 'x', age3: no share for middle_aged, elderly; add it, 0 if none"),
        (HEAD + "gender,male,1.5,x\n", "gender", ":2: share must lie between 0 and 1, got 1.5"),
        (HEAD + "gender,male,-0.1,x\n", "gender", ":2: share must lie between 0 and 1, got -0.1"),
        (HEAD + "gender,male,nan,x\n", "gender", ":2: column 'share' must be a number, got 'nan'"),
        (HEAD + "gender,male,half,x\n", "gender", ":2: column 'share' must be a number, got 'half'"),
        (HEAD + "gender,male,,x\n", "gender", ":2: column 'share' must be a number, got ''"),
        (HEAD + "age3,young,1,x\n", "gender",
         ": no row for attribute 'gender'; add some or choose another reference"),
        ("attribute,group\ngender,male\n", "gender", ": column 'share' is missing; the file has attribute, group"),
        (HEAD.replace("term", "tern") + "gender,male,1,x\n", "gender", ": unknown column 'tern'; did you mean"),
        ("isco,group,share\n22x1,male,1\n", "gender", ":2: an ISCO code has one to four digits, got '22x1'"),
        ("isco,group,share\n22210,male,1\n", "gender", ":2: an ISCO code has one to four digits, got '22210'"),
        ("category,group,share\nAdministration & Ofice,male,1\n", "gender",
         ":2: no category 'Administration & Ofice'; did you mean 'Administration & Office'"),
        ("occupation,term,group,share\nx,x,male,1\n", "gender",
         ": 'occupation' and 'term' are two names for one column; keep one"),
        ("isco,occupation,group,share\n2221,a,male,1\n2221,b,male,0.5\n", "gender",
         ":3: '2221' has group 'male' already; keep one row"),
    ],
)  # fmt: skip
def test_mistakes_are_named(tmp_path: Path, content: str, attribute: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, content, KNOWN[attribute])
    assert str(caught.value).startswith(f"{tmp_path / 'mine.csv'}{message}")
