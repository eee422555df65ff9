"""Annotators are compared on the people both tell something of; who is worse on dark skin shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal.errors import ConfigError, InputError, StudyError
from portrayal.records import (
    JOB_SCHEMA,
    OBSERVATION_SCHEMA,
    OUTCOME_SCHEMA,
    PROMPT_SCHEMA,
    Abstention,
    Job,
    Observation,
    Outcome,
    Prompt,
    to_table,
)
from portrayal.study.agreement import compare
from portrayal.study.agreement import read as compare_read
from portrayal.study.agreement.result import Comparison, GroupRow, Pair
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Seen = Observation | Abstention
PEOPLE, TOOL, OTHER = "imported:people", "simulated@1", "simulated@1#00796a80"
ALL = ["gender", "age3", "tone3", "age"]
ANNOTATORS: list[dict[str, Any]] = [
    {"use": "simulated"},
    {"use": "imported:people"},
    {"use": "simulated", "options": {"accuracy": 0.95}},
]


def image(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def tells(study: OpenStudy, who: str, *names: str) -> None:
    """Let an annotator tell these attributes."""
    annotator: Any = study.annotators[who][1]
    annotator.attributes = tuple(study.attributes[name] for name in names)


@pytest.fixture
def build(make_study: Make) -> Callable[..., OpenStudy]:
    """Write a study whose prompts have so many images each, and what was seen in them."""

    def make(images: Sequence[int], seen: Sequence[Seen], people: int = 1, **tables: Any) -> OpenStudy:
        study = OpenStudy(make_study(**{"annotators": ANNOTATORS, **tables}))
        tells(study, PEOPLE, *ALL)
        tells(study, TOOL, *ALL, "person")
        prompts = [Prompt(f"prompt {number}", "x", people=people) for number in range(len(images))]
        places = [prompt.id for prompt, count in zip(prompts, images, strict=True) for _ in range(count)]
        jobs = [Job(f"job{place}", prompt, "g", place, place) for place, prompt in enumerate(places)]
        made = [Outcome(job.id, 1, "made", image=image(place)) for place, job in enumerate(jobs)]
        rows = {
            "prompts": to_table(prompts, PROMPT_SCHEMA),
            "jobs": to_table(jobs, JOB_SCHEMA),
            "outcomes": to_table(made, OUTCOME_SCHEMA),
            "observations": to_table(seen, OBSERVATION_SCHEMA),
        }
        for name, table in rows.items():
            study.workspace.tables[name].append(table)
        return study

    return make


def said(number: int, who: str, attribute: str, place: int, size: int, subject: int = 0) -> Observation:
    return Observation(image(number), who, subject, attribute, tuple(float(place == group) for group in range(size)))


def gender(number: int, who: str, place: int, subject: int = 0) -> Observation:
    return said(number, who, "gender", place, 2, subject)


def pair(found: Comparison, attribute: str, second: str = TOOL) -> Pair:
    return next(own for own in found.pairs if (own.attribute, own.second) == (attribute, second))


def row(own: Pair, by: str, group: str) -> GroupRow:
    return next(row for row in own.groups if (row.by, row.group) == (by, group))


def planted(seed: int, prompts: int, images: int) -> Iterator[Seen]:
    """Yield people's labels, and a tool that is right in 0.8 of dark and 0.95 of other skin; prompts differ."""
    draw = np.random.default_rng(seed)
    for number in range(prompts * images):
        if number % images == 0:
            female, shift = draw.uniform(0.2, 0.8), draw.uniform(-0.04, 0.04)
        truth, tone = int(draw.random() < female), int(draw.integers(3))
        right = draw.random() < (0.8 if tone == 2 else 0.95) + shift
        yield gender(number, PEOPLE, truth)
        yield said(number, PEOPLE, "tone3", tone, 3)
        yield gender(number, TOOL, truth if right else 1 - truth)


