"""What is asked: a prompt, with the meaning its suite gives it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

__all__ = ["PROMPT_SCHEMA", "Prompt", "content_id"]

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
    ]
)


def content_id(*parts: str) -> str:
    """Return a 128-bit hexadecimal id of the parts; the same content always has the same id.

    >>> content_id("a photo of one nurse")
    'a8da950487dbab35f1736ad9a343bc3b'
    """
    # Escaped, so that a separator inside a part never passes for one between parts.
    safe = (part.replace("\x1b", "\x1b\x1b").replace("\x1f", "\x1b\x1f") for part in parts)
    return hashlib.blake2b("\x1f".join(safe).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text to draw, and what it is about. Two prompts with the same text are the same prompt."""

    text: str
    term: str
    suite: str = ""
    category: str = ""
    variant: str = ""
    language: str = "en"
    weight: float = 1.0
    requested: Mapping[str, str] = field(default_factory=dict)
    id: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", content_id(self.text))
