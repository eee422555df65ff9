"""A user's script that uses all of it passes mypy's strictest check, and one that is wrong does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = '''
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL.Image import Image

import portrayal
from portrayal.records import Failed, Job, Made, Prompt, Refused


class Mine:
    """Draws nothing yet."""

    name = "mine@1"
    citations = ("Me 2026",)

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Refuse."""
        return iter([Refused(job.id, "not_now") for job in jobs])

    def truth(self, prompt: Prompt) -> None:
        """Return nothing."""


def looks(picture: Image) -> dict[str, dict[str, float]] | None:
    """Return what is perceived."""
    return {"gender": {"female": 1.0}} if picture.width > 64 else None


def own(folder: Path) -> dict[str, int]:
    """Create a study of parts of one's own, and open it again."""
    twice = portrayal.function_annotator(looks, name="twice", version="2", attributes=["gender"])
    portrayal.Study.create(folder, prompts=["a nurse"], generator=["facegan", Mine()], annotator=[looks, twice])
    return portrayal.Study(folder, generator=Mine(), annotator=[looks, twice]).import_images("photos")


def audit(folder: Path) -> float:
    """Run a study and return the largest share."""
    study = portrayal.Study.create(
        folder,
        prompts=["a photo of one nurse", {"text": "a photo of one CEO", "term": "CEO"}],
        generator=["simulated", {"use": "simulated", "options": {"size": 24}, "images": 4}],
        annotator="simulated",
        method={"use": "representation", "options": {"draws": 100}},
        images=16,
        seed=1,
        title="Nurses",
    )
    study = portrayal.Study(str(folder))
    page: Path = study.run(progress=True, budget=20, wait=False)
    for estimate in study.costs():
        print(estimate.part, estimate.usd)
    study.plan()
    study.generate(budget=1.5)
    study.annotate(progress=False)
    study.report()
    tables: list[Path] = study.export("tables", format="jsonl", tables=["measurements"])
    asked: int = study.labels("sheet.csv", prompts=2, images=1, seed=3, annotator="people", show_models=True)
    counts: dict[str, int] = study.import_labels("sheet.csv", annotator="people")
    print(asked, counts | study.import_results("sdxl.json", reader="faintbench-json", model="SDXL"))
    agreed = study.agreement("simulated", "people", reference="people", by=["gender"])
    print(agreed[:2][0]["value"], agreed.alphas.to_pandas(), agreed.comparison.reference)
    arena = portrayal.Arena(study)
    written: int = arena.export_votes("votes.csv", everyone=True)
    print(written, portrayal.rate(arena.votes(), scores=folder).sections)
    atlas = portrayal.Atlas("atlas")
    print(atlas.add(study, run="first").new, atlas.import_files("scores.csv", hub=True).problems, atlas.models()[0])
    pictures: list[Path] = atlas.compare("a", "b", protocol="mine").save("beside", formats=["svg"], language="de")
    print(pictures, atlas.report(score="bias"), len(atlas.evaluations(model=["a", "b"])))
    print(portrayal.check(study, "policy.toml", baseline="last.json").verdict, portrayal.check("a", Path("b")).rows[0])
    print(tables, [damage.remedy for damage in study.verify(progress=False).damage])
    print(page, study.status.jobs, study.status.outcomes["simulated@1"]["made"])
    images = study.images(term="CEO", model=["simulated"], annotator="simulated")
    print(images.show(most=4), len(images), images[0]["file"], images.columns)
    print(study.observations(attribute="gender").to_arrow(), study.prompts(category="").to_polars().height)
    shares = study.measurements(metric="share", attribute="gender", level="term")
    figure: Path = shares.plot().save("figure.svg")
    print(figure, shares.to_duckdb().fetchall(), shares.to_pandas())
    board = portrayal.rate([("a", "b", 0), {"model_a": "a", "model_b": "b", "vote": 1}], draws=100)
    print([row.bradley_terry for section in board.sections for row in section.ratings])
    print(portrayal.doctor()["parts"], portrayal.__version__)
    print(portrayal.metrics.total_variation([0.9, 0.1], [0.5, 0.5]))
    try:
        return max(float(row["value"]) for row in study.measure(method="representation"))
    except portrayal.errors.PortrayalError as error:
        raise SystemExit(str(error)) from error
'''
WRONG = """
import portrayal

study = portrayal.Study("study")
study.measurements(metrics="share")
study.run(budget="20")
portrayal.Studi("study")
"""


def checked(path: Path, text: str) -> tuple[int, str]:
    """Return mypy's verdict, with the settings and the cache of this package, which was checked before."""
    path.write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", str(path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_a_users_script_is_checked_strictly(tmp_path: Path) -> None:
    assert checked(tmp_path / "script.py", SCRIPT) == (0, "Success: no issues found in 1 source file\n")
    code, said = checked(tmp_path / "wrong.py", WRONG)
    assert code == 1
    assert 'Argument "metrics" to "measurements" of "StudyTables" has incompatible type' in said
    assert 'has incompatible type "str"; expected "float | None"' in said
    assert 'Module has no attribute "Studi"' in said
    assert "Found 3 errors" in said
