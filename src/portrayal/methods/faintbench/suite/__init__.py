"""FAIntbench's prompts: from a table of terms, words for groups and templates; and the pairs it compares."""

from portrayal.methods.faintbench.suite.options import FaintbenchSuiteOptions
from portrayal.methods.faintbench.suite.suite import faintbench

__all__ = ["FaintbenchSuiteOptions", "faintbench"]
