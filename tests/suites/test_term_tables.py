from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.suites.term_tables import Term, read_terms

GENDER = {"gender": ("male", "female")}
HEAD = "kind,category,term,side,weight,male,female\n"


def read(folder: Path, content: str) -> tuple[Term, ...]:
    (folder / "terms.csv").write_text(content, encoding="utf-8")
    return read_terms(folder / "terms.csv", GENDER)


def test_a_table_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, HEAD + "occupation,care,Midwife,,2,0.1,0.9\ncharacteristic,good,kind,,1,,\n") == (
        Term("occupation", "care", "Midwife", "", 2.0, {"gender": {"male": 0.1, "female": 0.9}}),
        Term("characteristic", "good", "kind", "", 1.0, {}),
    )


def test_columns_of_other_published_groups_are_left_alone(tmp_path: Path) -> None:
    (term,) = read(tmp_path, "kind,category,term,weight,male,female,young\noccupation,care,Midwife,2,0.1,0.9,0.5\n")
    assert set(term.shares) == {"gender"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("job,care,Midwife,,2,0.1,0.9\n", "{path}:2: no kind 'job'; known: characteristic, occupation, relation"),
        ("occupation,,Midwife,,2,0.1,0.9\n", "{path}:2: every row needs a term and a category"),
        ("occupation,care,Midwife,,0,0.1,0.9\n", "{path}:2: weight must lie between 0.000001 and 1,000,000, got 0"),
        ("occupation,care,Midwife,left,1,0.1,0.9\n", "{path}:2: only a relation has sides; leave 'side' empty"),
        ("occupation,care,Midwife,,1,0.1,0.8\n", "{path}:2: gender: shares add up to 0.900, they must add up to 1"),
        ("occupation,care,Midwife,,1,-0.1,1.1\n", "{path}:2: gender: shares must lie between 0 and 1"),
        ("occupation,care,Midwife,,1,0.1,\n", "{path}:2: column 'female' must be a number, got ''"),
        ("occupation,a,Midwife,,1,1,0\noccupation,b,midwife,,1,1,0\n", "{path}:3: term 'midwife' stands already"),
        ("relation,care,Carer,left,1,1,0\n", "{path}:2: a relation is written 'Employer / Employee', with side"),
        ("relation,care,A / B,,1,1,0\n", "{path}:2: a relation is written 'Employer / Employee', with side left"),
        ("relation,care,A / B,left,1,1,0\n", "{path}: relation 'A / B' has a row for the left side only; add"),
        (
            "relation,care,A / B,left,1,1,0\nrelation,care,A / B,right,2,1,0\n",
            "{path}: relation 'A / B': both sides need the same category and weight",
        ),
        (
            "relation,c,A / B,left,1,1,0\nrelation,c,A / B,right,1,1,0\noccupation,c,a / b,,1,1,0\n",
            "{path}: term 'a / b' is both a relation and something else; rename one",
        ),
    ],
)
def test_mistakes_are_named(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, HEAD + rows)
    assert str(caught.value).startswith(message.format(path=tmp_path / "terms.csv"))


def test_what_others_released_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text(HEAD + "occupation,care,Midwife,,1,-0.1,1.1\n")
    (term,) = read_terms(tmp_path / "terms.csv", GENDER, check=False)
    assert term.shares == {"gender": {"male": -0.1, "female": 1.1}}


def test_a_group_that_is_missing_or_not_known_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column 'female' is missing"):
        read(tmp_path, "kind,category,term,weight,male\noccupation,care,Midwife,1,1\n")
    with pytest.raises(InputError, match="unknown column 'nonbinary'"):
        read(tmp_path, HEAD.replace("\n", ",nonbinary\n") + "occupation,care,Midwife,,1,1,0,0\n")


def test_one_column_cannot_stand_for_two_attributes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="group 'other' belongs to two attributes"):
        read_terms(tmp_path / "terms.csv", {"gender": ("male", "other"), "faith": ("none", "other")})
