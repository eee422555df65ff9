"""Zero-shot annotation by a model that compares images with texts: CLIP, or another that works like it."""

from portrayal.annotators.clip.annotator import PINNED, Clip, ClipOptions
from portrayal.annotators.clip.zero_shot import ZeroShot
from portrayal.annotators.clip.zero_shot_questions import ZeroShotOptions

__all__ = ["PINNED", "Clip", "ClipOptions", "ZeroShot", "ZeroShotOptions"]
