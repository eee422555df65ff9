"""The command ``portrayal demo``: a complete small study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from portrayal.cli.create.new_study import refuse_demo
from portrayal.cli.run_options import Wait
from portrayal.cli.studies import run
from portrayal.commands.options import given_path
from portrayal.terminal import tell

__all__ = ["demo"]

_DEMO = "portrayal-demo"


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
