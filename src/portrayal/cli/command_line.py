"""All commands, and what ends them. They import what they need when they run, so that ``--help`` answers at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

# Before anything loads Arrow: its usual pool keeps what it once had, so that a long stage grows beside its work.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

import typer

from portrayal import __version__
from portrayal.cli.annotation.annotators import annotators
from portrayal.cli.create.demo import demo
from portrayal.cli.create.init import init
from portrayal.cli.create.study_files import InitCommand
from portrayal.cli.importing import ImportCommand, import_
from portrayal.cli.machine.bench import bench_commands
from portrayal.cli.machine.engine import engine_commands
from portrayal.cli.machine.keys import keys
from portrayal.cli.machine.listing import doctor, suites
from portrayal.cli.machine.stores import stores
from portrayal.cli.main_group import MainGroup
from portrayal.cli.open_study import open_study
from portrayal.cli.registered import RegisteredCommand
from portrayal.cli.results.exchange import export, figures
from portrayal.cli.results.findings import findings
from portrayal.cli.results.reproduce import reproduce
from portrayal.cli.studies import annotate, generate, measure, plan, report, run, sources, status
from portrayal.cli.verify import verify
from portrayal.commands.interrupt import EXIT_STOPPED, heed_signals
from portrayal.commands.verbosity import Verbose, Verbosity
from portrayal.errors import PortrayalError
from portrayal.terminal import say, say_text, tell

__all__ = ["app", "run_command"]

_LONGEST_LINE = 4_000
"""Characters of an error: a name in a file may have a million."""
_HELP = """Measure how image generators portray people.

To try it, run portrayal demo. For a study of your own, run portrayal init STUDY, edit STUDY/study.toml, and then run
portrayal run STUDY. For help with a command, run portrayal COMMAND --help.
"""

app = typer.Typer(
    name="portrayal",
    cls=MainGroup,
    help=_HELP,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"portrayal {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: bool = typer.Option(  # noqa: ARG001  # its callback does the work
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
    verbose: Verbose = False,  # noqa: ARG001  # likewise
) -> None:
    if context.invoked_subcommand is None:
        say_text(context.get_help())


app.command(cls=InitCommand)(init)
app.command("import", cls=ImportCommand)(import_)
app.command("open")(open_study)
app.command(cls=RegisteredCommand)(demo)
app.command(cls=RegisteredCommand)(reproduce)
_command: Callable[..., None]
for _command in (plan, generate, annotate, measure, report, run, status, sources):
    app.command()(_command)
for _command in (export, figures, findings, doctor, verify):
    app.command()(_command)
_GROUPS = {
    "suites": suites, "annotators": annotators, "keys": keys, "stores": stores, "engine": engine_commands,
    "bench": bench_commands,
}  # fmt: skip
for _name, _group in _GROUPS.items():
    app.add_typer(_group, name=_name)


def run_command() -> None:
    """Run the command line: errors a user can act on are one line and exit code 2."""
    os.environ["PYTHONSAFEPATH"] = "1"  # whatever a package starts imports nothing of the folder it is started in
    verbosity = Verbosity()
    with heed_signals() as interrupted:
        code = _run(interrupted, verbosity)
    verbosity.say_time()
    sys.exit(code)


def _run(interrupted: Callable[[], bool], verbosity: Verbosity) -> int:
    try:
        code = app(prog_name="portrayal", standalone_mode=False, obj=verbosity)
    except PortrayalError as error:
        tell(f"error: {_one_line(str(error))}")
        verbosity.say_origin(error)
        return 2
    except (typer.Abort, KeyboardInterrupt):
        return _stopped(interrupted())
    except Exception as error:
        if interrupted():  # a database, say, that was interrupted in the middle of a query
            return _stopped(True)
        if (message := _usage_problem(error)) is None:
            raise
        tell(f"error: {message}")
        return 2
    if code == EXIT_STOPPED:  # typer makes that of a KeyboardInterrupt, without a word
        return _stopped(interrupted())
    return code if isinstance(code, int) else 0


def _stopped(by_signal: bool) -> int:
    if by_signal:
        tell("stopped")
    return EXIT_STOPPED


def _one_line(text: str) -> str:
    """Keep the promise of one line that can be read, whatever names the user's files and keys have."""
    line = "\\n".join(text.splitlines())
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE // 2]} … {line[-_LONGEST_LINE // 2 :]}"


def _usage_problem(error: Exception) -> str | None:
    """Return what is wrong with the command line, when that is what the error is about."""
    describe = getattr(error, "format_message", None)
    if describe is None:
        return None
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", None) or "portrayal"
    text = " ".join(str(describe()).split()).rstrip(".").replace("Value error, ", "")
    return f"{text}; see: {command} --help"
