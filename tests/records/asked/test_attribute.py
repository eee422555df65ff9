from __future__ import annotations

import pytest

from portrayal.errors import ConfigError
from portrayal.records import BUILTIN_ATTRIBUTES, Attribute, attribute_table

GENDER = Attribute("gender", "perceived gender", ("male", "female"))


@pytest.mark.parametrize("groups", [("male",), ("male", "male"), ("a", "b", "a")])
def test_groups_are_two_or_more_and_different(groups: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as caught:
        Attribute("gender", "perceived gender", groups)
    assert str(caught.value) == f"attribute 'gender' needs two or more different groups, got {list(groups)}"


def test_without_groups_it_is_a_number() -> None:
    assert Attribute("age", "perceived age", unit="years").is_numeric
    assert not GENDER.is_numeric


def test_index_and_one_hot() -> None:
    assert [GENDER.index(group) for group in GENDER.groups] == [0, 1]
    assert [GENDER.one_hot(group) for group in GENDER.groups] == [(1.0, 0.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    ("group", "hint"), [("femal", "; did you mean 'female'?"), ("x", "; known: female, male"), ("", "; known: ")]
)
def test_an_unknown_group_gets_a_hint(group: str, hint: str) -> None:
    for ask in (GENDER.index, GENDER.one_hot):
        with pytest.raises(ConfigError) as caught:
            ask(group)
        assert str(caught.value).startswith(f"attribute 'gender' has no group {group!r}{hint}")


def test_builtin_attributes_have_their_own_names_and_are_perceived() -> None:
    names = [attribute.name for attribute in BUILTIN_ATTRIBUTES]
    assert len(set(names)) == len(names)
    assert all(attribute.title for attribute in BUILTIN_ATTRIBUTES)
    assert [a.name for a in BUILTIN_ATTRIBUTES if a.is_numeric] == [a.name for a in BUILTIN_ATTRIBUTES if a.unit]


def test_a_study_adds_to_the_table_and_may_redefine() -> None:
    mine = Attribute("gender", "mine", ("a", "b", "c"))
    table = attribute_table([mine, Attribute("hat", "hat", ("yes", "no"))])
    assert table["gender"] is mine
    assert set(table) == {attribute.name for attribute in BUILTIN_ATTRIBUTES} | {"hat"}
    assert attribute_table()["gender"].groups == ("male", "female")
