"""BAFIS: who is shown at which occupation, by language and way of asking, against statistics and against each other."""

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:Bafis", "BAFIS: shares by language, variant and category against statistics, pairs with equal seeds"
    ),
    section=Entry(".report.section:BafisSection"),
    texts="texts",
    notes=Entry(".notes:NOTES"),
    suites={
        "bafis": Entry(
            ".suite:bafis",
            "BAFIS: 1,057 prompts about 151 occupations in English and German, named, described and in groups",
        )
    },
    layouts={"bafis": Entry(".layout:read_metadata", "metadata.json")},
    study="study.toml.in",
    suite="bafis",
    occupations={"bafis": Entry(".suite.occupations:coded_occupations", "BAFIS' 151 occupations")},
)
