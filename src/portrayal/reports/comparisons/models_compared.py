"""The models of a study, each with each other: what differs most first, then everything that was looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from portrayal.language.translation import t
from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.compared_sides import ComparedSides
from portrayal.reports.comparisons.difference import LEVEL, Correction, Difference, DifferenceVerdict
from portrayal.reports.comparisons.matching import Matched, is_share, match_rows, rows_by_topic
from portrayal.reports.comparisons.numbers.differences import differences
from portrayal.reports.comparisons.ordering import one_of_each, surest
from portrayal.reports.comparisons.pairing import Pairing
from portrayal.reports.comparisons.words.answer_words import answer_sentence
from portrayal.reports.comparisons.words.differ_words import differ_words, less_sure_words, too_few_words
from portrayal.reports.comparisons.words.difference_words import DifferenceLine, line_of
from portrayal.reports.comparisons.words.missing_gap import MissingGap, missing_gaps
from portrayal.reports.comparisons.words.nearer import nearer
from portrayal.reports.comparisons.words.nothing_words import further_pairs, nothing_found, nothing_sure, small_words
from portrayal.reports.comparisons.words.pairs_words import pairs_words

__all__ = ["ModelsCompared", "compare_models"]

MOST_MODELS = 8
"""Of more models each is compared with the first alone: pairs grow with the square of models."""
SENTENCES = 3


@dataclass(frozen=True)
class ModelsCompared:
    """All pairs of models; ``looked_at`` comparisons were corrected for together."""

    pairs: Sequence[ComparedSides]
    looked_at: int
    margin: float
    attributes: Mapping[str, Attribute]
    correction: Correction = "benjamini-hochberg"
    left_out: Sequence[str] = ()
    """What is not compared though it could be, in sentences."""
    phrases: Mapping[str, str] = field(default_factory=dict)
    """How a sentence speaks of pictures of a side, where it is no model: ``asked for in German``."""
    pairing: bool = False
    """Whether it is known which pictures belong together."""
    missing: Sequence[MissingGap] = ()
    """Of which side surely more pictures are missing."""

    @cached_property
    def seen_by(self) -> bool:
        """Whether several annotators looked: each number then needs the name of its own."""
        return len({each.one.annotator for pair in self.pairs for each in pair.differences}) > 1

    def largest(self) -> list[Difference]:
        """Return what differs most, each item and attribute once: only what is sure by itself among all (Bonferroni).

        Of the list at most one in twenty is chance. What stands on a first screen is quoted alone, and must be surer.
        """
        return self._largest

    @cached_property
    def _largest(self) -> list[Difference]:
        everything = (each for pair in self.pairs for each in pair.different if not each.is_within(self.margin))
        sure = (each for each in everything if each.p * self.looked_at <= LEVEL)
        different = one_of_each(sorted(sure, key=surest))
        # Who is shown comes first; which score is larger says little to who does not know it.
        return [each for each in different if is_share(each.one) == is_share(different[0].one)][:SENTENCES]

    def nothing(self) -> list[str]:
        """Return of pairs of models without a difference that nothing was found, and what would have been."""
        alike = [pair for pair in self.pairs if not pair.different]
        said = [nothing_found(self._called(pair), self.margin, self.attributes) for pair in alike[:SENTENCES]]
        return [*self._unsure(), *said, *further_pairs(alike[SENTENCES:]), *self._small()]

    def _unsure(self) -> list[str]:
        """Return of pairs of which several differences are in the list, and none is sure by itself, that this is so."""
        if self._largest:
            return []
        large = [pair for pair in self.pairs if any(not each.is_within(self.margin) for each in pair.different)]
        return [nothing_sure(self._called(pair)) for pair in large[:SENTENCES]]

    def _small(self) -> list[str]:
        """Return that every difference found is smaller than the margin, where that is so; others may be unseen."""
        pairs = [pair for pair in self.pairs if pair.different]
        if not pairs or not all(each.is_within(self.margin) for pair in pairs for each in pair.different):
            return []
        return [small_words([(self._called(pair).one, self._called(pair).other) for pair in pairs], self.margin)]

    def _called(self, pair: ComparedSides) -> ComparedSides:
        """Return sides by what a sentence calls them, where they are no models."""
        one, other = (
            t("pictures {phrase}", phrase=self.phrases[name]) if name in self.phrases else name
            for name in (pair.one, pair.other)
        )
        return replace(pair, one=one, other=other)

    def possible(self) -> str:
        """Return how many differences are in the list alone, since they may be chance; nothing where there are none."""
        less_sure = sum(each.p * self.looked_at > LEVEL for pair in self.pairs for each in pair.different)
        return less_sure_words(less_sure) if less_sure else ""

    def sentences(self) -> list[str]:
        """Return the answer: what differs most, then of which models nothing was found to differ."""
        return [*map(self.sentence, self.largest()), *self.nearer(), *self.nothing(), *self.missing_words()]

    def missing_words(self) -> list[str]:
        """Return of which sides more pictures are missing, those of which most are first."""
        largest = sorted(self.missing, key=lambda gap: gap.other.share - gap.lost.share)
        return [gap.sentence(self.phrases, self.attributes) for gap in largest[:SENTENCES]]

    def sentence(self, each: Difference) -> str:
        """Return a difference as one sentence."""
        return answer_sentence(each, self.attributes, self.phrases, seen_by=self.seen_by)

    def nearer(self) -> list[str]:
        """Return which side of what differs most lies nearer to the reference, where one is chosen and it is sure."""
        said = (nearer(each, self.attributes, self.margin, seen_by=self.seen_by) for each in self.largest())
        return [sentence for sentence in said if sentence]

    def pairs_words(self) -> str:
        """Return which comparisons are of pairs."""
        return pairs_words((each for pair in self.pairs for each in pair.differences), sought=self.pairing)

    def every(self) -> list[Difference]:
        """Return all differences of all pairs, the surest first."""
        return sorted((each for pair in self.pairs for each in pair.differences), key=surest)

    def summary(self) -> str:
        """Return how many of how many comparisons differ, and what the correction promises."""
        found = sum(len(pair.different) for pair in self.pairs)
        few = [each for each in self.every() if each.verdict is DifferenceVerdict.TOO_FEW]
        untested = sum(each.p != each.p for each in few)
        unknown = too_few_words(self.looked_at, len(few) - untested, untested)
        if not found:
            if not self.looked_at:
                return unknown
            none = t("Of {n|comparison|comparisons} none shows more than chance explains.", n=self.looked_at)
            return " ".join(filter(None, (none, unknown)))
        return " ".join(filter(None, (differ_words(found, self.looked_at, self.correction), unknown)))

    def lines(self, pair: ComparedSides) -> list[DifferenceLine]:
        """Return the table of one pair of models."""
        return [line_of(each, self.attributes, self.margin, seen_by=self.seen_by) for each in pair.differences]


def compare_models(  # noqa: PLR0913 - each is something that whoever compares may say
    measurements: Iterable[Measurement],
    models: Sequence[str],
    margin: float,
    attributes: Mapping[str, Attribute],
    *,
    couples: Sequence[tuple[str, str]] = (),
    correction: Correction = "benjamini-hochberg",
    pairing: Pairing | None = None,
    within: float = 1.0,
    wanted: Callable[[Measurement], bool] | None = None,
) -> ModelsCompared | None:
    """Return models compared, corrected for everything together; None where there is nothing to compare.

    Where nothing can be compared, of which model more pictures are missing is said alone. ``wanted`` chooses rows: only
    these are looked at and corrected for.

    Without ``couples`` each is compared with each other one, or with the first where there are many. ``pairing`` finds
    pictures that belong together. ``within`` is how far the share of missing images lies from that of the others, at
    most.
    """
    rows: dict[str, list[Measurement]] = {name: [] for name in models}
    for row in measurements:
        if row.generator in rows:
            rows[row.generator].append(row)
    names = [name for name in models if rows[name]]
    if not couples:
        couples = (
            list(combinations(names, 2)) if len(names) <= MOST_MODELS else [(names[0], each) for each in names[1:]]
        )
    asked = {name: list(filter(wanted, rows[name])) if wanted else rows[name] for couple in couples for name in couple}
    topics = {name: rows_by_topic(mine, attributes) for name, mine in asked.items()}
    matched = {(one, other): match_rows(topics[one], topics[other]) for one, other in couples}
    if pairing is not None and pairing.required:
        for rows_matched in matched.values():
            _leave_pairs(rows_matched, pairing)
    both = [pair for each in matched.values() for pair in each.pairs]
    every = differences(both, margin, correction=correction, pairing=pairing, within=within)
    gaps = [gap for a, b in couples for gap in missing_gaps((a, rows[a]), (b, rows[b]), LEVEL / len(couples))]
    if not every and not gaps:
        return None
    of_couple: dict[tuple[str, str], list[Difference]] = {couple: [] for couple in couples}
    for each in every:
        of_couple[each.one.generator, each.other.generator].append(each)
    left_out = []
    if len(names) > MOST_MODELS and len(couples) == len(names) - 1:
        left_out = [t("of more than {n} models each is compared with {model} alone", n=MOST_MODELS, model=names[0])]
    pairs = [ComparedSides(*couple, sorted(of_couple[couple], key=surest), matched[couple]) for couple in couples]
    looked_at = sum(each.p == each.p for each in every)
    known = pairing is not None
    return ModelsCompared(
        pairs,
        looked_at=looked_at,
        margin=margin,
        attributes=attributes,
        correction=correction,
        left_out=left_out,
        pairing=known,
        missing=gaps,
    )


def _leave_pairs(matched: Matched, pairing: Pairing) -> None:
    """Take out rows whose pictures do not belong together: as independent ones they must not be compared."""
    every, matched.pairs = matched.pairs, []
    for pair in every:
        (matched.other_pictures if pairing(*pair) is None else matched.pairs).append(pair)
