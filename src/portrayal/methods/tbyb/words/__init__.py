"""From captions to objects, step by step: tokens, lemmas, what is left out, what counts as an object of the prompt."""

from portrayal.methods.tbyb.words.analysis import Analyser, WordOptions
from portrayal.methods.tbyb.words.matching import Asked, Match, Matcher, Scored
from portrayal.methods.tbyb.words.reading import Reader, Token

__all__ = ["Analyser", "Asked", "Match", "Matcher", "Reader", "Scored", "Token", "WordOptions"]
