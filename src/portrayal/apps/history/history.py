"""The history of a model: its releases, every number over them, what changed, and what could not be compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from portrayal.apps.history.change_words import change_sentence
from portrayal.apps.history.changes import Change, Look, looks
from portrayal.apps.history.release_rows import Release, Releases
from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.comparisons.compared_sides import ComparedSides
from portrayal.reports.comparisons.matching import Matched, Topic, is_share, rows_by_topic
from portrayal.reports.comparisons.models_compared import ModelsCompared
from portrayal.reports.comparisons.words.missing_gap import MissingGap, missing_gaps
from portrayal.reports.comparisons.words.nothing_words import nothing_found
from portrayal.reports.text.missing_range import stated_points
from portrayal.reports.text.words import count, join

__all__ = ["NumberSeries", "ReleaseHistory"]

SENTENCES = 5


@dataclass(frozen=True)
class NumberSeries:
    """One number of one model over all releases; None where a release does not have it."""

    model: str
    topic: Topic
    rows: Sequence[Measurement | None]


@dataclass(frozen=True)
class ReleaseHistory:
    """All of it; differences of shares up to ``margin`` are of no concern."""

    read: Releases
    margin: float

    @cached_property
    def looks(self) -> list[Look]:
        """What changed at each release but the first."""
        return looks([release.rows for release in self.read.releases], self.margin, self.read.attributes)

    @cached_property
    def seen_by(self) -> bool:
        """Whether several annotators looked, so that each number needs the name of its own."""
        return len({name for release in self.read.releases for name in release.annotators}) > 1

    @cached_property
    def series(self) -> list[NumberSeries]:
        """Every number that can be compared, whole prompts first; the latest release says which come first."""
        found: dict[tuple[str, Topic], list[Measurement | None]] = {}
        for place, release in reversed(list(enumerate(self.read.releases))):
            for model, rows in release.rows.items():
                for topic, row in rows_by_topic(rows, self.read.attributes).items():
                    key = model, topic
                    found.setdefault(key, [None] * len(self.read.releases))[place] = row
        return [NumberSeries(model, topic, rows) for (model, topic), rows in found.items()]

    @cached_property
    def news(self) -> list[Change]:
        """What changed by more than the margin, the latest release first: from one release to the next, or since the
        first one where no single step shows it.
        """
        steps = [change for look in reversed(self.looks) for change in _largest(look) if change.previous]
        told = {(change.model, change.topic) for change in steps}
        since = [change for change in _largest(self.looks[-1]) if not change.previous]
        since = [change for change in since if (change.model, change.topic) not in told]
        return _once([each for each in (*steps, *since) if not each.difference.is_within(self.margin)])

    def sentences(self) -> list[str]:
        """Return the answer: what changed, then what did not in the latest release."""
        said = [change_sentence(change, self.read.attributes, seen_by=self.seen_by) for change in self.news]
        more = len(said) - SENTENCES
        shown = said[:SENTENCES]
        if more > 0:
            shown.append(t("{n|more change is|more changes are} listed below.", n=more))
        return [
            *shown,
            *self._unchanged(),
            *(gap.sentence(attributes=self.read.attributes) for gap in self.missing[:SENTENCES]),
        ]

    @cached_property
    def missing(self) -> list[MissingGap]:
        """Where surely more or fewer pictures are missing than in the release before, the latest release first.

        Its errors are spent as those of changes are: in 19 of 20 histories without any such change there is none.
        """
        gaps: list[MissingGap] = []
        for look in reversed(self.looks):
            for model in look.matched:
                before, release = self._before(look, model), self.read.releases[look.release]
                if release.prompts != before.prompts:  # other prompts may be refused more often
                    continue
                sides = [(each.rows[model][0].generator, each.rows[model]) for each in (release, before)]
                gaps += missing_gaps(sides[0], sides[1], look.level / len(look.matched))
        return gaps

    def _unchanged(self) -> Iterator[str]:
        """Yield of each model without a change in the latest release what would have shown, or that it was small."""
        last = self.looks[-1]
        for model, compared in self._compared(last).items():
            steps = [change for change in last.changes if change.model == model and change.previous]
            if not any(change.changed for change in steps):
                pair = compared.pairs[0]
                in_time = replace(pair, one=pair.other, other=pair.one)
                yield nothing_found(in_time, self.margin, self.read.attributes)
            elif all(change.difference.is_within(self.margin) for change in steps if change.changed):
                yield t(
                    "Every change that was found in {release} is smaller than {x} points.",
                    release=compared.pairs[0].one,
                    x=stated_points(self.margin),
                )

    def summary(self) -> str:
        """Return how many changes were found among how many, and what the correction promises."""
        changed = sum(change.changed for look in self.looks for change in look.changes)
        if not any(look.tests for look in self.looks):
            return t("Nothing could be tested: too few images, or other prompts in every release.")
        return t(
            "Changed by more than chance explains: {changed} of {n|comparison|comparisons} over {k|release|releases}. "
            "The correction holds for all numbers and any number of releases: of models that never change, at most one "
            "in twenty is ever called changed.",
            changed=count(changed),
            n=sum(look.tests for look in self.looks),
            k=len(self.read.releases),
        )

    def not_compared(self) -> list[str]:
        """Return what is not compared with the release before, and why."""
        said: list[str] = []
        for look in self.looks:
            release = self.read.releases[look.release]
            said += [
                t("{release} has no numbers of {model}", release=release.name, model=model)
                for model in self.read.models
                if model not in release.rows
            ]
            for model, compared in self._compared(look).items():
                before = self._before(look, model)
                said += _other_parts(release, before)
                said += [f"{release.name}: {line}" for pair in compared.pairs for line in pair.incomplete()]
        return said

    def _before(self, look: Look, model: str) -> Release:
        return next(release for release in reversed(self.read.releases[: look.release]) if model in release.rows)

    def _compared(self, look: Look) -> dict[str, ModelsCompared]:
        """Return each model of a release compared with the release before it, for what comparisons say."""
        by_model = {}
        for model, matched in look.matched.items():
            steps = [change for change in look.changes if change.model == model and change.previous]
            releases = self.read.releases[look.release], self._before(look, model)
            one, other = (release.rows[model][0].generator for release in releases)
            sides = ComparedSides(one, other, [change.difference for change in steps], _prompts_only(matched))
            by_model[model] = ModelsCompared([sides], look.tests, self.margin, self.read.attributes, "holm")
        return by_model


def _largest(look: Look) -> list[Change]:
    """Return what changed at a release, shares first, then by how large it is at least."""

    def order(change: Change) -> tuple[bool, float]:
        each = change.difference
        return not is_share(each.one), -(each.low if each.value > 0 else -each.high)

    return sorted((change for change in look.changes if change.changed), key=order)


def _once(changes: Sequence[Change]) -> list[Change]:
    """Return the first change about each item and attribute of a step: a second group or annotator says it again.

    So does a category, or all prompts, where these are one term: the term is named.
    """
    first: dict[tuple[object, ...], Change] = {}
    for change in changes:
        topic = change.topic
        prompts = _prompts(change.difference.one) if topic.group else ""
        about = (topic.attribute, topic.language, topic.variant, topic.metric if not topic.group else "")
        key = (change.model, change.release, change.earlier, prompts or topic.item, *about)
        known = first.setdefault(key, change).topic
        if topic.level == "term" != known.level and topic.group == known.group:
            first[key] = change
    return list(first.values())


def _prompts_only(matched: Matched) -> Matched:
    """Return what was matched without scores of methods that are set up otherwise: another sentence says that."""
    others = [pair for pair in matched.other_prompts if is_share(pair[0]) or _prompts(pair[0]) != _prompts(pair[1])]
    return replace(matched, other_prompts=others)


def _prompts(row: Measurement) -> str:
    return row.prompt_set.partition(" ")[0]


def _other_parts(release: Release, before: Release) -> list[str]:
    """Return who else looked, and which methods are set up otherwise."""
    said = []
    if set(release.annotators) != set(before.annotators):
        said.append(
            t(
                "{release} was looked at by {annotators}, {before} by {others}: only numbers by the same are compared",
                release=release.name,
                annotators=join(list(release.annotators)) or t("no annotator"),
                before=before.name,
                others=join(list(before.annotators)) or t("no annotator"),
            )
        )
    both = [name for name in release.options if name in before.options]
    otherwise = [name for name in both if release.options[name] != before.options[name]]
    if otherwise:
        said.append(
            t(
                "{methods} is set up differently in {release} than in {before}, so its scores are not compared",
                methods=join(otherwise),
                release=release.name,
                before=before.name,
            )
        )
    return said
