"""Commands on one study: create it, run its stages, ask how it stands."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.cli.costs import show_estimates
from portrayal.cli.new_study import given_images, offline, refuse_demo, refuse_images_options, say_outlook
from portrayal.cli.run_options import Address, Budget, DryRun, Engine, Quiet, Wait, Workers
from portrayal.cli.study_files import wanted_files, write_files
from portrayal.commands.options import Folder, Json, given_path
from portrayal.terminal import say, say_json, say_table, say_text, tell

if TYPE_CHECKING:
    from portrayal.study.plan.costs import Stage

__all__ = ["annotate", "demo", "generate", "init", "measure", "plan", "report", "run", "sources", "status"]

_DEMO = "portrayal-demo"


def init(  # noqa: PLR0913 - Typer wants a parameter for each option
    context: typer.Context,
    study: Annotated[Path, typer.Argument(parser=given_path, metavar="STUDY", help="The folder to create.")],
    generator: Annotated[str | None, typer.Option(help="Who draws; facegan by default. See: portrayal doctor.")] = None,
    annotator: Annotated[
        str | None,
        typer.Option(
            help="Who looks at the images; by default faces, or the one that the method needs. See: portrayal doctor."
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(help="What to ask: a suite's name, or a .csv or .toml file; by default the method's own suite."),
    ] = None,
    title: Annotated[str, typer.Option(help="The report's title.")] = "",
    method: Annotated[str | None, typer.Option(help="What is computed: {studies}; the first by default.")] = None,
    images: Annotated[
        Path | None,
        typer.Option(
            parser=given_path, metavar="DIR", help="A folder of images that you already have; nothing is drawn."
        ),
    ] = None,
    layout: Annotated[
        str | None, typer.Option(help="How the folder is organised, if Portrayal cannot work that out. {layouts}.")
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="Which model drew the images in DIR, if the folder does not say.")
    ] = "",
    prompt: Annotated[
        str, typer.Option(metavar="TEXT", help="The prompt of all images in DIR, if the folder does not say.")
    ] = "",
    outside: Annotated[bool, typer.Option("--outside", help="Also take files outside DIR that it links to.")] = False,
) -> None:
    """Create a study: a folder with a study.toml to edit.

    The file explains each key in a comment. With --images, the study is about pictures that you already have.
    """
    from portrayal.methods import DEFAULT
    from portrayal.study.config import CONFIG_NAME
    from portrayal.study.create.create_imported import create_imported
    from portrayal.study.create.create_study import create_study
    from portrayal.study.importing.folders.recognise import GivenFolder

    files = wanted_files(context)
    others = (generator, annotator, suite, title, method, images, layout, model, prompt, outside)
    if files and not any(others) and (study / CONFIG_NAME).exists():
        write_files(study, files)
        return
    method = DEFAULT if method is None else method
    if images is not None:
        given = GivenFolder(images, layout or "", None, outside=outside, model=model.strip(), prompt=prompt.strip())
        folder = given_images(given, generator)
        path, lacking = create_imported(study, folder, title=title, annotator=annotator, suite=suite, method=method)
    else:
        refuse_images_options({"--layout": layout, "--model": model, "--prompt": prompt, "--outside": outside})
        path, lacking = create_study(
            study, title=title, generator=generator or "facegan", annotator=annotator, suite=suite, method=method
        )
    for said in lacking:
        say(said if said.startswith(" ") else f"to do: {said}")  # a line below a line that says what to do
    if lacking and images is None:
        say(f"to try it offline first: {offline(study, method)}")
    say_outlook(study)
    write_files(study, files)
    say(f"{path} written; edit it, then: portrayal run {shlex.quote(str(study))}")


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
    from portrayal.api.study import Study

    state = Study(study).status
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


def demo(
    method: Annotated[
        str | None, typer.Argument(metavar="METHOD", help="Whose demo: {demos}; may be left out, also before FOLDER.")
    ] = None,
    study: Annotated[
        Path | None, typer.Argument(parser=given_path, metavar="FOLDER", help="Where to put the demo study.")
    ] = None,
    wait: Wait = False,
) -> None:
    """Run a complete small study offline.

    It draws faces with the embedded generator and ends with the path of the report.
    """
    from portrayal.study.create.create_study import create_demo, demos

    first, *_ = known = demos()
    if method is None:
        method = first
    elif method not in known:
        refuse_demo(method, known, is_folder=study is None)
        method, study = first, given_path(method)
    folder = study or Path(_DEMO if method == first else f"{_DEMO}-{method}")
    create_demo(folder, method)
    tell(f"the demo of {method}, in the folder {folder}; demos: {', '.join(known)}")
    run(folder, wait=wait)


def _show_costs(folder: Path, budget: float | None, *stages: Stage, wait: bool) -> None:
    """Plan, and show what the rest would cost."""
    from portrayal.api.study import Study

    study = Study(folder)
    estimates = study.costs(*stages, wait=wait)
    show_estimates(estimates, sum(study.status.spent.values()), budget)
