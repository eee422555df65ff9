"""The toolkit for asking: what a suite is, wording, tables of terms, references, occupations, one's own prompts."""

from portrayal.bundles import BundleRegistry
from portrayal.registry import Entry
from portrayal.suites.named_references import REFERENCES, TableChoice, load_reference
from portrayal.suites.suite import Suite, SuiteFactory

__all__ = ["REFERENCES", "SUITES", "Suite", "SuiteFactory", "TableChoice", "load_reference"]

SUITES: BundleRegistry[SuiteFactory] = BundleRegistry(
    "suite",
    "suites",
    {"file": Entry("portrayal.suites.custom:prompt_file", "your own prompts from a .csv or .toml file")},
)
