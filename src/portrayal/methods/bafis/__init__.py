"""BAFIS: who is shown at which occupation, by language and way of asking, against statistics and against each other."""

from collections.abc import Mapping

from portrayal.bundles import Bundle
from portrayal.methods.by_language.notes import LANGUAGE_NOTES
from portrayal.registry import Entry

__all__ = ["BUNDLE", "NOTES"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:Bafis",
        "BAFIS: shares by language, variant and category against statistics, pairs with equal seeds",
        words="BAFIS: shares in occupations against statistics, in English and German and several wordings",
    ),
    section=Entry(".report.section:BafisSection"),
    texts="texts",
    notes=Entry(f"{__name__}:NOTES"),
    wide=Entry("portrayal.methods.by_language.wide:wide"),
    suites={
        "bafis": Entry(
            ".suite:bafis",
            "BAFIS: 1,057 prompts about 151 occupations in English and German, named, described and in groups",
        )
    },
    layouts={"bafis": Entry(".metadata_layout:read_metadata", "metadata.json")},
    study="study.toml.in",
    suite="bafis",
    occupations={"bafis": Entry(".suite.occupations:coded_occupations", "BAFIS' 151 occupations")},
)

NOTES: Mapping[str, str] = {
    **LANGUAGE_NOTES,
    "chosen_occupations": "only the occupations {names}",
    "language_packs": "language packs {names}",
    "reduced_form": "the reduced form, without the face",
    "released_star": "the gender star as released",
    "occupation_sample": "a sample of {n} occupations (seed {seed})",
    "pack_gap": "language pack {name}: no {variant} prompt for {n} of {m} occupations",
}
"""What is to be known of its numbers, and how a study may differ from the published, in English."""
