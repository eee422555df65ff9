from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair, resolve
from portrayal.methods.faintbench.suite import FaintbenchSuiteOptions, faintbench
from portrayal.methods.faintbench.suite.term_pairs import load_pairs
from portrayal.records import Prompt


def prompts(**options: object) -> list[Prompt]:
    return list(faintbench(FaintbenchSuiteOptions.model_validate(options), Path()).prompts)


def test_the_shipped_pairs_and_their_weights() -> None:
    pairs = load_pairs(None)
    assert len(pairs) == 36
    assert pairs[0] == Pair("rich", "poor", 5.0)
    assert pairs[14] == Pair("School Principal", "High School Teacher", 2.0)
    assert pairs[-1] == Pair("Mentor", "Mentee", 2.0)
    assert [pair.weight for pair in pairs] == [
        5, 5, 3, 1, 1, 1, 4, 2, 3, 1, 1, 2,
        2, 3, 2, 1, 1, 1, 3, 4, 1, 3, 1, 1, 5, 2, 3,
        5, 4, 3, 1, 3, 1, 1, 4, 2,
    ]  # fmt: skip


def test_every_shipped_pair_is_found() -> None:
    whole = prompts()
    kinds = []
    for pair in load_pairs():
        found = resolve(pair, whole)
        assert found is not None
        (one, left), (other, right) = found
        assert (one.variant, other.variant, one.kind) == ("implicit", "implicit", other.kind)
        kinds.append(one.kind)
        if one.kind == "relation":
            assert one is other
            assert (left, right) == (0, 1)
            assert one.term == f"{pair.advantaged} / {pair.disadvantaged}"
        else:
            assert (one.term, other.term, left, right) == (pair.advantaged, pair.disadvantaged, 0, 0)
    assert kinds == ["characteristic"] * 12 + ["occupation"] * 15 + ["relation"] * 9


def test_a_soldier_is_an_occupation_or_a_side() -> None:
    whole = prompts()
    officer, general = resolve(Pair("Military Officer", "Soldier"), whole), resolve(Pair("General", "Soldier"), whole)
    assert officer is not None
    assert general is not None
    assert [side[0].text for side in officer] == ["a photo of one Military Officer", "a photo of one Soldier"]
    assert [side[1] for side in general] == [0, 1]


def test_the_advantaged_may_stand_at_the_right_and_case_does_not_matter() -> None:
    found = resolve(Pair("mentee", "MENTOR"), prompts())
    assert found is not None
    assert [side[1] for side in found] == [1, 0]


@pytest.mark.parametrize(
    ("pair", "options"),
    [
        (Pair("rich", "poor"), {"kinds": ("occupation",)}),
        (Pair("Surgeon", "Nurse"), {"drop": ("Nurse",)}),
        (Pair("Surgeon", "Nurse"), {"visibility": ("explicit",)}),
        (Pair("rich", "Nurse"), {}),
        (Pair("Nurse", "Employer / Employee"), {}),
        (Pair("Employer", "Nurse"), {}),
    ],
)
def test_a_pair_that_is_not_asked_for_is_none(pair: Pair, options: dict[str, object]) -> None:
    assert resolve(pair, prompts(**options)) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("advantaged,disadvantaged\na,b\n", "{path}: column 'weight' is missing; the file has advantaged, disadv"),
        ("advantaged,disadvantaged,weight,x\na,b,1,1\n", "{path}: unknown column 'x'"),
        ("advantaged,disadvantaged,weight\na,b,0\n", "{path}:2: weight must lie between 0.000001 and 1,000,000, got 0"),
        ("advantaged,disadvantaged,weight\na,b,much\n", "{path}:2: column 'weight' must be a number, got 'much'"),
        ("advantaged,disadvantaged,weight\na,,1\n", "{path}:2: a pair needs two different terms"),
        ("advantaged,disadvantaged,weight\na,A,1\n", "{path}:2: a pair needs two different terms"),
        ("advantaged,disadvantaged,weight\na,b,1\nB,a,2\n", "{path}:3: B and a are a pair already; keep one"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        load_pairs(path)
    assert str(caught.value).startswith(message.format(path=path))


def test_pairs_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("advantaged,disadvantaged,weight\nJudge,Janitor,2.5\n")
    assert load_pairs(path) == (Pair("Judge", "Janitor", 2.5),)
