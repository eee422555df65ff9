"""FAIntbench's prompts: from a table of terms, words for groups and templates; and the pairs it compares."""

from portrayal.suites.faintbench.options import FaintbenchSuiteOptions
from portrayal.suites.faintbench.suite import faintbench

__all__ = ["FaintbenchSuiteOptions", "faintbench"]
