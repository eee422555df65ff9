from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import ConfigError
from portrayal.evidence import (
    Confusion,
    Confusions,
    Design,
    Differences,
    Evidence,
    GroupCounts,
    Missing,
    MissingCounts,
    Paired,
    PeopleByPicture,
    PictureSums,
    Plan,
    SeedPairs,
    Values,
)
from portrayal.methods.bafis.method import Bafis, BafisOptions
from portrayal.methods.by_language.paired import PairedRows, Side, versus
from portrayal.methods.by_language.views import by_occupation, views
from portrayal.records import TRUTH_SCHEMA, Measurement, Prompt, attribute_table
from portrayal.reports.text.notes import plain_notes
from portrayal.settings import parse_settings
from portrayal.stats.shares.cells import PromptShares

KNOWN = attribute_table()
BUSINESS, OFFICE = "Business & Management", "Administration & Office"
REFERENCE = """\
occupation,region,year,group,share,source
nurse,Example,2024,female,0.9,made up
clerk,Example,2024,female,0.6,made up
"""


def prompt(term: str, language: str = "en", variant: str = "direct", category: str = BUSINESS, **more: Any) -> Prompt:
    return Prompt(f"{language} {variant} {term}", term, "bafis", category, variant, language, **more)


@dataclass(frozen=True)
class Shown:
    """A prompt: men and women seen in its images, images lost and why, planted share of women.

    ``images`` is how many show them, where these show several people each.
    """

    prompt: Prompt
    men: int = 0
    women: int = 0
    lost: Mapping[str, int] = field(default_factory=dict)
    planted: float | None = None
    images: int | None = None


@dataclass(frozen=True)
class Couple:
    """Two prompts with ``n`` usable pairs of ``planned``: sums of women's differences and of their squares."""

    x: Prompt
    y: Prompt
    n: int
    total: float
    squares: float
    planned: int


@dataclass(frozen=True)
class Data:
    """A plan, and what was added up for it, by kind of need."""

    plan: Plan
    results: Mapping[type, Any]


def data_of(shown: Sequence[Shown], couples: Sequence[Couple] = ()) -> Data:
    planned = np.array([s.men + s.women + sum(s.lost.values()) for s in shown], dtype=np.int64)
    truths = [
        dict(zip(TRUTH_SCHEMA.names, ("g", s.prompt.id, "gender", group, share), strict=True))
        for s in shown
        if s.planted is not None
        for group, share in (("male", 1 - s.planted), ("female", s.planted))
    ]
    cells = [("g", s.prompt.id) for s in shown]
    plan = Plan(
        design(*(s.prompt for s in shown)), cells, planned, planned, truths=pa.Table.from_pylist(truths, TRUTH_SCHEMA)
    )
    counts = np.array([[s.men, s.women] for s in shown], dtype=float)
    lost = {
        ("a", "", reason): np.array([s.lost.get(reason, 0) for s in shown])
        for reason in {reason for s in shown for reason in s.lost}
    }
    return Data(
        plan,
        {
            GroupCounts: {("a", "gender"): counts} if counts.any() else {},
            Values: {},
            Missing: MissingCounts(lost),
            Confusion: Confusions({}, {}),
            SeedPairs: paired_of(plan, couples),
            PeopleByPicture: {("a", "gender"): pictures_of(shown)},
        },
    )


def pictures_of(shown: Sequence[Shown]) -> PictureSums:
    """Return people spread evenly over pictures, as independent of one another as can be."""
    people = np.array([[s.men, s.women] for s in shown])
    images = np.array([s.men + s.women if s.images is None else s.images for s in shown])
    each = people.sum(axis=1) / np.maximum(images, 1)
    squares = people * (1 + (each - 1)[:, None] * people / np.maximum(people.sum(axis=1), 1)[:, None])
    return PictureSums(
        images, (images * each**2).astype(int), squares.astype(int), (people * each[:, None]).astype(int)
    )


def paired_of(plan: Plan, couples: Sequence[Couple]) -> Paired:
    placed = [((plan.places["g", c.x.id], plan.places["g", c.y.id]), c) for c in couples]
    seen = {
        place: Differences(c.n, np.array([-c.total, c.total]), np.array([c.squares, c.squares]))
        for place, c in placed
        if c.n
    }
    return Paired({place: c.planned for place, c in placed if c.planned}, {("a", "gender"): seen} if seen else {})


def measure(data: Data, folder: Path = Path(), **options: Any) -> list[Measurement]:
    chosen = {"draws": 100, "references": {"gender": "uniform"}, **options}
    method = Bafis(parse_settings(BafisOptions, chosen, "here"), folder)
    evidence = Evidence.given(data.plan, method.needs, data.results)
    return list(method.measure(evidence, rng=np.random.default_rng(1)))


