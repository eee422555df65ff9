"""The one error tree.

::

    PortrayalError             anything a user can act on; printed as one line, exit code 2
    ├── ConfigError            study.toml or an option is wrong
    ├── UnknownNameError       no generator, annotator, method or suite of that name
    ├── MissingExtraError      a part needs a pip extra that is not installed
    ├── InputError             a file or folder the user gave cannot be used
    ├── StudyError             the study folder is not in a state for this command
    │   └── StudyLockedError   another process is working on the study
    └── StorageError           the disk refused: full, read-only, gone

A message says what is wrong, where, and what to do. It never holds a secret.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ConfigError",
    "InputError",
    "MissingExtraError",
    "PortrayalError",
    "StorageError",
    "StudyError",
    "StudyLockedError",
    "UnknownNameError",
    "did_you_mean",
]


class PortrayalError(Exception):
    """Base of every error a user can act on."""


class ConfigError(PortrayalError):
    """A setting in study.toml or an option is wrong."""


class UnknownNameError(PortrayalError):
    """A name that no built-in and no installed plugin answers to."""


class MissingExtraError(PortrayalError):
    """A part of Portrayal needs packages that are not installed."""


class InputError(PortrayalError):
    """A file or folder given by the user cannot be used."""


class StudyError(PortrayalError):
    """The study folder is not in a state for this command."""


class StudyLockedError(StudyError):
    """Another process is working on the study."""


class StorageError(PortrayalError):
    """The disk refused to take or give data."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint such as ``; did you mean 'facegan'?``, or the known names when nothing is near.

    >>> did_you_mean("facegna", ["facegan", "simulated"])
    "; did you mean 'facegan'?"
    >>> did_you_mean("zzz", ["a", "b"])
    '; known: a, b'
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; known: {', '.join(names)}" if names else ""
