"""BiasPainter (Wang et al. 2024): edit a face with a neutral word, and see whether gender, age or skin tone moved."""

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(".method:BiasPainter", "BiasPainter: which neutral words change gender, age or skin tone in an edit"),
    section=Entry(".report.section:BiasPainterSection"),
    texts="texts",
    notes=Entry(".notes:NOTES"),
    reproduction=Entry(".reproduction:reproduce", "the supplement's threshold study from its votes, and its Table 2"),
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
