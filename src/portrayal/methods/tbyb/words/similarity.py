"""How near two words are, by the vectors that a sentence model gives them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Embedder", "Similarity"]

_BATCH = 256


class Embedder(Protocol):
    """A model that turns texts into vectors of length 1."""

    title: str

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector per text."""
        ...


class Similarity:
    """The cosine of two words; each word is embedded once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    @property
    def title(self) -> str:
        """Which model it is."""
        return self._embedder.title

    def know(self, words: Collection[str]) -> None:
        """Embed words together, which is many times faster than one by one."""
        # By length, since a batch is as slow as its longest word.
        new = sorted(set(words) - self._vectors.keys(), key=lambda word: (len(word), word))
        for start in range(0, len(new), _BATCH):
            some = new[start : start + _BATCH]
            self._vectors.update(zip(some, self._embedder.embed(some), strict=True))

    def of(self, one: str, other: str) -> float:
        """Return the cosine of two words, rounded: batches of different sizes differ in the last digits."""
        self.know((one, other))
        return round(float(self._vectors[one] @ self._vectors[other]), 4)
