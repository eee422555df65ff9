"""Report: everything the study found, on one page that can be deleted and made again."""

from __future__ import annotations

import hashlib
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from portrayal import __version__
from portrayal.annotators.base import sees_pixels
from portrayal.bundles import bundles
from portrayal.evidence import Confusion, Confusions, Rule
from portrayal.records import Adjustment, Attribute, Measurement, from_table
from portrayal.reports.data import OwnTableFile, Repeated, ReportData
from portrayal.reports.language import speaking
from portrayal.reports.page import render_report, report_files, report_pages
from portrayal.reports.part_names import with_names
from portrayal.reports.section import SECTIONS, measured_sections
from portrayal.reports.words import count
from portrayal.store.files import storage_errors, write_atomic
from portrayal.store.own_files import check_subfolders
from portrayal.study.collect import collect
from portrayal.study.coverage import uncovering_references
from portrayal.study.doctor import packages
from portrayal.study.exporting import export_tables
from portrayal.study.gallery import gather_pictures, gather_thumbnails
from portrayal.study.measure import measure
from portrayal.study.revised import count_revised
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy
from portrayal.suites import REFERENCES

__all__ = ["report"]

_OWN_TABLES = "tables"
_CELLS = "SELECT generator, prompt, count(*) AS images FROM jobs GROUP BY generator, prompt"
_TERMS = """
    SELECT generator, term, count(*) AS images FROM jobs JOIN prompts ON prompts.id = jobs.prompt
    WHERE term <> '' GROUP BY generator, term ORDER BY generator, term
"""
_REPEATED = """
    WITH made AS (
        SELECT jobs.generator, term, text, outcomes.image
        FROM jobs JOIN prompts ON prompts.id = jobs.prompt JOIN outcomes ON outcomes.job = jobs.id
        WHERE outcomes.status = 'made'
    ), about AS (
        SELECT generator, '' AS item, image FROM made
        UNION ALL SELECT generator, term, image FROM made WHERE term <> ''
        UNION ALL SELECT generator, text, image FROM made WHERE text <> term
    ), copies AS (
        SELECT generator, item, image, count(*) AS number FROM about GROUP BY generator, item, image
    )
    SELECT generator, item, sum(number)::BIGINT AS images, count(*) AS pictures,
        (sum(number) * sum(number) / sum(number * number))::DOUBLE AS worth
    FROM copies GROUP BY generator, item HAVING pictures < images ORDER BY generator, item
"""
_MADE_OF = """
    SELECT DISTINCT jobs.generator, jobs.prompt FROM jobs JOIN outcomes ON outcomes.job = jobs.id
    WHERE outcomes.status = 'made'
"""
_KINDS = "SELECT DISTINCT kind, category FROM prompts WHERE kind <> '' ORDER BY kind, category"


def report(study: OpenStudy, control: RunControl) -> Path:
    """Write ``report/index.html``, and the files it links to, and return the page's path."""
    path = study.root / "report" / "index.html"
    if not study.workspace.tables["measurements"].current():
        measure(study, control)  # an older version wrote them, whose notes were sentences
    check_subfolders(path.parent)
    control.progress.start("report", 1)
    data = gather(study)
    files = {**report_files(data), **report_pages(data)}
    _write_files(path.parent, files, _write_own_tables(study, path.parent))
    write_atomic(path, render_report(data).encode())
    control.progress.advance(1)
    control.progress.finish()
    return path


def _write_own_tables(study: OpenStudy, folder: Path) -> list[Path]:
    """Write the tables that methods brought beside the page, and return the files."""
    names = study.workspace.own_tables.names()
    return export_tables(study, folder / _OWN_TABLES, "csv", names) if names else []


def _write_files(folder: Path, files: Mapping[str, str], others: Sequence[Path]) -> None:
    """Write the files beside the page and remove those of an earlier report that this one does not have."""
    written = {*others, *(folder / name for name in files)}
    for name, text in files.items():
        write_atomic(folder / name, text.encode())
    with storage_errors(folder):
        # Only what a report writes: whatever else someone keeps beside the page is theirs.
        owned = [pattern for name in SECTIONS.entries() for pattern in SECTIONS.load(name)().owned]
        for pattern in [*owned, f"{_OWN_TABLES}/*.csv"]:
            for stale in sorted(set(folder.glob(pattern)) - written):
                stale.unlink()
            for parent in list(PurePath(pattern).parents)[:-1]:
                for place in folder.glob(str(parent)):
                    if not any(place.iterdir()):
                        place.rmdir()


