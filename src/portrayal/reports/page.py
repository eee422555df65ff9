"""A study's findings as one HTML file that needs nothing else: no network, no script, no other file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from portrayal.errors import PortrayalError
from portrayal.language.translation import speaking, spoken, t, word
from portrayal.records import Attribute
from portrayal.reports.counted_rows import counted_rows, is_partly_labelled
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.figures.measurement_tables import measurement_tables
from portrayal.reports.gallery.embedded_pictures import PictureBook
from portrayal.reports.gallery.gallery_section import gallery
from portrayal.reports.gallery.picture_links import Back
from portrayal.reports.page_contents import PageContents, page_contents
from portrayal.reports.section import NamedSection, measured_sections
from portrayal.reports.sections.annotator_errors import annotator_errors
from portrayal.reports.sections.annotators_used import lead, lookers
from portrayal.reports.sections.missing_bounds import bound_lines
from portrayal.reports.sections.missing_images import missing_images
from portrayal.reports.sections.planted_truth import truth_check
from portrayal.reports.sections.sampling import sampling
from portrayal.reports.summary.summary_sheet import summary_sheet
from portrayal.reports.templating import environment
from portrayal.reports.text.cautions import cautions_together, pictured
from portrayal.reports.text.notes import naming
from portrayal.reports.text.wide_intervals import SIGN, wide_words
from portrayal.reports.text.words import (
    DASH,
    NBSP,
    capital,
    count,
    join,
    percent,
    plural,
)

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

__all__ = ["render_gallery", "render_pages", "render_report", "render_summary", "report_files", "report_pages"]

RANGE = re.compile(rf"[\d.,]+{DASH}[\d.,]*\d(?:{NBSP}%)?")


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


def _style(name: str) -> str:
    return resources.files("portrayal.reports").joinpath("templates", name).read_text(encoding="utf-8")


def render_report(data: ReportData) -> str:
    """Return the page in the language that ``data`` asks for. The same data always gives the same text.

    Parameters
    ----------
    data
        What the study gathered; texts in it are escaped, pictures become ``data:`` addresses.
    """
    with speaking(data.language, page=True), naming(data.attributes):
        return _page(data, page_contents(data, measured_sections(data)))


def render_pages(data: ReportData) -> dict[str, str]:
    """Return the report and its one-page summary by the names of their files, from values that are computed once."""
    with speaking(data.language, page=True), naming(data.attributes):
        contents = page_contents(data, measured_sections(data))
        return {"index.html": _page(data, contents), "summary.html": _summary(data, contents)}


def render_summary(data: ReportData) -> str:
    """Return the summary for who decides: one sheet of A4."""
    with speaking(data.language, page=True), naming(data.attributes):
        return _summary(data, page_contents(data, measured_sections(data)))


def _summary(data: ReportData, contents: PageContents) -> str:
    sheet = summary_sheet(data, contents)
    book = PictureBook.of(sheet.thumbnails)
    values = {"data": data, "sheet": sheet, "book": book, "css": book.css + _style("summary.css")}
    return _template((), "summary.html.j2").render(**values)


def render_gallery(pictures: Sequence[Picture], attributes: Mapping[str, Attribute], language: str) -> str:
    """Return pictures with what was perceived in them as a piece of a page, with a style of its own."""
    with speaking(language, page=True), naming(attributes):
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


def report_pages(data: ReportData) -> dict[str, str]:
    """Return further pages that sections bring, in the language that ``data`` asks for: their text by their path."""
    pages: dict[str, str] = {}
    with speaking(data.language, page=True), naming(data.attributes):
        for named in measured_sections(data):
            template = f"{named.method}/{named.section.page}"
            css = _style("report.css") + named.css
            for path, content in named.section.pages(data).items():
                drawn = _template(((named.method, named.package),), template)
                pages[path] = drawn.render(data=data, css=css, section=content)
    return pages


def _page(data: ReportData, contents: PageContents) -> str:
    parts, asked, first, compared = contents.parts, contents.asked, contents.first, contents.compared
    rows, counted = contents.rows, counted_rows(data)
    drawn = (thumb.thumbnail for part in parts for thumb in part.shown.pictures)
    book = PictureBook.of(
        [
            *(compared.thumbnails if compared else ()),
            *first.thumbnails,
            *drawn,
            *(picture.thumbnail for picture in data.pictures),
        ]
    )
    bounds, more_bounds = bound_lines(counted)
    german = _style("de.css") if spoken() == "de" else ""
    css = [book.css, _style("report.css"), contents.gallery.css, *(part.css for part in parts), german]
    return _rendered(
        contents.sections,
        data=data,
        css="".join(css),
        asked=asked,
        sampling=sampling(data),
        first=first,
        compared=compared,
        differences_first=contents.found.differences_first,
        unknown=contents.unknown,
        anchors=contents.anchors,
        book=book,
        lead=lead(counted, asked.planned, asked.made, people=contents.people),
        lookers=lookers(data),
        parts=parts,
        unmeasured_yet=contents.unmeasured_yet,
        cautions=cautions_together(data.attributes.values(), contents.measured),
        picture_cautions=cautions_together(data.attributes.values(), pictured(data.pictures)),
        unmeasured=contents.unmeasured,
        errors=annotator_errors(data),
        truth=truth_check(data, rows),
        missing=missing_images(data, [row for row in rows if not is_partly_labelled(data, row.annotator)]),
        bounds=bounds,
        more_bounds=more_bounds,
        gallery=contents.gallery,
        tables=measurement_tables(data),
    )
