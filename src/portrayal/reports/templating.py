"""Templates: one way to load them, escaping on, and a name that is not there is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["environment"]


def environment(package: str = "portrayal.reports") -> Environment:
    """Return an environment for the folder ``templates`` of a package; loading Jinja here keeps imports light."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
