"""A check as Markdown, for a comment beside a change or a page of a register."""

from __future__ import annotations

import re

from portrayal.apps.check.checking import PolicyResult, ScenarioResult
from portrayal.apps.check.decisions.limits import Verdict
from portrayal.apps.check.outputs.first_sentence import first_sentence
from portrayal.apps.check.outputs.remarks import remarks
from portrayal.apps.check.outputs.result_words import answer_lines
from portrayal.terminal import one_line

__all__ = ["markdown_page"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~@&])")


def markdown_page(result: PolicyResult) -> bytes:
    """Return the page."""
    about = result.file.policy.policy
    lines = [f"# {_plain(about.title)}", "", f"**{_plain(first_sentence(result))}**", ""]
    lines += [f"Study: {_plain(result.study)}", "", "| verdict | scenario | found |", "| --- | --- | --- |"]
    lines += [
        f"| {_mark(verdict)} | {_plain(each.scenario.id)} | {_plain(words)} |"
        for verdict, each, _, words in answer_lines(result)
    ]
    lines += ["", *(f"{_plain(remark)}\n" for remark in remarks(result)), "## Scenarios", ""]
    for each in result.scenarios:
        lines += _scenario(each, about.owner)
    return "\n".join(lines).encode()


def _scenario(each: ScenarioResult, owner: str) -> list[str]:
    scenario = each.scenario
    about = {
        "Hazard": scenario.hazard,
        "At risk": scenario.at_risk,
        "Reference": scenario.reference,
        "Why": scenario.why,
        "What is done": scenario.treatment,
        "Review": str(scenario.review or ""),
        "Owner": scenario.owner or owner,
    }
    told = [f"- {name}: {_plain(text)}" for name, text in about.items() if text]
    return [f"### {_plain(scenario.id)}: {each.verdict.value}", "", *told, ""]


def _mark(verdict: Verdict) -> str:
    return verdict.value if verdict is Verdict.PASS else f"**{verdict.value}**"


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is, in one line."""
    return _SPECIAL.sub(r"\\\1", one_line(" ".join(text.split())))
