"""Pictures that are edited, looked at before money is spent on editing them: one person each, as the suite says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from portrayal.annotators import looks_itself
from portrayal.errors import StudyError
from portrayal.evidence import Edited, Edits, Plan
from portrayal.records import Prompt, reason_parts
from portrayal.services.account import Paid, PaidEditor
from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import draw, edit
from portrayal.study.generate.pending_jobs import PendingJobs, SourceImages
from portrayal.study.measure.collect import collect
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["DoubtfulSource", "doubtful_sources", "draw_and_look", "generate_looking"]

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class DoubtfulSource:
    """A picture to edit that an annotator could not judge, or perceived otherwise than the suite says."""

    source: str
    annotator: str
    why: str


def generate_looking(study: OpenStudy, control: RunControl) -> None:
    """Draw what is to be edited, let the annotators look at it, tell what is doubtful, and then edit."""
    draw_and_look(study, control)
    if control.stopped() or not _pending_edits(study):
        return
    doubts = doubtful_sources(study)
    for doubt in doubts:
        control.remark(
            f"doubtful picture to edit: {doubt.source}: {doubt.why} ({study.names.annotator(doubt.annotator)})"
        )
    if doubts and not study.config.generate.doubtful_sources and _costs(study):
        names = list(dict.fromkeys(doubt.source for doubt in doubts))
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        raise StudyError(
            f"{study.root}: doubtful pictures to edit: {', '.join(names[:_SHOWN])}{more}; exchange them before edits "
            "cost money, or set doubtful_sources = true in [generate]"
        )
    edit(study, control)


def draw_and_look(study: OpenStudy, control: RunControl) -> None:
    """Draw what is pending, and show it to the annotators; nothing is edited."""
    study.require_trust("network")
    draw(study, control)
    if not control.stopped() and study.edits and _pending_edits(study):
        annotate(study, control)


def doubtful_sources(study: OpenStudy) -> list[DoubtfulSource]:
    """Return what is doubtful about the pictures to edit, as each annotator sees them, in the order of the suite."""
    wanted = {name for prompt in (study.suite.prompts if study.suite else ()) for name in prompt.requested}
    grouped = [name for name, attribute in study.attributes.items() if attribute.groups and name in wanted]
    need = Edits(tuple(grouped) or ("gender",))
    evidence = collect(study, [need], RunControl())
    plan, by_annotator = evidence.plan, evidence[need]
    order = {prompt: place for place, prompt in enumerate(plan.design.prompts)}
    places = sorted(range(len(plan.sources)), key=lambda place: (order[plan.sources[place].prompt], place))
    return [
        doubt
        for place in places
        for annotator, edited in by_annotator.items()
        if looks_itself(study.annotators[annotator][1])
        for doubt in _doubts(plan, place, annotator, edited)
    ]


def _doubts(plan: Plan, place: int, annotator: str, edited: Edited) -> Iterator[DoubtfulSource]:
    source = plan.sources[place]
    prompt = plan.design.prompts[source.prompt]
    name = prompt.term + (f" {source.number + 1}" if source.number else "")
    told = [attribute for attribute in edited.before if attribute in plan.design.annotators[annotator]]
    reasons = [reason_parts(str(edited.why_before[attribute][place]))[0] for attribute in told]
    if told and all(reasons):
        yield DoubtfulSource(name, annotator, ", ".join(sorted({reason.replace("_", " ") for reason in reasons})))
    elif why := ", ".join(
        _differences(plan, prompt, {attribute: edited.before[attribute][place] for attribute in told})
    ):
        yield DoubtfulSource(name, annotator, why)


def _differences(plan: Plan, prompt: Prompt, seen: Mapping[str, float]) -> Iterator[str]:
    for name, value in seen.items():
        wanted = prompt.requested.get(name)
        if wanted is not None and not np.isnan(value):
            group = plan.design.attributes[name].groups[int(value)]
            if group != wanted:
                yield f"perceived as {group}, not {wanted}".replace("_", " ")


def _pending_edits(study: OpenStudy) -> bool:
    sources = SourceImages(study)
    return any(PendingJobs(study, name, sources).count() for name, role in study.generators.items() if role.edits)


def _costs(study: OpenStudy) -> bool:
    """Return whether any editor asks for money, or may."""
    for role in study.generators.values():
        if role.edits and isinstance(role.generator, Paid):
            price = role.generator.edit_price if isinstance(role.generator, PaidEditor) else role.generator.price
            if price("") != 0:
                return True
    return False