def test_who_is_worse_on_dark_skin_shows(build: Callable[..., OpenStudy]) -> None:
    found = compare(build([60] * 40, list(planted(1, 40, 60))), [TOOL, "people"])
    assert found.reference == PEOPLE
    own = pair(found, "gender")
    assert (own.first, own.second, own.measure) == (PEOPLE, TOOL, "accuracy")
    assert own.groups[0] == row(own, "tone3", "dark")
    for group, truth in (("dark", 0.8), ("medium", 0.95), ("light", 0.95)):
        value = row(own, "tone3", group).value
        assert value.low <= truth <= value.high
        assert value.high - value.low < 0.08
    dark = row(own, "tone3", "dark")
    assert dark.marked
    assert dark.difference.low <= -0.15 <= dark.difference.high < 0
    assert dark.grouped_by == PEOPLE
    assert row(own, "tone3", "light").difference.low > 0
    assert not any(row(own, "gender", group).marked for group in ("male", "female"))
    assert own.overall.value.low <= 0.9 <= own.overall.value.high
    assert (own.overall.n, own.overall.clusters) == (2400, 40)


def silent_on_dark(seed: int) -> Iterator[Seen]:
    """Yield people's labels, and a tool that is always right, but silent on 0.4 of dark and 0.05 of other skin."""
    draw = np.random.default_rng(seed)
    for number in range(30 * 40):
        truth, tone = int(draw.integers(2)), int(draw.integers(3))
        yield gender(number, PEOPLE, truth)
        yield said(number, PEOPLE, "tone3", tone, 3)
        if draw.random() < (0.4 if tone == 2 else 0.05):
            yield Abstention(image(number), TOOL, "no_face")
        else:
            yield gender(number, TOOL, truth)


def test_who_tells_less_of_dark_skin_shows(build: Callable[..., OpenStudy]) -> None:
    own = pair(compare(build([40] * 30, list(silent_on_dark(4))), [TOOL, PEOPLE]), "gender")
    assert row(own, "tone3", "dark").value.value == 1
    whole, worst, *others = own.told
    assert (whole.by, whole.n, whole.clusters) == ("", 1200, 30)
    assert whole.value.value == pytest.approx(own.coverage.compared / 1200)
    assert (worst.by, worst.group, worst.grouped_by, worst.marked) == ("tone3", "dark", PEOPLE, True)
    assert worst.value.low < 0.6 < worst.value.high
    assert worst.difference.low < -0.35 < worst.difference.high < 0
    assert sum(row.n for row in others if row.by == "tone3") + worst.n == 1200
    assert {row.by for row in others} == {"tone3", "gender"}


def test_who_has_not_looked_yet_is_not_silent(build: Callable[..., OpenStudy]) -> None:
    seen = [gender(number, PEOPLE, number % 2) for number in range(4)]
    seen += [gender(0, TOOL, 0), gender(1, TOOL, 1)]
    own = pair(compare(build([4], [*seen, Abstention(image(2), TOOL, "no_face")]), [TOOL, PEOPLE]), "gender")
    assert [(row.group, row.n, row.value.value) for row in own.told] == [
        ("", 3, pytest.approx(2 / 3)),
        ("male", 2, 0.5),
        ("female", 1, 1.0),
    ]
    assert all(0 <= row.value.low < row.value.high <= 1 for row in own.told)  # shares, also of few people


def test_groups_that_only_the_tool_itself_perceives_do_not_tell_where_it_is_silent(
    build: Callable[..., OpenStudy],
) -> None:
    seen = [gender(n, who, n % 2) for n in range(4) for who in (TOOL, PEOPLE)]
    study = build([2, 3], [*seen, *(said(n, TOOL, "tone3", 2 * (n % 2), 3) for n in range(4))])
    tells(study, PEOPLE, "gender")
    assert [row.value.value for row in pair(compare(study, [TOOL, PEOPLE]), "gender").told] == [1.0]
    more: list[Seen] = [gender(4, PEOPLE, 0), Abstention(image(4), TOOL, "no_face")]
    study.workspace.tables["observations"].append(to_table(more, OBSERVATION_SCHEMA))
    assert {row.by for row in pair(compare(study, [TOOL, PEOPLE]), "gender").told} == {"", "gender"}


def test_two_annotators_compare_alike_whoever_else_is_named(build: Callable[..., OpenStudy]) -> None:
    seen = [*planted(5, 12, 10), *(gender(number, OTHER, number % 2) for number in range(120))]
    study = build([10] * 12, seen)
    alone, beside = (pair(compare(study, names, PEOPLE), "gender") for names in ([TOOL], [OTHER, TOOL]))
    assert repr((alone.overall, alone.kappa, alone.confusion)) == repr((beside.overall, beside.kappa, beside.confusion))


