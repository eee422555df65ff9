"""Compares a tag with the version that the package, the changelog and CITATION.cff state: with 1 if they differ.

python scripts/check_tag.py v0.2.0
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "portrayal" / "__init__.py"


def version() -> str:
    """Return the version that the package states; there is no other place that says it."""
    stated = re.search(r'^__version__ = "(.+)"$', PACKAGE.read_text(encoding="utf-8"), re.MULTILINE)
    if stated is None:
        raise SystemExit(f"{PACKAGE}: no __version__")
    return stated[1]


def lacking(release: str) -> list[str]:
    """Return the files that a release has to be in and is not."""
    wanted = {
        "CHANGELOG.md": rf"^## \[{re.escape(release)}\] - \d{{4}}-\d\d-\d\d$",
        "CITATION.cff": rf"^version: {re.escape(release)}$",
    }
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in wanted}
    return [name for name, line in wanted.items() if not re.search(line, texts[name], re.MULTILINE)]


if __name__ == "__main__":
    if sys.argv[1:] != [f"v{version()}"]:
        sys.exit(f"the tag is {sys.argv[1:]}, and {PACKAGE.name} says {version()}: make them agree")
    if absent := lacking(version()):
        sys.exit(f"{version()} is not in {' and '.join(absent)}, with its day: write it there")
