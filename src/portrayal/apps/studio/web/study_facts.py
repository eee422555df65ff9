"""What a study's page says of its settings and tables: what it asks, has and costs, or why that cannot be said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.new.sample_choices import rounds_choice
from portrayal.apps.studio.web.perceived import title_of
from portrayal.apps.studio.web.run_words import cost_words
from portrayal.apps.studio.web.study_words import outlook_words, status_rows
from portrayal.errors import MissingExtraError, MissingOptionError, PortrayalError
from portrayal.language.numbers import count
from portrayal.language.translation import t
from portrayal.services.account import Paid
from portrayal.store.ledger import spent_by_part
from portrayal.study.parts.payment import known_sum
from portrayal.study.plan.workload import workloads
from portrayal.study.status import Status, read_status
from portrayal.study.study import OpenStudy

__all__ = ["costs_money", "study_facts"]

_UNKNOWN: Mapping[str, Any] = {
    "status": None,
    "outlook": [],
    "rows": [],
    "images": None,
    "draws": False,
    "paid": False,
    "cost": "",
    "titles": {},
    "drawn_so_far": "",
    "in_rounds": "",
    "brings": False,
}


def study_facts(study: ListedStudy) -> Mapping[str, Any]:
    """Return what a study asks and has, or why that cannot be said."""
    if study.problem:
        return {**_UNKNOWN, "problem": study.problem}
    try:
        opened = OpenStudy(study.folder)
        # Before anything is planned, what running it comes to; afterwards what is there.
        status = read_status(opened).named() if (study.folder / "tables" / "jobs").is_dir() else None
        images = {config.images for config in opened.config.generators}
        return {
            "status": status,
            "outlook": [] if status else outlook_words(opened),
            "rows": status_rows(status) if status else [],
            "images": images.pop() if len(images) == 1 else None,
            "draws": bool(opened.config.generators),
            "titles": {name: title_of(name, opened.attributes) for name in opened.attributes},
            "drawn_so_far": _drawn_so_far(status) if status else "",
            "in_rounds": rounds_choice(opened),
            "brings": bool(opened.config.imports),
            "paid": _is_paid(opened),
            "cost": _cost(opened),
            "problem": "",
        }
    except PortrayalError as error:
        return {**_UNKNOWN, "problem": str(error)}


def _drawn_so_far(status: Status) -> str:
    """Return how many of the pictures are there; empty where all are."""
    made = sum(counts.get("made", 0) for counts in status.outcomes.values())
    return (
        t("{made} of {total} pictures are there.", made=count(made), total=count(status.jobs))
        if made < status.jobs
        else ""
    )


def _cost(study: OpenStudy) -> str:
    """Return what running the study costs at most; empty where nobody is paid."""
    try:
        work = [task for task in workloads(study) if task.paid]
    except (MissingOptionError, MissingExtraError):
        return ""
    spent = sum(spent_by_part(study.workspace).values())
    return cost_words(known_sum(*(task.usd for task in work)), spent) if work else ""


def costs_money(study: ListedStudy) -> bool:
    """Return whether anyone who draws or looks may cost money."""
    return _is_paid(OpenStudy(study.folder))


def _is_paid(study: OpenStudy) -> bool:
    """Return whether anyone who draws or looks may cost money."""
    drawing = [each.generator for each in study.generators.values()]
    return any(isinstance(part, Paid) for part in (*drawing, *(part for _, part in study.annotators.values())))
