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
    part_options={
        # The authors' code stops a caption at 10 tokens, of which the first is the sign that it begins.
        "caption": {"max_tokens": 9},
        # It asks for the prompt or for nothing at all.
        "clip": {"attributes": ["prompt_match"], "words": {"prompt_match": {"miss": " "}}},
    },
    annotators=(
        {"use": "caption:Salesforce/blip-image-captioning-base", "options": {"revision": ""}},
        {"use": "clip:openai/clip-vit-large-patch14"},
    ),
    asks_for_things=True,
    atlas=Entry(".atlas:ATLAS", "objects in captions"),
)