def bounds(row: Measurement) -> tuple[float, float, float]:
    assert row.value is not None
    assert row.low is not None
    assert row.high is not None
    return row.value, row.low, row.high


def one(rows: Sequence[Measurement], **wanted: Any) -> Measurement:
    (found,) = (row for row in rows if all(getattr(row, name) == value for name, value in wanted.items()))
    return found


NURSE, CLERK, COOK = prompt("nurse"), prompt("clerk", category=OFFICE), prompt("cook", category=OFFICE)


def test_shares_against_a_table_by_hand(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(REFERENCE)
    shown = [Shown(NURSE, 1, 3), Shown(CLERK, 3, 1), Shown(COOK, 2, 2, {"no_person": 4})]
    rows = measure(data_of(shown), tmp_path, references={"gender": "mine.csv"})
    overall = {"language": "en", "variant": "direct", "level": "overall", "group": "female"}
    share = one(rows, metric="share", **overall)
    assert (share.value, share.n, share.missing, share.prompts) == (0.5, 12, 4, 3)
    assert (share.target, share.reference) == (None, "")  # the table does not cover the cook
    difference = one(rows, metric="difference", **overall)
    assert difference.value == pytest.approx((0.75 + 0.25) / 2 - (0.9 + 0.6) / 2)
    assert (difference.n, difference.prompts, difference.missing) == (8, 2, 0)
    assert plain_notes(difference.notes) == "reference covers 2 of 3 prompts; only 8 images"
    assert one(rows, metric="ratio", **overall).value == pytest.approx(0.5 / 0.75)
    apart = one(rows, metric="total_variation", language="en", variant="direct", level="overall")
    assert apart.value == pytest.approx(0.25)
    assert apart.reference == "mine.csv (Example, 2024)"
    office = one(rows, metric="share", variant="direct", level="category", item=OFFICE, group="female")
    assert (office.value, office.n, office.missing) == (0.375, 8, 4)
    business = one(rows, metric="share", variant="direct", level="category", item=BUSINESS, group="female")
    assert (business.value, business.target, business.reference) == (0.75, 0.9, "mine.csv (Example, 2024)")
    lost = one(rows, metric="missing", variant="direct", level="overall")
    assert lost.value == 4 / 16  # of the planned images, not a mean over occupations
    assert (lost.group, lost.n, lost.missing) == ("no_person", 16, 4)


def test_only_attributes_with_groups_are_measured() -> None:
    rows = measure(data_of([Shown(NURSE, 1, 3)]))
    assert {row.attribute for row in rows} == {"gender"}
    assert {row.level for row in rows} == {"overall", "category", "term"}
    assert {row.metric for row in rows} == {"share", "difference", "ratio", "total_variation"}


def test_a_language_as_a_whole_leaves_out_what_asks_for_women() -> None:
    asked = prompt("nurse", "de", "old", requested={"gender": "female"})
    shown = [
        Shown(prompt("nurse", "de"), 4, 0),
        Shown(prompt("nurse", "de", "indirect"), 2, 2),
        Shown(prompt("nurse", "de", "feminine"), 0, 4),
        Shown(asked, 0, 4),
    ]
    rows = measure(data_of(shown))
    whole = one(rows, metric="share", language="de", variant="", level="overall", group="female")
    assert (whole.value, whole.prompts, whole.n) == (0.25, 2, 8)
    variants = {row.variant for row in rows if row.metric == "share"}
    assert variants == {"", "direct", "indirect", "feminine", "old"}


def test_an_occupation_asked_about_in_two_ways_is_one() -> None:
    cell = PromptShares.of([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]], [4, 4, 20])
    merged, (targets,) = by_occupation(cell, ["nurse", "Nurse", "clerk"], np.array([[0.2], [0.4], [0.6]]))
    assert merged.shares.tolist() == [[0.75, 0.25], [0.0, 1.0]]
    assert merged.counts.tolist() == [8.0, 20.0]
    assert merged.weights.tolist() == [1.0, 1.0]
    assert targets.round(9).tolist() == [[0.3], [0.6]]
    uneven, _ = by_occupation(PromptShares.of([[1.0], [0.5]], [4, 20]), ["nurse", "nurse"])
    assert uneven.counts.round(6).tolist() == [13.333333]  # 2**2 / (1/4 + 1/20): what knows their mean as well


