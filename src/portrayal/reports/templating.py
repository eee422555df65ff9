"""Templates: one way to load them, escaping on, and a name that is not there is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["environment"]


def environment(package: str = "portrayal.reports", more: Mapping[str, str] | None = None) -> Environment:
    """Return an environment for the folder ``templates`` of a package; loading Jinja here keeps imports light.

    ``more`` maps a prefix to another package: ``prefix/page.html.j2`` is then in that package's folder.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined

    others = {prefix: PackageLoader(other) for prefix, other in (more or {}).items()}
    return Environment(
        loader=ChoiceLoader([PackageLoader(package), PrefixLoader(others)]),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
