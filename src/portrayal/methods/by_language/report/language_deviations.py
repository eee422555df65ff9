"""What the language changes, for the first screen: shares of pairs of pictures with the same seed."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.language.translation import t
from portrayal.methods.by_language.report.prompt_titles import variant_title
from portrayal.methods.by_language.report.seen import PAIRED, Pair
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Deviation, Statement
from portrayal.reports.lookup import chart_groups
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.words import aspect_title, capital, human, known, points, signed, span

__all__ = ["language_deviations"]


def language_deviations(data: ReportData, method: str) -> Iterator[Deviation]:
    """Return how much a share over all occupations differs between two languages, compared with no difference.

    Where languages were asked in several wordings, each of these is a comparison of its own, which names it.
    """
    rows = [row for row in data.rows(method) if (row.metric, row.level) == (PAIRED, "overall") and row.reference]
    pairs = {pair for row in rows if (pair := Pair(row.language, row.variant, row.reference)).across}
    several = len({pair.variant for pair in pairs}) > 1
    for row in rows:
        pair, attribute = Pair(row.language, row.variant, row.reference), data.attributes.get(row.attribute)
        bounded = None not in map(known, (row.value, row.low, row.high))
        if pair.across and attribute and row.group in chart_groups(attribute) and bounded:
            yield _deviation(data, row, pair, several=several)


def _deviation(data: ReportData, row: Measurement, pair: Pair, *, several: bool) -> Deviation:
    from portrayal.stats.targets.target import NumberTest  # scipy takes a moment to load

    value, low, high = row.value or 0.0, row.low or 0.0, row.high or 0.0

    def statement() -> Statement:
        sides = ((pair.language, pair.variant), pair.baseline)
        language, other = (language_title(code) for code, _ in sides)
        wordings = list(dict.fromkeys(variant_title(*side) for side in sides)) if several and pair.variant else []
        if len(wordings) > 1:
            language, other = f"{language} ({wordings[0]})", f"{other} ({wordings[1]})"
        both = t(" (both: {wording})", wording=wordings[0]) if len(wordings) == 1 else ""
        about = t("{language} and {other}", language=language, other=other) + both
        size = points(abs(value)).removeprefix("+")
        said = {"group": human(row.group), "language": language, "other": other, "points": size}
        sentence = (
            t("the share perceived as {group} is {points} higher in {language} than in {other}", **said)
            if value > 0
            else t("the share perceived as {group} is {points} lower in {language} than in {other}", **said)
        )
        interval = span(signed(100 * low), signed(100 * high))
        basis = t("95 % interval of the difference {interval} points", interval=interval)
        pairs = t("{n|pair|pairs} of pictures with the same seed", n=row.n)
        title = f"{capital(about)} · {aspect_title(row.attribute, data.attributes)}"
        return Statement(title, capital(sentence) + both, f"{basis}, {pairs}", [row.method])

    subject = (row.generator, PAIRED, row.attribute, row.language, row.variant, row.reference)
    return Deviation(
        row.generator, subject, test=NumberTest(value, low, high, 0.0), broad=False, word=statement, topic=row.attribute
    )
