"""What is computed: protocols that turn evidence into measurements, a folder each.

What the folders bring is found without importing more than their ``__init__``, so this one imports nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from portrayal.bundles import BundleRegistry

if TYPE_CHECKING:
    from portrayal.methods.base import MethodFactory

__all__ = ["BUILTIN", "DEFAULT", "METHODS"]

BUILTIN = ("representation", "faintbench", "bafis")
"""The folders of methods, in the order in which they are listed and shown."""
DEFAULT = "representation"
"""What a study computes that does not say so."""

METHODS: BundleRegistry[MethodFactory] = BundleRegistry("method", "method")
