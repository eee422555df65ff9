"""What somebody else's code raises or gives, in one line."""

from __future__ import annotations

import traceback
from pathlib import Path

import portrayal
from portrayal.errors import message_of

__all__ = ["error_line", "shown"]

_HERE = Path(portrayal.__file__).parent


def error_line(error: BaseException) -> str:
    """Return its kind, the first line of its message and, where it is known, the line of the code that was called.

    >>> error_line(ValueError("no such colour"))
    'ValueError: no such colour'
    """
    said = next(iter(message_of(error).splitlines()), "")
    outside = (
        frame for frame in traceback.extract_tb(error.__traceback__) if _HERE not in Path(frame.filename).parents
    )
    called = next(outside, None)
    where = f" ({Path(called.filename).name}, line {called.lineno})" if called else ""
    return f"{type(error).__name__}{f': {said}' if said else ''}{where}"


def shown(thing: object) -> str:
    """Return what something looks like, in one line that is not long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    try:
        text = " ".join(repr(thing).split())
    except Exception:  # somebody else's code, too
        text = f"a {type(thing).__name__} that cannot be shown"
    return text if len(text) <= 60 else f"{text[:57]}..."
