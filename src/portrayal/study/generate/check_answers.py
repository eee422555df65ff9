"""What a generator answered: checked before anything of it is stored, for anyone may write a generator."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from portrayal.errors import PortrayalError, StudyError
from portrayal.generators import Generator
from portrayal.generators.generator import Truth
from portrayal.records import Failed, Job, Made, Prompt, Refused
from portrayal.study.parts.error_line import error_line, shown

__all__ = ["Result", "check_result", "planted_truth"]

Result = Made | Refused | Failed

_ENDING = re.compile(r"[A-Za-z0-9]{1,8}")
_MOST_PIXELS = 2**31
_ROUNDING = 1e-3


def check_result(result: Any, job: Job) -> Result:
    """Return the answer to a job, or raise a TypeError or ValueError that says what is wrong with it."""
    if not isinstance(result, Made | Refused | Failed):
        raise TypeError(f"it gave {shown(result)}; give Made(job.id, data, 'png', width, height), Refused or Failed")
    if result.job != job.id:
        raise ValueError("it answered a job it was not asked, or out of order; give one answer per job, with job.id")
    if isinstance(result, Made):
        _check_made(result)
    elif not isinstance(result.reason, str) or not isinstance(result.detail, str):
        raise TypeError(f"reason and detail are texts, not {shown(result.reason)} and {shown(result.detail)}")
    return result


def _check_made(made: Made) -> None:
    if not isinstance(made.data, bytes):
        raise TypeError(f"data of Made are the bytes of a picture's file, not {shown(made.data)}")
    if made.stored:
        raise ValueError("stored of Made is not for generators; give the bytes of a picture's file as data")
    if not made.data and not made.fingerprint:
        raise ValueError("data of Made are empty; give the bytes of a picture's file")
    # It becomes part of a file's name.
    if not isinstance(made.ext, str) or not (_ENDING.fullmatch(made.ext) if made.data else made.ext == ""):
        raise ValueError(f"ext of Made is a file's ending without a dot, such as 'png', not {shown(made.ext)}")
    for name, edge in (("width", made.width), ("height", made.height)):
        if not isinstance(edge, int) or isinstance(edge, bool) or not 0 <= edge < _MOST_PIXELS:
            raise ValueError(f"{name} of Made is a number of pixels, not {shown(edge)}")

    if made.planted is not None and not _are_people(made.planted):
        raise TypeError(f"planted of Made are people, attribute to group by name, not {shown(made.planted)}")
    if not isinstance(made.versions, str) or not isinstance(made.revised_prompt, str | None):
        raise TypeError("versions and revised_prompt of Made are texts")


def _are_people(planted: object) -> bool:
    if not isinstance(planted, (list, tuple, Sequence)) or isinstance(planted, str | bytes):
        return False
    return all(map(_is_person, planted))


def _is_person(person: object) -> bool:
    # Of the very types first: abstract ones take many times as long to ask.
    if not isinstance(person, (dict, Mapping)):
        return False
    words = (*person, *person.values())
    return set(map(type, words)) == {str} or all(isinstance(word, str) for word in words)


def planted_truth(generator: Generator, prompt: Prompt) -> Truth:
    """Return what a generator says it plants, or say in one line what is wrong with that."""
    try:
        truth = generator.truth(prompt)
    except PortrayalError:
        raise
    except Exception as error:
        raise StudyError(f"generator {generator.name}: truth fails: {error_line(error)}; mend it") from error
    if truth is None:
        return {}
    if not isinstance(truth, Mapping) or not all(map(_are_shares, truth.values())):
        raise StudyError(
            f"generator {generator.name}: truth gave {shown(truth)}; it gives None or shares that add up to 1, such "
            'as {"gender": {"female": 0.4, "male": 0.6}}'
        )
    return truth


def _are_shares(shares: object) -> bool:
    if not isinstance(shares, Mapping) or not all(isinstance(share, Real) for share in shares.values()):
        return False
    return all(share >= 0 for share in shares.values()) and abs(math.fsum(shares.values()) - 1) <= _ROUNDING
