"""Templates: one way to load them, escaping on, and a name that is not there is an error."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import CodeType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment
    from jinja2.bccache import Bucket

__all__ = ["environment", "styles"]

_REPORTS = "portrayal.reports"


def environment(package: str = _REPORTS, more: Mapping[str, str] | None = None) -> Environment:
    """Return an environment for the folder ``templates`` of a package; loading Jinja here keeps imports light.

    What is not there is looked for among the templates of reports. ``more`` maps a prefix to another package:
    ``prefix/page.html.j2`` is then in that package's folder.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined

    packages = dict.fromkeys((package, _REPORTS))
    others = {prefix: PackageLoader(other) for prefix, other in (more or {}).items()}
    return Environment(
        loader=ChoiceLoader([*map(PackageLoader, packages), PrefixLoader(others)]),
        autoescape=True,
        undefined=StrictUndefined,
        bytecode_cache=_compiled(),
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _compiled() -> BytecodeCache:
    """Return what keeps compiled templates: pages of other methods share most of theirs, and compiling takes long."""
    from jinja2 import BytecodeCache

    codes: dict[tuple[str, str], CodeType] = {}

    class Compiled(BytecodeCache):
        def load_bytecode(self, bucket: Bucket) -> None:
            bucket.code = codes.get((bucket.key, bucket.checksum))

        def dump_bytecode(self, bucket: Bucket) -> None:
            if bucket.code is not None:
                codes[bucket.key, bucket.checksum] = bucket.code

    return Compiled()


def styles(package: str, name: str) -> str:
    """Return the style sheet of reports and, after it, that of a package that adds to it."""
    sheets = ((_REPORTS, "report.css"), (package, name))
    return "".join(resources.files(where).joinpath("templates", file).read_text("utf-8") for where, file in sheets)
