"""What is computed: protocols that turn evidence into measurements, a folder each."""

from portrayal.bundles import BundleRegistry
from portrayal.methods.base import Counting, Method, MethodFactory

__all__ = ["BUILTIN", "METHODS", "Counting", "Method", "MethodFactory"]

BUILTIN = ("representation", "faintbench", "bafis")
"""The folders of methods, in the order in which they are listed and shown."""

METHODS: BundleRegistry[MethodFactory] = BundleRegistry("method", "method")
