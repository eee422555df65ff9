"""The one error tree.

::

    PortrayalError             anything a user can act on; printed as one line, exit code 2
    ├── ConfigError            study.toml or an option is wrong
    │   └── MissingOptionError  an option without a default is not set
    ├── UnknownNameError       no generator, annotator, method or suite of that name
    ├── MissingExtraError      a part needs a pip extra that is not installed
    ├── InputError             a file or folder the user gave cannot be used
    ├── StudyError             the study folder is not in a state for this command
    │   └── StudyLockedError   another process is working on the study
    ├── StoppedError           the program asked the work to stop, with Study.stop()
    ├── ServiceError           a service refuses all work: wrong key, no such model, nobody answers
    ├── BudgetError            the next call could exceed the budget
    └── StorageError           the disk or an image store refused: full, read-only, gone
        └── DamagedError       a file of the study holds other bytes than were written

A message says what is wrong, where, and what to do. It never holds a secret.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "BudgetError",
    "ConfigError",
    "DamagedError",
    "InputError",
    "MissingExtraError",
    "MissingOptionError",
    "PortrayalError",
    "ServiceError",
    "StoppedError",
    "StorageError",
    "StudyError",
    "StudyLockedError",
    "UnknownNameError",
    "did_you_mean",
    "message_of",
]


_NEAR = 0.6
_LONGEST = 200
"""Characters of a name that may be meant for another; comparing longer ones could take minutes."""


class PortrayalError(Exception):
    """Base of every error a user can act on."""


class ConfigError(PortrayalError):
    """A setting in study.toml or an option is wrong."""


class MissingOptionError(ConfigError):
    """An option that has no default is not set."""


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


class StoppedError(PortrayalError):
    """Work was asked to stop by the program that runs it; what is done is kept."""


class ServiceError(PortrayalError):
    """A service refuses all work, so that asking on would be in vain."""


class BudgetError(PortrayalError):
    """The next call could exceed the budget."""


class StorageError(PortrayalError):
    """The disk, or a store of images, refused to take or give data."""


class DamagedError(StorageError):
    """A file of the study is not as it was written."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint such as ``; did you mean 'facegan'?``, or the known names when nothing is near.

    >>> did_you_mean("facegna", ["facegan", "simulated"])
    "; did you mean 'facegan'?"
    >>> did_you_mean("zzz", ["a", "b"])
    '; known: a, b'
    """
    names = sorted(known)
    if len(name) > _LONGEST:
        return f"; known: {', '.join(names)}" if names else ""
    likeness = {known: difflib.SequenceMatcher(None, known, name).ratio() for known in names}
    # Of equals the one with the same letters, as letters are often swapped; else the first: race5 before race7.
    near = max(names, key=lambda known: (likeness[known], sorted(known) == sorted(name)), default="")
    if names and likeness[near] >= _NEAR:
        return f"; did you mean {near!r}?"
    return f"; known: {', '.join(names)}" if names else ""


def message_of(error: BaseException) -> str:
    """Return what an error says; nothing where saying it fails, since that may be somebody else's code.

    >>> message_of(ValueError("no such colour"))
    'no such colour'
    """
    try:
        return str(error)
    except Exception:
        return ""