def test_planted_truth_goes_through_the_same_formulas() -> None:
    rows = measure(data_of([Shown(NURSE, 1, 3, planted=0.8), Shown(CLERK, 3, 1, planted=0.4)]))
    overall = {"language": "en", "variant": "direct", "level": "overall"}
    assert one(rows, metric="share", group="female", **overall).planted == pytest.approx(0.6)
    assert one(rows, metric="difference", group="female", **overall).planted == pytest.approx(0.1)
    assert one(rows, metric="total_variation", **overall).planted == pytest.approx(0.1)


def test_a_cell_without_data_says_why() -> None:
    rows = measure(data_of([Shown(NURSE, lost={"no_person": 3, "pending": 1})]))
    row = one(rows, metric="share", variant="direct", level="overall")
    assert (row.value, row.n, row.missing) == (None, 0, 4)
    assert plain_notes(row.notes) == "no usable image (no person 3, pending 1)"


DE = prompt("nurse", "de")
INDIRECT = prompt("nurse", "de", "indirect")
DE_CLERK = prompt("clerk", "de", category=OFFICE)


def test_paired_differences_by_hand() -> None:
    shown = [
        Shown(DE, 2, 2, planted=0.5),
        Shown(NURSE, 3, 1, planted=0.2),
        Shown(DE_CLERK, 2, 2, planted=0.5),
        Shown(CLERK, 4, 0, planted=0.1),
    ]
    couples = [Couple(DE, NURSE, 4, 2.0, 2.0, 4), Couple(DE_CLERK, CLERK, 3, 0.0, 2.0, 4)]
    rows = measure(data_of(shown, couples))
    paired = {"metric": "paired_difference", "language": "de", "variant": "direct", "reference": "en direct"}
    women = one(rows, level="overall", group="female", **paired)
    assert women.value == pytest.approx((2 / 4 + 0 / 3) / 2)
    assert (women.n, women.missing, women.prompts) == (7, 1, 2)
    assert women.planted == pytest.approx((0.3 + 0.4) / 2)
    assert plain_notes(women.notes) == "only 7 pairs"
    value, low, high = bounds(women)
    assert low < value < high
    assert bounds(one(rows, level="overall", group="male", **paired)) == pytest.approx((-value, -high, -low))
    office = one(rows, level="category", item=OFFICE, group="female", **paired)
    assert (office.value, office.n, office.missing) == (0.0, 3, 1)
    # One occupation: 0 -+ 2.570582 * sqrt(2 + 1) / (3 + 2), Student's quantile with 3 + 2 pairs
    assert bounds(office) == pytest.approx((0.0, -0.890476, 0.890476), abs=1e-6)
    assert (women.like_low, women.like_high) == (None, None)


def test_paired_differences_of_ten_occupations_say_something_of_others() -> None:
    shown, couples = [], []
    for place in range(10):
        en, de = prompt(f"t{place}"), prompt(f"t{place}", "de")
        shown += [Shown(en, 2, 2), Shown(de, 2, 2)]
        total = 4.0 if place % 2 else -4.0
        couples += [Couple(de, en, 4, total, 4.0, 4), Couple(en, de, 4, -total, 4.0, 4)]
    rows = measure(data_of(shown, couples))
    row = one(rows, metric="paired_difference", language="de", reference="en direct", level="overall", group="female")
    _, low, high = bounds(row)
    assert row.like_low is not None
    assert row.like_high is not None
    assert row.like_low < 2 * low < 0 < 2 * high < row.like_high


def test_pairs_without_equal_seeds_are_said() -> None:
    shown = [Shown(DE, 2, 2), Shown(NURSE, 3, 1), Shown(INDIRECT, 2, 2)]
    rows = measure(data_of(shown, [Couple(DE, NURSE, 1, 1.0, 1.0, 2)]))
    paired = {"metric": "paired_difference", "language": "de", "level": "overall"}
    some = one(rows, variant="direct", group="female", **paired)
    assert (some.value, some.n, some.missing) == (1.0, 1, 1)
    assert plain_notes(some.notes) == "only 1 pair; only 1 occupation; 2 of 4 possible pairs have no equal seeds"
    none = one(rows, variant="indirect", reference="de direct", **paired)
    assert (none.value, none.n, none.group) == (None, 0, "")
    assert plain_notes(none.notes) == "4 of 4 possible pairs have no equal seeds"


def test_pairs_that_cannot_be_used_are_missing() -> None:
    rows = measure(data_of([Shown(DE, 2, 2), Shown(NURSE, lost={"no_person": 4})], [Couple(DE, NURSE, 0, 0, 0, 4)]))
    row = one(rows, metric="paired_difference", level="overall")
    assert (row.value, row.n, row.missing, plain_notes(row.notes)) == (
        None,
        0,
        4,
        "no pair in which both images can be used",
    )


LANGUAGES, VARIANTS = ("en", "de", "fr"), ("direct", "indirect", "feminine", "group", "star")