def test_numbers_by_hand(build: Callable[..., OpenStudy]) -> None:
    # 8 images in 2 prompts; people say 0 0 0 0 1 1 1 1, the tool 0 0 0 1 1 1 0 0.
    seen = [gender(number, PEOPLE, int(number >= 4)) for number in range(8)]
    seen += [gender(number, TOOL, place) for number, place in enumerate((0, 0, 0, 1, 1, 1, 0, 0))]
    found = compare(build([4, 4], seen), [TOOL, PEOPLE])
    own = pair(found, "gender")
    assert own.confusion == [[3, 1], [2, 2]]
    assert own.overall.value.value == pytest.approx(5 / 8)
    assert own.kappa is not None
    assert own.kappa.value == pytest.approx(0.25)
    own_groups = [r for r in own.groups if r.by == "gender"]
    assert [(r.group, r.n) for r in own_groups] == [("female", 4), ("male", 4)]
    assert [r.value.value for r in own_groups] == pytest.approx([0.5, 0.75])
    assert row(own, "gender", "female").difference.value == pytest.approx(-0.25)
    assert own.overall.note == "only 8 images"
    (alpha,) = [a for a in found.alphas if a.attribute == "gender"]
    # 16 judgements, 9 male and 7 female, 3 units that disagree: 1 - 15 * 6 / (2 * 9 * 7).
    assert alpha.n == 16
    assert alpha.value.value == pytest.approx(1 - 90 / 126)


def test_ages_are_compared_as_numbers(build: Callable[..., OpenStudy]) -> None:
    draw = np.random.default_rng(0)
    ages = draw.uniform(20, 60, 400)
    off = draw.normal(2, 3, 400)
    seen: list[Seen] = [Observation(image(n), PEOPLE, 0, "age", value=float(age)) for n, age in enumerate(ages)]
    seen += [Observation(image(n), TOOL, 0, "age", value=float(age)) for n, age in enumerate(ages + off)]
    seen += [Observation(image(0), OTHER, 0, "age", value=float("nan"))]
    own = pair(found := compare(build([20] * 20, seen), [TOOL, PEOPLE]), "age")
    assert own.measure == "mean absolute difference"
    assert (own.unit, own.confusion, own.kappa) == ("years", None, None)
    assert own.mean_difference is not None
    assert own.correlation is not None
    assert own.mean_difference.value == pytest.approx(off.mean())
    assert own.mean_difference.low < 2 < own.mean_difference.high
    assert own.overall.value.value == pytest.approx(np.abs(off).mean())
    assert own.correlation.value == pytest.approx(np.corrcoef(ages, ages + off)[0, 1])
    assert own.correlation.low < own.correlation.value < own.correlation.high
    (alpha,) = [a for a in found.alphas if a.attribute == "age"]
    assert alpha.metric == "interval"
    assert 0.9 < alpha.value.value < 1


def test_of_two_people_the_same_one_is_meant(build: Callable[..., OpenStudy]) -> None:
    seen = [gender(0, PEOPLE, 0, 0), gender(0, PEOPLE, 1, 1), gender(0, TOOL, 0, 0), gender(0, TOOL, 1, 1)]
    seen += [gender(1, PEOPLE, 1, 0), gender(1, TOOL, 0, 1)]
    own = pair(compare(build([2], seen, people=2), [TOOL, PEOPLE]), "gender")
    assert own.confusion == [[1, 0], [0, 1]]
    assert (own.coverage.compared, own.coverage.different_people, own.overall.n) == (1, 1, 2)


def test_the_one_person_may_have_any_number(build: Callable[..., OpenStudy]) -> None:
    # The first face is too small to judge; the other is the one that people mean.
    seen = [gender(0, PEOPLE, 1), Abstention(image(0), TOOL, "tiny_face", 0), gender(0, TOOL, 1, subject=1)]
    assert pair(compare(build([1], seen), [TOOL, PEOPLE]), "gender").confusion == [[0, 0], [0, 1]]


