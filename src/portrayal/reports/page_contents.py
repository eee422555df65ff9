"""What a page says, computed once: the report and its one-page summary show the same values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from portrayal.errors import PortrayalError
from portrayal.records import Measurement
from portrayal.reports.comparisons.models_view import ModelsView
from portrayal.reports.data import ReportData
from portrayal.reports.findings.first_screen import FirstScreen
from portrayal.reports.findings.unknowns import unknowns
from portrayal.reports.found import Found, what_was_found
from portrayal.reports.gallery.gallery_section import Gallery, gallery
from portrayal.reports.gallery.picture_links import Back
from portrayal.reports.lookup import Lookup
from portrayal.reports.section import NamedSection, Shown
from portrayal.reports.sections.prompts_asked import Asked, what_was_asked
from portrayal.reports.text.cautions import cautions_together
from portrayal.reports.text.words import attribute_title, known

__all__ = ["PageContents", "Part", "page_contents"]

_OWN_ANCHORS = (
    "found", "compared", "asked", "errors", "truth", "missing", "gallery", "all", "provenance", "cite", "limits",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """The section of one method: what errors call it, where its template is, and what it shows."""

    method: str
    name: str
    template: str
    css: str
    shown: Shown
    opening: str
    """The template of what it shows below the title, empty: nothing."""


@dataclass(frozen=True, slots=True)
class PageContents:
    """The parts of a page: what was found, how models compare, what the data cannot tell, and what was asked.

    ``parts`` are those that the page shows, ``rows`` those of all that were measured.
    """

    sections: Sequence[NamedSection]
    parts: Sequence[Part]
    rows: Sequence[Measurement]
    asked: Asked
    found: Found
    unknown: Sequence[str]
    gallery: Gallery
    measured: Set[str]
    unmeasured: Sequence[str]
    anchors: Set[str]
    unmeasured_yet: bool

    @property
    def first(self) -> FirstScreen:
        """What was found of each model."""
        return self.found.first

    @property
    def compared(self) -> ModelsView | None:
        """How models compare; None where there is one, or nothing to compare."""
        return self.found.compared

    @property
    def people(self) -> bool:
        """Whether the page is about people."""
        return any(named.section.people for named in self.sections) or not self.sections


def page_contents(data: ReportData, sections: Sequence[NamedSection]) -> PageContents:
    """Return what the page says, in the language that is spoken."""
    measured_parts = _parts(data, sections)
    rows = [row for part in measured_parts for row in part.shown.per_image]
    measured = {name for part in measured_parts for name in part.shown.attributes}
    parts = [part for part in measured_parts if data.shows(part.method)]
    asked = what_was_asked(data, Lookup(data, rows))
    anchors = {anchor for part in parts for anchor in part.shown.anchors}
    unmeasured = _unmeasured(data, measured)
    added = [
        *(line for named in sections for line in named.section.unknown(data)),
        *asked.revised,
        *cautions_together(data.attributes.values(), measured & _valued(data)),
    ]
    found = what_was_found(data, sections, measured | _valued(data))
    back = Back([named.method for named in sections], anchors)
    return PageContents(
        sections,
        parts,
        rows,
        asked=asked,
        found=found,
        unknown=unknowns(data, found.first, (asked.planned, asked.made), unmeasured, added),
        gallery=gallery(data.pictures, data.attributes, back, _by_term(data)),
        measured=measured,
        unmeasured=unmeasured,
        anchors=anchors,
        unmeasured_yet=not measured_parts,
    )


def _parts(data: ReportData, sections: Sequence[NamedSection]) -> list[Part]:
    parts = [
        Part(
            named.method,
            name=f"{named.method}/{named.section.template}".rstrip("/"),
            template=f"{named.method}/{named.section.template}" if named.section.template else "plain_section.html.j2",
            css=named.css,
            shown=section_shown,
            opening=f"{named.method}/{section_shown.opening}" if section_shown.opening else "",
        )
        for named in sections
        if (section_shown := named.section.show(data)) is not None
    ]
    _check_anchors(parts)
    return parts


def _check_anchors(parts: Sequence[Part]) -> None:
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


def _unmeasured(data: ReportData, shown: Set[str]) -> list[str]:
    """Return the attributes of which no section and no row of the tables tells anything."""
    tabulated = {row.attribute for row in data.measurements if known(row.value) is not None}
    told = {*shown, *tabulated}
    return [
        attribute_title(attribute)
        for key, attribute in data.attributes.items()
        if key not in told and not attribute.is_text and key in (data.chosen or data.attributes)
    ]


def _valued(data: ReportData) -> set[str]:
    """Return the attributes of which there is any number."""
    return {row.attribute.rpartition(".")[2] for row in data.measurements if known(row.value) is not None}


def _by_term(data: ReportData) -> Counter[str]:
    """Return how many images of each term there were to be."""
    return sum((Counter(terms) for terms in data.asked.values()), Counter[str]())
