"""Measurements from scores: of words, groups of seeds, mitigations, and what became of the edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from portrayal.evidence import MissingCounts
from portrayal.methods.biaspainter.editing import GROUPINGS, Editing
from portrayal.methods.biaspainter.scores import Scored
from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.methods.biaspainter.scores.groups import SHARE, GroupMean, group_mean, seed_means
from portrayal.methods.biaspainter.scores.mitigation import Mitigation
from portrayal.methods.filled_rows import filled, number
from portrayal.records import Measurement, Note, Prompt, said
from portrayal.stats.exact import Ints

__all__ = ["fates", "group_row", "group_rows", "mitigation_rows", "seeds_note"]
__all__ += ["word_notes", "word_rows"]

SEEDS = "seeds"
"""The level of numbers about a group of seeds."""


def word_rows(blank: Measurement, editing: Editing, words: Sequence[Prompt], scored: Scored) -> Iterator[Measurement]:
    """Yield the bias of every word, and relative to the null edit where there is one."""
    planned = editing.planned(words)
    for place, word in enumerate(words):
        n = int(scored.n[place])
        row = replace(blank, level="term", item=word.term, variant=word.category, n=n, prompts=1)
        row = replace(row, missing=int(planned[place]) - n, notes=word_notes(scored, place, editing.options.few))
        yield filled(replace(row, metric="word_bias"), scored.score.bounds, place)
        if scored.relative:
            yield filled(replace(row, metric="word_bias_relative"), scored.relative.bounds, place)


def word_notes(scored: Scored, place: int, few: int) -> tuple[Note, ...]:
    """Return why a word has no score, or no interval, or that it rests on few seeds."""
    if np.isnan(scored.score.value[place]):
        return (Note("no_edit_of_both" if scored.n[place] else "no_usable_edit"),)
    return said(seeds_note(int(scored.seeds[place]), few, scored.score.low[place]))


def group_rows(blank: Measurement, editing: Editing, role: str, changes: Changes) -> Iterator[Measurement]:
    """Yield how often seeds flip, or how far they shift on average, by perceived gender and by every two groups.

    ``target`` is what the null edit does to the same seeds.
    """
    flips, scale = role == "gender", editing.options.scales[role]
    means, counts = seed_means(changes, size=flips)
    nothing = seed_means(editing.faces(editing.null).changes(role, editing.options.scales), size=flips)[0]
    for item, members in seed_groups(editing.seeds.groups):
        mean = group_mean(means * scale, counts, members, within=SHARE if flips else None)
        if mean:
            beside = group_mean(nothing * scale, counts, members)
            row = replace(blank, metric="flip_rate" if flips else "shift", level=SEEDS, item=item)
            yield replace(group_row(row, mean, editing.options.few), target=beside.value if beside else None)


def group_row(row: Measurement, mean: GroupMean, few: int) -> Measurement:
    """Return the row of a group of seeds: ``n`` are its edits and ``prompts`` its seeds."""
    low, high = number(mean.low), number(mean.high)
    notes = said(seeds_note(mean.seeds, few, mean.low))
    return replace(row, value=mean.value, low=low, high=high, n=mean.n, prompts=mean.seeds, notes=notes)


def seeds_note(seeds: int, few: int, low: float) -> Note | None:
    """Return what is to be known of a number that rests on so few seeds, or None where they suffice."""
    if np.isnan(low):
        return Note.of("seeds_no_interval", n=seeds)
    return Note.of("few_seeds", n=seeds) if seeds < few else None


def seed_groups(groups: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Ints]]:
    """Yield every group of seeds with its members: of one grouping, of two together, and of all."""
    known = [name for name in GROUPINGS if any(groups.get(name, ()))]
    sizes = sorted({1, 2, len(known)} & set(range(1, len(known) + 1)))
    for names in (names for size in sizes for names in combinations(known, size)):
        for chosen in product(*(dict.fromkeys(filter(None, groups[name])) for name in names)):
            fits = [np.array(groups[name]) == group for name, group in zip(names, chosen, strict=True)]
            if len(members := np.flatnonzero(np.all(fits, axis=0))):
                yield ", ".join(chosen), members


def mitigation_rows(
    blank: Measurement, instruction: str, words: Sequence[Prompt], mitigation: Mitigation, same: tuple[Ints, Ints]
) -> Iterator[Measurement]:
    """Yield how an instruction changes the scores of words, and the mean size of all of them.

    ``same`` is of each word how many edits are the very same picture with the instruction and without, of how many: an
    instruction that nobody followed, or nobody was given.
    """
    row = replace(blank, group=instruction)
    overall = replace(row, metric="mitigation_size", n=int(mitigation.n.sum()), prompts=mitigation.words)
    yield replace(
        overall, value=number(mitigation.size), low=number(mitigation.size_low), high=number(mitigation.size_high),
        notes=said(None if mitigation.words else Note("no_usable_edit"), _same(*(int(n.sum()) for n in same))),
    )  # fmt: skip
    for place, word in enumerate(words):
        alike = _same(int(same[0][place]), int(same[1][place]))
        notes = said(Note("no_usable_edit") if np.isnan(mitigation.value[place]) else None, alike)
        named = replace(row, metric="mitigation", level="term", item=word.term, variant=word.category, notes=notes)
        bounds = mitigation.value, mitigation.low, mitigation.high
        yield filled(replace(named, n=int(mitigation.n[place]), prompts=1), bounds, place)


def _same(same: int, both: int) -> Note | None:
    return Note.of("same_pictures", n=same, m=both) if same else None


def fates(blank: Measurement, editing: Editing, missing: MissingCounts) -> Iterator[Measurement]:
    """Yield what became of the edits: without a picture, without a face, inconsistent, unchanged, and so on.

    Before that, how often edits were made anew: attempts for each edit that was planned.
    """
    planned = int(editing.plan.planned[editing.cells].sum())
    counts: dict[str, int] = {}
    for annotator in ("", editing.annotator):
        for reason, by_cell in missing.of(annotator, "").items():
            counts[reason] = counts.get(reason, 0) + int(by_cell[editing.cells].sum())
    chosen, _ = editing.entries(editing.prompts)
    counts["several_faces"] = int((editing.edited.people[chosen] > 1).sum())
    why = editing.edited.why_after[editing.options.gender][chosen]
    counts[f"inconsistent_{editing.options.gender}"] = int((why == f"inconsistent_{editing.options.gender}").sum())
    counts["unchanged"] = int(editing.edited.unchanged[chosen].sum())
    for reason, attempts in editing.plan.rejected.items():
        if often := int(attempts[editing.cells].sum()):
            yield replace(blank, metric="redrawn", group=reason, value=often / planned, n=planned)
    for reason, count in counts.items():
        if count or reason in ("several_faces", "unchanged", f"inconsistent_{editing.options.gender}"):
            share = count / planned if planned else None
            yield replace(blank, metric="fate", group=reason, value=share, n=planned, missing=count)
