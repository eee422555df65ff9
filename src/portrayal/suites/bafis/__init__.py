"""BAFIS' prompts: 151 occupations in English and German, named, described and in groups; more languages from packs."""

from portrayal.suites.bafis.occupations import CATEGORIES, Occupation, occupations
from portrayal.suites.bafis.options import PUBLISHED_VARIANTS, VARIANTS, BafisSuiteOptions
from portrayal.suites.bafis.suite import bafis

__all__ = [
    "CATEGORIES",
    "PUBLISHED_VARIANTS",
    "VARIANTS",
    "BafisSuiteOptions",
    "Occupation",
    "bafis",
    "occupations",
]
