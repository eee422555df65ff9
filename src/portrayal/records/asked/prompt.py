"""What is asked: a prompt, with the meaning its suite gives it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

__all__ = ["PROMPT_SCHEMA", "SIDES", "Prompt", "aspect", "content_id", "content_id_of"]

SIDES = ("left", "right")
"""Where the people of a two-person prompt stand, in the order in which they are counted as subjects."""

PROMPT_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("suite", pa.string()),
        ("text", pa.string()),
        ("term", pa.string()),
        ("category", pa.string()),
        ("variant", pa.string()),
        ("language", pa.string()),
        ("weight", pa.float64()),
        ("requested", pa.map_(pa.string(), pa.string())),
        ("kind", pa.string()),
        ("suffix", pa.string()),
        ("people", pa.int32()),
        ("reference", pa.map_(pa.string(), pa.map_(pa.string(), pa.float64()))),
        ("seeds", pa.string()),
        ("edits", pa.string()),
    ]
)


def content_id(*parts: str) -> str:
    """Return a 128-bit hexadecimal id of the parts; the same content always has the same id.

    >>> content_id("a photo of one nurse")
    'a8da950487dbab35f1736ad9a343bc3b'
    """
    return content_id_of(parts)


def content_id_of(parts: Iterable[str]) -> str:
    """Return the id of parts that are too many to be held at once."""
    digest = hashlib.blake2b(digest_size=16)
    for place, part in enumerate(parts):
        # Escaped, so that a separator inside a part never passes for one between parts.
        safe = part.replace("\x1b", "\x1b\x1b").replace("\x1f", "\x1b\x1f")
        digest.update(f"\x1f{safe}".encode() if place else safe.encode())
    return digest.hexdigest()


def aspect(attribute: str, subject: int = 0, people: int = 1) -> str:
    """Return the name of an attribute of one of a prompt's people: its own name, or with the side where there are two.

    Nobody in a group (``people`` is 0) has a place of their own.

    >>> aspect("gender"), aspect("gender", 1, people=2), aspect("gender", 1, people=0)
    ('gender', 'right.gender', 'gender')
    """
    return attribute if people < len(SIDES) else f"{SIDES[subject]}.{attribute}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text to draw, and what it is about. Two prompts with the same text are the same prompt.

    ``edits`` is for a prompt by which images are edited: those of all prompts of that ``kind``. It edits each of them
    and is not drawn by itself; it is another prompt than one of the same text that is drawn.
    ``suffix`` is drawn too but is not part of the identity. ``people`` is how many are asked for: one, two (left and
    right), or 0 for a group of any size. ``requested`` maps aspects (see :func:`aspect`) to the group asked for,
    ``reference`` maps them to the shares of groups that the suite compares with. Prompts with the same ``seeds`` are
    drawn with the same seeds, so that their images can be compared pair by pair; without it each prompt has its own.
    """

    text: str
    term: str
    suite: str = ""
    category: str = ""
    variant: str = ""
    language: str = "en"
    weight: float = 1.0
    requested: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""
    suffix: str = ""
    people: int = 1
    reference: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    seeds: str = ""
    edits: str | None = None
    id: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", content_id(self.text, *([self.edits] if self.edits else [])))

    @property
    def drawn_text(self) -> str:
        """What the generator is asked to draw."""
        return self.text + self.suffix
