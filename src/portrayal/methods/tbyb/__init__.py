"""Try Before You Bias: what pictures of objects show uninvited, what they leave out, and how often they miss."""

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:Tbyb",
        "Try Before You Bias: objects in captions against prompts: distribution bias, hallucination, miss rate",
        needs=("simplemma",),
        extra="words",
    ),
    section=Entry(".report.section:TbybSection"),
    texts="texts",
    notes=Entry(".notes:NOTES"),
    suites={"tbyb": Entry(".suite:tbyb", "Try Before You Bias: pictures of 100 objects; actions, occupations, tasks")},
    study="study.toml.in",
    suite="tbyb",
    commands=Entry(".commands:app", "Try Before You Bias: score captions, explain one image."),
    attributes=("caption", "prompt_match"),
    atlas=Entry(".atlas:ATLAS", "objects in captions"),
)
