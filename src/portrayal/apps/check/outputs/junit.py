"""A check as JUnit XML: a test case for each scenario; what is undecided is an error, so that it never looks passed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from xml.etree.ElementTree import Element, SubElement, tostring

from portrayal.apps.check.checking import PolicyResult, ScenarioResult
from portrayal.apps.check.decisions.limits import Verdict
from portrayal.apps.check.outputs.first_sentence import first_sentence
from portrayal.apps.check.outputs.result_words import answer_words

__all__ = ["junit_xml"]

_NONE_OF_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_KINDS: Mapping[Verdict, str] = MappingProxyType({Verdict.FAIL: "failure", Verdict.UNDECIDED: "error"})


def junit_xml(result: PolicyResult) -> bytes:
    """Return the document."""
    counts = {
        "tests": str(len(result.scenarios)),
        "failures": str(result.counted(Verdict.FAIL)),
        "errors": str(result.counted(Verdict.UNDECIDED)),
    }
    title = _clean(result.file.policy.policy.title)
    suites = Element("testsuites", {"name": title, **counts})
    suite = SubElement(suites, "testsuite", {"name": title, **counts, "skipped": "0"})
    properties = SubElement(suite, "properties")
    for name, value in (("study", result.study), ("sentence", first_sentence(result))):
        SubElement(properties, "property", {"name": name, "value": _clean(value)})
    for each in result.scenarios:
        _case(suite, each, title, str(result.file.path))
    document: bytes = tostring(suites, encoding="utf-8", xml_declaration=True)
    return document


def _case(suite: Element, each: ScenarioResult, title: str, path: str) -> None:
    place = {"file": _clean(path), "line": str(each.line)}
    case = SubElement(suite, "testcase", {"classname": title, "name": _clean(each.scenario.id), **place})
    words = [f"{answer.judged.verdict.value}: {answer_words(answer)}" for answer in each.answers]
    said = _clean("\n".join([*words, f"hazard: {each.scenario.hazard}", f"at risk: {each.scenario.at_risk}"]))
    if (kind := _KINDS.get(each.verdict)) is None:
        SubElement(case, "system-out").text = said
    else:
        worst = next(answer for answer in each.answers if answer.judged.verdict is each.verdict)
        problem = {"message": _clean(answer_words(worst)), "type": each.verdict.value}
        SubElement(case, kind, problem).text = said


def _clean(text: str) -> str:
    """Return text without characters that XML has none of."""
    return _NONE_OF_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
