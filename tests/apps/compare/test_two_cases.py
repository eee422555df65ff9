"""The two cases that a page must get right in its first sentence: on planted people, and on faces."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study

pytestmark = pytest.mark.slow
Make = Callable[..., Path]
SUITE = {"use": "file", "options": {"path": "prompts.csv"}}
METHODS = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]


def model(use: str, name: str, images: int, women: dict[str, float], **options: Any) -> dict[str, Any]:
    terms = {term: {"gender": {"female": share, "male": 1 - share}} for term, share in women.items()}
    return {"use": use, "name": name, "images": images, "options": {"terms": terms, **options}}


def ran(folder: Path, *terms: str) -> Study:
    (folder / "prompts.csv").write_text("text,term\n" + "".join(f"a photo of one {term},{term}\n" for term in terms))
    study = Study(folder)
    study.run(progress=False)
    return study


def first_sentences(study: Study) -> list[str]:
    page = (study.folder / "report/index.html").read_text(encoding="utf-8")
    said = re.findall(r'<p class="(?:say|nearer)">(.*?)</p>', page.split('<div class="models')[0])
    return [html.unescape(re.sub(r"<[^>]+>", "", text)).replace("\xa0", " ") for text in said]


def test_opposite_models_differ_in_direction_and_are_equally_far(make_study: Make) -> None:
    models = [model("simulated", n, 400, {"CEO": w}, pixels=False) for n, w in (("A", 0.1), ("B", 0.9))]
    study = ran(make_study("opposite", suite=SUITE, generators=models, methods=METHODS), "CEO")
    seen = {row["generator"]: row["value"] for row in study.measurements(term="CEO", metric="share", group="female")}
    first, second = first_sentences(study)[0], next(text for text in first_sentences(study) if "reference" in text)
    shares = [f"{round(400 * seen[name])} of {'400 pictures' if name == 'A' else '400'} by {name}" for name in "AB"]
    assert first in (
        f"CEO: a woman in {shares[0]}, in {shares[1]}.",
        f"All prompts: a woman in {shares[0]}, in {shares[1]}.",
    )
    assert seen["A"] < 0.2
    assert seen["B"] > 0.8
    assert second.endswith("within 10 points and in opposite directions.")


def test_what_differs_most_is_said_term_by_term(make_study: Make) -> None:
    planted = {"A": {"CEO": 0.11, "nurse": 0.98}, "B": {"CEO": 0.47, "nurse": 0.56}}
    models = [model("simulated", name, 100, women, pixels=False) for name, women in planted.items()]
    study = ran(make_study("terms", suite=SUITE, generators=models, methods=METHODS), "CEO", "nurse")
    rows = study.measurements(metric="share", group="female", level="term")
    seen = {(row["generator"], row["item"]): round(100 * row["value"]) for row in rows}
    said = first_sentences(study)
    expected = {
        f"{title}: a woman in {seen['A', term]} of 100 pictures by A, in {seen['B', term]} of 100 by B."
        for title, term in (("CEO", "CEO"), ("Nurse", "nurse"))
    }
    assert set(said[:2]) == expected
    assert abs(seen["A", "CEO"] - seen["B", "CEO"]) > 20
    assert "CEO: B is nearer to the reference (a woman in 50 %)" in " ".join(said)


def test_faces_that_are_looked_at_say_the_same(make_study: Make, tmp_path: Path) -> None:
    models = []
    for name, women in (("A", 0.1), ("B", 0.9)):
        profile = tmp_path / f"{name}.csv"
        planted = f"CEO,gender,male,{1 - women:.1f}\nCEO,gender,female,{women}\n"
        others = files("portrayal.generators.facegan").joinpath("data/profile_demo.csv").read_text().splitlines()
        profile.write_text("\n".join(row for row in others if not row.startswith("CEO,gender")) + f"\n{planted}")
        options = {"profile": str(profile), "size": 256}
        models.append({"use": "facegan", "name": name, "images": 14, "options": options})
    study = ran(
        make_study("faces", suite=SUITE, generators=models, methods=METHODS, annotators=[{"use": "faces"}]), "CEO"
    )
    rows = study.measurements(term="CEO", metric="share", group="female")
    seen = {row["generator"]: (round(row["value"] * row["n"]), row["n"]) for row in rows}
    (few, n), (many, m) = seen["A"], seen["B"]
    assert few < n / 3
    assert many > 2 * m / 3
    assert first_sentences(study)[0].endswith(f"a woman in {few} of {n} pictures by A, in {many} of {m} by B.")
