"""Commands whose help names what is registered. It is looked up when the command is used, for others not to wait."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any

import typer
from typer.core import TyperCommand

__all__ = ["RegisteredCommand", "made_options"]


def _layouts() -> str:
    from portrayal.study.importing.folders.layouts import LAYOUTS

    return "; ".join(f"{name}: {entry.summary}" for name, entry in LAYOUTS.entries().items())


def _studies() -> str:
    from portrayal.bundles import bundles

    return _either([name for name, bundle in bundles().items() if bundle.can_begin])


def _demos() -> str:
    from portrayal.study.create.create_study import demos

    return _either(demos())


def _reproductions() -> str:
    from portrayal.methods import REPRODUCTIONS

    return _either(list(REPRODUCTIONS.entries()))


def _either(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


_LISTS: Mapping[str, Callable[[], str]] = {
    "demos": _demos,
    "layouts": _layouts,
    "studies": _studies,
    "reproductions": _reproductions,
}


class RegisteredCommand(TyperCommand):
    """A command in whose help ``{layouts}`` stands for the layouts that there are, and likewise other parts."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the arguments and options, with the names filled in."""
        params: list[Any] = super().get_params(ctx)
        for param in params:
            if text := getattr(param, "help", None):
                param.help = re.sub(r"\{(\w+)\}", lambda match: _LISTS[match[1]](), text)
        return params


def made_options(annotations: Mapping[str, Any]) -> list[Any]:
    """Return options by the names and annotations of parameters, made by Typer itself from a function that has them."""

    def nothing() -> None: ...

    nothing.__annotations__ = dict(annotations)
    named = [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=a) for name, a in annotations.items()]
    nothing.__signature__ = Signature(named)  # type: ignore[attr-defined]  # which Typer looks at first
    app = typer.Typer(add_completion=False)
    app.command()(nothing)
    return list(typer.main.get_command(app).params)
