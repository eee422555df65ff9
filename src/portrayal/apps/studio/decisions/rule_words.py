"""What a rule of a policy asks, in a sentence: whoever reads the verdict need not know policy.toml."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from portrayal.language.numbers import percent_as_written
from portrayal.language.translation import t
from portrayal.records import Attribute
from portrayal.reports.text.words import aspect_title, capital, human
from portrayal.tomlfile import parse_toml

__all__ = ["policy_rules", "rule_words"]

_PLACE = {"term", "category"}
_SHARE = {"attribute", "group", "at_least", "at_most", "target", "tolerance"}


def policy_rules(text: str, attributes: Mapping[str, Attribute]) -> list[str]:
    """Return what the rules of a policy.toml ask, before anything is measured; what is no rule is passed over."""
    scenarios = parse_toml(text, "policy.toml").get("scenarios")
    said = []
    for scenario in scenarios if isinstance(scenarios, list) else []:
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):  # the check says what is wrong
            said.append(rule_words(scenario, attributes))
    return said


def rule_words(scenario: Mapping[str, Any], attributes: Mapping[str, Attribute]) -> str:
    """Return what a rule asks; of a kind that no page makes, the risk that its author wrote down."""
    share, missing = _said(scenario, "share"), _said(scenario, "missing")
    if share and not set(share) - _SHARE - _PLACE:
        return t(
            "{place}: {attribute} is {group} in {limits} of the pictures.",
            place=_place(share),
            attribute=aspect_title(share["attribute"], attributes),
            group=human(share["group"]),
            limits=_limits(share),
        )
    if missing and not set(missing) - _PLACE - {"at_most"}:
        most = percent_as_written(missing["at_most"])
        return t("{place}: at most {most} of the images are missing.", place=_place(missing), most=most)
    return str(scenario["hazard"])


def _said(scenario: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {name: value for name, value in (scenario.get(kind) or {}).items() if value not in ("", None)}


def _place(measure: Mapping[str, Any]) -> str:
    return str(measure.get("term") or measure.get("category") or capital(t("all prompts")))


def _limits(share: Mapping[str, Any]) -> str:
    least, most = share.get("at_least"), share.get("at_most")
    if "target" in share:
        least = max(round(share["target"] - share["tolerance"], 10), 0.0)
        most = min(round(share["target"] + share["tolerance"], 10), 1.0)
    lower = t("at least {share}", share=percent_as_written(least)) if least else ""
    upper = t("at most {share}", share=percent_as_written(most)) if most is not None and (most < 1 or not lower) else ""
    return t("{one} and {other}", one=lower, other=upper) if lower and upper else lower or upper
