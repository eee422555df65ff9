"""What a method adds to a report: a section of the page, the wording of its rows, and files beside the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import ClassVar, Protocol

from portrayal.bundles import BundleRegistry, bundles
from portrayal.language.translation import word
from portrayal.records import Measurement
from portrayal.reports.charts.marks import Figure
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart, NamedTable, exhibits
from portrayal.reports.findings.deviations.deviation import Answer, Deviation, Ranking, Thumb
from portrayal.reports.findings.deviations.target_deviations import target_deviations

__all__ = ["SECTIONS", "NamedSection", "Section", "Shown", "item_words", "measured_sections", "section_of"]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a section shows in one report; its template finds ``content`` as ``section``.

    Every ``NamedChart`` and ``NamedTable`` that it holds, at any depth, is a file of ``portrayal figures`` too.
    ``links`` are anchors and their titles, for the list of sections. ``attributes`` are those it has numbers of.
    ``per_image`` are rows that count each image once, whatever its language and wording: what was asked, planted truth
    and missing images are told from them. ``opening`` is a template that is shown right below the title of the page.
    ``cards`` are the anchors of what its template shows besides its charts. ``pictures`` are all that it shows by the
    macro ``pictures.thumb``, each as often as it is shown: the page has the bytes of each once.
    """

    content: object
    links: Sequence[tuple[str, str]]
    attributes: frozenset[str]
    per_image: Sequence[Measurement] = ()
    opening: str = ""
    cards: frozenset[str] = frozenset()
    pictures: Sequence[Thumb] = ()

    @property
    def exhibits(self) -> list[NamedChart | NamedTable]:
        """The charts and tables that it shows."""
        return list(exhibits(self.content))

    @property
    def anchors(self) -> set[str]:
        """All that a link can lead to: parts of the section, rows of its charts, and cards."""
        charts = (shown.drawing for shown in self.exhibits if isinstance(shown, NamedChart))
        rows = (drawing.anchors for drawing in charts if isinstance(drawing, Figure))
        return {link for link, _ in self.links}.union(self.cards, *rows)


class Section:
    """How a report shows the rows of one method; the section in the folder of a method is a subclass.

    ``template`` and ``style`` are files in ``templates`` of that folder; the template may use those of this room. One
    that has none is shown plainly: its title, then all charts and tables with what they say of themselves.
    ``owned`` are patterns of the files it writes beside the page, so that those of an earlier report can be removed.
    ``tables`` are those of its method's own tables whose rows it shows. ``page`` is the template of further pages.
    ``people`` is whether its numbers are about people.
    """

    template: ClassVar[str] = ""
    style: ClassVar[str] = ""
    owned: ClassVar[Sequence[str]] = ()
    tables: ClassVar[Sequence[str]] = ()
    page: ClassVar[str] = ""
    people: ClassVar[bool] = True

    def show(self, data: ReportData) -> Shown | None:  # noqa: ARG002 - every section of a method overrides it
        """Return what the section shows, or None when there is nothing to show: of a method that has no section."""
        return None

    def files(self, data: ReportData) -> Mapping[str, str]:  # noqa: ARG002 - a section that writes some overrides it
        """Return the files to write beside the page: their text by their path."""
        return {}

    def images(self, data: ReportData) -> Iterable[str]:  # noqa: ARG002 - a section that shows some overrides it
        """Return the images it shows besides the gallery, by the first 16 digits of their names."""
        return ()

    def pages(self, data: ReportData) -> Mapping[str, object]:  # noqa: ARG002 - a section that has some overrides it
        """Return further pages in the language of the report: by their path what the template ``page`` shows."""
        return {}

    def deviations(self, data: ReportData) -> Iterable[Deviation] | None:  # noqa: ARG002 - some sections override it
        """Return every comparison of a model with what was to be expected; None: its rows that have a target."""
        return None

    def rankings(self, data: ReportData) -> Iterable[Ranking]:  # noqa: ARG002 - a section with a score overrides it
        """Return the numbers by which several models can be put in order."""
        return ()

    def answers(self, data: ReportData) -> Mapping[str, Answer]:  # noqa: ARG002 - a section with one overrides it
        """Return what is to be said first of each model, by its name, where that is no deviation from a reference."""
        return {}

    def unknown(self, data: ReportData) -> Iterable[str]:  # noqa: ARG002 - a section with something to add overrides it
        """Return what its numbers cannot tell, or what is to be known of its comparisons, in sentences."""
        return ()

    def neutral(self, data: ReportData) -> bool:  # noqa: ARG002 - a section of such shares overrides it
        """Return whether its shares over all prompts leave those out that ask for a group themselves."""
        return False

    def item(self, row: Measurement) -> str:
        """Return in words what a row is about."""
        return item_words(row)

    def digits(self, row: Measurement) -> int:  # noqa: ARG002 - a section of finer scores overrides it
        """Return how many decimals of a row's value are printed."""
        return 2


class SectionFactory(Protocol):
    """The class a registry entry points to."""

    def __call__(self) -> Section:
        """Return the section."""
        ...


SECTIONS: BundleRegistry[SectionFactory] = BundleRegistry("section", "section")


@dataclass(frozen=True, slots=True)
class NamedSection:
    """A section, the method it is of, and the package in which its templates lie."""

    method: str
    package: str
    section: Section

    def deviations(self, data: ReportData) -> Iterable[Deviation]:
        """Return every comparison of a model with what was to be expected."""
        deviations = self.section.deviations(data)
        return target_deviations(data, self.method, self.section.item) if deviations is None else deviations

    @property
    def css(self) -> str:
        """The styles it brings."""
        style = self.section.style
        if not style:
            return ""
        return resources.files(self.package).joinpath("templates", style).read_text(encoding="utf-8")


def measured_sections(data: ReportData) -> list[NamedSection]:
    """Return the sections of the methods that have rows, in the order in which methods are registered."""
    measured = {row.method for row in data.measurements}
    known = bundles()
    return [NamedSection(name, known[name].package, section_of(name)) for name in _with_section() if name in measured]


def _with_section() -> list[str]:
    return [name for name, bundle in bundles().items() if bundle.section is not None]


def section_of(method: str) -> Section:
    """Return a method's section; one that has none is worded as any other."""
    return SECTIONS.load(method)() if method in _with_section() else Section()


def item_words(row: Measurement) -> str:
    """Return what a row is about: the item or else the level, and in which language and wording."""
    asked = " ".join(filter(None, (row.language, row.variant)))
    against = f" − {row.reference}" if row.metric == "paired_difference" else ""
    return (row.item or word(row.level)) + (f" ({asked}{against})" if asked else "")
