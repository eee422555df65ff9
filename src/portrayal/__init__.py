"""Portrayal measures how image generators portray people.

What ``__all__`` names is stable; everything else may change. Importing the package loads nothing heavy: each of the
names is loaded when it is first used.
"""

import os  # no `from __future__` first: it would run a file of that name in the current folder
import sys

if (  # `python -m portrayal` has the current folder on its path, which may be somebody else's study
    sys.argv[:1] == ["-m"]
    and sys.orig_argv[-len(sys.argv)] in ("portrayal", "-mportrayal")
    and not sys.flags.safe_path
    and sys.path[0] != os.path.dirname(__path__[0])  # noqa: PTH120 - pathlib imports more
):
    del sys.path[0]

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from portrayal import errors, metrics
    from portrayal.annotators.function import function_annotator
    from portrayal.api.doctor import doctor
    from portrayal.api.study import Study
    from portrayal.apps.arena.api import Arena, rate
    from portrayal.apps.atlas.api import Atlas
    from portrayal.apps.check.api import check
    from portrayal.apps.history.api import History
    from portrayal.apps.labels.api import Labels

__version__ = "0.2.0"
__all__ = [
    "Arena",
    "Atlas",
    "History",
    "Labels",
    "Study",
    "__version__",
    "check",
    "doctor",
    "errors",
    "function_annotator",
    "metrics",
    "rate",
]

_LAZY = {
    "Arena": "portrayal.apps.arena.api",
    "Atlas": "portrayal.apps.atlas.api",
    "History": "portrayal.apps.history.api",
    "Labels": "portrayal.apps.labels.api",
    "Study": "portrayal.api.study",
    "check": "portrayal.apps.check.api",
    "doctor": "portrayal.api.doctor",
    "function_annotator": "portrayal.annotators.function",
    "rate": "portrayal.apps.arena.api",
}
_MODULES = ("errors", "metrics")


if not TYPE_CHECKING:  # else a name that is not there would pass for an object

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return import_module(f"portrayal.{name}")
        if name in _LAZY:
            return getattr(import_module(_LAZY[name]), name)
        raise AttributeError(f"module 'portrayal' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
