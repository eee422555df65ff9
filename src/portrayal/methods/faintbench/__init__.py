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
)
