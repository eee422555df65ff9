"""What a generator answered: checked before anything of it is stored, for anyone may write a generator."""

from __future__ import annotations

import re
from typing import Any

from portrayal.records import Failed, Job, Made, Refused

__all__ = ["Result", "check_result"]

Result = Made | Refused | Failed

_ENDING = re.compile(r"[A-Za-z0-9]{1,8}")
_MOST_PIXELS = 2**31


def check_result(result: Any, job: Job) -> Result:
    """Return the answer to a job, or raise a TypeError or ValueError that says what is wrong with it."""
    if not isinstance(result, Made | Refused | Failed):
        raise TypeError(f"it gave {_shown(result)}; give Made(job.id, data, 'png', width, height), Refused or Failed")
    if result.job != job.id:
        raise ValueError("it answered a job it was not asked, or out of order; give one answer per job, with job.id")
    if isinstance(result, Made):
        _check_made(result)
    elif not isinstance(result.reason, str) or not isinstance(result.detail, str):
        raise TypeError(f"reason and detail are texts, not {_shown(result.reason)} and {_shown(result.detail)}")
    return result


def _check_made(made: Made) -> None:
    if not isinstance(made.data, bytes):
        raise TypeError(f"data of Made are the bytes of a picture's file, not {_shown(made.data)}")
    if not made.data and not made.fingerprint:
        raise ValueError("data of Made are empty; give the bytes of a picture's file")
    # It becomes part of a file's name.
    if not isinstance(made.ext, str) or not (_ENDING.fullmatch(made.ext) if made.data else made.ext == ""):
        raise ValueError(f"ext of Made is a file's ending without a dot, such as 'png', not {_shown(made.ext)}")
    for name, edge in (("width", made.width), ("height", made.height)):
        if not isinstance(edge, int) or isinstance(edge, bool) or not 0 <= edge < _MOST_PIXELS:
            raise ValueError(f"{name} of Made is a number of pixels, not {_shown(edge)}")


def _shown(thing: object) -> str:
    text = " ".join(repr(thing).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
