"""The atlas beside the studies: evaluations that were kept, as a table, set side by side, and with charts."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import portrayal
from portrayal.apps.studio.listed_studies import STATE, ListedStudy
from portrayal.errors import InputError
from portrayal.inputfile import read_bytes
from portrayal.language.translation import spoken, t

__all__ = ["ATLAS", "Evaluation", "KeptEvaluations", "SideBySideModels"]

ATLAS = "atlas"
"""The folder of the atlas, beside the studies: that which ``portrayal atlas`` is given, too."""
_LARGEST = 50_000_000
_ABOUT = ("category", "scheduler", "created")
_BARS, _SPACE, _TABLE = "compare-bars.svg", "compare-space.svg", "compare.csv"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation of a model: what is known of both, and its scores by name."""

    model: str
    protocol: str
    run: str
    source: str
    images: int | None
    about: Mapping[str, str]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SideBySideModels:
    """Chosen models with three scores from 0 to 1: columns, rows, and the names of pictures that show them."""

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    key: str
    pictures: Sequence[str]


@dataclass(frozen=True, slots=True)
class KeptEvaluations:
    """The atlas of a folder of studies."""

    root: Path

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.root / ATLAS

    @property
    def exists(self) -> bool:
        """Whether anything was kept."""
        return (self.folder / "evaluations.parquet").is_file()

    def rows(self) -> list[Evaluation]:
        """Return all evaluations; none where there is no atlas yet."""
        if not self.exists:
            return []
        atlas = portrayal.Atlas(self.folder)
        about = {row["model"]: row for row in atlas.models()}
        kept: dict[tuple[str, str, str], dict[str, Any]] = {}
        for row in atlas.evaluations():
            one = kept.setdefault((row["model"], row["protocol"], row["run"]), {"row": row, "scores": {}})
            one["scores"][row["score"]] = row["value"]
        return [_evaluation(one["row"], about, one["scores"]) for one in kept.values()]

    def keep(self, study: ListedStudy, run: str) -> str:
        """Keep the overall numbers of a study's models, and say what changed."""
        change = portrayal.Atlas(self.folder).add(study.folder, run=run)
        return t("{n|evaluation was|evaluations were} kept.", n=change.new)

    def bring_in(self, text: str) -> str:
        """Add evaluations from the text of a table, and say what changed, or what could not be read."""
        if not text.strip():
            raise InputError(t("Please paste a table, or choose a file."))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            path.write_text(text, encoding="utf-8")
            change = portrayal.Atlas(self.folder).import_files(path)
        problems = " ".join(problem.replace(f"{path}", "table.csv") for problem in change.problems)
        return f"{t('{n|evaluation was|evaluations were} kept.', n=change.new)} {problems}".strip()

    def side_by_side(self, models: Sequence[str]) -> SideBySideModels:
        """Set models beside each other, and keep the pictures for whoever asks next."""
        compared = portrayal.Atlas(self.folder).compare(*models)
        folder = self._compared(models)
        compared.save(folder, formats="svg", language=spoken())
        table = compared.to_arrow()
        pictures = [name for name in (_BARS, _SPACE) if (folder / name).is_file()]
        return SideBySideModels(
            table.column_names, [list(row.values()) for row in table.to_pylist()], folder.name, pictures
        )

    def compared_file(self, key: str, name: str) -> bytes | None:
        """Return a file of a comparison that was made before; None where there is none."""
        if name not in (_BARS, _SPACE, _TABLE) or len(key) != 16 or not key.isalnum():
            return None
        path = self.root / STATE / "compared" / key / name
        return read_bytes(path, _LARGEST) if path.is_file() else None

    def page(self, score: str, models: Sequence[str]) -> Path:
        """Write the page with charts, and return its folder."""
        return portrayal.Atlas(self.folder).report(score=score, language=spoken(), compare=models).parent.absolute()

    def _compared(self, models: Sequence[str]) -> Path:
        state = str((self.folder / "evaluations.parquet").stat().st_mtime_ns)
        key = hashlib.sha256("\0".join([spoken(), state, *models]).encode()).hexdigest()[:16]
        return self.root / STATE / "compared" / key


def _evaluation(row: Mapping[str, Any], about: Mapping[str, Any], scores: Mapping[str, float]) -> Evaluation:
    known = about.get(row["model"], {})
    said = {name: str(known.get(name) or "") for name in _ABOUT}
    return Evaluation(row["model"], row["protocol"], row["run"], row["source"], row["images"], said, scores)
