"""JUnit, SARIF, Markdown and JSON, each read back by its own reader, with names that try to break them."""

from __future__ import annotations

import json
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from sarif_pydantic import Level, Sarif
from tests.samples.policies import scenario

from portrayal.apps.check.baseline import numbers_from_file
from portrayal.apps.check.checking import PolicyResult
from portrayal.apps.check.outputs.junit import junit_xml
from portrayal.apps.check.outputs.markdown import markdown_page
from portrayal.apps.check.outputs.result_json import result_json
from portrayal.apps.check.outputs.sarif import sarif_json
from portrayal.errors import InputError

Checked = Callable[..., PolicyResult]
SHARE = 'share = {{ attribute = "gender", group = "female", term = "{}", target = 0.5, tolerance = 0.2 }}'
HOSTILE = "]]> <b>|`x`| ![i](http://x) @all \\\\u0000 \\u202e 💡"
POLICY = (
    scenario("ceo", SHARE.format("CEO"))
    + scenario("nurse", SHARE.format("nurse"))
    + scenario("ok", 'missing = { term = "CEO", at_most = 0.5 }')
)


@pytest.fixture
def result(checked: Checked) -> PolicyResult:
    return checked(POLICY)


def test_junit_has_a_case_for_each_scenario(result: PolicyResult) -> None:
    suites = ElementTree.fromstring(junit_xml(result))
    suite = suites[0]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert [child.tag for child in cases["ceo"]] == ["failure"]
    assert [child.tag for child in cases["nurse"]] == ["error"]
    assert [child.tag for child in cases["ok"]] == ["system-out"]
    assert cases["ceo"][0].get("message", "").startswith("A: CEO")
    assert cases["nurse"].get("line") == "13"


def test_sarif_is_read_by_its_reader_and_points_at_lines(result: PolicyResult) -> None:
    document = Sarif.model_validate_json(sarif_json(result))
    (run,) = document.runs
    assert document.version == "2.1.0"
    assert [rule.id for rule in run.tool.driver.rules or []] == ["ceo", "nurse", "ok"]
    found = [(each.rule_id, each.level) for each in run.results or []]
    others = [(name, Level.NONE) for name in ("ceo", "nurse", "nurse", "ok", "ok")]
    assert found == [("ceo", Level.ERROR), *others]
    lines = result.file.text.split("\n")
    for each in run.results or []:
        place = (each.locations or [])[0].physical_location
        assert place is not None
        assert place.region is not None
        assert place.artifact_location is not None
        assert str(place.artifact_location.uri).endswith("policy.toml")
        start = place.region.start_line or 0
        assert lines[start - 1] == "[[scenarios]]"
        assert lines[start] == f'id = "{each.rule_id}"'


def test_sarif_keeps_the_rules_of_the_standard(result: PolicyResult) -> None:
    """What its schema asks: required properties, known kinds and levels, and nothing that it does not know."""
    document = json.loads(sarif_json(result))
    assert set(document) == {"$schema", "version", "runs"}
    (run,) = document["runs"]
    assert set(run) == {"tool", "results", "columnKind"}
    rules = run["tool"]["driver"]["rules"]
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert set(rule) <= {"id", "shortDescription", "fullDescription", "properties"}
        assert rule["shortDescription"]["text"]
    for each in run["results"]:
        assert set(each) == {"ruleId", "ruleIndex", "kind", "level", "message", "locations"}
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]
        assert each["kind"] in ("notApplicable", "pass", "fail", "review", "open", "informational")
        assert (each["level"] == "none") == (each["kind"] != "fail")  # § 3.27.10: none for all other kinds
        assert each["message"]["text"]
        region = each["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] >= 1


def test_markdown_shows_the_table_and_the_register(result: PolicyResult) -> None:
    page = markdown_page(result).decode()
    assert page.startswith("# Release policy\n\n**Not ready: 1 of 3 scenarios fails")
    rows = [line for line in page.splitlines() if line.startswith("| **") or line.startswith("| pass")]
    assert len(rows) == sum(len(each.answers) for each in result.scenarios)
    assert "- Why: as agreed" in page
    assert "- Owner: Ada" in page


def test_json_is_a_baseline_for_the_next_check(result: PolicyResult, checked: Checked) -> None:
    data = result_json(result)
    assert (data["verdict"], len(data["scenarios"])) == ("fail", 3)
    text = json.dumps(data, allow_nan=False)
    path = result.file.path.with_name("last.json")
    path.write_text(text)
    before = numbers_from_file(path)
    keys = 'attribute = "gender", group = "female", term = "nurse", worse = "different", margin = 0.6'
    again = checked(scenario("same", f"baseline = {{ {keys} }}"), before)
    assert again.verdict.value == "pass"
    missing = next(row for row in before.rows if row.missing and row.item == "nurse")
    assert before.moved(missing) == pytest.approx(0.2)


def test_hostile_names_break_no_format(checked: Checked) -> None:
    result = checked(scenario("ceo", SHARE.format("CEO")).replace("hazard of ceo", HOSTILE))
    case = ElementTree.fromstring(junit_xml(result)).find(".//failure")
    assert case is not None
    assert "<b>" in (case.text or "")
    page = markdown_page(result).decode()
    assert "<b>" not in page.replace("\\<b", "")
    assert "![i]" not in page
    assert "\u202e" not in page
    assert Sarif.model_validate_json(sarif_json(result)).runs[0].results


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("b.json", "{}", "no measurements in it"),
        ("b.json", '{"measurements": []}', "no measurements in it"),
        ("b.json", "not json", "not valid JSON"),
        (
            "b.json",
            '{"measurements": [{"method": "m", "metric": "share"}]}',
            "1: generator: field required",
        ),
        ("b.json", '[{"method": "m", "metric": "share", "generator": "A", "value": "x"}]', "value"),
        ("b.json", '[{"method": "m", "metric": "share", "generator": "A", "value": NaN}]', "NaN"),
        ("b.jsonl", '{"method": "m"}\n{', r"b\.jsonl:2"),
        ("b.json", "[3]", "measurement 1"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(result: PolicyResult, name: str, text: str, said: str) -> None:
    path = result.file.path.with_name(name)
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        numbers_from_file(path)
