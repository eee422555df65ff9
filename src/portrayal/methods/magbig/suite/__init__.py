"""MAGBIG's prompts in ten languages, read from a clone of the authors' repository or dataset."""

from portrayal.methods.magbig.suite.options import NAME, MagbigSuiteOptions
from portrayal.methods.magbig.suite.suite import magbig

__all__ = ["NAME", "MagbigSuiteOptions", "magbig"]
