"""Representation: who is shown, how often, and how far that lies from a reference."""

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:Representation",
        "shares of perceived groups against a reference, with intervals",
        words="Whom the pictures show: shares of women and men, ages and skin tones, as they are perceived",
    ),
    section=Entry(".report.section:RepresentationSection"),
    study="study.toml.in",
    demo="demo.toml.in",
    suite="occupations",
    texts="texts",
)
