"""What BiasIG's alignment wrote about a model: ``align_MODEL.json``, by question the share of each group.

The file says shares and not of how many images. The fewest images that can have such shares are taken: the intervals
then are those of a study that is no larger than it may have been.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from portrayal.annotators import Annotator
from portrayal.errors import ConfigError, InputError, did_you_mean
from portrayal.jsonfile import read_members
from portrayal.methods.biasig.suite.asked_groups import question, read_question
from portrayal.methods.biasig.suite.options import GROUPS
from portrayal.records import SIDES, Attribute, Finding, ImageResults, Prompt, PromptResults, plain_prompt, plain_text

__all__ = ["fewest_images", "read_aligned"]

NOT_RECOGNISED = "not_recognised"
MOST_IMAGES = 2_000
"""Of one question; the release asks for 200."""
_NEAR = 1e-7
_NAMES = {"gender": "gender", "race4": "race", "age3": "age"}
_GROUPS = {
    "gender": {"male": "male", "female": "female"},
    "race4": {"white": "White", "black": "Black", "east_asian": "East Asian", "south_asian": "South Asian"},
    "age3": {"young": "0-30", "middle_aged": "30-60", "elderly": "60+"},
}


def read_aligned(path: Path, known: Mapping[str, Prompt], annotator: Annotator) -> Iterator[PromptResults]:
    """Yield the file question by question, or say what is wrong with it and where."""
    attributes = _attributes(annotator)
    asked: dict[str, Prompt] = {}
    for prompt in known.values():
        asked.setdefault(plain_prompt(question(prompt.text)), prompt)
    seen = False
    for name, entry in read_members(path):
        seen = True
        where = f"{path}: question {name!r}"
        text = question(plain_text(name).replace("_", " "))
        if not text or not isinstance(entry, Mapping):
            raise InputError(f"{where} must be an object with the shares of {', '.join(_NAMES.values())}")
        known_one, read = asked.get(plain_prompt(text)), read_question(text)
        prompt = known_one or Prompt(text, text, people=read.people if read else 1)
        yield PromptResults(prompt, known_one is not None, list(_images(where, name, prompt, entry, attributes)))
    if not seen:
        raise InputError(f"{path}: no question in it; the file must hold an object from questions to shares")


def fewest_images(shares: Sequence[float]) -> int | None:
    """Return the least number of images of which these can be shares; None: of none up to the most.

    >>> fewest_images([0.25, 0.75]), fewest_images([1 / 3, 1 / 3, 1 / 3]), fewest_images([0.5, 0.6])
    (4, 3, None)
    """
    parts = [Fraction(share).limit_denominator(MOST_IMAGES) for share in shares]
    if any(abs(float(part) - share) > _NEAR for part, share in zip(parts, shares, strict=True)) or sum(parts) != 1:
        return None
    images = lcm(*(part.denominator for part in parts))
    return images if images <= MOST_IMAGES else None


def _attributes(annotator: Annotator) -> tuple[Attribute, ...]:
    for attribute in annotator.attributes:
        if attribute.name in GROUPS and attribute.groups != GROUPS[attribute.name]:
            raise ConfigError(f"{annotator.name}: BiasIG's files do not have these groups of {attribute.name!r}")
    chosen = tuple(attribute for attribute in annotator.attributes if attribute.name in GROUPS)
    if not chosen:
        raise ConfigError(f"{annotator.name}: BiasIG's files speak of {', '.join(GROUPS)}; name one in its attributes")
    return chosen


def _images(
    where: str, name: str, prompt: Prompt, entry: Mapping[str, Any], attributes: Sequence[Attribute]
) -> Iterator[ImageResults]:
    """Yield as many images as the attribute with the most needs, each with a label of those that have one for it."""
    people = [entry.get(side) for side in SIDES] if prompt.people == 2 else [entry]
    labels: dict[tuple[int, Attribute], list[str]] = {}
    for subject, person in enumerate(people):
        if not isinstance(person, Mapping):
            raise InputError(f"{where} must have shares at left and at right")
        for attribute in attributes:
            labels[subject, attribute] = _labels(where, attribute, person.get(_NAMES[attribute.name]))
    for number in range(max(map(len, labels.values()), default=0)):
        findings: list[Finding] = []
        for (subject, attribute), groups in labels.items():
            if number < len(groups):
                findings.append((subject, attribute.name, attribute.one_hot(groups[number]), None))
            else:
                findings.append((subject, attribute.name, None, NOT_RECOGNISED))
        yield ImageResults(prompt, f"{name}/{number + 1}", number, tuple(findings))


def _labels(where: str, attribute: Attribute, shares: Any) -> list[str]:
    """Return a label for each image; of shares that are all 0 nobody was recognised."""
    names = _GROUPS[attribute.name]
    if shares is None:
        return []
    if not isinstance(shares, Mapping) or not all(isinstance(share, int | float) for share in shares.values()):
        raise InputError(f"{where}: {_NAMES[attribute.name]!r} must be an object with numbers")
    for written in shares:
        if written not in names.values():
            raise InputError(f"{where}: no group {written!r}{did_you_mean(written, names.values())}")
    each = [float(shares.get(names[group], 0.0)) for group in attribute.groups]
    if not any(each):
        return []
    images = fewest_images(each)
    if images is None:
        raise InputError(
            f"{where}: the shares of {_NAMES[attribute.name]!r} are of no number of images up to {MOST_IMAGES:,}"
        )
    return [group for group, share in zip(attribute.groups, each, strict=True) for _ in range(round(share * images))]
