"""The released truths: ``data/truth/*.json`` with demographic shares, weights, categories and pairs.

Their keys are not always the prompts' own: they differ in capitals, in the plural, and once in the word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from portrayal.errors import InputError
from portrayal.jsonfile import read_json
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair
from portrayal.methods.biasig.suite.asked_groups import Question, read_question
from portrayal.records import SIDES, aspect
from portrayal.suites.suite import check_weight

__all__ = ["WEIGHTS", "Truths", "read_pairs", "read_truths", "same_term"]

TRUTH = Path("data", "truth")
SHARES = ("oc_gt.json", "char_gt.json", "sr_gt.json")
WEIGHTS, CATEGORIES, PAIRS = "weight.json", "category.json", "eta.json"
_ATTRIBUTES = {"gender": "gender", "race": "race4", "age": "age3"}
_GROUPS = {
    "male": "male", "female": "female",
    "White": "white", "Black": "black", "East Asian": "east_asian", "South Asian": "south_asian",
    "0-30": "young", "30-60": "middle_aged",
    "60+": "elderly", "60 years old or older": "elderly", "more than 60": "elderly",
}  # fmt: skip
_OTHER_WORDS = {"ugly": "unattractive"}
"""The prompts and the shares say the one, the weights, categories and pairs the other."""

Key = tuple[str, str]
Reference = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Truths:
    """By kind and term: demographic shares by aspect, weight, category; and what could not be read."""

    shares: Mapping[Key, Reference]
    weights: Mapping[Key, float]
    categories: Mapping[Key, str]
    unread: list[str] = field(default_factory=list)


def same_term(term: str) -> str:
    """Return a term as it is compared.

    >>> same_term("Graphic Designers"), same_term("ugly"), same_term("Boss")
    ('graphic designer', 'unattractive', 'boss')
    """
    folded = " ".join(term.casefold().split())
    plain = folded[:-1] if folded.endswith("s") and not folded.endswith("ss") else folded
    return _OTHER_WORDS.get(plain, plain)


def read_truths(clone: Path) -> Truths:
    """Return the truths of a clone; a file that is missing or of another form is refused."""
    unread: list[str] = []
    shares: dict[Key, Reference] = {}
    for name in SHARES:
        for where, asked, entry in _questions(clone, name, unread):
            shares[_key(asked)] = dict(_reference(where, asked, entry, unread))
    weights: dict[Key, float] = {}
    for where, asked, weight in _questions(clone, WEIGHTS, unread):
        if not _is_number(weight):
            raise InputError(f"{where} must have a number for its weight")
        weights[_key(asked)] = check_weight(where, float(weight))
    return Truths(shares, weights, _categories(clone, weights, unread), unread)


def read_pairs(clone: Path) -> tuple[Pair, ...]:
    """Return the pairs that the manifestation factor compares, with their weights."""
    pairs = []
    for name, entry in _object(clone, PAIRS).items():
        where = f"{clone / TRUTH / PAIRS}: {name!r}"
        try:
            (first, second), weight = entry
            counts = check_weight(where, float(weight))
            pairs.append(Pair(_person(str(first)), _person(str(second)), counts, where))
        except (TypeError, ValueError):
            raise InputError(f'{where} must be [["one term", "another"], weight]') from None
    return tuple(pairs)


def _person(term: str) -> str:
    """Return the name of a term or of one person of a relation.

    >>> _person("General at left"), _person("ugly")
    ('General', 'unattractive')
    """
    name = " ".join(term.split()).removeprefix("human ")
    for side in SIDES:
        name = name.removesuffix(f" at {side}")
    return _OTHER_WORDS.get(name.casefold(), name)


def _key(asked: Question) -> Key:
    return asked.kind, same_term(asked.term)


def _object(clone: Path, name: str) -> Mapping[str, Any]:
    path = clone / TRUTH / name
    if not path.is_file():
        raise InputError(f"{clone}: no file {TRUTH / name} in it; options.path must be a whole clone of BiasIG")
    held = read_json(path)
    if not isinstance(held, Mapping) or not held:
        raise InputError(f"{path}: must hold an object; this is not the BiasIG that Portrayal reads")
    return held


def _questions(clone: Path, name: str, unread: list[str]) -> Iterator[tuple[str, Question, Any]]:
    """Yield the entries whose keys are questions that name no group; others are noted, and all may not be others."""
    read = False
    for text, entry in _object(clone, name).items():
        asked = read_question(" ".join(text.split()))
        if asked is None or asked.requested:
            unread.append(f"{name}: {text}")
            continue
        read = True
        yield f"{clone / TRUTH / name}: {text!r}", asked, entry
    if not read:
        raise InputError(f"{clone / TRUTH / name}: none of its keys is a prompt; another version of BiasIG?")


def _reference(where: str, asked: Question, entry: Any, unread: list[str]) -> Iterator[tuple[str, Mapping[str, float]]]:
    people = [entry.get(side) for side in SIDES] if asked.people == 2 and isinstance(entry, Mapping) else [entry]
    for subject, person in enumerate(people):
        if not isinstance(person, Mapping):
            raise InputError(f"{where} must have shares of {', '.join(_ATTRIBUTES)}, of two people at left and right")
        for name, groups in person.items():
            attribute = _ATTRIBUTES.get(name)
            if attribute is None or not isinstance(groups, Mapping) or not set() < groups.keys() <= _GROUPS.keys():
                unread.append(f"{asked.term}: {name}")
                continue
            if not all(map(_is_number, groups.values())):
                raise InputError(f"{where}: {name!r} must have a number for each group")
            shares = {_GROUPS[group]: float(share) for group, share in groups.items()}
            if min(shares.values()) < 0:  # one row of the release has one, which is no proportion
                unread.append(f"{asked.term}: {name}")
            else:
                yield aspect(attribute, subject, asked.people), shares


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _categories(clone: Path, known: Mapping[Key, float], unread: list[str]) -> dict[Key, str]:
    """Return the category of each term. A category has terms of one kind, relations by the person at the left."""
    people = {(kind, term.partition(" / ")[0]): (kind, term) for kind, term in known}
    people |= {(kind, same_term(term)): key for (kind, term), key in list(people.items())}
    categories: dict[Key, str] = {}
    for category, listed in _object(clone, CATEGORIES).items():
        if not isinstance(listed, list):
            raise InputError(f"{clone / TRUTH / CATEGORIES}: {category!r} must be a list of terms")
        terms = [same_term(_person(str(term))) for term in listed]
        kinds = Counter(kind for kind, name in people for term in terms if name == term)
        kind = kinds.most_common(1)[0][0] if kinds else ""
        for term, written in zip(terms, listed, strict=True):
            if (kind, term) in people:
                categories[people[kind, term]] = category
            else:
                unread.append(f"{CATEGORIES}: {written}")
    return categories
