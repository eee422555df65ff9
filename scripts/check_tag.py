"""Compares a tag with the version of the package: ``python scripts/check_tag.py v0.2.0`` ends with 1 if they differ."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "portrayal" / "__init__.py"


def version() -> str:
    """Return the version that the package states; there is no other place that says it."""
    stated = re.search(r'^__version__ = "(.+)"$', PACKAGE.read_text(encoding="utf-8"), re.MULTILINE)
    if stated is None:
        raise SystemExit(f"{PACKAGE}: no __version__")
    return stated[1]


if __name__ == "__main__":
    if sys.argv[1:] != [f"v{version()}"]:
        sys.exit(f"the tag is {sys.argv[1:]}, and {PACKAGE.name} says {version()}: make them agree")
