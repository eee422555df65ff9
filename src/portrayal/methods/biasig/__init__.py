"""BiasIG (Luo et al. 2026): implicit and explicit bias scores and manifestation, over twenty wordings of each question.

Its prompts and truths are read from a clone of the authors' repository; nothing of them is shipped.
"""

from collections.abc import Mapping

from portrayal.bundles import Bundle
from portrayal.methods.bias_scores.notes import SCORE_NOTES
from portrayal.registry import Entry

__all__ = ["BUNDLE", "NOTES"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:Biasig",
        "BiasIG: implicit and explicit bias scores over all wordings, manifestation factor",
        words="BiasIG: scores of bias over several wordings of each prompt",
    ),
    section=Entry(".report.section:BiasigSection"),
    texts="texts",
    notes=Entry(f"{__name__}:NOTES"),
    wide=Entry(".wide:wide"),
    suites={
        "biasig": Entry(
            ".suite:biasig",
            "BiasIG: 47,040 prompts about 179 occupations, 24 characteristics, 11 relations; your clone",
        )
    },
    results={
        "biasig-json": Entry(
            ".importing.aligned:read_aligned", "the results that BiasIG's alignment wrote: align_MODEL.json"
        )
    },
    study="study.toml.in",
    suite="biasig",
    own_suite_only=True,
    attributes=("gender", "race4", "age3"),
    annotators=({"use": "clip:openai/clip-vit-large-patch14", "options": {"attributes": ["gender", "race4", "age3"]}},),
)

NOTES: Mapping[str, str] = {
    **SCORE_NOTES,
    "most_wordings": "at most {n|wording|wordings} of each question",
    "sampled_terms": "a sample of {n|term|terms} (seed {seed})",
    "other_release": "the clone has {n|readable prompt|readable prompts}, the release {m}",
    "unread": "not read in the clone: {n|place|places}",
    "other_option": "{name} “{value}”",
}
"""What is to be known of its numbers, and how a study may differ from the published, in English."""
