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
    occupations={"bafis": Entry("portrayal.suites.bafis.occupations:coded_occupations", "BAFIS' 151 occupations")},
)
