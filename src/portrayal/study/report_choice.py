"""What a report may be told to show: names that study.toml gives, checked before any work is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from portrayal.errors import ConfigError, did_you_mean
from portrayal.study.config import CONFIG_NAME

if TYPE_CHECKING:
    from portrayal.study.study import OpenStudy

__all__ = ["GALLERY", "SECTIONS", "check_chosen"]

GALLERY = "gallery"
SECTIONS = ("compared", "asked", "truth", GALLERY, "all")
"""Sections of every page that may be left out; what was found, what is missing and provenance always stand there."""


def check_chosen(study: OpenStudy) -> None:
    """Refuse attributes that no annotator of the study tells, and sections that its page does not have."""
    told = [name for names in study.design.annotators.values() for name in names]
    known = {
        "attributes": (study.config.report.attributes, told),
        "sections": (study.config.report.sections, [*SECTIONS, *(method.name for method in study.methods)]),
    }
    for key, (chosen, names) in known.items():
        for name in chosen:
            if name not in names:
                where = f"{study.root / CONFIG_NAME}: [report] {key}"
                raise ConfigError(f"{where}: there is no {name!r} in this study{did_you_mean(name, set(names))}")
