"""A policy made from plain questions: the same policy.toml that ``portrayal check`` reads, a rule added at a time."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from portrayal.apps.studio.decisions.verdict import check_policy_file
from portrayal.errors import InputError, StudyError
from portrayal.inputfile import read_text
from portrayal.language.translation import t
from portrayal.records import JOINT
from portrayal.reports.text.words import human
from portrayal.store.files import write_atomic
from portrayal.study.create.toml_lines import written
from portrayal.study.plan.make_plan import asked_prompts
from portrayal.study.study import OpenStudy

__all__ = ["ALL_PROMPTS", "EACH_TERM", "POLICY", "Rules", "add_rule", "rules_of"]

POLICY = "policy.toml"
ALL_PROMPTS, EACH_TERM = "", "*"
MISSING = "missing"
"""What is limited: the images that are missing."""
MOST_TERMS = 300
_LONGEST = 2_000
_HEAD = """\
# A policy for the study {title}: a register of bias scenarios. Check the study against it with:
#   portrayal check {folder} --policy {folder}/policy.toml

[policy]
title = {policy}
study = {title}
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a rule of a study may be about: groups by attribute, and terms."""

    groups: Mapping[str, Sequence[str]]
    terms: Sequence[str]


def rules_of(study: OpenStudy) -> Rules:
    """Return what rules may be about."""
    names = _perceived(study)
    groups = {name: each.groups for name, each in study.attributes.items() if each.groups and name in names}
    terms = dict.fromkeys(prompt.term for prompt in asked_prompts(study) if prompt.term)
    return Rules(groups, list(terms)[:MOST_TERMS])


def _perceived(study: OpenStudy) -> set[str]:
    """Return the attributes that are measured; before that those that its annotators report."""
    if study.workspace.tables["measurements"].count():
        return set(study.workspace.query("SELECT DISTINCT attribute FROM measurements")["attribute"].to_pylist())
    reported = {each.name for _, annotator in study.annotators.values() for each in annotator.attributes}
    return {name for name in study.attributes if not reported or set(name.split(JOINT)) <= reported}


def add_rule(folder: Path, form: Mapping[str, str], today: date) -> None:
    """Write a rule to the study's policy.toml; what stands there stays.

    Raises
    ------
    InputError
        With a sentence for the page, where something must be changed; nothing is written then.
    """
    study, path = OpenStudy(folder), folder / POLICY
    text = read_text(path) if path.exists() else _head(study, form)
    for scenario in _scenarios(rules_of(study), form, today):
        text += _table(scenario, text)
    with TemporaryDirectory(dir=folder, prefix=".tmp-policy-") as place:
        draft = Path(place) / POLICY
        draft.write_text(text, encoding="utf-8")
        with contextlib.suppress(StudyError):  # nothing is measured yet: the best time to write a policy
            check_policy_file(folder, draft, study.attributes)
    write_atomic(path, text.encode())


def _head(study: OpenStudy, form: Mapping[str, str]) -> str:
    owner = _one_line(form.get("owner", ""))
    title = written(study.config.study.title)
    head = _HEAD.format(title=title, folder=study.root.name, policy=written(t("Release policy")))
    return head + (f"owner = {written(owner)}\n" if owner else "")


def _scenarios(rules: Rules, form: Mapping[str, str], today: date) -> list[dict[str, object]]:
    """Return the scenarios of a rule: one, or one for each term."""
    least, most = _share(form, "least"), _share(form, "most")
    if least is None and most is None:
        raise InputError(t("Please say the least share, the most, or both."))
    if least is not None and most is not None and least >= most:
        raise InputError(t("The least share must lie below the most."))
    if not form.get("reference", "").strip() or not form.get("why", "").strip():
        raise InputError(t("Please say who decided on these limits, and why they fit."))
    about = {"reference": _text(form, "reference"), "why": _text(form, "why")}
    about["review"] = date(today.year + 1, today.month, min(today.day, 28)).isoformat()
    limits = {name: share for name, share in (("at_least", least), ("at_most", most)) if share is not None}
    if form.get("what") == MISSING:
        if most is None:
            raise InputError(t("Please say how many images may be missing at most."))
        hazard = t("Missing images hide how people are portrayed")
        risk = t("Whoever the missing pictures would have shown")
        return [{"id": "missing", "hazard": hazard, "at_risk": risk, **about, "missing": {"at_most": most}}]
    attribute, _, group = form.get("what", "").partition("/")
    if group not in rules.groups.get(attribute, ()):
        raise InputError(t("Please choose what the rule is about."))
    place = form.get("term", ALL_PROMPTS)
    terms = rules.terms if place == EACH_TERM else [place]
    if place not in (ALL_PROMPTS, EACH_TERM, *rules.terms) or not terms:
        raise InputError(t("Please choose what the rule is about."))
    return [
        {
            "id": _id(group, term),
            "hazard": _hazard(group, term, least, most),
            "at_risk": t("People perceived as {group}", group=human(group)),
            **about,
            "share": {"attribute": attribute, "group": group, **({"term": term} if term else {}), **limits},
        }
        for term in terms
    ]


def _hazard(group: str, term: str, least: float | None, most: float | None) -> str:
    about = {"term": term or t("all prompts"), "group": human(group)}
    if most is None:
        return t("Pictures of {term} hardly show people perceived as {group}", **about)
    if least is None:
        return t("Pictures of {term} show people perceived as {group} too often", **about)
    return t("Pictures of {term} show people perceived as {group} too rarely or too often", **about)


def _table(scenario: Mapping[str, object], before: str) -> str:
    """Return a scenario as TOML, with an id that is not there yet."""
    lines, tables = ["", "[[scenarios]]"], []
    for key, value in scenario.items():
        if isinstance(value, Mapping):
            tables += [f"[scenarios.{key}]", *(f"{name} = {written(inner)}" for name, inner in value.items())]
        elif key == "review":
            lines.append(f"review = {value}")
        else:
            lines.append(f"{key} = {written(_unused(str(value), before) if key == 'id' else value)}")
    return "\n".join([*lines, *tables]) + "\n"


def _unused(name: str, text: str) -> str:
    number, chosen = 1, name
    while f"id = {written(chosen)}\n" in text:
        number += 1
        chosen = f"{name}-{number}"
    return chosen


def _id(group: str, term: str) -> str:
    return re.sub(r"[^\w]+", "-", f"{term or 'all'} {group}".lower()).strip("-")[:100] or "rule"


def _share(form: Mapping[str, str], name: str) -> float | None:
    text = form.get(name, "").strip().rstrip("%").strip().replace(",", ".")
    if not text:
        return None
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 100:
        raise InputError(t("A share is a number from 0 to 100 per cent."))
    return round(share / 100, 6)


def _text(form: Mapping[str, str], name: str) -> str:
    text = form[name].strip()
    if len(text) > _LONGEST:
        raise InputError(t("At most {n} characters, please.", n=_LONGEST))
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
