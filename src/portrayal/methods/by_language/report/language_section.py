"""The part of a report about a method that asks in several languages: what each annotator saw, and words for rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from portrayal.language.translation import spoken, t, word
from portrayal.methods.by_language.report.prompt_titles import asked_title, category_title, pair_title
from portrayal.methods.by_language.report.seen import PAIRED, Pair, Seen, Where, everyone
from portrayal.methods.by_language.views import FEMININE
from portrayal.records import Measurement
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.findings.deviations.share_deviations import ShareDeviations
from portrayal.reports.section import Section, Shown
from portrayal.reports.text.notes import adjustment_words
from portrayal.reports.text.prompt_language import language_title

__all__ = ["LanguageContent", "LanguageSection"]


@dataclass(frozen=True, slots=True)
class LanguageContent:
    """Everything the section shows."""

    languages: Sequence[str]
    adjusted: Sequence[str]
    """How the study differs from the published one, in words."""
    views: Sequence[Any]


class LanguageSection(Section, ABC):
    """The section of a method. The attributes it has are those with shares, and ``more``."""

    template = "section.html.j2"
    name: ClassVar[str]
    title: ClassVar[str]
    more: ClassVar[Sequence[str]] = ()

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when the method measured nothing."""
        if not data.rows(self.name):
            return None
        annotators = everyone(data, spoken(), self.name)
        languages = [language_title(code) for code in annotators[0].languages if code]
        measured = {attribute.name for seen in annotators for attribute in seen.attributes}
        adjusted = [adjustment_words(one) for one in data.adjusted.get(self.name, ())]
        content = LanguageContent(languages, adjusted, [self.view(seen) for seen in annotators])
        return Shown(content, [(self.name, self.title)], frozenset({*measured, *self.more}))

    @abstractmethod
    def view(self, seen: Seen) -> object:
        """Return what is shown of one annotator."""

    def shares(self, data: ReportData, levels: Sequence[str]) -> ShareDeviations:
        """Return what compares shares of neutral wordings with their reference, and shows their pictures."""
        categories = {(term, text): category for term, category, text in data.prompts}

        def belongs(row: Measurement, picture: Picture) -> bool:
            if row.level == "term":
                inside = picture.term == row.item
            else:
                inside = row.level != "category" or categories.get((picture.term, picture.prompt)) == row.item
            return inside and picture.language in ("", row.language) and picture.prompt not in data.requesting

        whole = t("all neutral wordings") if self.neutral(data) else t("all prompts")

        def about(row: Measurement) -> str:
            if row.level in ("category", "term"):
                return self.item(row)
            return f"{whole} ({language_title(row.language)})" if row.language else whole

        return ShareDeviations(data, levels, belongs, about, lambda _: self.name)

    def neutral(self, data: ReportData) -> bool:
        """Return whether any prompts ask for a group themselves: shares of all wordings leave these out."""
        return bool(data.requesting) or any(row.variant == FEMININE for row in data.rows(self.name))

    def item(self, row: Measurement) -> str:
        """Return in words what a row is about: the term or category, and in which language and wording."""
        about = category_title(row.item) if row.level == "category" else row.item or word(row.level)
        if row.metric == PAIRED:
            return f"{about} ({pair_title(Pair(row.language, row.variant, row.reference))})"
        asked = asked_title(Where(row.language, row.variant)) if row.variant else language_title(row.language)
        return f"{about} ({asked})" if row.language or row.variant else about
