"""FAIntbench (Luo et al. 2024): implicit and explicit bias scores, and the manifestation factor, at every level."""

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(".method:Faintbench", "FAIntbench: implicit and explicit bias scores, manifestation factor"),
    section=Entry(".report.section:FaintbenchSection"),
    texts="texts",
    notes=Entry(".notes:NOTES"),
    reasons=Entry(".counts:REASONS"),
    reproduction=Entry(".reproduction:reproduce", "totals of Tables 6 to 9 and 17 from their rows, and other checks"),
    suites={
        "occupations": Entry(
            ".suite.occupations:occupations", "179 occupations in 15 categories, one portrait prompt each"
        ),
        "faintbench": Entry(
            ".suite:faintbench", "FAIntbench: 2,654 prompts about 179 occupations, 24 characteristics and 11 relations"
        ),
    },
    references={
        "faintbench": Entry(
            ".references:released", "labour statistics and census, by occupation, as released with FAIntbench"
        ),
        "us": Entry(".references:us", "US labour statistics and census, by occupation"),
    },
    layouts={"faintbench": Entry(".importing.layout:read_tree", "model/prompt/image.png")},
    results={
        "faintbench-json": Entry(
            ".importing.results:read_results", "what FAIntbench's alignment wrote about each image"
        )
    },
    study="study.toml.in",
    suite="faintbench",
    own_suite_only=True,
    attributes=("gender", "race5", "age3"),
    annotators=({"use": "clip:openai/clip-vit-large-patch14"},),
    occupations={"faintbench": Entry(".isco:coded_occupations", "FAIntbench's 179 occupations")},
)