def test_who_cannot_tell_is_counted_with_the_reason(build: Callable[..., OpenStudy]) -> None:
    seen: list[Seen] = [gender(number, PEOPLE, 0) for number in range(6)]
    seen += [
        gender(0, TOOL, 0),
        Abstention(image(1), TOOL, "no_face"),
        gender(2, TOOL, 0),
        Abstention(image(2), TOOL, "several_faces"),
        Observation(image(3), TOOL, 0, "gender", (0.5, 0.5)),
        Abstention(image(4), TOOL, "too_dark", 0, "gender"),
        # Of image 5 the tool says nothing at all, of 6 the people; of 7 nobody tells.
        gender(6, TOOL, 1),
        gender(7, TOOL, 1, subject=0),
        gender(7, TOOL, 1, subject=1),
        Abstention(image(7), PEOPLE, "raters_could_not_tell", 0, "gender"),
    ]
    found = pair(compare(build([5, 5], seen), [TOOL, PEOPLE]), "gender").coverage
    assert (found.images, found.compared, found.first_only, found.second_only, found.neither) == (8, 1, 5, 1, 1)
    assert found.silent == {
        PEOPLE: {"not annotated": 1, "raters_could_not_tell": 1},
        TOOL: {
            "tie": 1,
            "several_people": 1,
            "not annotated": 1,
            "no_face": 1,
            "several_faces": 1,
            "too_dark": 1,
        },
    }


def test_masses_that_are_no_masses_are_left_out(build: Callable[..., OpenStudy]) -> None:
    seen = [gender(0, PEOPLE, 0), gender(1, PEOPLE, 0), gender(2, PEOPLE, 0), gender(0, TOOL, 0)]
    seen += [Observation(image(1), TOOL, 0, "gender", (float("nan"), 1.0))]
    seen += [Observation(image(2), TOOL, 0, "gender", (1.0, 0.0, 0.0))]
    own = pair(compare(build([3], seen), [TOOL, PEOPLE]), "gender")
    assert own.overall.n == 1
    assert own.coverage.silent[TOOL] == {"nothing_observed": 2}


def test_whether_there_is_a_person_is_compared_where_there_is_none(build: Callable[..., OpenStudy]) -> None:
    study = build([2], [gender(0, PEOPLE, 0), gender(0, TOOL, 0)])
    tells(study, PEOPLE, *ALL, "person")
    seen: list[Seen] = [Abstention(image(1), TOOL, "no_person")]
    seen += [said(1, who, "person", 1, 2) for who in (TOOL, PEOPLE)]
    study.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    assert pair(compare(study, [TOOL, PEOPLE]), "person").confusion == [[0, 0], [0, 1]]


def test_without_a_reference_it_is_agreement_of_all_pairs(build: Callable[..., OpenStudy]) -> None:
    seen = [gender(n, who, n % 2) for n in range(4) for who in (TOOL, OTHER, PEOPLE)]
    study = build([2, 2], seen)
    assert compare(study, [TOOL, OTHER]).reference is None
    assert {own.measure for own in compare(study, [TOOL, OTHER]).pairs} == {"agreement"}
    found = [own for own in compare(study, [TOOL, OTHER, PEOPLE], TOOL).pairs if own.attribute == "gender"]
    assert [(own.first, own.second, own.measure, bool(own.groups)) for own in found] == [
        (TOOL, OTHER, "accuracy", True),
        (TOOL, PEOPLE, "accuracy", True),
        (OTHER, PEOPLE, "agreement", False),
    ]


def test_skin_tone_is_asked_of_whoever_tells_it(build: Callable[..., OpenStudy]) -> None:
    seen = [gender(n, who, n % 2) for n in range(4) for who in (TOOL, PEOPLE)]
    study = build([2, 2], [*seen, *(said(n, TOOL, "tone3", 2 * (n % 2), 3) for n in range(4))])
    tells(study, PEOPLE, "gender")
    found = pair(compare(study, [TOOL, PEOPLE], by=["tone3"]), "gender")
    assert [(own.by, own.group, own.grouped_by, own.n) for own in found.groups] == [
        ("tone3", "light", TOOL, 2),
        ("tone3", "dark", TOOL, 2),
    ]


def test_a_picture_that_answers_two_prompts_counts_once(build: Callable[..., OpenStudy]) -> None:
    study = build([1, 1], [gender(0, PEOPLE, 0), gender(0, TOOL, 0)])
    again = [Outcome("job1", 2, "made", image=image(0))]
    study.workspace.tables["outcomes"].append(to_table(again, OUTCOME_SCHEMA))
    assert pair(compare(study, [TOOL, PEOPLE]), "gender").overall.n == 1


def test_what_left_the_plan_is_not_compared(build: Callable[..., OpenStudy]) -> None:
    study = build([2], [gender(n, who, 0) for n in range(2) for who in (TOOL, PEOPLE)])
    jobs = study.workspace.query("SELECT * FROM jobs LIMIT 1")
    study.workspace.tables["jobs"].replace([jobs])
    assert compare(study, [TOOL, PEOPLE]).images == 1


