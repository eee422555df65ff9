"""Options that a command gets besides its own: found when it is used, made by Typer itself."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

import typer

__all__ = ["made_options"]


def made_options(annotations: Mapping[str, Any]) -> list[Any]:
    """Return options by the names and annotations of parameters, made by Typer itself from a function that has them."""

    def nothing() -> None: ...

    nothing.__annotations__ = dict(annotations)
    named = [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=a) for name, a in annotations.items()]
    nothing.__signature__ = Signature(named)  # type: ignore[attr-defined]  # which Typer looks at first
    app = typer.Typer(add_completion=False)
    app.command()(nothing)
    return list(typer.main.get_command(app).params)
