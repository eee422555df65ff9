"""What each share could be with the missing images, and where that changes a finding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.findings.doubts import Against, doubts
from portrayal.reports.findings.missing_ends import MissingEnds
from portrayal.reports.sections.missing_bounds import Change, MissingBound, bound_lines, missing_bounds
from portrayal.stats.targets.target import ShareTest

GENDER = {"gender": attribute_table()["gender"]}


def _share(seen: int, n: int, missing: int, *, item: str = "nurse", target: float | None = 0.5) -> Measurement:
    from portrayal.stats.intervals import clopper_pearson

    low, high = clopper_pearson(seen / n, n)
    return Measurement(
        "representation", "share", "g", "a", "gender", "female", "term", item, value=seen / n, low=float(low),
        high=float(high), target=target, n=n, missing=missing, prompts=1, worth=float(n),
    )  # fmt: skip


def _bounds(*rows: Measurement, within: float = 1.0) -> list[MissingBound]:
    return missing_bounds(rows, GENDER, MissingEnds.of(rows, {}, within), 0.1)


@pytest.mark.parametrize(
    ("row", "within", "change"),
    [
        (_share(20, 80, 60), 1.0, Change.GONE),  # 20 to 80 of 140: half is possible
        (_share(20, 80, 10), 1.0, Change.NONE),  # at most 30 of 90
        (_share(20, 80, 60), 0.3, Change.NONE),  # 55 % of the missing ones at most: 53 of 140
        (_share(50, 100, 60), 1.0, Change.HIDDEN),  # 50 to 110 of 160
        (_share(50, 100, 60), 0.2, Change.NONE),  # within 8 points of the half
        (_share(20, 80, 60, target=None), 1.0, Change.NONE),
    ],
)
def test_a_finding_changes_only_where_the_bounds_reach_so_far(row: Measurement, within: float, change: Change) -> None:
    (bound,) = _bounds(row, within=within)
    assert bound.change is change


def test_shares_without_missing_images_and_the_mirror_group_have_no_row() -> None:
    male = replace(_share(60, 80, 20), group="male")
    assert _bounds(_share(20, 80, 0), male) == []


def test_those_that_change_a_finding_come_first() -> None:
    still, gone = _share(20, 80, 10, item="cook"), _share(20, 80, 60)
    assert [bound.row.item for bound in _bounds(still, gone)] == ["nurse", "cook"]


def test_a_share_of_several_prompts_has_the_bounds_of_the_worst_case_where_they_were_asked_for_evenly() -> None:
    # Ten images of each of two prompts: nine and five are usable, and of these all and none show a woman.
    row = replace(_share(7, 14, 6), value=0.5, prompts=2, worth=14.0)
    (bound,) = missing_bounds([row], GENDER, MissingEnds.of([row], {}, evenly=True), 0.1)
    possible = [(9 + first) / 20 + second / 20 for first in (0, 1) for second in range(6)]
    assert bound.least <= min(possible)
    assert max(possible) <= bound.greatest
    assert (bound.least, bound.greatest) == pytest.approx((0.2, 0.8))
    assert bound.change is Change.HIDDEN
    assert missing_bounds([row], GENDER, MissingEnds.of([row], {}), 0.1) == []


def _data(row: Measurement, within: float = 1.0, language: str = "en") -> ReportData:
    prompts = [("nurse", "", "a nurse")]
    outcomes = {"g": {"made": row.n, "refused: policy": row.missing}}
    return ReportData(
        "T", ["g"], ["a"], prompts, row.n + row.missing, GENDER, [row], outcomes, {}, missing_within=within,
        language=language, asked={"g": {"nurse": row.n + row.missing}},
    )  # fmt: skip


def test_the_page_lists_them_and_says_what_is_assumed() -> None:
    (line,), more = bound_lines(_data(_share(20, 80, 60)))
    assert more == 0
    assert (line.missing, line.change) == ("60/140", "the deviation could be none")
    free, stated = (render_report(_data(_share(20, 80, 60), within)) for within in (1.0, 0.3))
    assert "Nothing is assumed about them." in free
    assert "the deviation could be none" in free
    assert "at most 30 points from that among the others" in stated
    assert "the deviation could be none" not in stated
    assert "What the missing images could change" not in render_report(_data(_share(20, 80, 0)))
    assert "Was die fehlenden Bilder ändern könnten" in render_report(_data(_share(20, 80, 60), language="de"))


def test_what_is_not_listed_is_counted() -> None:
    rows = [_share(20, 80, 60, item=f"job {number}") for number in range(15)]
    data = replace(_data(rows[0]), measurements=rows)
    assert (len(bound_lines(data)[0]), bound_lines(data)[1]) == (12, 3)
    page = render_report(data).replace("\xa0", " ")
    assert "15 shares with missing images" in page
    assert "3 more are not listed here" in page


def test_a_doubt_under_a_stated_range_says_how_many_of_the_missing_it_takes() -> None:
    row = _share(20, 80, 200)
    test = ShareTest(0.25, 80, 0.5)
    ends = MissingEnds.of([row], {}, 0.4).ends(row)
    (said,) = doubts(row, test, Against(ends=ends, within=0.4))
    assert "If 65\xa0% of them showed a woman, which study.toml takes for possible, the share would be 54" in said
    narrow = MissingEnds.of([row], {}, 0.1).ends(row)
    assert list(doubts(row, test, Against(ends=narrow, within=0.1))) == []
