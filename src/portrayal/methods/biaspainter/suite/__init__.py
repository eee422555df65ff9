"""BiasPainter's prompts: seeds to edit, and words to edit them with."""

from portrayal.methods.biaspainter.suite.suite import biaspainter

__all__ = ["biaspainter"]