def gather(study: OpenStudy) -> ReportData:
    """Collect from the tables and images what the page shows."""
    status = read_status(study)
    asked = _Asked.of(study)
    data = ReportData(
        title=status.title,
        generators=list(status.outcomes),
        annotators=list(study.annotators),
        prompts=asked.prompts,
        images_per_prompt=max(asked.images, default=0),
        attributes=_attributes(study),
        measurements=list(from_table(study.workspace.query("SELECT * FROM measurements"), Measurement)),
        outcomes=status.outcomes,
        abstentions=status.abstained,
        confusion=_confusion(study),
        pictures=gather_pictures(study),
        judged=status.judged,
        perceived=status.perceived,
        reference_sources=_sources(study),
        reference_titles={name: entry.summary for name, entry in REFERENCES.entries().items()},
        config=study.config_file.decode("utf-8-sig"),
        provenance=_provenance(study),
        citations=_citations(study),
        adjusted=_adjusted(study),
        categories=[(row["kind"], row["category"]) for row in study.workspace.query(_KINDS).to_pylist()],
        settings={method.name: getattr(method, "settings", {}) for method in study.methods},
        own_tables=_own_tables(study),
        unasked=asked.unasked,
        editing=asked.editing,
        distinct=status.pictures,
        repeated=_repeated(study),
        made_of=_made_of(study),
        shared=status.shared,
        fewest_per_prompt=min(asked.images, default=None),
        prompts_of=asked.prompts_of,
        asked=_asked_by_term(study),
        imported=[name for name in status.outcomes if name not in study.generators],
        uncovering=uncovering_references(study),
        revised=count_revised(study),
        most_pictures=study.config.report.pictures,
        language=study.config.report.language,
    )
    return with_names(_with_sections(study, data), study.names)


def _with_sections(study: OpenStudy, data: ReportData) -> ReportData:
    """Add what sections ask for: rows of their methods' own tables, then pictures, which may hang on those."""
    own, sections = study.workspace.own_tables, measured_sections(data)
    names = [f"{named.method}.{table}" for named in sections for table in named.section.tables]
    rows: dict[str, list[dict[str, Any]]] = {}
    for name in set(names) & set(own.names()):
        with own.open(name) as table:
            rows[name] = [row for part in table.batches() for row in part.to_pylist()]
    data = replace(data, own_rows=rows)
    wanted = {image for named in sections for image in named.section.images(data)}
    return replace(data, thumbnails=gather_thumbnails(study, wanted))


def _asked_by_term(study: OpenStudy) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in study.workspace.query(_TERMS).to_pylist():
        found.setdefault(row["generator"], {})[row["term"]] = row["images"]
    return found


def _made_of(study: OpenStudy) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in study.workspace.query(_MADE_OF).to_pylist():
        found.setdefault(row["generator"], set()).add(row["prompt"])
    return found


def _repeated(study: OpenStudy) -> dict[str, dict[str, Repeated]]:
    found: dict[str, dict[str, Repeated]] = {}
    for row in study.workspace.query(_REPEATED).to_pylist():
        found.setdefault(row["generator"], {})[row["item"]] = Repeated(row["images"], row["pictures"], row["worth"])
    return found


def _own_tables(study: OpenStudy) -> list[OwnTableFile]:
    own, found = study.workspace.own_tables, []
    for name in own.names():
        with own.open(name) as table:
            found.append(OwnTableFile(name, table.count(), f"{_OWN_TABLES}/{name}.csv"))
    return found


@dataclass(frozen=True, slots=True)
class _Asked:
    """The prompts that the plan has images of and those that it has none of, and of how many images."""

    prompts: list[tuple[str, str, str]]
    unasked: list[tuple[str, str, str]]
    images: list[int]
    prompts_of: Counter[str]
    editing: int

    @classmethod
    def of(cls, study: OpenStudy) -> _Asked:
        cells = study.workspace.query(_CELLS).to_pylist()
        planned = {cell["prompt"] for cell in cells}
        found: dict[bool, list[tuple[str, str, str]]] = {True: [], False: []}
        edits = 0
        for row in study.workspace.query("SELECT id, term, category, text, edits FROM prompts").to_pylist():
            found[row["id"] in planned].append((row["term"], row["category"], row["text"]))
            edits += bool(row["edits"]) and row["id"] in planned
        prompts_of = Counter(cell["generator"] for cell in cells)
        return cls(found[True], found[False], [cell["images"] for cell in cells], prompts_of, edits)


