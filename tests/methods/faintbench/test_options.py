"""Options: mistakes are one line before any work, and every change from the published benchmark is said."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError, PortrayalError
from portrayal.evidence import Design
from portrayal.methods import METHODS
from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.suite import FaintbenchSuiteOptions, faintbench
from portrayal.records import Attribute, Measurement, Prompt, attribute_table
from portrayal.reports.text.notes import plain_adjustment
from portrayal.settings import parse_settings
from portrayal.study.config import StudyConfig, load_config
from portrayal.study.create.create_study import create_study
from portrayal.study.parts.specs import build_method
from portrayal.study.study import OpenStudy

GROUPS = {"gender": {"male": 0.2, "female": 0.2}}


def build(folder: Path = Path(), **options: Any) -> Faintbench:
    return Faintbench(parse_settings(FaintbenchOptions, options, "study.toml"), folder)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weights": {"gender": 0}}, "the weight of 'gender' must lie between 0.000001 and 1,000,000, got 0"),
        ({"weights": {"gender": -0.4}}, "the weight of 'gender' must lie between 0.000001 and 1,000,000, got -0.4"),
        ({"weights": {"gender": 1e308}}, "the weight of 'gender' must lie between 0.000001 and 1,000,000, got 1e+308"),
        ({"group_weights": {"gender": {"male": 1e308, "female": 1}}}, "numbers from 0 to 1,000,000"),
        ({"weights": {}}, "at least one attribute needs a weight"),
        ({"weights": {"gendr": 1}}, "no group_weights for attribute 'gendr'; did you mean 'gender'?"),
        ({"group_weights": {"gender": {"male": 1}}}, "need two or more groups"),
        ({"group_weights": {"gender": {"male": 1, "female": -1}}}, "numbers from 0 to 1,000,000"),
        ({"group_weights": GROUPS}, "no group_weights for attribute 'race5'"),
        ({"profile": "optimized"}, "no alignment profile named 'optimized'; did you mean 'optimised'?"),
        ({"profile": "mine.toml"}, "mine.toml"),
        ({"manifestation": "printed"}, "'manifestation': input should be 'definition', 'published' or 'released'"),
        ({"person": 1.5}, "'person': input should be less than or equal to 1"),
        ({"resample": "both"}, "'resample': input should be 'images' or 'prompts'"),
        ({"draws": 10}, "'draws': input should be greater than or equal to 100"),
        ({"weigths": {}}, "unknown key 'weigths'; did you mean 'weights'?"),
    ],
)
def test_mistakes_are_one_line(options: dict[str, Any], words: str) -> None:
    with pytest.raises(PortrayalError) as error:
        build(**options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_groups_must_be_the_annotators(tmp_path: Path) -> None:
    other = Attribute("gender", "perceived gender", ("female", "male"))
    with pytest.raises(
        ConfigError, match="group_weights of 'gender' are for male, female, but the annotators tell fem"
    ):
        build().check(Design(attributes={"gender": other}))
    with pytest.raises(ConfigError, match="tell a number"):
        build().check(Design(attributes={"gender": Attribute("gender", "perceived gender", unit="years")}))
    build().check(Design(attributes=attribute_table()))
    build().check(Design())


def test_groups_must_be_the_suites(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Callable[..., list[Measurement]]
) -> None:
    three = dict.fromkeys(("male", "female", "nonbinary"), 1 / 3)
    compared = Prompt("one nurse", "nurse", variant="implicit", kind="occupation", reference={"gender": three})
    asked = Prompt("one x nurse", "nurse", variant="explicit", kind="occupation", requested={"gender": "nonbinary"})
    for prompt in (compared, asked):
        with pytest.raises(ConfigError, match="the suite also has nonbinary; name the same groups in both"):
            faintbench(added_up(ask(prompt)))
    build(weights={"age3": 1}).check(Design({p.id: p for p in (compared, asked)}))  # of no interest without a weight


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "pairs.csv"),
        ("advantaged,weight\nrich,1", "disadvantaged"),
        ("advantaged,disadvantaged,weight\nrich,poor,0", "weight must lie between 0.000001 and 1,000,000"),
        ("advantaged,disadvantaged,weight\nrich,rich,1", "two different terms"),
    ],
)
def test_wrong_pairs_show_before_any_work(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / "pairs.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words) as error:
        build(tmp_path, pairs="pairs.csv").check(Design())
    assert "\n" not in str(error.value)


HEAD = "advantaged,disadvantaged,weight\n"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("rich,pooor,1", "pairs.csv:3: suite 'faintbench' has no term 'pooor'; did you mean 'poor'?"),
        ("Nurze,Doctor,1", "pairs.csv:3: suite 'faintbench' has no term 'Nurze'; did you mean 'Nurse'?"),
        ("Generaal,Soldier,1", "has no term 'Generaal'; did you mean 'General'?"),
        ("rich,xyzzyx,1", "has no term 'xyzzyx'; see: portrayal suites show faintbench"),
        ("rich,Nurse,1", "pairs.csv:3: rich / Nurse cannot be compared: a pair is the two people of one relation, two"),
        ("General,Wife,1", "General / Wife cannot be compared"),
    ],
)
def test_a_pair_that_no_study_could_compare_is_refused(tmp_path: Path, row: str, words: str) -> None:
    (tmp_path / "pairs.csv").write_text(f"{HEAD}strong,weak,1\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        build(tmp_path, pairs="pairs.csv").check(Design())
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_terms_that_are_not_asked_for_are_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(f"{HEAD}RICH,Poor,1\nGeneral,Soldier,1\nJudge,Janitor,1\n", encoding="utf-8")
    build(tmp_path, pairs="pairs.csv").check(Design())


def test_a_table_of_ones_own_has_terms_of_its_own(tmp_path: Path) -> None:
    asked = [Prompt(f"one {term}", term, "faintbench", "", "implicit", kind="occupation") for term in ("Elf", "Wizard")]
    design = Design({prompt.id: prompt for prompt in asked})
    method = build(tmp_path, pairs="pairs.csv")
    (tmp_path / "pairs.csv").write_text(f"{HEAD}Wizard,Elf,1\nQqqq,Elf,1\n", encoding="utf-8")
    method.check(design)
    (tmp_path / "pairs.csv").write_text(f"{HEAD}Wizzard,Elf,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="no term 'Wizzard'; did you mean 'Wizard'"):
        build(tmp_path, pairs="pairs.csv").check(design)


def test_a_human_annotator_that_is_not_there(make_study: Callable[..., Path]) -> None:
    method = {"use": "faintbench", "options": {"human": "simulatd"}}
    suite = {"use": "faintbench", "options": {"terms": ["rich"]}}
    study = OpenStudy(make_study(suite=suite, methods=[method]))
    with pytest.raises(ConfigError, match="did you mean 'simulated'") as error:
        study.check()
    assert "no annotator 'simulatd' among the [[annotators]]" in str(error.value)
    assert "\n" not in str(error.value)


def test_the_published_benchmark_has_nothing_to_say() -> None:
    assert list(build().adjusted) == []
    assert list(METHODS.load("faintbench")(FaintbenchOptions(), Path()).adjusted) == []


def test_every_change_is_said(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("advantaged,disadvantaged,weight\nrich,poor,1\n", encoding="utf-8")
    groups = {**{name: dict(own) for name, own in FaintbenchOptions().group_weights.items()}}
    groups["gender"]["male"] = 0.3
    lines = build(
        tmp_path,
        weights={"gender": 1, "race5": 1, "age3": 1},
        person=0.5,
        profile="plain",
        pairs="pairs.csv",
        group_weights=groups,
    ).adjusted
    assert list(map(plain_adjustment, lines)) == [
        "weights in totals: perceived gender 1 (published 0.4); perceived race 1 (published 0.4); "
        "perceived age group 1 (published 0.2)",
        "person threshold 0.5 (published 0.2)",
        "weights of perceived gender in the manifestation factor: male 0.3 (published 0.2)",
        "pairs of your own for the manifestation factor: 1 instead of 36",
        "alignment “plain”: masses are not corrected (published: “optimised”)",
    ]


def test_a_new_study_is_the_published_benchmark(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    path, _ = create_study(folder, title="", generator="simulated", annotator="simulated", method="faintbench")
    config = load_config(folder)
    assert isinstance(config, StudyConfig)
    (method,) = config.methods
    assert (method.use, set(method.options)) == ("faintbench", set(FaintbenchOptions.model_fields) - {"pairs"})
    built = build_method(method, folder)
    assert isinstance(built, Faintbench)
    assert built.options == FaintbenchOptions()
    assert list(built.adjusted) == []
    assert tomllib.loads(path.read_text(encoding="utf-8"))["suite"]["use"] == "faintbench"
    OpenStudy(folder).check()


def test_a_study_that_asks_for_a_relation_only_keeps_the_pairs_of_its_people_as_occupations(tmp_path: Path) -> None:
    """ "Soldier" is an occupation and a side of "General / Soldier": a study of the latter alone was refused."""
    relation = [
        prompt for prompt in faintbench(FaintbenchSuiteOptions(), Path()).prompts if prompt.term == "General / Soldier"
    ]
    assert relation
    build(tmp_path).check(Design({prompt.id: prompt for prompt in relation}))
