"""Labels in place of probabilities: all of an image's mass on its most probable group."""

from __future__ import annotations

import numpy as np

from portrayal.stats.intervals import Array

__all__ = ["Labels", "Masses"]


class Labels:
    """The first of equally probable groups counts."""

    def align(self, attribute: str, mass: Array) -> Array:  # noqa: ARG002 - the same for all
        """Return masses (images, groups) of 0 and 1.

        >>> Labels().align("gender", np.array([[0.4, 0.6], [0.5, 0.5]])).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        if not mass.size:
            return mass
        seen = ~np.isnan(mass).any(axis=-1, keepdims=True)
        best = np.where(seen, mass, 0.0).argmax(axis=-1)
        return np.where(seen, np.eye(mass.shape[-1])[best], mass)


class Masses:
    """Probabilities as they were told."""

    def align(self, attribute: str, mass: Array) -> Array:  # noqa: ARG002 - the same for all
        """Return them as they are."""
        return mass
