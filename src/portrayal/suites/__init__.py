"""What to ask."""

from portrayal.registry import Entry, Registry
from portrayal.suites.base import Suite, SuiteFactory
from portrayal.suites.references import TableChoice, load_reference

__all__ = ["SUITES", "Suite", "SuiteFactory", "TableChoice", "load_reference"]

SUITES: Registry[SuiteFactory] = Registry(
    "suite",
    {
        "occupations": Entry(
            "portrayal.suites.occupations:occupations", "179 occupations in 15 categories, one portrait prompt each"
        ),
        "file": Entry("portrayal.suites.custom:prompt_file", "your own prompts from a .csv or .toml file"),
        "faintbench": Entry(
            "portrayal.suites.faintbench:faintbench",
            "FAIntbench: 2,654 prompts about 179 occupations, 24 characteristics and 11 relations",
        ),
        "bafis": Entry(
            "portrayal.suites.bafis:bafis",
            "BAFIS: 1,057 prompts about 151 occupations in English and German, named, described and in groups",
        ),
    },
)
