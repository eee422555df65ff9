"""Comparing what can hardly be compared: no usable image, one image, all the same, other suites, strange names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.errors import InputError, StudyError

pytestmark = pytest.mark.slow
Make = Callable[..., Path]
SUITE = {"use": "file", "options": {"path": "prompts.csv"}}
METHODS = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]


def model(name: str, women: float, images: int = 30, **options: Any) -> dict[str, Any]:
    shares = {"gender": {"female": women, "male": 1 - women}}
    given = {"pixels": False, "shares": shares, **options}
    return {"use": "simulated", "name": name, "images": images, "options": given}


@pytest.fixture
def make(make_study: Make) -> Callable[..., Study]:
    def measured(*models: dict[str, Any]) -> Study:
        folder = make_study("study", suite=SUITE, generators=list(models), methods=METHODS)
        (folder / "prompts.csv").write_text("text,term\na photo of one CEO,CEO\na photo of one nurse,nurse\n")
        study = Study(folder)
        study.run(progress=False)
        return study

    return measured


def test_a_model_without_a_usable_image_is_not_compared(make: Callable[..., Study], cli: Callable[..., Any]) -> None:
    models = [model("A", 0.5), model("B", 0.5, refused=1.0)]
    for each in models:
        del each["options"]["shares"]  # of everything there is a share, so that nothing is missing from A
    study = make(*models)
    found = study.compare()
    asked = study.status.jobs // 2
    assert (len(found), found.summary) == (0, "")
    assert found.sentences[-1].startswith(f"More pictures are missing from B than from A: {asked} of {asked} (100")
    ran = cli("compare", study.folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"{asked} of {asked} (100" in ran.stdout
    assert "p, corrected" not in ran.stdout
    kinds = {row["kind"] for row in study.findings()}
    assert "difference" not in kinds
    assert "verdict" in kinds
    assert study.figures(study.folder.parent / "figures")


def test_one_image_of_each_has_no_statistics(make: Callable[..., Study]) -> None:
    found = make(model("A", 0.0, 1), model("B", 1.0, 1)).compare()
    assert {row["verdict"] for row in found if row["metric"] == "share"} == {"too_few"}
    assert {row["pairs"] for row in found} == {None}
    said = found.summary.replace("\xa0", " ")
    assert said == "6 comparisons could not be tested: a side has fewer than 5 different pictures."


def test_a_study_is_not_compared_with_itself_nor_a_model(make: Callable[..., Study]) -> None:
    study = make(model("A", 0.0, 8), model("B", 1.0, 8))
    with pytest.raises(InputError, match="is the same study"):
        study.compare(study.folder)
    with pytest.raises(StudyError, match="nothing to compare"):
        study.compare(models=["A", "A"])


@pytest.mark.parametrize(
    ("one", "other", "verdict"), [(0.0, 0.0, "equivalent"), (1.0, 1.0, "equivalent"), (0.0, 1.0, "less")]
)
def test_shares_of_0_and_1_have_intervals(make: Callable[..., Study], one: float, other: float, verdict: str) -> None:
    found = make(model("A", one, 60, size=8), model("B", other, 60, size=16)).compare()
    [row] = [row for row in found if row["level"] == "term" and row["item"] == "CEO"]
    assert row["verdict"] == verdict
    assert row["low"] < row["high"]
    assert -1 <= row["low"] <= row["difference"] <= row["high"] <= 1


def test_a_name_cannot_break_out_of_the_page(make: Callable[..., Study], cli: Callable[..., Any]) -> None:
    bad = "<script>alert(1)</script>"
    study = make(model(bad, 0.0), model("B & <i>", 1.0))
    page = (study.folder / "report/index.html").read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    ran = cli("compare", study.folder, "--json")
    assert {row["one"] for row in json.loads(ran.stdout)["rows"]} == {bad}
    assert bad in cli("findings", study.folder).stdout


def test_missing_images_of_one_side_are_named(make: Callable[..., Study]) -> None:
    found = make(model("A", 0.4, 300, refused=0.6), model("B", 0.5, 300)).compare()
    shares = [row for row in found if row["metric"] == "share"]
    assert all(row["missing"] > 0 == row["other_missing"] for row in shares)
    assert any(row["missing_could_change"] for row in shares)


def test_studies_of_other_prompts_are_not_said_to_lack_more_pictures(make_study: Make) -> None:
    """Nurses of the one study were refused, and CEOs of both drawn: "more pictures are missing" compared the suites."""
    studies = []
    for name, terms, options in (("one", ("CEO",), {}), ("other", ("CEO", "nurse"), {"refused": 0.5})):
        folder = make_study(name, suite=SUITE, generators=[model("A", 0.5, 40, **options)], methods=METHODS)
        rows = "".join(f"a photo of one {term},{term}\n" for term in terms)
        (folder / "prompts.csv").write_text(f"text,term\n{rows}")
        studies.append(Study(folder))
        studies[-1].run(progress=False)
    found = studies[0].compare(studies[1].folder)
    assert len(found)
    assert not any("pictures are missing" in line for line in found.sentences)
    assert "how many pictures are missing: the studies asked different prompts" in found.incomplete
