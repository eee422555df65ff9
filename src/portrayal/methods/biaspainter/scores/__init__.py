"""The mathematics of BiasPainter: pure functions from what was perceived before and after to scores."""

from portrayal.methods.biaspainter.scores.changes import ATTRIBUTES, SCALES, Changes, EditedFaces, image_bias
from portrayal.methods.biaspainter.scores.word_scores import Score, Scored, score_words

__all__ = ["ATTRIBUTES", "SCALES", "Changes", "EditedFaces", "Score", "Scored", "image_bias", "score_words"]
