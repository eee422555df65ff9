"""The sheet for who decides: the question, the verdicts, the largest findings, what is not known, and who looked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.reports.counted_rows import counted_rows
from portrayal.reports.data import ReportData, in_order
from portrayal.reports.drawn_in_rounds import state_words
from portrayal.reports.findings.first_screen import ModelCard
from portrayal.reports.findings.scope import compared_with, labelled_by, looked_at_by, what_was_asked_for
from portrayal.reports.findings.verdict import Word
from portrayal.reports.page_contents import PageContents
from portrayal.reports.summary.fitting import line_count, taken_in_order, total
from portrayal.reports.summary.largest_findings import Finding, largest_findings
from portrayal.reports.summary.model_verdicts import MOST_MODELS, ModelVerdict, by_word, model_verdicts
from portrayal.reports.summary.plain_names import PlainNames, cropped
from portrayal.reports.text.wide_intervals import SIGN, wide_words
from portrayal.reports.text.words import capital, count, join

__all__ = ["SummarySheet", "summary_sheet"]

LINES = 53
"""Lines of a sheet, the title and the headings apart; a browser has room for about 60."""
WIDE, BESIDE = 100, 58
"""Letters of a line across the sheet, and of one beside pictures."""
KEPT = 5
"""Lines that are kept for what the data cannot tell, whatever else there is to say."""
TITLE, WORDING, NAMED = 110, 60, 8
MOST_UNMADE, MOST_SURE = 3, 3


@dataclass(frozen=True, slots=True)
class SummarySheet:
    """What the sheet says, all of it text but the pictures; ``more_unknown`` limits have no room and are counted."""

    title: str
    question: str
    facts: Sequence[tuple[str, str]]
    verdicts: Sequence[ModelVerdict]
    more_models: int
    together: str
    findings: Sequence[Finding]
    nothing: Sequence[str]
    unknown: Sequence[str]
    more_unknown: int
    lookers: Sequence[str]
    more_lookers: int
    reading: Sequence[str] = ()
    """How the sheet is to be read."""

    @property
    def thumbnails(self) -> list[bytes]:
        """Every picture it shows."""
        return [thumb.thumbnail for each in self.findings for _, thumbs in each.sides for thumb in thumbs]


def summary_sheet(data: ReportData, contents: PageContents) -> SummarySheet:
    """Return the sheet in the language that is spoken; what has no room is left to the report, and counted."""
    names = PlainNames.of(data)
    said = [*looked_at_by(counted_rows(data), contents.measured), *labelled_by(data)]
    lookers, more_lookers = taken_in_order([names(line) for line in said], 6, WIDE)
    sheet = SummarySheet(
        title=cropped(data.title, TITLE),
        question=names(_question(data, contents)),
        facts=_facts(data, contents, names),
        verdicts=model_verdicts(data, contents.first, names),
        more_models=max(len(contents.first.models) - MOST_MODELS, 0),
        together=names(contents.compared.counted) if contents.compared else "",
        findings=largest_findings(contents, names),
        nothing=[names(line) for line in _nothing(data, contents)],
        unknown=[],
        more_unknown=0,
        lookers=lookers or ([] if more_lookers else [_nobody(contents)]),
        more_lookers=more_lookers,
    )
    sheet = _shortened(replace(sheet, reading=_reading(sheet, names)))
    about_these = t("The numbers are about these prompts; others may show something else.")
    limits = [*([about_these] if data.has_numbers() else []), *map(names, contents.unknown)]
    unknown, more = taken_in_order(limits, LINES - _lines(sheet), WIDE)
    return replace(sheet, unknown=unknown, more_unknown=more)


def _question(data: ReportData, contents: PageContents) -> str:
    models = in_order(data, [model.generator for model in contents.first.models]) or list(data.generators)
    if not models:
        return t("No image has been asked for or brought in yet.")
    who = join(models) if len(models) <= 2 else t("{n|image generator|image generators}", n=len(models))
    if not contents.people:
        return t("What does {who} draw?", who=who) if len(models) == 1 else t("What do {who} draw?", who=who)
    if len(models) == 1:
        return t("How does {who} portray people?", who=who)
    return t("How do {who} portray people, and do they differ?", who=who)


def _facts(data: ReportData, contents: PageContents, names: PlainNames) -> list[tuple[str, str]]:
    """Return titles and texts: the models with their images, what they were asked, the reference, and the date."""
    cards = [model.generator for model in contents.first.models]
    by_name = {row[0]: row for row in contents.asked.rows if row[0] in cards}
    rows = [by_name[name] for name in in_order(data, list(by_name))]
    images = [_images(generator, planned, made) for generator, _, planned, made, _ in rows[:NAMED]]
    if len(rows) > NAMED:
        images.append(t("{n} more", n=count(len(rows) - NAMED)))
    prompts = [(term, category, cropped(text, WORDING)) for term, category, text in data.prompts]
    references = [cropped(title, TITLE) for _, title in compared_with(data, contents.first.selection)]
    facts = [
        (t("Models") if len(rows) > 1 else t("Model"), names(join(images)) + "." if images else ""),
        (t("Asked"), names(what_was_asked_for(prompts))),
        (t("Drawn in rounds"), state_words(data.rounds) if data.rounds else ""),
        (t("Compared with"), capital(join(references[:3])) + "." if references else ""),
        (t("Date of this page"), data.date),
    ]
    return [(title, text) for title, text in facts if text]


def _images(generator: str, planned: int, made: int) -> str:
    if planned == made:
        return t("{model} ({n|image|images})", model=generator, n=made)
    return t("{model} ({made} of {n|image|images})", model=generator, made=count(made), n=planned)


def _nothing(data: ReportData, contents: PageContents) -> list[str]:
    """Return what is said where models were compared, and what is said instead of findings where there are none."""
    compared = contents.compared
    said = [*compared.refuted, *compared.nothing, *compared.missing] if compared else []
    found = compared and (compared.nothing or compared.statements)
    if found or any(model.first for model in contents.first.models):
        return said
    if not contents.asked.made:
        return [t("There are no pictures, so nothing can be said.")]
    if not data.has_numbers():
        return [t("Nothing could be measured in these pictures, so nothing can be said.")]
    sure = _surely_said(contents.first.models)
    unmade = [f"{model.generator}: {model.unmade}" for model in contents.first.models if model.unmade]
    return [*sure[:MOST_SURE], *unmade[:MOST_UNMADE]] or [t("Nothing here is certain enough to be quoted by itself.")]


def _surely_said(models: Sequence[ModelCard]) -> list[str]:
    """Return what is certain though no single comparison is: answers of methods, and deviations that were found."""
    said = []
    for model in (model for model in models if not model.unmade):
        found = [model.sentence] if model.verdict.word is Word.FOUND else []
        lines = [answer.sentence for answer in model.answers] or found
        said += [f"{model.generator}: {line}" if len(models) > 1 else line for line in lines]
    return said


def _nobody(contents: PageContents) -> str:
    if not contents.asked.made:
        return t("There are no pictures to look at.")
    return t("Nobody has looked at the pictures yet.")


def _reading(sheet: SummarySheet, names: PlainNames) -> list[str]:
    """Return what must be known to read the sheet, as far as it shows any such thing."""
    shown = " ".join(f"{each.sentence} {each.basis}" for each in sheet.findings)
    said = []
    if sheet.findings:
        said.append(
            t(
                "A 95 % interval says how far chance may have moved one number by itself: of all such intervals, 19 of "
                "20 hold the true number."
            )
        )
    if SIGN in shown:
        said.append(wide_words())
    if names.numbered:
        said.append(t("Parts of the same name are numbered here, in the order of the report."))
    if sheet.thumbnails:
        said.append(t("The pictures are simply the first ones drawn; we did not pick them."))
    return said


def _shortened(sheet: SummarySheet) -> SummarySheet:
    """Return the sheet with as much as fits: first sentences behind verdicts go, then the last findings."""
    if _lines(sheet) + KEPT > LINES and len(sheet.verdicts) > 2:
        sheet = replace(sheet, verdicts=by_word(sheet.verdicts))
    while _lines(sheet) + KEPT > LINES and len(sheet.findings) > 1:
        sheet = replace(sheet, findings=sheet.findings[:-1])
    return sheet


def _lines(sheet: SummarySheet) -> float:
    """Return how many lines a sheet takes, without what the data cannot tell."""
    verdicts = [f"{each.name}: {' '.join(each.answers)} {each.word}. {each.sentence}" for each in sheet.verdicts]
    texts = [f"{title}: {text}" for title, text in sheet.facts]
    texts += [sheet.question, *verdicts, sheet.together, *sheet.nothing, *sheet.lookers, " ".join(sheet.reading)]
    return total(texts, WIDE) + sum(map(_finding_lines, sheet.findings)) + bool(sheet.more_models)


def _finding_lines(finding: Finding) -> float:
    pictures = any(thumbs for _, thumbs in finding.sides)
    width = BESIDE if pictures else WIDE
    # A sentence is set in larger letters than what it rests on.
    text = 1.4 * line_count(f"{finding.about} {finding.sentence}", round(width * 0.8))
    text += total([finding.basis, *finding.cautions], width) + 0.6
    return max(text, 4.6 if pictures else 0.0)
