"""BiasPainter (Wang et al. 2024): edit a face with a neutral word, and see whether gender, age or skin tone moved."""

from collections.abc import Mapping

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE", "NOTES"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:BiasPainter",
        "BiasPainter: which neutral words change gender, age or skin tone in an edit",
        words="BiasPainter: which words change how a person's gender, age or skin tone is perceived",
    ),
    section=Entry(".report.section:BiasPainterSection"),
    texts="texts",
    notes=Entry(f"{__name__}:NOTES"),
    wide=Entry(".wide:wide"),
    reproduction=Entry(".thresholds:reproduce", "the supplement's threshold study from its votes, and its Table 2"),
    commands=Entry(".commands:app", "BiasPainter: score a table of edits, find thresholds."),
    suites={
        "biaspainter": Entry(
            ".suite:biaspainter", "BiasPainter: 229 neutral words that edit 18 kinds of faces, or yours"
        )
    },
    study="study.toml.in",
    demo="demo.toml.in",
    suite="biaspainter",
    attributes=("gender", "age", "intensity"),
    annotators=({"use": "faces"},),
)

NOTES: Mapping[str, str] = {
    "few_seeds": "only {n|seed|seeds}",
    "no_edit_of_both": "no usable edits of both perceived genders",
    "no_usable_edit": "no edit in which this can be compared",
    "no_null_edits": "no edits that ask for nothing: no score is relative to them",
    "only_null_edits": "only edits that ask for nothing: there is no word to score",
    "no_null_of_seeds": "no edit of the same seeds that asks for nothing",
    "seeds_no_interval": "only {n|seed|seeds}: no interval",
    "same_pictures": "{n} of {m|edit|edits} are the very same picture with the text and without it",
    "drawn_seeds": "seeds drawn by a generator: three ranges of skin tone, two perceived genders, three ages",
    "null_edits": "besides, {n|instruction|instructions} asking for nothing",
    "mitigated": "every word also with {names}",
    "own_suffix": "a text of the study’s own behind every instruction",
    "own_thresholds": "a change of {y} years or {l} levels counts as clear",
}
"""What is to be known of its numbers, and how a study may differ from the published, in English."""
