"""Which intervals are followed by a sign, and that what it means stands where the sign does and nowhere else."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.records import Measurement, Note, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.charts.axes import Scale
from portrayal.reports.charts.figure_svg import figure_svg
from portrayal.reports.charts.interval_chart import figure, panel
from portrayal.reports.figures.figure_files import report_figures
from portrayal.reports.text.notes import naming
from portrayal.reports.text.wide_intervals import SIGN, interval_text, is_wide, like_sign, sign, wide_words
from portrayal.stats.intervals import clopper_pearson

GENDER = attribute_table()["gender"]
WORDS = (
    "This interval is wider than it need be, because few images stand behind it or few differ from the others: it "
    "holds the truth more often than 19 times in 20."
)


def share(seen: int, n: int, **more: Any) -> Measurement:
    low, high = (float(bound) for bound in clopper_pearson(seen / n, n))
    values: dict[str, Any] = {"attribute": "gender", "group": "female", "level": "term", "item": "CEO", "prompts": 1}
    values |= {"worth": float(n), "value": seen / n, "low": low, "high": high, "n": n, **more}
    return Measurement("representation", "share", "g", "a", **values)


def metric(name: str, n: int, ends: tuple[float, float, float] = (0.3, 0.2, 0.4), **more: Any) -> Measurement:
    low, value, high = sorted(ends)
    about: dict[str, Any] = {"value": value, "low": low, "high": high, "n": n, "prompts": 1, **more}
    return Measurement("representation", name, "g", "a", **about)


def page(*rows: Measurement, **more: Any) -> str:
    asked = [("CEO", "office", "a CEO")]
    attributes = {"gender": GENDER, "age": attribute_table()["age"]}
    data = ReportData("T", ["g"], ["a"], asked, 60, attributes, rows, {"g": {"made": 60}}, {}, judged={"a": 60},
                      perceived={"a": 60})  # fmt: skip
    return render_report(replace(data, **more))


@pytest.mark.parametrize("seen", [0, 1, 5, 9, 191, 200])
def test_few_on_one_side_of_a_share_are_signed(seen: int) -> None:
    assert sign(share(seen, 200)) == SIGN


@pytest.mark.parametrize(("seen", "n"), [(10, 200), (190, 200), (100, 200), (10, 24), (300, 1000)])
def test_plenty_on_both_sides_are_not(seen: int, n: int) -> None:
    assert sign(share(seen, n)) == ""


def test_no_of_five_is_signed_and_a_hundred_of_two_hundred_are_not() -> None:
    assert interval_text(share(0, 5)).replace("\N{NO-BREAK SPACE}", " ") == f"0–52 %{SIGN}"
    assert interval_text(share(100, 200)).replace("\N{NO-BREAK SPACE}", " ") == "43–57 %"
    assert interval_text(replace(share(0, 5), low=None, high=None)) == ""


def test_prompts_of_very_few_images_are_signed_however_many_they_are() -> None:
    assert is_wide(share(12, 24, prompts=12))
    assert not is_wide(share(120, 250, prompts=50))
    assert is_wide(share(120, 250, prompts=50, worth=60.0))  # of other weights: they count as few


def test_people_of_few_pictures_are_few() -> None:
    crowd = share(40, 80, worth=None, notes=(Note.of("people_in_images", n=80, m=10),))
    assert is_wide(crowd)
    assert not is_wide(replace(crowd, notes=()))


@given(st.integers(1, 300), st.integers(0, 300))
def test_the_mirror_image_of_a_share_has_the_same_sign(n: int, seen: int) -> None:
    seen = min(seen, n)
    assert is_wide(share(seen, n)) == is_wide(share(n - seen, n))


def test_no_interval_has_no_sign() -> None:
    assert not is_wide(replace(share(0, 5), low=None, high=None))
    assert not is_wide(replace(share(0, 5), value=None))
    assert not is_wide(metric("chi_square", 5, low=None))


@pytest.mark.parametrize(
    ("row", "wide"),
    [
        (metric("total_variation", 99, attribute="gender"), True),
        (metric("total_variation", 100, attribute="gender"), False),
        (metric("kl_divergence", 140, attribute="age3"), True),
        (metric("kl_divergence", 150, attribute="age3"), False),
        (metric("mean_total_variation", 5000, attribute="gender"), True),
        (metric("mean", 49, attribute="age"), True),
        (metric("mean", 50, attribute="age"), False),
        (metric("mean", 500, (35.0, 34.9, 35.4), attribute="age"), True),  # nearly everyone is of one age
        (metric("difference", 200, attribute="gender", worth=19.0), True),
        (metric("difference", 200, attribute="gender", worth=200.0), False),
        (metric("difference", 200, (-0.5, -0.5, -0.48), attribute="gender", worth=200.0), True),
        (metric("score_of_someones", 3), False),
    ],
)
def test_other_metrics_follow_their_kind(row: Measurement, wide: bool) -> None:
    assert is_wide(row) is wide


def test_groups_are_those_of_the_study() -> None:
    row = metric("total_variation", 150, attribute="hats")
    hats = replace(GENDER, name="hats", groups=("none", "cap", "bowler", "fez"))
    assert not is_wide(row)  # of two groups, as long as nobody says otherwise
    with naming({"hats": hats}):
        assert is_wide(row)


def test_prompts_like_these_are_few_where_prompts_are() -> None:
    assert like_sign(share(100, 200, prompts=19)) == SIGN
    assert like_sign(share(100, 200, prompts=20)) == ""
    assert like_sign(share(6, 200, prompts=40)) == SIGN  # one prompt in forty


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("rows", "signed"),
    [
        ((share(0, 5),), True),
        ((share(100, 200),), False),
        ((share(100, 200), share(2, 200, item="nurse")), True),
        ((share(100, 200, level="overall", item="", target=0.5, reference="uniform"),), False),
    ],
)
def test_the_legend_stands_below_each_table_and_chart_with_a_sign(
    rows: tuple[Measurement, ...], signed: bool, language: str
) -> None:
    text = page(*rows, language=language)
    legend = '<p class="dim wide-sign">'
    parts = {name: own for name in ("found", "terms", "all") if (own := _section(text, name))}
    assert parts.keys() >= {"found", "all"}
    for name, part in parts.items():
        numbers = re.sub(rf"{legend}.*?</p>", "", part)
        assert (SIGN in numbers) == (legend in part), name
    assert (SIGN in _section(text, "all")) == signed
    assert text.count(legend) == text.count(f"{legend}{SIGN} ")


def _section(text: str, name: str) -> str:
    found = re.search(rf'<section id="{name}">.*?</section>', text, re.S)
    return found[0] if found else ""


def test_a_page_says_it_once_below_a_table_and_not_in_every_row() -> None:
    rows = [share(1, 20, item=f"job {own}") for own in range(6)]
    first = _section(page(*rows), "found")
    assert html.unescape(first).count(WORDS) == 1
    assert first.count(SIGN) == 6 + 1


def test_words_of_the_sign() -> None:
    assert wide_words() == f"{SIGN} {WORDS}"


@pytest.mark.parametrize(("row", "signed"), [(share(0, 5), True), (share(100, 200), False)])
def test_a_picture_says_what_its_sign_means(row: Measurement, signed: bool) -> None:
    drawn = figure_svg(figure("", [panel("", "Term", [("CEO", [(0, row)])], Scale(0.0, 1.0, "%"))], ["g"]))
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", drawn))
    assert (f"{SIGN})" in text) == ("wider than it need be" in text) == signed


@pytest.mark.parametrize(("row", "signed"), [(share(0, 5), True), (share(100, 200), False)])
def test_files_say_it_in_words(row: Measurement, signed: bool) -> None:
    data = ReportData("T", ["g"], ["a"], [], 5, {"gender": GENDER}, [row], {"g": {"made": 5}}, {})
    tables = {path: text for path, text in report_figures(data).tables.items() if "0–52" in text or "43–57" in text}
    assert {path.rpartition(".")[2] for path in tables} >= {"csv", "md"}
    for path, text in report_figures(data).tables.items():
        if path.endswith(".csv"):
            assert SIGN not in text
            assert ("the interval is wider than it need be" in text) == (signed and path in tables)
        else:
            mark = "$^{+}$" if path.endswith(".tex") else SIGN
            assert (mark in text) == (WORDS in text)
            assert signed or mark not in text