@given(st.sets(st.tuples(st.sampled_from(LANGUAGES), st.sampled_from(VARIANTS), st.sampled_from("abc"))))
def test_what_is_compared(asked: set[tuple[str, str, str]]) -> None:
    prompts = [prompt(term, language, variant) for language, variant, term in sorted(asked)]
    found = versus(prompts, Side("en", "direct"))
    assert len({(each.side, each.against) for each in found}) == len(found)
    for each in found:
        assert each.side != each.against
        assert each.against.variant == each.side.variant or each.against.language == each.side.language
        assert "en" in (each.against.language,) or each.against.variant == "direct"
        assert all(x.term == y.term for x, y in each.couples)
    in_views = [one.id for view in views(prompts) if view.variant for one in view.prompts]
    assert sorted(in_views) == sorted(p.id for p in prompts)


def test_the_published_comparisons() -> None:
    sides = [("en", "direct"), ("en", "indirect"), ("en", "group"), ("de", "direct"), ("de", "feminine"),
             ("de", "indirect"), ("de", "group"), ("de", "star")]  # fmt: skip
    found = versus([prompt("nurse", *side) for side in sides], Side("en", "direct"))
    assert [(str(each.side), str(each.against)) for each in found] == [
        ("en indirect", "en direct"),
        ("en group", "en direct"),
        ("de direct", "en direct"),
        ("de feminine", "de direct"),
        ("de indirect", "en indirect"),
        ("de indirect", "de direct"),
        ("de group", "en group"),
        ("de group", "de direct"),
        ("de star", "de direct"),
    ]


@pytest.mark.slow
@given(st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=4), min_size=1, max_size=6))
def test_swapping_the_languages_mirrors_the_differences(asked: list[list[int]]) -> None:
    shown, couples = [], []
    for place, differences in enumerate(asked):
        en, de = prompt(f"t{place}"), prompt(f"t{place}", "de")
        n, total, squares = len(differences), float(sum(differences)), float(sum(d * d for d in differences))
        shown += [Shown(en, 1, 1), Shown(de, 1, 1)]
        couples += [Couple(de, en, n, total, squares, n), Couple(en, de, n, -total, squares, n)]
    found = data_of(shown, couples)
    numbers = {}
    for base in ("en", "de"):
        paired = PairedRows(found.plan, found.results[SeedPairs], BafisOptions(language=base, draws=100))
        blank = Measurement("bafis", "", "g", "a", "gender")
        rows = list(paired.measure(blank, list(found.plan.design.prompts.values()), np.random.default_rng(5)))
        numbers[base] = bounds(one(rows, level="overall", group="female", reference=f"{base} direct"))
    value, low, high = numbers["en"]
    assert numbers["de"] == pytest.approx((-value, -high, -low))
    assert -1 <= low <= value <= high <= 1


def design(*prompts: Prompt) -> Design:
    return Design({prompt.id: prompt for prompt in prompts}, KNOWN, {"a": ["gender", "age", "person"]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"references": {"gendr": "us"}}, "method 'bafis': reference for an unknown attribute 'gendr'; did you mean"),
        ({"variant": "driect"}, "method 'bafis': no prompt has the variant 'driect'; did you mean 'direct'?"),
        ({"language": "fr"}, "method 'bafis': no prompt has the language 'fr'"),
    ],
)
def test_bad_options_are_refused_before_any_work(options: dict[str, Any], message: str) -> None:
    method = Bafis(parse_settings(BafisOptions, options, "here"), Path())
    with pytest.raises(ConfigError) as caught:
        method.check(design(NURSE, DE))
    assert str(caught.value).startswith(message)


def test_any_prompts_will_do_with_the_defaults() -> None:
    Bafis(BafisOptions(), Path()).check(design(prompt("infirmière", "fr", "")))


def test_sources_are_those_of_the_data_of(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(REFERENCE)
    choice = {"table": "mine.csv", "region": "Example", "year": 2024}
    method = Bafis(parse_settings(BafisOptions, {"references": {"gender": choice}}, "here"), tmp_path)
    assert method.sources(design()) == {"mine.csv (Example, 2024)": "made up"}


@pytest.mark.parametrize(("men", "women"), [(13, 13), (24, 24)])
def test_few_images_are_counted_as_images_however_many_people_they_show(men: int, women: int) -> None:
    rows = measure(data_of([Shown(NURSE, men, women, images=12)]))
    shares = [row for row in rows if row.metric in ("share", "difference")]
    assert {row.metric for row in shares} == {"share", "difference"}
    assert {(row.n, plain_notes(row.notes)) for row in shares} == {
        (men + women, f"{men + women} people in 12 images; only 12 images; only 1 occupation")
    }