def test_slices_and_the_grouping_of_prompts_change_no_number(
    build: Callable[..., OpenStudy], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list(planted(2, 12, 10))
    seen += [Abstention(image(3), OTHER, "no_person"), *(gender(n, OTHER, n % 2) for n in range(4, 90))]
    study = build([10] * 12, seen)
    whole = compare(study, [TOOL, PEOPLE, OTHER])
    monkeypatch.setattr(compare_read, "SLICE", 25)
    assert compare(study, [TOOL, PEOPLE, OTHER]).as_json() == whole.as_json()
    monkeypatch.setattr(compare_read, "CLUSTERS", 5)
    fewer = compare(study, [TOOL, PEOPLE, OTHER])
    assert pair(fewer, "gender").overall.clusters == 5
    assert pair(fewer, "gender").confusion == pair(whole, "gender").confusion


def test_one_prompt_is_about_its_images(build: Callable[..., OpenStudy]) -> None:
    found = compare(build([400], list(planted(3, 1, 400))), [TOOL, PEOPLE])
    assert found.resampled == "images"
    own = pair(found, "gender").overall
    assert own.clusters > 300
    assert 0.04 < own.value.high - own.value.low < 0.09
    assert own.value.low < 0.9 < own.value.high


def test_perfect_agreement_and_one_group_only(build: Callable[..., OpenStudy]) -> None:
    seen = [gender(n, who, n % 2) for n in range(8) for who in (TOOL, PEOPLE)]
    seen += [said(n, who, "age3", 1, 3) for n in range(8) for who in (TOOL, PEOPLE)]
    found = compare(build([4, 4], seen), [TOOL, PEOPLE])
    alphas = {(a.attribute, a.metric): a for a in found.alphas}
    assert alphas["gender", "nominal"].value.value == 1
    assert alphas["gender", "nominal"].note == "only 2 independent cases to tell from"
    assert alphas["gender", "nominal"].value.low == pytest.approx(0.158, abs=1e-3)
    assert "all judgements are the same" in alphas["age3", "nominal"].note
    assert "nobody is judged by two" in alphas["tone3", "ordinal"].note
    assert alphas["tone3", "nominal"].n == 0
    plain = json.dumps(found.as_json(), allow_nan=False)
    assert json.loads(plain)["alphas"][1]["value"]["value"] is None


def test_names_that_do_not_fit(build: Callable[..., OpenStudy]) -> None:
    study = build([1], [gender(0, who, 0) for who in (TOOL, PEOPLE)])
    with pytest.raises(InputError, match=r"no annotator 'peple' among .*; did you mean 'people'"):
        compare(study, [TOOL, "peple"])
    with pytest.raises(InputError, match=r"two annotators or more; .* has: simulated@1, imported:people"):
        compare(study, [TOOL, TOOL])
    with pytest.raises(InputError, match="'simulated' may be any of 2 annotators; say which: 'simulated@1' or"):
        compare(study, ["simulated", "people"])
    with pytest.raises(InputError, match=r"--by 'tone': none .* did you mean 'tone3'"):
        compare(study, [TOOL, PEOPLE], by=["tone"])
    with pytest.raises(InputError, match="no annotator ''"):
        compare(study, ["", PEOPLE])


def test_nothing_in_common(build: Callable[..., OpenStudy]) -> None:
    study = build([2], [gender(0, TOOL, 0), gender(1, PEOPLE, 0)])
    with pytest.raises(StudyError, match="tell nothing of the same person in any image"):
        compare(study, [TOOL, PEOPLE])
    tells(study, PEOPLE, "race5")
    with pytest.raises(StudyError, match="no attribute in common"):
        compare(study, [TOOL, PEOPLE])


def test_no_images_yet(make_study: Make) -> None:
    with pytest.raises(StudyError, match="no images yet; run: portrayal run"):
        compare(OpenStudy(make_study(annotators=ANNOTATORS)), [TOOL, OTHER])


def test_other_groups_under_the_same_name_are_not_compared(make_study: Make) -> None:
    hair = [{"attributes": ["hair"], "groups": {"hair": groups}} for groups in (["short", "long"], ["long", "short"])]
    study = OpenStudy(make_study(annotators=[{"use": f"imported:{n}", "options": own} for n, own in enumerate(hair)]))
    with pytest.raises(ConfigError, match="different groups for 'hair'"):
        compare(study, ["0", "1"])
