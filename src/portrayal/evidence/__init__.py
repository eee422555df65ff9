"""From observations to what methods count: which images are usable, and kinds of evidence that are added up."""

from portrayal.evidence.counts.cell_counts import CellCounts, CountSums
from portrayal.evidence.counts.group_counts import GroupCounts, Weighing
from portrayal.evidence.counts.moments import Correction, GroupMoments, PromptMoments
from portrayal.evidence.counts.people_by_picture import PeopleByPicture, PictureSums
from portrayal.evidence.counts.texts import CellTexts, Texts
from portrayal.evidence.counts.values import Numbers, Values
from portrayal.evidence.design import Cell, Design, Plan, Planted, SourceImage
from portrayal.evidence.missing_images import NOT_ANNOTATED, Missing, MissingCounts
from portrayal.evidence.need import Batch, Evidence, Need, Requires, Sums
from portrayal.evidence.pairs.compared import Compared, ComparedPairs
from portrayal.evidence.pairs.confusion import Confusion, Confusions
from portrayal.evidence.pairs.edits import Edited, Edits
from portrayal.evidence.pairs.matched import Matched, MatchedMoments
from portrayal.evidence.pairs.picture_shares import PictureShares, UsablePictures
from portrayal.evidence.pairs.seed_pairs import Differences, Paired, SeedPairs
from portrayal.evidence.usable import People, Rule

__all__ = [
    "NOT_ANNOTATED",
    "Batch",
    "Cell",
    "CellCounts",
    "CellTexts",
    "Compared",
    "ComparedPairs",
    "Confusion",
    "Confusions",
    "Correction",
    "CountSums",
    "Design",
    "Differences",
    "Edited",
    "Edits",
    "Evidence",
    "GroupCounts",
    "GroupMoments",
    "Matched",
    "MatchedMoments",
    "Missing",
    "MissingCounts",
    "Need",
    "Numbers",
    "Paired",
    "People",
    "PeopleByPicture",
    "PictureShares",
    "PictureSums",
    "Plan",
    "Planted",
    "PromptMoments",
    "Requires",
    "Rule",
    "SeedPairs",
    "SourceImage",
    "Sums",
    "Texts",
    "UsablePictures",
    "Values",
    "Weighing",
]