def _adjusted(study: OpenStudy) -> dict[str, list[Adjustment]]:
    """Return by method how it differs from the published one, and so the suite where both come together."""
    asked = study.config.suite.use if study.config.suite else ""
    found: dict[str, list[Adjustment]] = {}
    for method in study.methods:
        own = bundles().get(method.name)
        suite = study.suite.adjusted if study.suite and own and asked in own.suites else ()
        if adjusted := [*suite, *method.adjusted]:
            found[method.name] = adjusted
    return found


def _sources(study: OpenStudy) -> dict[str, str]:
    return {name: text for method in study.methods for name, text in method.sources(study.design).items()}


def _attributes(study: OpenStudy) -> dict[str, Attribute]:
    """Return what annotators tell; to be careful with pixels is said only where somebody looks at them."""
    found: dict[str, Attribute] = {}
    for _, annotator in study.annotators.values():
        for own in annotator.attributes:
            told = own if sees_pixels(annotator) else replace(own, caution="")
            known = found.get(own.name)
            found[own.name] = known if known and known.caution else told
    return found


def _confusion(study: OpenStudy) -> dict[tuple[str, str], dict[tuple[str, str], int]]:
    """Return planted and perceived groups, where one person was planted."""
    if not study.workspace.tables["truths"].count():
        return {}
    need = Confusion(Rule("one"))
    found = collect(study, [need], RunControl())[need]
    order = [(name, a.name) for name, (_, annotator) in study.annotators.items() for a in annotator.attributes]
    return {key: _pairs(found, key, study.attributes[key[1]]) for key in order if key in found.counts}


def _pairs(found: Confusions, key: tuple[str, str], attribute: Attribute) -> dict[tuple[str, str], int]:
    counts = found.counts[key].sum(axis=0)
    return {
        (planted, perceived): int(counts[i, j])
        for i, planted in enumerate(found.planted[attribute.name])
        for j, perceived in enumerate(attribute.groups)
        if counts[i, j]
    }


def _provenance(study: OpenStudy) -> list[tuple[str, str]]:
    workspace = study.workspace
    versions = workspace.query("SELECT DISTINCT versions FROM outcomes WHERE versions <> '' ORDER BY 1")
    images = hashlib.sha256()
    for name in workspace.query("SELECT DISTINCT image FROM outcomes WHERE image IS NOT NULL ORDER BY 1")["image"]:
        images.update(name.as_py().encode())
    with speaking(study.config.report.language):
        rows = ", ".join(f"{name} {count(table.count())}" for name, table in workspace.tables.items())
    return [
        ("portrayal", __version__),
        ("Python", platform.python_version()),
        ("platform", platform.platform()),
        ("packages", ", ".join(f"{found['name']} {found['version']}" for found in packages() if found["version"])),
        *(("generator", _identified(study.names.generator(own), own)) for own in study.generators),
        *(("annotator", _identified(study.names.annotator(own), own)) for own in study.annotators),
        *(("drawn with", text) for text in versions["versions"].to_pylist()),
        ("study seed", str(study.config.study.seed)),
        ("rows", rows),
        ("SHA-256 of study.toml", hashlib.sha256(study.config_file).hexdigest()),
        ("SHA-256 over all image names", images.hexdigest()),
    ]


def _identified(name: str, identity: str) -> str:
    """Return what a part is called on this page, and under what the tables keep its results."""
    return identity if name == identity else f"{name}: {identity}"


def _citations(study: OpenStudy) -> list[str]:
    cited = [study.suite.citations] if study.suite else []
    cited += [own.generator.citations for own in study.generators.values()]
    cited += [annotator.citations for _, annotator in study.annotators.values()]
    cited += [method.citations for method in study.methods]
    return list(dict.fromkeys(text for texts in cited for text in texts))
