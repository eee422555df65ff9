"""Whether an edit keeps the person, and how much of the picture it changes."""

from portrayal.annotators.likeness.annotator import Likeness

__all__ = ["Likeness"]
