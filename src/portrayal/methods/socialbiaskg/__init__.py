"""SocialBiasKG: relations between occupations and groups of people, as people see them and as models draw them."""

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:SocialBiasKG", "SocialBiasKG: which relations of occupations and races models draw, against people's"
    ),
    section=Entry(".report.section:SocialBiasKGSection"),
    reproduction=Entry(".reproduction:reproduce", "the numbers of prompts and of shared edges that the paper prints"),
    graphs={"occupations": Entry(".domain:read_domain", "occupations and groups of people")},
    notes=Entry(".notes:NOTES"),
    texts="texts",
    suites={
        "socialbiaskg": Entry(
            ".suite:socialbiaskg",
            "SocialBiasKG: 100 occupations and 11 races, alone and in pairs, in a few words and in situations",
        )
    },
    study="study.toml.in",
    suite="socialbiaskg",
    occupations={"socialbiaskg": Entry(".vertices:coded_occupations", "SocialBiasKG's 100 occupations")},
    attributes=("race11",),
    annotators=({"use": "vlm:gpt-4o", "options": {"attributes": ["race11", "occupation"]}},),
)
