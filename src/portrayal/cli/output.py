"""The option for machines that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["Json"]

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
