"""Portrayal measures how image generators portray people.

What ``__all__`` names is stable; everything else may change. Importing the package loads nothing heavy: each of the
names is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from portrayal import errors, metrics
    from portrayal.annotators.function import function_annotator
    from portrayal.api.atlas import Atlas
    from portrayal.api.doctor import doctor
    from portrayal.api.rate import rate
    from portrayal.api.study import Study

__version__ = "0.1.0"
__all__ = ["Atlas", "Study", "__version__", "doctor", "errors", "function_annotator", "metrics", "rate"]

_LAZY = {
    "Atlas": "portrayal.api.atlas",
    "Study": "portrayal.api.study",
    "doctor": "portrayal.api.doctor",
    "function_annotator": "portrayal.annotators.function",
    "rate": "portrayal.api.rate",
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
