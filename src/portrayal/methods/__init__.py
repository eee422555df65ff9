"""What is computed: protocols that turn evidence into measurements, a folder each.

What the folders bring is found without importing more than their ``__init__``, so this one imports nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from portrayal.bundles import BundleRegistry

if TYPE_CHECKING:
    from collections.abc import Callable

    from portrayal.methods.base import Method
    from portrayal.methods.reproduction import Reproduction

__all__ = ["BUILTIN", "DEFAULT", "METHODS", "REPRODUCTIONS"]

BUILTIN = ("representation", "faintbench", "biasig", "bafis", "magbig", "biaspainter", "tbyb", "socialbiaskg")
"""The folders of methods, in the order in which they are listed and shown."""
DEFAULT = "representation"
"""What a study computes that does not say so."""

METHODS: BundleRegistry[type[Method]] = BundleRegistry("method", "method")
REPRODUCTIONS: BundleRegistry[Callable[[], Reproduction]] = BundleRegistry("reproduction", "reproduction")
"""What can be recomputed of the papers behind methods."""
