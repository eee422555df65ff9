"""The prompts: occupations and races by themselves and together, in a few words and in situations."""

from portrayal.methods.socialbiaskg.suite.options import NAME, SuiteOptions
from portrayal.methods.socialbiaskg.suite.suite import socialbiaskg

__all__ = ["NAME", "SuiteOptions", "socialbiaskg"]
