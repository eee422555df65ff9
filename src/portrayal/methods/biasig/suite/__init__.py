"""BiasIG's prompts and truths, read from a clone of the authors' repository."""

from portrayal.methods.biasig.suite.options import NAME, BiasigSuiteOptions
from portrayal.methods.biasig.suite.suite import biasig

__all__ = ["NAME", "BiasigSuiteOptions", "biasig"]
