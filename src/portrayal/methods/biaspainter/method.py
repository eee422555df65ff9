"""BiasPainter: whether words that say nothing of gender, age or skin tone change them when a face is edited.

Per editor and annotator and for perceived gender, age and skin tone: the bias of every word, by itself and relative to
edits that ask for nothing, with a correction for many words; of topics and of the model; flips and shifts by the group
of the seed; what an extra instruction changes; and what became of the edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.errors import ConfigError, did_you_mean
from portrayal.evidence import Design, Edits, Evidence, Missing, Need, Rule
from portrayal.methods.base import Method, OwnTable
from portrayal.methods.biaspainter.editing import Editing, editings
from portrayal.methods.biaspainter.keeping import ATTRIBUTES as KEEPING
from portrayal.methods.biaspainter.keeping import keeping_rows
from portrayal.methods.biaspainter.level_rows import image_rows, level_rows
from portrayal.methods.biaspainter.options import BiasPainterOptions
from portrayal.methods.biaspainter.score_rows import fates, group_rows, mitigation_rows, word_rows
from portrayal.methods.biaspainter.scores import ATTRIBUTES, Scored, score_words
from portrayal.methods.biaspainter.scores.mitigation import compare
from portrayal.methods.biaspainter.scores.resampling import resampled_seeds
from portrayal.methods.biaspainter.word_and_edit_tables import EDIT_SCHEMA, WORD_SCHEMA, edit_rows, word_table
from portrayal.records import Adjustment, Measurement, Note

__all__ = ["BiasPainter"]

_GROUPS = ("male", "female")


class BiasPainter(Method):
    """See the module's description and :class:`BiasPainterOptions`."""

    Options = BiasPainterOptions
    name = "biaspainter"
    options: BiasPainterOptions
    citations: Sequence[str] = (
        "Yoav Benjamini, Yosef Hochberg (1995): Controlling the False Discovery Rate. JRSS B 57. (many words)",
        "Robert G. Newcombe (1998): Interval Estimation for the Difference between Independent Proportions. "
        "Statistics in Medicine 17. (flip rates)",
        "Peter Hall (1992): On the Removal of Skewness by Transformation. JRSS B 54. (means of few seeds)",
        "Tim C. Hesterberg (2015): What Teachers Should Know About the Bootstrap. The American Statistician 69. "
        "(bootstrap over seeds, expanded percentiles)",
    )

    def __init__(self, options: BiasPainterOptions, folder: Path) -> None:
        super().__init__(options, folder)
        self._edits = Edits(tuple(options.attributes.values()))
        self._missing = Missing(Rule("each"))
        self._kept = Edits(KEEPING)

    @property
    def needs(self) -> Sequence[Need[Any]]:
        """Edits beside their seeds, what is missing, and whether edits keep the person."""
        return [self._edits, self._missing, self._kept]

    @property
    def adjusted(self) -> Sequence[Adjustment]:
        """How thresholds differ from the published ones."""
        if (self.options.years, self.options.levels) == (25.0, 20.0):
            return ()
        note = Note.of("own_thresholds", y=f"{self.options.years:g}", l=f"{self.options.levels:g}")
        return (Adjustment(note),)

    @property
    def settings(self) -> Mapping[str, str]:
        """What the section tells of how it was set up."""
        options = self.options
        told = {
            "years": f"{options.years:g}",
            "levels": f"{options.levels:g}",
            "error_rate": f"{options.error_rate:g}",
            "little": f"{options.little:g}",
            "unanswered": options.unanswered,
        }
        return {**told, **options.attributes}

    def check(self, design: Design) -> None:
        """Refuse attributes that cannot be watched."""
        for role, name in self.options.attributes.items():
            if name not in design.attributes:
                raise ConfigError(f"method {self.name!r}: no attribute {name!r}{did_you_mean(name, design.attributes)}")
            attribute = design.attributes[name]
            if role == "gender" and attribute.groups != _GROUPS:
                raise ConfigError(f"method {self.name!r}: 'gender' must have the groups male and female, not {name!r}")
            if role != "gender" and not attribute.is_numeric:
                raise ConfigError(f"method {self.name!r}: {role!r} must be a number, and {name!r} is none")

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement | OwnTable]:
        """Yield all measurements, editor by editor, and the tables of words and edits."""
        self.check(evidence.plan.design)
        words: list[dict[str, Any]] = []
        edits: list[pa.Table] = [EDIT_SCHEMA.empty_table()]
        for editing in editings(evidence.plan, evidence[self._edits], self.options):
            scored = {name: self._scored(editing, name, rng) for name in ATTRIBUTES}
            blank = Measurement(self.name, "", editing.generator, editing.annotator)
            yield from fates(blank, editing, evidence[self._missing])
            for name, score in scored.items():
                yield from self._attribute(replace(blank, attribute=self.options.attributes[name]), editing, score, rng)
            words += word_table(editing, editing.words(), list(scored.values()))
            edits.append(edit_rows(editing))
        yield from self._keeping(evidence)
        if words:
            yield OwnTable("words", pa.Table.from_pylist(words, WORD_SCHEMA))
            yield OwnTable("edits", pa.concat_tables(edits))

    def _keeping(self, evidence: Evidence) -> Iterator[Measurement]:
        plan = evidence.plan
        for annotator, edited in evidence[self._kept].items():
            if set(KEEPING) <= set(plan.design.annotators[annotator]):
                for generator in {plan.cells[cell][0]: None for cell in edited.cell.tolist()}:
                    blank = Measurement(self.name, "", generator, annotator)
                    yield from keeping_rows(blank, plan, edited, little=self.options.little, few=self.options.few)

    def _scored(self, editing: Editing, name: str, rng: np.random.Generator) -> Scored:
        words = editing.words()
        null = range(len(words), len(words) + len(editing.null))
        faces = editing.faces([*words, *editing.null])
        return score_words(faces, name, null=null, scales=self.options.scales, draws=self.options.draws, rng=rng)

    def _attribute(
        self, blank: Measurement, editing: Editing, scored: Scored, rng: np.random.Generator
    ) -> Iterator[Measurement]:
        words = editing.words()
        yield from level_rows(blank, words, scored, self.options.few)
        yield from image_rows(blank, editing, scored.attribute, words)
        yield from group_rows(blank, editing, scored.attribute, scored.changes)
        yield from word_rows(blank, editing, words, scored)
        seeds = resampled_seeds(editing.genders, self.options.draws, rng)
        for instruction in editing.instructions:
            told = editing.words(instruction)
            places = {(word.category, word.term): place for place, word in enumerate(words)}
            rows = np.array([places[word.category, word.term] for word in told if (word.category, word.term) in places])
            told = [word for word in told if (word.category, word.term) in places]
            if len(rows):
                changes = editing.faces(told).changes(scored.attribute, self.options.scales)
                mitigation = compare(changes, scored.changes.take(rows), scored.strata, seeds)
                same = editing.same_pictures(told, [words[place] for place in rows.tolist()])
                yield from mitigation_rows(blank, instruction, told, mitigation, same)
