"""The command ``portrayal engine``: where parts could work."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.cli.run_options import Address, Engine
from portrayal.commands.command_lists import command_group
from portrayal.commands.options import Json, given_path
from portrayal.terminal import say, say_json, say_table

if TYPE_CHECKING:
    from portrayal.study.checking.engine_check import EngineCheck

__all__ = ["engine_commands"]

_HELP = """Check this machine or a Ray cluster.

Generators and annotators work on this machine, or on a Ray cluster that you started. Check that each part of a study
finds what it needs there, and then run it:

\b
  portrayal engine check STUDY --engine ray --address HOST:PORT
  portrayal run STUDY --engine ray --address HOST:PORT
"""


def check(
    study: Annotated[
        Path | None, typer.Argument(parser=given_path, metavar="STUDY", help="Whose parts to look at.")
    ] = None,
    engine: Engine = "local",
    address: Address = "",
    as_json: Json = False,
) -> None:
    """Show what is available, and what a study's parts could use.

    If a node cannot run a part of the study, lists what that node lacks, and the exit code is 1.
    """
    from portrayal.engines.place import Place
    from portrayal.study.checking.engine_check import check_engine
    from portrayal.study.study import OpenStudy

    opened = OpenStudy(study) if study else None
    with Place(engine, address).reached() as cluster:
        checked = check_engine(opened, cluster)
    if as_json:
        say_json(asdict(checked))
    else:
        _show(checked)
    if checked.problems:
        raise typer.Exit(1)


def _show(checked: EngineCheck) -> None:
    from portrayal.engines import cpu_count

    if checked.nodes:
        rows = [
            (node.address, f"{node.cpus:g}", f"{node.gpus:g}", f"{node.memory / 2**30:.1f}") for node in checked.nodes
        ]
        say_table(("node", "CPUs", "GPUs", "GiB"), rows)
    else:
        say(f"this machine: {cpu_count()} cores")
    if checked.parts:
        places = [(place.part, str(place.workers), place.needs, place.where) for place in checked.parts]
        say_table(("part", "workers", "each", "where"), places)
    for problem in checked.problems:
        say(problem)


engine_commands = command_group(_HELP, check=check)
