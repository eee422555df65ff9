"""The stages in their order; each can be run alone, and all of them again, at no cost when nothing is pending."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.generate.rejecting import reject_inconsistent
from portrayal.study.generate.sources import generate_looking
from portrayal.study.importing.declared import bring_and_plan
from portrayal.study.measure.measure_study import measure, require_annotators
from portrayal.study.report.coverage import coverage_remarks
from portrayal.study.report.report_page import report
from portrayal.study.run_control import RunControl
from portrayal.study.sampling.check_sampling import check_sampling
from portrayal.study.sampling.run_rounds import look_before, run_rounds
from portrayal.study.study import OpenStudy

__all__ = ["STAGES", "run_stages"]

_COLLECTED = 100_000
"""New objects after which unused ones are looked for; Python's own number is 700."""
_UNDRAWN = "SELECT id FROM jobs ANTI JOIN (SELECT job AS id FROM outcomes) USING (id) LIMIT 1"
STAGES: Mapping[str, Callable[[OpenStudy, RunControl], object]] = {
    "plan": bring_and_plan,
    "generate": generate,
    "annotate": annotate,
    "measure": measure,
    "report": report,
}


def run_stages(
    study: OpenStudy, control: RunControl, names: tuple[str, ...] = tuple(STAGES), *, wait: bool = False
) -> Path:
    """Run the named stages under the study's lock, up to the first that is asked to stop; return the report's path."""
    if {"generate", "annotate"} & set(names):
        study.require_trust("network")
    study.check()
    check_sampling(study)
    if "measure" in names:
        require_annotators(study)
    with study.workspace.writing(wait=wait), _fewer_collections():
        for name in names:
            if control.stopped():
                break
            if name == "generate" and study.edits and "annotate" in names:
                generate_looking(study, control)
            else:
                STAGES[name](study, control)
            if name == "plan":
                look_before(study, control, names)
            if name == "annotate":
                _redraw(study, control, again="generate" in names)
                run_rounds(study, control, names)
            if name == "plan" and {"generate", "annotate"} <= set(names) and control.cluster is None:
                _require_ready(study)
            if name == "plan" and "measure" in names:
                for said in coverage_remarks(study):
                    control.remark(said)
    return study.root / "report" / "index.html"


@contextlib.contextmanager
def _fewer_collections() -> Iterator[None]:
    """Look less often for objects that refer to each other: rows are many, and none of them does."""
    before = gc.get_threshold()
    gc.set_threshold(_COLLECTED, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _require_ready(study: OpenStudy) -> None:
    """Say before images are drawn that an annotator could not look at them: it lacks a model's files, or a key."""
    if study.workspace.query(_UNDRAWN).num_rows:
        for _, annotator in study.annotators.values():
            getattr(annotator, "require_ready", lambda: None)()


def _redraw(study: OpenStudy, control: RunControl, *, again: bool) -> None:
    """Reject edits that are to be made anew and, where drawing is asked for, make and look at them until none is."""
    while reject_inconsistent(study, control) and again and not control.stopped():
        generate(study, control)
        annotate(study, control)
