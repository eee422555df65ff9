"""What the page of a study shows, gathered from its tables and images."""

from __future__ import annotations

import hashlib
import platform
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from portrayal import __version__
from portrayal.annotators.annotator import looks_itself, sees_pixels
from portrayal.bundles import bundles
from portrayal.evidence import Confusion, Confusions, Rule
from portrayal.language.translation import speaking
from portrayal.records import Adjustment, Attribute, Measurement, from_table
from portrayal.reports.data import OwnTableFile, ReportData
from portrayal.reports.section import measured_sections
from portrayal.reports.text.display_names import with_names
from portrayal.reports.text.words import count
from portrayal.study.annotate.precision import precision_checks, summed_up
from portrayal.study.checking.doctor import packages
from portrayal.study.comparing.model_pairing import model_pairing
from portrayal.study.correction import reported_corrections, reported_differences, reported_scores
from portrayal.study.measure.collect import collect
from portrayal.study.parts.part_names import page_names, with_identity
from portrayal.study.report.asked_images import asked_by_term, asked_evenly
from portrayal.study.report.choosing import as_chosen, shows_pictures
from portrayal.study.report.citations import citations
from portrayal.study.report.coverage import uncovering_references
from portrayal.study.report.gallery_pictures import gather_pictures, gather_thumbnails
from portrayal.study.report.labelled_part import labelled_part
from portrayal.study.report.reading_errors import reading_errors
from portrayal.study.report.repeated import prompts_made_of, repeated_images
from portrayal.study.report.revised import count_revised
from portrayal.study.run_control import RunControl
from portrayal.study.sampling.told import drawn_in_rounds
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy
from portrayal.suites import REFERENCES

__all__ = ["OWN_TABLES", "gather"]

OWN_TABLES = "tables"
"""The folder beside the page in which tables that methods brought lie."""
_CELLS = "SELECT generator, prompt, count(*) AS images FROM jobs GROUP BY generator, prompt"
_WEIGHTS = "SELECT count(DISTINCT weight) AS weights FROM prompts"
_REQUESTED = """
    SELECT attribute, count(*) AS prompts FROM (SELECT unnest(map_keys(requested)) AS attribute FROM prompts)
    GROUP BY attribute ORDER BY attribute
"""
_WEIGHTS = "SELECT count(DISTINCT weight) AS weights FROM prompts"
_PROMPTS = "SELECT id, term, category, text, edits, language, cardinality(requested) > 0 AS requests FROM prompts"
_KINDS = "SELECT DISTINCT kind, category FROM prompts WHERE kind <> '' ORDER BY kind, category"


def gather(study: OpenStudy, *, pictures: bool = True) -> ReportData:
    """Collect from the tables and images what the page shows; no image is opened without ``pictures``."""
    status = read_status(study)
    asked, confusion, corrections = _Asked.of(study), _confusion(study), reported_corrections(study)
    data = ReportData(
        title=status.title,
        generators=list(status.outcomes),
        declared=list(study.generators),
        annotators=list(study.annotators),
        prompts=asked.prompts,
        images_per_prompt=max(asked.images, default=0),
        attributes=_attributes(study),
        measurements=list(from_table(study.workspace.query("SELECT * FROM measurements"), Measurement)),
        outcomes=status.outcomes,
        abstentions=status.abstained,
        confusion=confusion,
        pictures=gather_pictures(study) if pictures and shows_pictures(study.config.report) else [],
        judged=status.judged,
        perceived=status.perceived,
        weighted=study.workspace.query(_WEIGHTS)["weights"][0].as_py() > 1,
        requested={row["attribute"]: row["prompts"] for row in study.workspace.query(_REQUESTED).to_pylist()},
        brought=[who for who, (_, annotator) in study.annotators.items() if not looks_itself(annotator)],
        reference_sources=_sources(study),
        reference_titles={name: entry.summary for name, entry in REFERENCES.entries().items()},
        config=study.config_file.decode("utf-8-sig"),
        provenance=_provenance(study),
        citations=citations(study),
        adjusted=_adjusted(study),
        categories=[(row["kind"], row["category"]) for row in study.workspace.query(_KINDS).to_pylist()],
        settings={method.name: method.settings for method in study.methods},
        own_tables=_own_tables(study),
        unasked=asked.unasked,
        languages=asked.languages,
        editing=asked.editing,
        requesting=asked.requesting,
        distinct=status.pictures,
        repeats=repeated_images(study),
        errors=reading_errors(study, confusion),
        corrections=corrections,
        corrected_differences=reported_differences(study, corrections),
        corrected_scores=reported_scores(study, corrections),
        labelled=labelled_part(study),
        tolerance=study.config.report.tolerance,
        missing_within=study.config.report.missing_within,
        date=date.today().isoformat(),
        version=__version__,
        made_of=prompts_made_of(study),
        shared=status.shared,
        fewest_per_prompt=min(asked.images, default=None),
        prompts_of=asked.prompts_of,
        asked=asked_by_term(study),
        asked_evenly=asked_evenly(study),
        imported=[name for name in status.outcomes if name not in study.generators],
        uncovering=uncovering_references(study),
        revised=count_revised(study),
        most_pictures=study.config.report.pictures,
        language=study.config.report.language,
        rounds=drawn_in_rounds(study),
        pairing=model_pairing(study, page_names(study)),
    )
    return with_names(_with_sections(study, as_chosen(data, study.config.report), pictures=pictures), page_names(study))


