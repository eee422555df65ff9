"""Differences between models as people's labels have them: one that these do not bear out is no finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.reports.comparisons.difference import Difference, DifferenceVerdict
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.models_compared import ModelsCompared
from portrayal.reports.comparisons.words.corrected_words import as_read_words, difference_doubt, place_of
from portrayal.reports.comparisons.words.nearer import nearer
from portrayal.reports.corrected_difference import CorrectedDifference, Place
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.text.words import count

__all__ = ["ByLabels", "by_labels"]


@dataclass(frozen=True)
class ByLabels:
    """Models compared as pictures were ``read``, and the same where labels bear it out.

    ``reads`` are the methods, annotators and attributes whose shares labels correct: scores of these are functions of
    shares that were misread, and nobody knows how far they differ.
    """

    read: ModelsCompared
    borne_out: ModelsCompared
    corrected: Mapping[Place, CorrectedDifference]
    reads: Set[tuple[str, str, str]]

    def doubt(self, each: Difference) -> str:
        """Return that labels do not bear a difference out, and what they say; nothing where they do, or say nothing."""
        return _doubt(each, self.corrected, self.reads)

    def sentence(self, each: Difference) -> str:
        """Return a difference as a sentence: as it was read, where labels say what it is."""
        sentence, after = self.read.sentence(each), self.corrected.get(place_of(each))
        doubt = self.doubt(each)
        if after is None or not is_share(each.one) or (after.value is None and not doubt):
            return sentence
        return as_read_words(sentence, doubt, after)

    def refuted(self) -> list[str]:
        """Return in sentences what would be quoted as it was read, and is not so by the labels."""
        return [self.sentence(each) for each in self.read.largest() if self.doubt(each) and is_share(each.one)]

    def nothing(self) -> list[str]:
        """Return between which models nothing was found, or nothing that labels bear out."""
        unsure = [pair for pair in self.read.pairs if pair.different and all(map(self.doubt, pair.different))]
        names = [(pair.one, pair.other) for pair in unsure]
        others = [pair for pair in self.borne_out.pairs if (pair.one, pair.other) not in names]
        said = [
            t("Corrected by labels, no difference between {one} and {other} is certain.", one=one, other=other)
            for one, other in names
        ]
        return [*said, *replace(self.borne_out, pairs=others).nothing()]

    def summary(self) -> str:
        """Return how many comparisons differ as they were read, and how many of these labels do not bear out."""
        lost = sum(bool(self.doubt(each)) for pair in self.read.pairs for each in pair.different)
        if not lost:
            return self.read.summary()
        said = t("That is as they were read: labels do not bear out {n} of them.", n=count(lost))
        return f"{self.read.summary()} {said}"

    def nearer(self) -> list[str]:
        """Return which side lies nearer to a reference, of what no labels correct: as it was read it may be wrong."""
        right = (each for each in self.borne_out.largest() if place_of(each) not in self.corrected)
        attributes, margin, seen_by = self.read.attributes, self.read.margin, self.read.seen_by
        said = (nearer(each, attributes, margin, seen_by=seen_by) for each in right)
        return [sentence for sentence in said if sentence]

    def sentences(self) -> list[str]:
        """Return the answer: what differs most, what was read and is not so, then where nothing was found."""
        largest = [self.sentence(each) for each in self.borne_out.largest()]
        return [*largest, *self.refuted(), *self.nearer(), *self.nothing(), *self.read.missing_words()]


def by_labels(
    compared: ModelsCompared, corrected: Mapping[Place, CorrectedDifference], shares: Iterable[CorrectedShare]
) -> ByLabels:
    """Return what of a comparison labels bear out; ``shares`` are those that they correct."""
    rows = [share.seen for share in shares if share.decides]
    reads = {(row.method, row.annotator, row.attribute) for row in rows}
    pairs = [
        replace(pair, differences=[_told(each, corrected, reads) for each in pair.differences])
        for pair in compared.pairs
    ]
    return ByLabels(compared, replace(compared, pairs=pairs), corrected, reads)


def _told(
    each: Difference, corrected: Mapping[Place, CorrectedDifference], reads: Set[tuple[str, str, str]]
) -> Difference:
    return replace(each, verdict=DifferenceVerdict.TOO_FEW) if _doubt(each, corrected, reads) else each


def _doubt(each: Difference, corrected: Mapping[Place, CorrectedDifference], reads: Set[tuple[str, str, str]]) -> str:
    row = each.one
    if is_share(row):
        return difference_doubt(each, corrected.get(place_of(each)))
    if (row.method, row.annotator, row.attribute) in reads:
        return t("as read: by the labels pictures were misread, and how far this score moves is not known")
    return ""
