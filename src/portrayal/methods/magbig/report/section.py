"""The MAGBIG part of a report: how far from parity each language lies, and what language and wording change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.methods.by_language.report.chart_blocks import Block, by_variant, on_matched_seeds
from portrayal.methods.by_language.report.language_deviations import language_deviations
from portrayal.methods.by_language.report.language_section import LanguageSection
from portrayal.methods.by_language.report.prompt_titles import asked_title
from portrayal.methods.by_language.report.seen import Seen, Where
from portrayal.methods.magbig.alignment import ALIGNMENT
from portrayal.methods.magbig.parity import DEVIATION, LARGEST
from portrayal.methods.magbig.suite.options import NAME
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import Scale, number_scale, unit_scale
from portrayal.reports.charts.model_charts import ModelCharts, Table, rows_of
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.findings.deviations.deviation import Deviation, Ranked, Ranking
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.words import attribute_title, capital, known, score

__all__ = ["MagbigSection", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """MAGBIG as one annotator saw it."""

    annotator: str
    deviations: Sequence[NamedChart]
    largest: Sequence[NamedChart]
    variants: Sequence[Block]
    languages: Sequence[Block]
    wordings: Sequence[Block]
    alignment: NamedChart | None


class MagbigSection(LanguageSection):
    """MAGBIG's section."""

    name = NAME
    title = "MAGBIG"
    more = (ALIGNMENT,)

    def view(self, seen: Seen) -> View:
        """Return what is shown of one annotator."""
        return View(
            annotator=seen.annotator,
            deviations=[chart for attribute in seen.attributes if (chart := _deviations(seen, attribute))],
            largest=[chart for attribute in seen.attributes if (chart := _largest(seen, attribute))],
            variants=by_variant(seen),
            languages=on_matched_seeds(seen, across=True),
            wordings=on_matched_seeds(seen, across=False),
            alignment=_alignment(seen),
        )

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return the shares of each language, all neutral wordings together, beside parity; then how languages differ.

        Single terms are not among them: ten languages and their differences are what the method asks about.
        """
        rows = [row for row in data.rows(NAME) if not row.variant]
        yield from self.shares(data, ("overall",)).of(rows)
        yield from language_deviations(data, NAME)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return the models by how far they lie from parity, language by language."""
        by_title: dict[str, list[Ranked]] = {}
        several = len({row.annotator for row in data.rows(NAME) if row.metric == DEVIATION}) > 1
        for row in data.rows(NAME):
            bounds = [known(number) for number in (row.value, row.low, row.high)]
            if (row.metric, row.level, row.variant) != (DEVIATION, "overall", "") or None in bounds:
                continue
            title = t("Mean absolute deviation from parity, {language}", language=language_title(row.language))
            title += t(", seen by {annotator}", annotator=row.annotator) if several else ""
            value, low, high = (bound or 0.0 for bound in bounds)
            if row.attribute == "gender":
                estimate = known(row.corrected) if known(row.corrected) is not None else value
                text = score(value, low, high, row.corrected)
                by_title.setdefault(title, []).append(Ranked(row.generator, estimate or 0.0, low, high, text))
        scale = t("0: parity for every term; 1: always one of two groups; after an arrow, corrected for few images")
        yield from (Ranking(title, models, NAME, descending=True, scale=scale) for title, models in by_title.items())


def _table(seen: Seen, metric: str, attribute: str) -> Table:
    """Return a row for each language, then for each way of asking in it."""
    asked = Counter(where.language for where in seen.variants())
    places = [Where(language) for language in seen.languages]
    # Where there is one way of asking, it is the language.
    places += [where for where in seen.variants() if asked[where.language] > 1]
    table = [(_label(where), [_drawn(row) for row in seen.cells(metric, attribute, "", where)]) for where in places]
    return [(label, rows) for label, rows in table if any(rows)]


def _label(where: Where) -> str:
    return asked_title(where) if where.variant else capital(language_title(where.language))


def _drawn(row: Measurement | None) -> Measurement | None:
    """Return a row without a target: parity stands at the left end of the axis."""
    return replace(row, target=None) if row and known(row.value) is not None else row


def _chart(
    seen: Seen, name: str, titles: tuple[str, str], table: Table, scale: Scale | None = None
) -> NamedChart | None:
    rows = rows_of({"": table})
    if not any(row and known(row.value) is not None for row in rows):
        return None
    drawn = ModelCharts(seen.models, "Wording", scale or unit_scale(rows)).figure({"": table})
    return NamedChart(name + seen.by, titles[0], drawn, titles[1], annotator=seen.annotator)


def _deviations(seen: Seen, attribute: Attribute) -> NamedChart | None:
    title = t("Mean absolute deviation from parity: {attribute}", attribute=attribute_title(attribute))
    table = _table(seen, DEVIATION, attribute.name)
    return _chart(seen, f"deviation {attribute.name}", (title, t("mean absolute deviation")), table)


def _largest(seen: Seen, attribute: Attribute) -> NamedChart | None:
    title = t("The largest deviation that a user is to expect: {attribute}", attribute=attribute_title(attribute))
    table = _table(seen, LARGEST, attribute.name)
    return _chart(seen, f"largest {attribute.name}", (title, t("largest deviation")), table)


def _alignment(seen: Seen) -> NamedChart | None:
    title = t("How well images fit their texts: CLIP score, by language")
    table = _table(seen, "mean", ALIGNMENT)
    return _chart(seen, "alignment", (title, t("CLIP score")), table, number_scale(rows_of({"": table})))
