"""Commands on one study: create it, run its stages, ask how it stands."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.cli.costs import show_estimates
from portrayal.cli.interrupt import end_stopped, stop_on_interrupt
from portrayal.cli.new_study import look_at, refuse_generator, refuse_layout, say_outlook
from portrayal.cli.output import Json
from portrayal.cli.paths import Folder, given_path
from portrayal.cli.progress import terminal_progress
from portrayal.cli.registered import RegisteredCommand
from portrayal.terminal import say, say_json, say_table, tell

if TYPE_CHECKING:
    from portrayal.study.status import Status

__all__ = ["register"]

_DEMO = "portrayal-demo"


def _money(usd: float | None) -> float | None:
    if usd is not None and not 0 <= usd < math.inf:  # nan is no sum either
        raise typer.BadParameter(f"{usd} is no sum of money")
    return usd


Budget = Annotated[
    float | None,
    typer.Option(
        callback=_money, metavar="USD", help="What paid services may cost in all, with earlier runs of this study."
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Plan, tell what is left to do and what it costs at most, and stop there.")
]
Wait = Annotated[bool, typer.Option("--wait", help="Wait for another process that works on the study.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command(cls=RegisteredCommand)(init)
    app.command(cls=RegisteredCommand)(demo)
    for command in (plan, generate, annotate, measure, report, run, status, sources):
        app.command()(command)


def init(  # noqa: PLR0913 - Typer wants a parameter for each option
    study: Annotated[Path, typer.Argument(parser=given_path, metavar="STUDY", help="The folder to create.")],
    generator: Annotated[str | None, typer.Option(help="Who draws, facegan by default; see: portrayal doctor.")] = None,
    annotator: Annotated[str, typer.Option(help="Who looks; see: portrayal doctor.")] = "faces",
    suite: Annotated[
        str | None,
        typer.Option(help="What to ask: a suite's name, or a .csv or .toml file; without it the method's own."),
    ] = None,
    title: Annotated[str, typer.Option(help="The report's title.")] = "",
    method: Annotated[
        str | None, typer.Option(help="What is computed: {studies}; the first, unless told otherwise.")
    ] = None,
    images: Annotated[
        Path | None,
        typer.Option(parser=given_path, metavar="DIR", help="A folder of images that exist already; nothing is drawn."),
    ] = None,
    layout: Annotated[str | None, typer.Option(help="How they lie in it, if that is not plain. {layouts}.")] = None,
    outside: Annotated[bool, typer.Option("--outside", help="Also take files outside DIR that it leads to.")] = False,
) -> None:
    """Create a study: a folder with a commented study.toml to edit."""
    from portrayal.methods import DEFAULT
    from portrayal.study.create import create_study
    from portrayal.study.create_imported import create_imported

    method = DEFAULT if method is None else method
    if images is not None:
        refuse_generator(generator)
        found = look_at(images, layout, outside=outside)
        path, lacking = create_imported(study, found, title=title, annotator=annotator, suite=suite, method=method)
    else:
        refuse_layout(layout, outside=outside)
        path, lacking = create_study(
            study, title=title, generator=generator or "facegan", annotator=annotator, suite=suite, method=method
        )
    for said in lacking:
        say(said if said.startswith(" ") else f"to do: {said}")  # a line below a line that says what to do
    say_outlook(study)
    say(f"{path} written; edit it, then: portrayal run {shlex.quote(str(study))}")


def plan(study: Folder, wait: Wait = False) -> None:
    """Write down which images the study consists of."""
    _run(study, ("plan",), wait=wait)


def generate(study: Folder, budget: Budget = None, dry_run: DryRun = False, wait: Wait = False) -> None:
    """Draw what is planned and not drawn yet."""
    _work(study, ("plan", "generate"), budget=budget, dry_run=dry_run, wait=wait)


def annotate(study: Folder, budget: Budget = None, dry_run: DryRun = False, wait: Wait = False) -> None:
    """Let the annotators look at every image they have not judged."""
    _work(study, ("plan", "annotate"), budget=budget, dry_run=dry_run, wait=wait)


def measure(
    study: Folder,
    method: Annotated[str, typer.Option(help="Compute only this method; see: portrayal doctor.")] = "",
    wait: Wait = False,
    as_json: Json = False,
) -> None:
    """Compute all measurements from what was seen."""
    from dataclasses import asdict

    from portrayal.records import Measurement, from_table
    from portrayal.study.study import Study

    _run(study, ("plan", "measure"), wait=wait, method=method)
    if as_json:
        rows = from_table(Study(study).workspace.query("SELECT * FROM measurements"), Measurement)
        say_json([asdict(row) for row in rows if not method or row.method == method])


def report(study: Folder, wait: Wait = False) -> None:
    """Measure, and write the report page."""
    say(str(_run(study, ("plan", "measure", "report"), wait=wait)))


def run(study: Folder, budget: Budget = None, dry_run: DryRun = False, wait: Wait = False) -> None:
    """Do everything that is not done yet: plan, generate, annotate, measure, report."""
    stages = ("plan", "generate", "annotate", "measure", "report")
    if path := _work(study, stages, budget=budget, dry_run=dry_run, wait=wait):
        say(str(path))


def status(study: Folder, as_json: Json = False) -> None:
    """Tell what is done, pending, refused, failed and abstained, and why."""
    from portrayal.study.status import read_status
    from portrayal.study.study import Study

    found = read_status(Study(study))
    if as_json:
        say_json(found.as_json())
    else:
        _show_status(found.named())


def sources(study: Folder, wait: Wait = False, as_json: Json = False) -> None:
    """Draw the pictures that are to be edited, look at them, and list those that are doubtful; nothing is edited."""
    from dataclasses import asdict

    from portrayal.study.run_control import RunControl
    from portrayal.study.sources import doubtful_sources, draw_and_look
    from portrayal.study.study import Study

    _run(study, ("plan",), wait=wait)
    opened = Study(study)
    with stop_on_interrupt() as stopped, opened.workspace.writing(wait=wait), terminal_progress() as progress:
        draw_and_look(opened, RunControl(progress, stopped, None, tell))
    found = doubtful_sources(opened)
    if as_json:
        say_json([asdict(own) for own in found])
    elif found:
        rows = [(own.source, opened.names.annotator(own.annotator), own.why) for own in found]
        say_table(("picture", "annotator", "doubtful as"), rows)
    else:
        say("no picture to edit is doubtful")


def demo(
    method: Annotated[
        str | None, typer.Argument(metavar="METHOD", help="Whose demo: {demos}; may be left out.")
    ] = None,
    study: Annotated[
        Path | None, typer.Argument(parser=given_path, metavar="FOLDER", help="Where to put the demo study.")
    ] = None,
    wait: Wait = False,
) -> None:
    """Audit the embedded face generator offline and end with the path of the report."""
    from portrayal.errors import UnknownNameError, did_you_mean
    from portrayal.study.create import create_demo, demos

    first, *_ = known = demos()
    if method is None:
        method = first
    elif method not in known:
        if study is not None:
            raise UnknownNameError(f"no demo of a method named {method!r}{did_you_mean(method, known)}")
        method, study = first, given_path(method)
    folder = study or Path(_DEMO if method == first else f"{_DEMO}-{method}")
    create_demo(folder, method)
    run(folder, wait=wait)


def _work(folder: Path, stages: tuple[str, ...], *, budget: float | None, dry_run: bool, wait: bool) -> Path | None:
    """Run the stages within the budget or, dry, plan and tell what the rest would cost."""
    if not dry_run:
        return _run(folder, stages, wait=wait, budget=budget)
    from portrayal.store.ledger import spent_by_part
    from portrayal.study.costs import estimate
    from portrayal.study.study import Study

    _run(folder, ("plan",), wait=wait)
    study = Study(folder)
    show_estimates(estimate(study, stages), sum(spent_by_part(study.workspace).values()), budget)
    return None


def _run(folder: Path, stages: tuple[str, ...], *, wait: bool, method: str = "", budget: float | None = None) -> Path:
    from portrayal.study.costs import require_prices
    from portrayal.study.run import run_stages
    from portrayal.study.run_control import RunControl
    from portrayal.study.study import Study

    study = Study(folder)
    if method:
        study.narrow(method)
    if budget is not None:
        require_prices(study, stages)
    with stop_on_interrupt() as stopped:
        with terminal_progress() as progress:
            path = run_stages(study, RunControl(progress, stopped, budget, tell), stages, wait=wait)
        if stopped():
            end_stopped()
    return path


def _prompts(found: Status) -> str:
    """Say how many prompts images are planned of; a suite may have more, as when images were imported."""
    whole = _counted(found.prompts, "prompt")
    return f"{found.asked} of {whole}" if 0 < found.asked < found.prompts else whole


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _show_status(found: Status) -> None:
    say(f"{found.title}: {_prompts(found)}, {_counted(found.jobs, 'image')} planned")
    drawn = [(name, label, n) for name, counts in found.outcomes.items() for label, n in counts.items()]
    drawn += [(name, f"rejected: {why}", n) for name, own in found.rejected.items() for why, n in own.items()]
    # The same picture again is an image, but no other picture: told where it happened.
    for name, pictures in found.pictures.items():
        if pictures < found.outcomes.get(name, {}).get("made", 0):
            drawn.append((name, "different pictures", pictures))
    drawn += [(f"{one}, {other}", "pictures both made", count) for one, other, count in found.shared]
    rows = [("generate", *row) for row in drawn]
    for name, judged in found.judged.items():
        seen = {"judged": judged, "pending": found.unjudged[name]}
        seen |= {f"abstained: {why}": n for why, n in found.abstained.get(name, {}).items()}
        rows += [("annotate", name, label, n) for label, n in seen.items()]
    say_table(("stage", "who", "what", "images"), [(*row[:3], str(row[3])) for row in rows])
    for name, usd in found.spent.items():
        say(f"spent: {usd:.4f} USD by {name}")
    say(f"measurements: {found.measurements}")
    say(f"report: {found.report or 'none yet'}")
