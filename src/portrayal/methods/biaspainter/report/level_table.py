"""Topics and the model in numbers: the mean size of word biases, beyond null edits too, and of image biases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.methods.biaspainter.report.edit_words import few_seeds, role_title, topic_title
from portrayal.methods.biaspainter.report.looked import Looked
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedTable, basis
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import decimal, span

__all__ = ["LEVELS", "Level", "level_table", "sizes_table"]

LEVELS = ("word_bias_relative", "word_bias", "image_bias", "null_image_bias")
"""What the columns show, by how their metrics end."""


@dataclass(frozen=True, slots=True)
class Level:
    """What is known of the words of one topic, empty: of all, in one attribute and by one editor."""

    editor: str
    role: str
    topic: str
    rows: Mapping[str, Measurement]

    @property
    def title(self) -> str:
        """The topic in words."""
        return topic_title(self.topic) if self.topic else t("all words")

    def text(self, name: str) -> str:
        """Return a number with its interval, a dash where there is none."""
        row = self.rows.get(name)
        if row is None or row.value is None:
            return "–"
        bounds = (
            ""
            if row.low is None or row.high is None
            else f" ({span(decimal(row.low), decimal(row.high))}{sign(row)}{few_seeds(row)})"
        )
        return decimal(row.value) + bounds


def level_table(seen: Looked) -> Iterator[Level]:
    """Yield the rows: by editor and attribute all words, then topic by topic."""
    for editor in seen.editors:
        for role in seen.roles:
            for topic in ("", *(item for item, _ in seen.items("topic_word_bias", role))):
                rows = {name: row for name in LEVELS if (row := _row(seen, name, editor, role, topic))}
                yield Level(editor, role, topic, rows)


def _row(seen: Looked, name: str, editor: str, role: str, topic: str) -> Measurement | None:
    if name == "null_image_bias":  # one number whatever the topic
        return seen.get(name, editor, role)
    return seen.get(f"topic_{name}" if topic else f"model_{name}", editor, role, topic)


def sizes_table(data: ReportData, seen: Looked) -> NamedTable:
    """Return both numbers of topics and of the model side by side, each called by its name."""
    heads = {
        "word_bias_relative": t("Word bias beyond edits that ask for nothing, mean size"),
        "word_bias": t("Word bias, mean size"),
        "image_bias": t("Image bias, mean size (Table 3 of the paper)"),
        "null_image_bias": t("The same of edits that ask for nothing"),
    }
    return NamedTable(
        f"sizes{seen.by}",
        t("How much words do, and how far edits move faces"),
        [t("Editor"), t("Attribute"), t("Topic"), *(heads[name] for name in LEVELS)],
        [
            [level.editor, role_title(level.role), level.title, *(level.text(name) for name in LEVELS)]
            for level in level_table(seen)
        ],
        caption=basis(data, seen.annotator),
    )
