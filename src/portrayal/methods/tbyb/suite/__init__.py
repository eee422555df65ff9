"""Try Before You Bias' prompts: 100 objects; people doing things with them, occupations and tasks of one's own."""

from portrayal.methods.tbyb.suite.suite import TbybSuiteOptions, tbyb

__all__ = ["TbybSuiteOptions", "tbyb"]
