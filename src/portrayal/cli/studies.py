"""Commands on one study: run its stages, ask how it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.cli.costs import show_estimates
from portrayal.cli.run_options import Address, Budget, DryRun, Engine, Quiet, Wait, Workers
from portrayal.commands.options import Folder, Json
from portrayal.terminal import say, say_json, say_table, say_text

if TYPE_CHECKING:
    from portrayal.study.plan.costs import Stage

__all__ = ["annotate", "generate", "measure", "plan", "report", "run", "sources", "status"]


def plan(study: Folder, wait: Wait = False, quiet: Quiet = False) -> None:
    """Plan which images the study will ask for."""
    from portrayal.api.study import Study

    Study(study).plan(progress=not quiet, wait=wait)


def _paid_stage(stage: Stage, does: str) -> Callable[..., None]:
    """Return the command of a stage that may cost money."""

    def command(
        study: Folder,
        budget: Budget = None,
        dry_run: DryRun = False,
        wait: Wait = False,
        engine: Engine = "local",
        address: Address = "",
        quiet: Quiet = False,
    ) -> None:
        from portrayal.api.study import Study

        if dry_run:
            _show_costs(study, budget, stage, wait=wait)
        else:
            getattr(Study(study), stage)(progress=not quiet, budget=budget, wait=wait, engine=engine, address=address)

    command.__name__, command.__doc__ = stage, does
    return command


generate = _paid_stage("generate", "Draw the planned images that are not drawn yet.")
annotate = _paid_stage("annotate", "Let annotators look at every image not yet judged.")


def measure(
    study: Folder,
    method: Annotated[str, typer.Option(help="Compute only this method; see: portrayal doctor.")] = "",
    wait: Wait = False,
    as_json: Json = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Compute all measurements from what annotators saw."""
    from portrayal.api.study import Study

    measurements = Study(study).measure(method=method, progress=not quiet, wait=wait, workers=workers)
    if as_json:
        say_json(measurements.records())


def report(
    study: Folder,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print the path of the one-page summary instead of the report's.")
    ] = False,
    wait: Wait = False,
    quiet: Quiet = False,
) -> None:
    """Measure, and write the report page and its summary.

    The summary is a single A4 page for whoever decides: report/summary.html, next to the report.
    """
    from portrayal.api.study import Study

    say(str(Study(study).report(summary=summary, progress=not quiet, wait=wait)))


def run(  # noqa: PLR0913 - Typer wants a parameter for each option
    study: Folder,
    budget: Budget = None,
    dry_run: DryRun = False,
    wait: Wait = False,
    engine: Engine = "local",
    address: Address = "",
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Do everything that is left to do, up to the report.

    The stages are plan, generate, annotate, measure and report. If it stops, run it again to continue.
    """
    from portrayal.api.study import Study

    if dry_run:
        _show_costs(study, budget, wait=wait)
    else:
        result = Study(study).run(
            progress=not quiet, budget=budget, wait=wait, engine=engine, address=address, workers=workers
        )
        say(str(result))


def status(study: Folder, as_json: Json = False) -> None:
    """Show progress: done, pending, refused, failed.

    Also shows why images were refused or failed, and how many an annotator could not judge.
    """
    # Not the whole of a study, which also compares, finds and corrects: this is asked again and again.
    from portrayal.api.study_tables import StudyTables
    from portrayal.study.parts.given_parts import OwnParts

    state = StudyTables(study, OwnParts()).status
    if as_json:
        say_json(state.as_json())
    else:
        say_text(repr(state))


def sources(study: Folder, wait: Wait = False, as_json: Json = False) -> None:
    """Draw the pictures to be edited, and list doubtful ones.

    The study's annotators look at them. Nothing is edited.
    """
    from dataclasses import asdict

    from portrayal.api.study import Study
    from portrayal.study.study import OpenStudy

    doubts = Study(study).sources(wait=wait)
    if as_json:
        say_json([asdict(doubt) for doubt in doubts])
    elif doubts:
        names = OpenStudy(study).names
        rows = [(doubt.source, names.annotator(doubt.annotator), doubt.why) for doubt in doubts]
        say_table(("picture", "annotator", "doubtful as"), rows)
    else:
        say("no picture to edit is doubtful")


def _show_costs(folder: Path, budget: float | None, *stages: Stage, wait: bool) -> None:
    """Plan, and show what the rest would cost."""
    from portrayal.api.study import Study

    study = Study(folder)
    estimates = study.costs(*stages, wait=wait)
    show_estimates(estimates, sum(study.status.spent.values()), budget)
