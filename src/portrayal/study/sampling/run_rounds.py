"""Rounds within a run: draw, look, decide, until nothing that is drawn would change the answer any more."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.importing.declared import bring_and_plan
from portrayal.study.run_control import RunControl
from portrayal.study.sampling.drawn_rounds import read_rounds
from portrayal.study.sampling.next_round import look, unfinished
from portrayal.study.study import OpenStudy

__all__ = ["look_before", "run_rounds"]


def look_before(study: OpenStudy, control: RunControl, names: Sequence[str]) -> None:
    """Decide about a round before it is drawn, where the one before is done: planning alone does, and drawing.

    So ``portrayal generate`` and ``portrayal annotate`` in turn draw round after round, as ``portrayal run`` does.
    """
    if "generate" not in names and tuple(names) != ("plan",):
        return
    if look(study, control):
        bring_and_plan(study, control)
    if study.config.sampling and "annotate" not in names:
        control.remark(_where_it_stands(study))


def run_rounds(study: OpenStudy, control: RunControl, names: Sequence[str]) -> None:
    """After the first round: look, and draw and look at what is let in, until nothing more is."""
    while "generate" in names and not control.stopped() and look(study, control):
        bring_and_plan(study, control)
        generate(study, control)
        annotate(study, control)


def _where_it_stands(study: OpenStudy) -> str:
    settings = study.config.sampling
    assert settings is not None
    rounds, left = read_rounds(study.workspace, settings), unfinished(study)
    this = f"adaptive run, round {rounds.looks + 1}"
    if rounds.rows and all(row.reason for row in rounds.rows):
        return f"adaptive run: nothing more is drawn after {rounds.looks} looks; portrayal status says why"
    if left:
        return f"{this}: this round alone; then portrayal annotate, and portrayal generate for the next (run does all)"
    return f"{this}: done"
