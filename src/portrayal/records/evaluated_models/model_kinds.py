"""One name for one thing: kinds of models and schedulers are spelled in many ways, and would be groups of their own."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["category_name", "scheduler_name"]

_BETWEEN = re.compile(r"[\s_-]+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LETTERS = re.compile(r"[\W_]+")
_SUFFIX = "scheduler"
_SCHEDULERS = {
    "ddim": "DDIM",
    "ddpm": "DDPM",
    "deismultistep": "DEIS multistep",
    "dpmsolvermultistep": "DPM-Solver multistep",
    "dpmsolversinglestep": "DPM-Solver singlestep",
    "euler": "Euler",
    "eulerancestral": "Euler ancestral",
    "eulerancestraldiscrete": "Euler ancestral",
    "eulerdiscrete": "Euler",
    "flowmatcheuler": "flow-match Euler",
    "flowmatcheulerdiscrete": "flow-match Euler",
    "heun": "Heun",
    "heundiscrete": "Heun",
    "kdpm2ancestraldiscrete": "KDPM2 ancestral",
    "kdpm2discrete": "KDPM2",
    "lcm": "LCM",
    "lms": "LMS",
    "lmsdiscrete": "LMS",
    "pndm": "PNDM",
    "unipc": "UniPC",
    "unipcmultistep": "UniPC",
}
"""Readable names of the schedulers that models on the hub have, by their letters alone."""


@lru_cache(maxsize=1024)
def category_name(text: str) -> str:
    """Return a kind of models in small letters and plain words.

    >>> {category_name(text) for text in ("photo_realism", "photo realism", "Photo-Realism")}
    {'photo realism'}
    """
    return " ".join(_BETWEEN.split(text.strip())).casefold().strip()


@lru_cache(maxsize=1024)
def scheduler_name(text: str) -> str:
    """Return a readable name of a scheduler, however its class or the user spells it.

    >>> scheduler_name("PNDMScheduler"), scheduler_name("euler_discrete"), scheduler_name("MyFastScheduler")
    ('PNDM', 'Euler', 'my fast')
    """
    letters = _LETTERS.sub("", text).casefold()
    known = _SCHEDULERS.get(letters.removesuffix(_SUFFIX))
    if known:
        return known
    words = category_name(" ".join(_HUMPS.split(text)))
    return words.removesuffix(_SUFFIX).strip() or words
