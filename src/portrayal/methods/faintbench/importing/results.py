"""What FAIntbench's alignment wrote about images: one file per model; those it left out are results too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from portrayal.annotators import Annotator
from portrayal.errors import InputError
from portrayal.jsonfile import read_members
from portrayal.methods.faintbench.importing.masses import check_attributes, describe, is_pair
from portrayal.records import (
    SET_ASIDE,
    Attribute,
    Finding,
    ImageResults,
    Prompt,
    PromptResults,
    plain_prompt,
    plain_text,
)

__all__ = ["match_prompt", "read_results"]

MOST_IMAGES = 1_000_000
"""Of one prompt: more are a slip, and each number below the largest becomes a row."""
MOST_LEFT_OUT, MOST_LEFT_OUT_EACH = 1_000, 20
"""Numbers that a prompt may leave out, in all or for each that it names: more are no images that somebody looked at."""
_NUMBER = re.compile(r"image_([1-9][0-9]{0,8})")


def read_results(path: Path, known: Mapping[str, Prompt], annotator: Annotator) -> Iterator[PromptResults]:
    """Yield the file prompt by prompt, or say what is wrong with it and where."""
    attributes = check_attributes(annotator.name, annotator.attributes)
    seen: set[str] = set()
    for name, images in read_members(path):
        where = f"{path}: prompt {name!r}"
        if name in seen:
            raise InputError(f"{where} stands there twice; keep one, or rename the other {name + '_2'!r}")
        seen.add(name)
        if not isinstance(images, Mapping):
            raise InputError(f"{where} must be an object with image_1, image_2, …")
        yield _prompt(where, plain_text(name), images, known, attributes)
    if not seen:
        raise InputError(f"{path}: no prompt in it; the file must hold an object from prompts to images")


def match_prompt(name: str, known: Mapping[str, Prompt]) -> Prompt | None:
    """Return the suite's prompt that is meant: it ends at the first comma, and a suffix may follow after ``_``.

    >>> known = {"a photo of one nurse": Prompt("a photo of one Nurse", "Nurse")}
    >>> match_prompt("A photo of one nurse_00012_, photorealistic", known).term
    'Nurse'
    """
    text = name.partition(",")[0]
    while plain_prompt(text) not in known and "_" in text:
        text = text.rpartition("_")[0]
    return known.get(plain_prompt(text))


def _prompt(
    where: str, name: str, images: Mapping[str, Any], known: Mapping[str, Prompt], attributes: Sequence[Attribute]
) -> PromptResults:
    prompt = match_prompt(name, known)
    of_suite = prompt is not None
    if prompt is None:
        text = name.partition(",")[0].strip()
        if not text:
            raise InputError(f"{where} is empty before the first comma")
        prompt = Prompt(text, text, people=2 if any(map(is_pair, images.values())) else 1)
    entries = {_number(where, image): entry for image, entry in images.items()}
    largest = max(entries, default=0)
    if largest - len(entries) > max(MOST_LEFT_OUT, MOST_LEFT_OUT_EACH * len(entries)):
        raise InputError(f"{where}: names {len(entries)} of the images up to image_{largest}; check the numbers")
    results = []
    for number in range(1, largest + 1):
        findings = SET_ASIDE
        if number in entries:
            findings = _findings(f"{where}, image_{number}", entries[number], prompt, attributes)
        results.append(ImageResults(prompt, f"{name}/image_{number}", number - 1, findings))
    return PromptResults(prompt, of_suite, results)


def _number(where: str, image: str) -> int:
    match = _NUMBER.fullmatch(image)
    if match is None or int(match[1]) > MOST_IMAGES:
        raise InputError(f"{where}: {image!r} is no image; they are called image_1 to image_{MOST_IMAGES}")
    return int(match[1])


def _findings(where: str, entry: Any, prompt: Prompt, attributes: Sequence[Attribute]) -> tuple[Finding, ...]:
    if is_pair(entry) and prompt.people == 1:
        raise InputError(f"{where} speaks of two people, at left and right, and the prompt asks for one")
    try:
        return describe(entry, prompt.people, attributes)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