def _with_sections(study: OpenStudy, data: ReportData, *, pictures: bool) -> ReportData:
    """Add what sections ask for: rows of their methods' own tables, then pictures, which may hang on those."""
    own_tables, sections = study.workspace.own_tables, measured_sections(data)
    names = [f"{named.method}.{table}" for named in sections for table in named.section.tables]
    rows: dict[str, list[dict[str, Any]]] = {}
    for name in set(names) & set(own_tables.names()):
        with own_tables.open(name) as table:
            rows[name] = [row for part in table.batches() for row in part.to_pylist()]
    data = replace(data, own_rows=rows)
    wanted = {image for named in sections for image in named.section.images(data)} if pictures else set()
    return replace(data, thumbnails=gather_thumbnails(study, wanted))


def _own_tables(study: OpenStudy) -> list[OwnTableFile]:
    own_tables, files = study.workspace.own_tables, []
    for name in own_tables.names():
        with own_tables.open(name) as table:
            files.append(OwnTableFile(name, table.count(), f"{OWN_TABLES}/{name}.csv"))
    return files


@dataclass(frozen=True, slots=True)
class _Asked:
    """The prompts that the plan has images of and those that it has none of, and of how many images."""

    prompts: list[tuple[str, str, str]]
    unasked: list[tuple[str, str, str]]
    images: list[int]
    prompts_of: Counter[str]
    editing: int
    requesting: set[str]
    languages: dict[str, str]

    @classmethod
    def of(cls, study: OpenStudy) -> _Asked:
        cells = study.workspace.query(_CELLS).to_pylist()
        planned = {cell["prompt"] for cell in cells}
        asked: dict[bool, list[tuple[str, str, str]]] = {True: [], False: []}
        edits, requesting, languages = 0, set[str](), dict[str, str]()
        for row in study.workspace.query(_PROMPTS).to_pylist():
            asked[row["id"] in planned].append((row["term"], row["category"], row["text"]))
            edits += bool(row["edits"]) and row["id"] in planned
            requesting |= {row["text"]} if row["requests"] and row["id"] in planned else set()
            languages |= {row["text"]: row["language"]} if row["language"] else {}
        models = Counter(cell["generator"] for cell in cells)
        images = [cell["images"] for cell in cells]
        return cls(asked[True], asked[False], images, models, edits, requesting=requesting, languages=languages)


def _adjusted(study: OpenStudy) -> dict[str, list[Adjustment]]:
    """Return by method how it differs from the published one, and so the suite where both come together."""
    asked = study.config.suite.use if study.config.suite else ""
    by_method: dict[str, list[Adjustment]] = {}
    for method in study.methods:
        bundle = bundles().get(method.name)
        suite = study.suite.adjusted if study.suite and bundle and asked in bundle.suites else ()
        if adjusted := [*suite, *method.adjusted]:
            by_method[method.name] = adjusted
    return by_method


def _sources(study: OpenStudy) -> dict[str, str]:
    return {name: text for method in study.methods for name, text in method.sources(study.design).items()}


def _attributes(study: OpenStudy) -> dict[str, Attribute]:
    """Return what annotators tell; to be careful with pixels is said only where somebody looks at them."""
    by_name: dict[str, Attribute] = {}
    for _, annotator in study.annotators.values():
        for attribute in annotator.attributes:
            told = attribute if sees_pixels(annotator) else replace(attribute, caution="")
            known = by_name.get(attribute.name)
            by_name[attribute.name] = known if known and known.caution else told
    together = {name: attribute for name, attribute in study.attributes.items() if attribute.parts}
    return {**by_name, **together}


def _confusion(study: OpenStudy) -> dict[tuple[str, str], dict[tuple[str, str], int]]:
    """Return planted and perceived groups, where one person was planted."""
    if not study.workspace.tables["truths"].count():
        return {}
    need = Confusion(Rule("one"))
    confusions = collect(study, [need], RunControl())[need]
    order = [(name, a.name) for name, (_, annotator) in study.annotators.items() for a in annotator.attributes]
    return {key: _pairs(confusions, key, study.attributes[key[1]]) for key in order if key in confusions.counts}


def _pairs(confusions: Confusions, key: tuple[str, str], attribute: Attribute) -> dict[tuple[str, str], int]:
    counts = confusions.counts[key].sum(axis=0)
    return {
        (planted, perceived): int(counts[i, j])
        for i, planted in enumerate(confusions.planted[attribute.name])
        for j, perceived in enumerate(attribute.groups)
        if counts[i, j]
    }


def _provenance(study: OpenStudy) -> list[tuple[str, str]]:
    workspace, names = study.workspace, page_names(study)
    versions = workspace.query("SELECT DISTINCT versions FROM outcomes WHERE versions <> '' ORDER BY 1")
    images = hashlib.sha256()
    for name in workspace.query("SELECT DISTINCT image FROM outcomes WHERE image IS NOT NULL ORDER BY 1")["image"]:
        images.update(name.as_py().encode())
    with speaking(study.config.report.language):
        rows = ", ".join(f"{name} {count(table.count())}" for name, table in workspace.tables.items())
    installed = [f"{package['name']} {package['version']}" for package in packages() if package["version"]]
    return [
        ("portrayal", __version__),
        ("Python", platform.python_version()),
        ("platform", platform.platform()),
        ("packages", ", ".join(installed)),
        *(("generator", with_identity(names.generator(identity), identity)) for identity in study.generators),
        *(("annotator", with_identity(names.annotator(identity), identity)) for identity in study.annotators),
        *(
            ("precision", f"{names.annotator(identity)}: {summed_up(checks)}")
            for identity, checks in precision_checks(workspace).items()
            if checks
        ),
        *(("drawn with", text) for text in versions["versions"].to_pylist()),
        ("study seed", str(study.config.study.seed)),
        ("rows", rows),
        ("SHA-256 of study.toml", hashlib.sha256(study.config_file).hexdigest()),
        ("SHA-256 over all image names", images.hexdigest()),
    ]
