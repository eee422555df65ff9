"""BAFIS' prompts: 151 occupations in English and German, named, described and in groups; more languages from packs."""

from portrayal.methods.bafis.suite.occupations import CATEGORIES, Occupation, occupations
from portrayal.methods.bafis.suite.options import PUBLISHED_VARIANTS, VARIANTS, BafisSuiteOptions
from portrayal.methods.bafis.suite.suite import bafis

__all__ = [
    "CATEGORIES",
    "PUBLISHED_VARIANTS",
    "VARIANTS",
    "BafisSuiteOptions",
    "Occupation",
    "bafis",
    "occupations",
]
