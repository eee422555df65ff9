"""Which of two sides lies nearer to the reference: the second question, as far as it can be answered."""

from __future__ import annotations

import pytest
from tests.samples.compared_rows import compared, share

from portrayal.stats.intervals import clopper_pearson


@pytest.mark.parametrize(
    ("women", "target", "said"),
    [
        ((11, 47), 0.5, "CEO: B is nearer to the reference (a woman in 50\xa0%): 3\xa0points away, A 39."),
        ((47, 11), 0.5, "CEO: A is nearer to the reference (a woman in 50\xa0%): 3\xa0points away, B 39."),
        (
            (10, 90),
            0.5,
            "CEO: A and B are about equally far from the reference (a woman in 50\xa0%), within 10 points and in "
            "opposite directions.",
        ),
        (
            (15, 70),
            0.4,
            "CEO: A and B are on opposite sides of the reference (a woman in 40\xa0%); which of them is nearer is not "
            "clear.",
        ),
        ((30, 70), 0.35, "CEO: A is nearer to the reference (a woman in 35\xa0%): 5\xa0points away, B 35."),
        ((11, 51), 0.5, "CEO: B is nearer to the reference (a woman in 50\xa0%): 1\xa0point away, A 39."),
        ((46, 72), 0.55, None),
        ((10, 90), None, None),
    ],
)
def test_direction_is_said_first_and_distance_second(
    women: tuple[int, int], target: float | None, said: str | None
) -> None:
    rows = []
    for name, seen in zip("AB", women, strict=True):
        low, high = clopper_pearson(seen / 100, 100)
        rows.append(share(name, "CEO", seen, 100, low=float(low), high=float(high), target=target))
    sentences = compared(*rows).sentences()
    assert sentences[0] == f"CEO: a woman in {women[0]} of 100\xa0pictures by A, in {women[1]} of 100 by B."
    assert sentences[1:] == ([said] if said else [])


@pytest.mark.parametrize(("women", "target"), [((11, 47), 0.5), ((10, 90), 0.5), ((15, 70), 0.4)])
def test_who_is_nearer_says_where_missing_pictures_could_change_it(women: tuple[int, int], target: float) -> None:
    """18 points away and 40, with 52 of 80 missing: had none of these shown a woman, it would be 19."""

    def last(missing: int) -> str:
        rows = []
        for name, seen in zip("AB", women, strict=True):
            low, high = clopper_pearson(seen / 100, 100)
            more = {"low": float(low), "high": float(high), "target": target, "missing": missing}
            rows.append(share(name, "CEO", seen, 100, **more))
        return compared(*rows).sentences()[-1]

    assert "reference" in last(0)
    assert last(1) == last(0)
    assert last(150) == f"{last(0)} 300\xa0missing images could change this."


def test_of_many_pictures_nobody_is_called_nearer_by_less_than_a_point() -> None:
    """With a million pictures 5.3 and 4.9 points are surely not the same: "5 points away, B 5" was said."""
    rows = []
    for name, seen in zip("AB", (447_000, 549_000), strict=True):
        low, high = clopper_pearson(seen / 1e6, 1_000_000)
        rows.append(share(name, "CEO", seen, 1_000_000, low=float(low), high=float(high), target=0.5))
    said = compared(*rows).sentences()[-1]
    assert said.endswith("within 10 points and in opposite directions.")


def test_equally_far_depends_on_the_margin() -> None:
    rows = []
    for name, seen in zip("AB", (10, 90), strict=True):
        low, high = clopper_pearson(seen / 100, 100)
        rows.append(share(name, "CEO", seen, 100, low=float(low), high=float(high), target=0.5))
    assert "equally far" in compared(*rows, margin=0.1).sentences()[1]
    assert "which of them is nearer is not clear" in compared(*rows, margin=0.05).sentences()[1]
