"""A commented policy.toml for a study: examples with the study's own terms and groups, all to be thought about."""

from __future__ import annotations

import shlex
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Template

from portrayal.errors import PortrayalError, StudyError
from portrayal.records import BUILTIN_ATTRIBUTES, Attribute
from portrayal.store.files import write_atomic
from portrayal.study.create.toml_lines import written
from portrayal.study.plan.make_plan import asked_prompts
from portrayal.study.study import OpenStudy
from portrayal.terminal import one_line

__all__ = ["POLICY_NAME", "policy_text", "write_policy"]

POLICY_NAME = "policy.toml"
_TEMPLATE = "policy.toml.in"


def write_policy(folder: Path) -> Path:
    """Write ``folder/policy.toml``; one that is there already is never touched."""
    path = folder / POLICY_NAME
    if path.exists():
        raise StudyError(f"{path}: is there already; edit it, or move it away")
    write_atomic(path, policy_text(OpenStudy(folder), date.today()).encode("utf-8", "replace"))
    return path


def policy_text(study: OpenStudy, today: date) -> str:
    """Return the text of a new policy, to be reviewed in a year."""
    attribute = _attribute(study)
    title, term, group = study.config.study.title, _term(study), attribute.groups[-1]
    text = (files(__package__ or "") / _TEMPLATE).read_text(encoding="utf-8")
    return Template(text).substitute(
        title=_inside(title),
        folder=shlex.quote(one_line(str(study.root))),
        file=shlex.quote(one_line(str(study.root / POLICY_NAME))),
        title_text=written(title),
        term=_inside(term),
        term_text=written(term),
        group=_inside(group),
        group_text=written(group),
        attribute_text=written(attribute.name),
        review=date(today.year + 1, today.month, min(today.day, 28)).isoformat(),
    )


def _attribute(study: OpenStudy) -> Attribute:
    """Return the first attribute with groups that the study's annotators report."""
    try:
        reported = list(study.attributes.values())
    except PortrayalError:  # an annotator that is not installed yet; what it reports is known later
        reported = []
    return next(attribute for attribute in (*reported, *BUILTIN_ATTRIBUTES) if attribute.groups)


def _term(study: OpenStudy) -> str:
    return next((prompt.term for prompt in asked_prompts(study) if prompt.term), "CEO")


def _inside(text: str) -> str:
    """Return text as it may stand in a comment, or in the middle of a text of TOML."""
    return written(one_line(text))[1:-1]
