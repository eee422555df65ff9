"""From observations to what methods count: which images are usable, and kinds of evidence that are added up."""

from portrayal.evidence.cell_counts import CellCounts, CountSums
from portrayal.evidence.compared import Compared, ComparedPairs
from portrayal.evidence.confusion import Confusion, Confusions
from portrayal.evidence.design import Cell, Design, Plan, SourceImage
from portrayal.evidence.edits import Edited, Edits
from portrayal.evidence.group_counts import GroupCounts, Weighing
from portrayal.evidence.matched import Matched, MatchedMoments
from portrayal.evidence.missing_images import NOT_ANNOTATED, Missing, MissingCounts
from portrayal.evidence.moments import Correction, GroupMoments, PromptMoments
from portrayal.evidence.need import Batch, Evidence, Need, Requires, Sums
from portrayal.evidence.people_by_picture import PeopleByPicture, PictureSums
from portrayal.evidence.picture_shares import PictureShares, UsablePictures
from portrayal.evidence.seed_pairs import Differences, Paired, SeedPairs
from portrayal.evidence.texts import CellTexts, Texts
from portrayal.evidence.usable import People, Rule
from portrayal.evidence.values import Numbers, Values

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
