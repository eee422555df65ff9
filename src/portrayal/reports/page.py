"""A study's findings as one HTML file that needs nothing else: no network, no script, no other file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from portrayal.errors import PortrayalError
from portrayal.language.translation import speaking, spoken, t, word
from portrayal.records import Attribute
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.figures.measurement_tables import measurement_tables
from portrayal.reports.findings.unknowns import unknowns
from portrayal.reports.found import what_was_found
from portrayal.reports.gallery.embedded_pictures import PictureBook
from portrayal.reports.gallery.gallery_section import gallery
from portrayal.reports.gallery.picture_links import Back
from portrayal.reports.lookup import Lookup
from portrayal.reports.section import NamedSection, Shown, measured_sections
from portrayal.reports.sections.annotators_used import lead, lookers
from portrayal.reports.sections.missing_images import missing_images
from portrayal.reports.sections.planted_truth import truth_check
from portrayal.reports.sections.prompts_asked import what_was_asked
from portrayal.reports.templating import environment
from portrayal.reports.text.cautions import cautions_together, pictured
from portrayal.reports.text.notes import naming
from portrayal.reports.text.wide_intervals import SIGN, wide_words
from portrayal.reports.text.words import (
    DASH,
    NBSP,
    attribute_title,
    capital,
    count,
    join,
    known,
    percent,
    plural,
)

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

__all__ = ["render_gallery", "render_report", "report_files", "report_pages"]

_OWN_ANCHORS = ("found", "compared", "asked", "truth", "missing", "gallery", "all", "provenance", "cite", "limits")
RANGE = re.compile(rf"[\d.,]+{DASH}[\d.,]*\d(?:{NBSP}%)?")


@dataclass(frozen=True, slots=True)
class _Part:
    """The section of one method: what errors call it, where its template is, and what it shows."""

    name: str
    template: str
    css: str
    shown: Shown
    opening: str
    """The template of what it shows below the title, empty: nothing."""


def _unbroken(text: str) -> Markup:
    """Return escaped text whose ranges do not break at their dash."""
    from markupsafe import Markup, escape

    return Markup(RANGE.sub(r'<span class="nb">\g<0></span>', str(escape(text))))  # noqa: S704 - escaped just before


def _say(text: str, /, **values: str | int) -> Markup:
    """Return a text of a template, which may hold markup; what is put into it is escaped."""
    from markupsafe import Markup, escape

    safe = {name: value if isinstance(value, int) else escape(value) for name, value in values.items()}
    return Markup(t(text, **safe))  # noqa: S704 - a text of the template itself, as a test makes sure


@cache
def _template(folders: tuple[tuple[str, str], ...], name: str = "report.html.j2") -> Template:
    loaded = environment(more=dict(folders))
    loaded.filters.update(count=count, capital=capital, percent=percent, join_words=join, unbroken=_unbroken, word=word)
    loaded.globals.update(t=_say, plural=plural, wide={"sign": SIGN, "words": wide_words})
    return loaded.get_template(name)


def _unmeasured(data: ReportData, shown: Set[str]) -> list[str]:
    """Return the attributes of which no section and no row of the tables tells anything."""
    tabulated = {row.attribute for row in data.measurements if known(row.value) is not None}
    told = {*shown, *tabulated}
    return [
        attribute_title(attribute)
        for key, attribute in data.attributes.items()
        if key not in told and not attribute.is_text
    ]


def _valued(data: ReportData) -> set[str]:
    """Return the attributes of which there is any number."""
    return {row.attribute.rpartition(".")[2] for row in data.measurements if known(row.value) is not None}


def _by_term(data: ReportData) -> Counter[str]:
    """Return how many images of each term there were to be."""
    return sum((Counter(terms) for terms in data.asked.values()), Counter[str]())


def _style(name: str) -> str:
    return resources.files("portrayal.reports").joinpath("templates", name).read_text(encoding="utf-8")


def render_report(data: ReportData) -> str:
    """Return the page in the language that ``data`` asks for. The same data always gives the same text.

    Parameters
    ----------
    data
        What the study gathered; texts in it are escaped, pictures become ``data:`` addresses.
    """
    with speaking(data.language), naming(data.attributes):
        return _page(data, measured_sections(data))


def render_gallery(pictures: Sequence[Picture], attributes: Mapping[str, Attribute], language: str) -> str:
    """Return pictures with what was perceived in them as a piece of a page, with a style of its own."""
    with speaking(language), naming(attributes):
        groups = gallery(pictures, attributes, Back((), ())).groups
        values = {"groups": groups, "book": PictureBook(), "css": _style("notebook.css")}
        return _template((), "notebook_gallery.html.j2").render(**values)


def report_files(data: ReportData) -> dict[str, str]:
    """Return the files that belong beside the page: their text by their path.

    They go into a paper or into another program, so they are in English whatever the page is in.
    """
    with naming(data.attributes):
        written = [named.section.files(data) for named in measured_sections(data)]
    return {path: text for files in written for path, text in files.items()}


def _rendered(sections: Sequence[NamedSection], **values: object) -> str:
    from jinja2 import TemplateNotFound

    try:
        folders = tuple((named.method, named.package) for named in sections if named.section.template)
        return _template(folders).render(**values)
    except TemplateNotFound as error:
        raise PortrayalError(f"{error.name}: there is no such template; the package of this method lacks it") from error


def _check_anchors(parts: Sequence[_Part]) -> None:
    """Refuse two sections with the same anchor: a link to the second would lead to the first."""
    owner = dict.fromkeys(_OWN_ANCHORS, "the page itself")
    for part in parts:
        for anchor, _ in part.shown.links:
            if anchor in owner:
                raise PortrayalError(
                    f"the anchor {anchor!r} of the section {part.name} belongs to {owner[anchor]} already; "
                    "its package must choose another, such as one that begins with the method's name"
                )
            owner[anchor] = f"the section {part.name}"


def report_pages(data: ReportData) -> dict[str, str]:
    """Return further pages that sections bring, in the language that ``data`` asks for: their text by their path."""
    pages: dict[str, str] = {}
    with speaking(data.language), naming(data.attributes):
        for named in measured_sections(data):
            template = f"{named.method}/{named.section.page}"
            css = _style("report.css") + named.css
            for path, content in named.section.pages(data).items():
                drawn = _template(((named.method, named.package),), template)
                pages[path] = drawn.render(data=data, css=css, section=content)
    return pages


def _page(data: ReportData, sections: Sequence[NamedSection]) -> str:
    parts = [
        _Part(
            f"{named.method}/{named.section.template}".rstrip("/"),
            f"{named.method}/{named.section.template}" if named.section.template else "plain_section.html.j2",
            named.css,
            section_shown,
            f"{named.method}/{section_shown.opening}" if section_shown.opening else "",
        )
        for named in sections
        if (section_shown := named.section.show(data)) is not None
    ]
    _check_anchors(parts)
    rows = [row for part in parts for row in part.shown.per_image]
    measured = {name for part in parts for name in part.shown.attributes}
    asked = what_was_asked(data, Lookup(data, rows))
    anchors = {anchor for part in parts for anchor in part.shown.anchors}
    shown = gallery(data.pictures, data.attributes, Back([named.method for named in sections], anchors), _by_term(data))
    unmeasured = _unmeasured(data, measured)
    added = [
        *(line for named in sections for line in named.section.unknown(data)),
        *asked.revised,
        *cautions_together(data.attributes.values(), measured & _valued(data)),
    ]
    found = what_was_found(data, sections, measured | _valued(data))
    first, compared = found.first, found.compared
    drawn = (thumb.thumbnail for part in parts for thumb in part.shown.pictures)
    book = PictureBook.of(
        [
            *(compared.thumbnails if compared else ()),
            *first.thumbnails,
            *drawn,
            *(picture.thumbnail for picture in data.pictures),
        ]
    )
    german = _style("de.css") if spoken() == "de" else ""
    css = [book.css, _style("report.css"), shown.css, *(part.css for part in parts), german]
    return _rendered(
        sections,
        data=data,
        css="".join(css),
        asked=asked,
        first=first,
        compared=compared,
        differences_first=found.differences_first,
        unknown=unknowns(data, first, (asked.planned, asked.made), unmeasured, added),
        anchors=anchors,
        book=book,
        lead=lead(
            data, asked.planned, asked.made, people=any(named.section.people for named in sections) or not sections
        ),
        lookers=lookers(data),
        parts=parts,
        cautions=cautions_together(data.attributes.values(), measured),
        picture_cautions=cautions_together(data.attributes.values(), pictured(data.pictures)),
        unmeasured=unmeasured,
        truth=truth_check(data, rows),
        missing=missing_images(data, rows),
        gallery=shown,
        tables=measurement_tables(data),
    )
