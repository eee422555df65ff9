"""A check as SARIF 2.1.0: a rule for each scenario, and for each answer a result that points at its line of the policy.

What is undecided is of the kind that the standard calls open: there is not enough to tell whether a problem exists.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from portrayal import __version__
from portrayal.apps.check.checking import PolicyResult, ScenarioResult
from portrayal.apps.check.decisions.limits import Verdict
from portrayal.apps.check.outputs.result_words import answer_words
from portrayal.terminal import from_here

__all__ = ["sarif_json"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_KINDS: Mapping[Verdict, tuple[str, str]] = MappingProxyType(
    {Verdict.FAIL: ("fail", "error"), Verdict.UNDECIDED: ("open", "none"), Verdict.PASS: ("pass", "none")}
)


def sarif_json(result: PolicyResult) -> bytes:
    """Return the document."""
    driver = {"name": "Portrayal", "version": __version__, "rules": [_rule(each) for each in result.scenarios]}
    run = {
        "tool": {"driver": driver},
        "results": [
            found for place, each in enumerate(result.scenarios) for found in _results(place, each, result.file.path)
        ],
        "columnKind": "unicodeCodePoints",
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=True).encode()


def _rule(each: ScenarioResult) -> dict[str, Any]:
    scenario = each.scenario
    about = f"At risk: {scenario.at_risk}\nReference: {scenario.reference}\nWhy: {scenario.why}"
    done = f"\nWhat is done: {scenario.treatment}" if scenario.treatment else ""
    return {
        "id": scenario.id,
        "shortDescription": {"text": scenario.hazard},
        "fullDescription": {"text": about + done},
        "properties": {"measure": scenario.kind, "owner": scenario.owner, "review": str(scenario.review or "")},
    }


def _results(place: int, each: ScenarioResult, path: Path) -> list[dict[str, Any]]:
    location = {"artifactLocation": {"uri": _uri(path)}, "region": {"startLine": each.line}}
    results = []
    for answer in each.answers:
        kind, level = _KINDS[answer.judged.verdict]
        results.append(
            {
                "ruleId": each.scenario.id,
                "ruleIndex": place,
                "kind": kind,
                "level": level,
                "message": {"text": answer_words(answer)},
                "locations": [{"physicalLocation": location}],
            }
        )
    return results


def _uri(path: Path) -> str:
    """Return a path as a relative address where it lies in the current folder, as who reads the file works there."""
    shown = from_here(path.absolute())
    return shown.as_uri() if shown.is_absolute() else quote(shown.as_posix())
