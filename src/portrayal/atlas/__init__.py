"""Models over time, pure: evaluations of many models with their metadata, compared by kind, scheduler and year."""

from portrayal.atlas.evaluation import Evaluation, ModelInfo, Score
from portrayal.atlas.parts import ATLAS_PARTS, AtlasPart, ScoreKind, score_kinds

__all__ = ["ATLAS_PARTS", "AtlasPart", "Evaluation", "ModelInfo", "Score", "ScoreKind", "score_kinds"]
