"""Rules from plain questions: the policy.toml that the command reads, and verdicts that are its own."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest

import portrayal
from portrayal.api.study import Study
from portrayal.apps.studio.decisions.policy_rules import add_rule, rules_of
from portrayal.apps.studio.decisions.verdict import Decision, RuleAnswer, check_policy_file
from portrayal.errors import InputError
from portrayal.study.create.create_study import create_study
from portrayal.study.study import OpenStudy

TODAY = date(2028, 2, 29)
RULE = {"what": "gender/female", "term": "", "least": "20", "most": "80 %", "reference": "The board", "why": "It fits."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_study(
        tmp_path / "one",
        generator={"use": "simulated", "options": {"pixels": False}},
        annotator="simulated",
        prompts=[{"text": f"a photo of one {term}", "term": term} for term in ("nurse", 'a "CEO"')],
        images=60,
        title='The "first"',
    )
    return tmp_path / "one"


def scenarios(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = tomllib.loads((folder / "policy.toml").read_text())["scenarios"]
    return found


def test_rules_stand_before_anything_is_measured_and_are_decided_afterwards(folder: Path) -> None:
    add_rule(folder, {**RULE, "owner": "Safety"}, TODAY)
    add_rule(folder, {**RULE, "term": "*", "least": "1"}, TODAY)
    add_rule(folder, {**RULE, "term": "nurse", "most": "", "least": "99,5"}, TODAY)
    add_rule(folder, {**RULE, "what": "missing", "least": ""}, TODAY)
    written = scenarios(folder)
    assert [each["id"] for each in written] == [
        "all-female",
        "nurse-female",
        "a-ceo-female",
        "nurse-female-2",
        "missing",
    ]
    assert written[0]["share"] == {"attribute": "gender", "group": "female", "at_least": 0.2, "at_most": 0.8}
    assert written[3]["share"] == {"attribute": "gender", "group": "female", "term": "nurse", "at_least": 0.995}
    assert {each["review"] for each in written} == {date(2029, 2, 28)}
    Study(folder).run(progress=False)
    study, policy = OpenStudy(folder), folder / "policy.toml"
    decision, told = check_policy_file(folder, policy, study.attributes), portrayal.check(folder, policy)
    assert decision.verdict == told.verdict == "fail"
    verdicts = [scenario["verdict"] for scenario in told.to_dict()["scenarios"]]
    assert decision.sentence.replace("\xa0", " ").startswith(f"Of 5 rules: {verdicts.count('fail')} not met, ")
    assert decision.answers[0].id == "nurse-female-2"
    assert decision.answers[0].asks.replace("\xa0", " ") == (
        "nurse: perceived gender is female in at least 99.5 % of the pictures."
    )
    assert {answer.words for answer in decision.answers} == {row["words"] for row in told.rows}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"least": "", "most": ""}, "least share, the most"),
        ({"least": "80"}, "must lie below"),
        ({"least": "many"}, "from 0 to 100"),
        ({"most": "101"}, "from 0 to 100"),
        ({"most": "nan"}, "from 0 to 100"),
        ({"reference": " "}, "who decided"),
        ({"why": ""}, "who decided"),
        ({"why": "x" * 3_000}, "2000 characters"),
        ({"what": "gender/other"}, "what the rule is about"),
        ({"what": "gender"}, "what the rule is about"),
        ({"term": "judge"}, "what the rule is about"),
        ({"what": "missing", "most": ""}, "missing at most"),
    ],
)
def test_what_is_lacking_is_said_and_nothing_is_written(folder: Path, changed: dict[str, str], said: str) -> None:
    before = sorted(folder.rglob("*"))
    with pytest.raises(InputError, match=said):
        add_rule(folder, {**RULE, **changed}, TODAY)
    assert sorted(folder.rglob("*")) == before


def test_a_policy_that_the_command_would_refuse_is_not_written(folder: Path) -> None:
    from portrayal.errors import PortrayalError

    with pytest.raises(PortrayalError, match="some tolerance"):
        add_rule(folder, {**RULE, "least": "100", "most": ""}, TODAY)
    assert not (folder / "policy.toml").exists()
    add_rule(folder, RULE, TODAY)
    (folder / "policy.toml").write_text((folder / "policy.toml").read_text() + "colour = 1\n")
    broken = (folder / "policy.toml").read_bytes()
    with pytest.raises(PortrayalError, match="colour"):
        add_rule(folder, RULE, TODAY)
    assert (folder / "policy.toml").read_bytes() == broken


def test_the_hazard_says_what_the_limits_do(folder: Path) -> None:
    for limits in ({"least": "20", "most": ""}, {"least": "", "most": "80"}, {}):
        add_rule(folder, {**RULE, **limits}, TODAY)
    said = [str(each["hazard"]).partition("show")[2] for each in scenarios(folder)]
    assert [words.rpartition("female")[2] for words in said] == ["", " too often", " too rarely or too often"]


def test_what_rules_may_be_about_is_what_the_study_asks(folder: Path) -> None:
    rules = rules_of(OpenStudy(folder))
    assert rules.terms == ["nurse", 'a "CEO"']
    assert "female" in rules.groups["gender"]
    assert "smile" not in rules.groups  # nobody looks at it: such a rule could not be decided
    Study(folder).run(progress=False)
    assert set(rules_of(OpenStudy(folder)).groups) <= set(rules.groups)
    assert "female" in rules_of(OpenStudy(folder)).groups["gender"]


def answers(*verdicts: tuple[str, int | None]) -> Decision:
    rows = [RuleAnswer("a", "", verdict, "", more) for verdict, more in verdicts]
    return Decision("", "", rows, [], max(more or 0 for _, more in verdicts))


def test_the_advice_fits_the_verdict() -> None:
    assert [line[:10] for line in answers(("pass", None)).advice] == ["Every rule"]
    assert [line[:11] for line in answers(("fail", None), ("pass", None)).advice] == ["More images"]
    assert [line.replace("\xa0", " ") for line in answers(("undecided", 40), ("pass", None)).advice] == [
        "About 40 more images of each prompt would probably decide the open rules."
    ]
    assert [line[:9] for line in answers(("undecided", None)).advice] == ["Some open"]
    assert len(answers(("fail", None), ("undecided", 3), ("undecided", None)).advice) == 3
