"""Commands whose help names what is registered. It is looked up when the command is used, for others not to wait."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from typer.core import TyperCommand

__all__ = ["RegisteredCommand"]


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
