"""A study's findings as one HTML file that needs nothing else: no network, no script, no other file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from portrayal.reports.by_term import attribute_sections
from portrayal.reports.data import ReportData
from portrayal.reports.faintbench.section import faintbench
from portrayal.reports.gallery import gallery
from portrayal.reports.headline import headline
from portrayal.reports.lookup import Lookup, Source, main_metric
from portrayal.reports.missing import missing_images, planned
from portrayal.reports.tables import measurement_tables
from portrayal.reports.truth import truth_check
from portrayal.reports.words import DASH, NBSP, capital, count, human, images, join, percent, plural

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

__all__ = ["render_report"]

RANGE = re.compile(rf"[\d.,]+{DASH}[\d.,]*\d(?:{NBSP}%)?")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked and how much of it can be used."""

    prompts: int
    terms: int
    planned: int
    made: int
    columns: list[str]
    rows: list[tuple[str, int, int, list[int | None]]]


def _unbroken(text: str) -> Markup:
    """Return escaped text whose ranges do not break at their dash."""
    from markupsafe import Markup, escape

    return Markup(RANGE.sub(r'<span class="nb">\g<0></span>', str(escape(text))))  # noqa: S704 - escaped just before


@cache
def _template() -> Template:
    """Return the page's template; loading Jinja here keeps ``import portrayal.reports`` light."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("portrayal.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        count=count, human=human, capital=capital, percent=percent, join_words=join, unbroken=_unbroken
    )
    environment.globals.update(images=images, plural=plural)
    return environment.get_template("report.html.j2")


def _asked(data: ReportData, lookup: Lookup) -> _Asked:
    pairs = lookup.pairs(data)
    columns = [
        capital(attribute.title) + (f" ({name})" if len(data.annotators) > 1 else "") for attribute, name in pairs
    ]
    rows = []
    for generator in data.generators:
        usable: list[int | None] = []
        for attribute, name in pairs:
            groups = attribute.groups or ("",)
            found = [
                lookup.get(main_metric(attribute), Source(generator, name), attribute.name, group) for group in groups
            ]
            usable.append(max((row.n for row in found if row), default=None))
        rows.append((generator, planned(data, generator), data.outcomes.get(generator, {}).get("made", 0), usable))
    return _Asked(
        len(data.prompts),
        len({term for term, _, _ in data.prompts}),
        sum(row[1] for row in rows),
        sum(row[2] for row in rows),
        columns,
        rows,
    )


def _style(name: str) -> str:
    return resources.files("portrayal.reports").joinpath("templates", name).read_text(encoding="utf-8")


def render_report(data: ReportData) -> str:
    """Return the page. The same data always gives the same text.

    Parameters
    ----------
    data
        What the study gathered; texts in it are escaped, pictures become ``data:`` addresses.
    """
    lookup = Lookup(data)
    bench = faintbench(data)
    measured = {attribute.name for attribute in lookup.measured(data)} | (bench.attributes if bench else set())
    return _template().render(
        data=data,
        css=_style("report.css") + (_style("faintbench.css") if bench else ""),
        asked=_asked(data, lookup),
        headline=headline(data, lookup),
        sections=attribute_sections(data, lookup),
        bench=bench,
        unmeasured=[a.title for name, a in data.attributes.items() if name not in measured and not a.is_text],
        truth=truth_check(data),
        missing=missing_images(data),
        groups=gallery(data),
        tables=measurement_tables(data),
    )
