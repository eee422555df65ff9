"""Prompts that stand in the names of image files, as many programs write them there."""

from __future__ import annotations

import re

from portrayal.study.importing.walk import plain_name

__all__ = ["prompt_in_name"]

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TIME = re.compile(r"^.*?\d{4}-\d\d-\d\d[ T]\d\d[.:-]\d\d[.:-]\d\d - ")
"""A program, a date and a time before the prompt, as DALL-E's page names files."""
_FIRST = re.compile(r"^(?:0\d+|\d{5,})(?:[- ]\d+)*[-. ]+(?=.*[^\W\d])")
"""A number that is filled up with zeros, or a long one, and perhaps a seed: a prompt begins with neither."""
_SETTINGS = re.compile(r"(?:^|\s)--\w.*$")
_LAST = re.compile(r"[#(\[]?\d+[)\]]?|(?=[0-9a-f]*\d)[0-9a-f]{8,}|seed[=-]?\d+|\(?copy\)?", re.IGNORECASE)
_JOINED = re.compile(r"(?<=\w)-(?:0\d+|\d{3,})$")


def prompt_in_name(stem: str) -> str:
    """Return the prompt in a file's name without its ending; nothing if there are no words.

    Underscores are spaces, and so are hyphens in a name that has neither. Numbers, seeds and identifiers around the
    prompt are left out, and Midjourney's settings behind it. Names with an identifier such as Midjourney's
    begin with the name of a user.

    >>> prompt_in_name("a_photo_of_a_nurse_001"), prompt_in_name("00012-3456789-a photo of a nurse")
    ('a photo of a nurse', 'a photo of a nurse')
    >>> prompt_in_name("ann_a_photo_of_3_nurses_--ar_2_3_5e7a2c4d-0000-4b1c-9d3e-1f2a3b4c5d6e_0")
    'a photo of 3 nurses'
    >>> prompt_in_name("DALL·E 2024-05-01 12.30.45 - A nurse"), prompt_in_name("0001"), prompt_in_name("IMG_2041")
    ('A nurse', '', 'IMG')
    """
    named = bool(_UUID.search(stem))
    text = _UUID.sub(" ", plain_name(stem)).replace("_", " ").strip()
    if " " not in text:
        text = text.replace("-", " ")
    words = _SETTINGS.sub("", _FIRST.sub("", _TIME.sub("", text))).split()
    if named:
        words = words[1:]
    while words and _LAST.fullmatch(words[-1]):
        words.pop()
    text = _JOINED.sub("", " ".join(words)).strip(" -")
    return text if any(char.isalpha() for char in text) else ""
