"""An atlas as an object: evaluations of many models, added from studies and files, reported and compared."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Never

import pyarrow as pa

from portrayal.api.plot import FORMS, Plot
from portrayal.api.rows.filters import Choice, choose, refuse_unknown
from portrayal.api.rows.table_rows import Rows
from portrayal.api.study_tables import StudyTables
from portrayal.apps.atlas.evaluations.normalised import ModelComparison, compare_models
from portrayal.apps.atlas.folder.atlas_store import AtlasStore
from portrayal.apps.atlas.folder.change import AtlasChange, add_files, add_study
from portrayal.apps.atlas.folder.write_report import write_report
from portrayal.apps.atlas.report.atlas_compare import comparison_files, comparison_table
from portrayal.errors import InputError, did_you_mean
from portrayal.records import schema_of
from portrayal.records.evaluated_models.evaluation import MODEL_SCHEMA
from portrayal.store.files import write_atomic
from portrayal.terminal import from_here

__all__ = ["Atlas", "ModelsCompared"]

_MODELS = pa.schema([*MODEL_SCHEMA, ("evaluations", pa.int64())])
_EVALUATIONS = schema_of(
    "model:text protocol:text run:text source:text images:int score:text value:float low:float high:float"
)
_LANGUAGES = ("en", "de")


class Atlas:
    """Evaluations of many models in a folder. It is made when something is first added.

    A new atlas begins with the evaluations that authors of methods released.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).absolute()
        self._store = AtlasStore(self.folder)

    def add(self, study: StudyTables | str | os.PathLike[str], *, run: str = "", empty: bool = False) -> AtlasChange:
        """Add the overall numbers of a measured study's generators, and return what changed.

        ``run`` is what to call this evaluation among those of the same model; ``empty`` begins a new atlas without the
        evaluations that authors released.
        """
        folder = study.folder if isinstance(study, StudyTables) else Path(study)
        return add_study(self._store, folder, run, empty=empty)

    def import_files(
        self,
        *files: str | os.PathLike[str],
        hub: bool = False,
        save: str | os.PathLike[str] | None = None,
        empty: bool = False,
    ) -> AtlasChange:
        """Add evaluations and metadata from CSV files or saved JSON of the hub, and return what changed.

        ``hub`` asks the hub about every model of the atlas, and ``save`` keeps what it says in a ``.json`` file. Rows
        that cannot be read are named in ``problems`` of what is returned; the rest is kept.
        """
        kept = None if save is None else Path(save)
        return add_files(self._store, [Path(file) for file in files], hub=hub, save=kept, empty=empty)

    def models(self) -> Rows:
        """Return what is known about each model, and how many evaluations it has."""
        rows = self._store.read()
        counts = Counter(row.model for row in rows.evaluations)
        listed = [{**asdict(info), "evaluations": counts[info.model]} for info in rows.models.values()]
        return Rows(pa.Table.from_pylist(listed, _MODELS))

    def evaluations(
        self, *, model: Choice = None, protocol: Choice = None, score: Choice = None, **unknown: Never
    ) -> Rows:
        """Return the scores: one row per evaluation and score, each with where it comes from."""
        wanted = {"model": model, "protocol": protocol, "score": score}
        refuse_unknown("evaluations()", unknown, wanted)
        listed = [
            {
                **{column: getattr(row, column) for column in ("model", "protocol", "run", "source", "images")},
                "score": name,
            }
            | asdict(number)
            for row in self._store.read().evaluations
            for name, number in row.scores.items()
        ]
        return Rows(choose(pa.Table.from_pylist(listed, _EVALUATIONS), "evaluation", wanted))

    def report(
        self,
        *,
        score: str = "",
        language: str = "en",
        compare: str | Sequence[str] = (),
        protocol: str | Sequence[str] = (),
    ) -> Path:
        """Write the page about all models, and return its path.

        ``score`` is the one to compare, the first that is known without it; the models that ``compare`` names are set
        side by side, by the protocols whose name holds a text of ``protocol``.
        """
        page = write_report(self._store, score, _language(language), compare=_several(compare), by=_several(protocol))
        return from_here(page)

    def compare(self, *models: str, protocol: str | Sequence[str] = ()) -> ModelsCompared:
        """Set models side by side by three scores, each scaled among them from 0 to 1, the most biased.

        Without names all models of a protocol are compared, by the protocols whose name holds a text of ``protocol``.
        """
        return ModelsCompared(compare_models(self._store.read(), models, _several(protocol)))

    def __repr__(self) -> str:
        if not self._store.exists:
            return f"Atlas({str(from_here(self.folder))!r}): nothing was added yet"
        rows = self._store.read()
        counts = f"{len(rows.models):,} models, {len(rows.evaluations):,} evaluations"
        return f"Atlas({str(from_here(self.folder))!r}): {counts}"


class ModelsCompared(Rows):
    """Rows of models side by side; see :meth:`Atlas.compare`. ``data`` has all of it, with what was left out."""

    def __init__(self, comparison: ModelComparison) -> None:
        header, rows = comparison_table(comparison)
        super().__init__(pa.table({name: [row[place] for row in rows] for place, name in enumerate(header)}))
        self.comparison, self.data = comparison, comparison.data()

    def save(
        self, folder: str | os.PathLike[str], *, formats: str | Sequence[str] = "svg", language: str = "en"
    ) -> list[Path]:
        """Write the table, and pictures of the scores as ``svg``, ``pdf`` or ``png``, and return the files."""
        forms = list(dict.fromkeys(_several(formats)))
        for name in forms:
            if name not in FORMS:
                raise InputError(f"pictures are written as {', '.join(FORMS)}, not {name!r}{did_you_mean(name, FORMS)}")
        files: dict[Path, bytes] = {}
        for name, text in comparison_files(self.comparison, _language(language)).items():
            path = Path(folder) / name
            if path.suffix == ".svg":
                files |= {path.with_suffix(f".{form}"): Plot(text).drawn(form) for form in forms}
            else:
                files[path] = text.encode()
        for path, content in files.items():
            write_atomic(path, content)
        return list(files)


def _several(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def _language(name: str) -> str:
    if name not in _LANGUAGES:
        raise InputError(f"language: pages are written in {', '.join(_LANGUAGES)}, not {name!r}")
    return name
