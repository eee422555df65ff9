"""Study.findings: the sentences of the first screen as rows, with the numbers of the page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.errors import StudyError

pytestmark = pytest.mark.slow
Make = Callable[..., Path]
SUITE = {"use": "file", "options": {"path": "prompts.csv"}}
METHODS = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]


def model(name: str, **women: float) -> dict[str, Any]:
    terms = {term: {"gender": {"female": share, "male": 1 - share}} for term, share in women.items()}
    return {"use": "simulated", "name": name, "images": 100, "options": {"pixels": False, "terms": terms}}


@pytest.fixture(scope="module")
def make(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Study]:
    def measured(*models: dict[str, Any], **tables: Any) -> Study:
        folder = tmp_path_factory.mktemp("found") / "study"
        write_study(folder, suite=SUITE, generators=list(models), methods=METHODS, **tables)
        (folder / "prompts.csv").write_text("text,term\na photo of one CEO,CEO\na photo of one nurse,nurse\n")
        study = Study(folder)
        study.run(progress=False)
        return study

    return measured


@pytest.fixture(scope="module")
def two(make: Callable[..., Study]) -> Study:
    return make(model("Model <A>", CEO=0.11, nurse=0.98), model("Model B", CEO=0.47, nurse=0.56))


def on_page(study: Study) -> str:
    page = (study.folder / "report/index.html").read_text(encoding="utf-8")
    body = page.split('<section id="found">')[1].split("<nav")[0]
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", body)).replace("\xa0", " "))


def spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\xa0", " "))


def test_every_sentence_is_on_the_page_in_its_order(two: Study) -> None:
    page, place = on_page(two), 0
    for row in two.findings():
        for text in (row["sentence"], row["basis"]):
            assert spaced(text) in page
        if row["open"]:
            place = page.index(spaced(row["sentence"]), place)


def test_the_first_rows_say_how_models_differ(two: Study) -> None:
    first, second = two.findings()[0], two.findings()[1]
    assert {first["kind"], second["kind"]} == {"difference"}
    assert {first["item"], second["item"]} == {"CEO", "nurse"}
    assert (first["model"], first["other"]) == ("Model <A>", "Model B")


def test_differences_are_those_that_compare_returns(two: Study) -> None:
    compared = {(row["item"], row["attribute"]): row for row in two.compare()}
    differences = [row for row in two.findings() if row["kind"] == "difference"]
    assert differences
    for row in differences:
        same = compared[row["item"], row["attribute"]]
        for name in ("difference", "low", "high", "value", "other_value", "n", "other_n"):
            assert row[name] == same[name]
        assert row["p"] == same["p_corrected"]


def test_deviations_have_the_numbers_of_the_measurements(two: Study) -> None:
    deviations = [row for row in two.findings() if row["kind"] == "deviation"]
    assert len(deviations) >= 2
    for row in deviations:
        [same] = two.measurements(
            metric="share", attribute=row["attribute"], group=row["group"], level=row["level"], item=row["item"],
            model=row["model"],
        )  # fmt: skip
        for name in ("value", "low", "high", "n"):
            assert row[name] == same[name]
        assert row["target"] == 0.5
        assert row["difference"] == pytest.approx(row["value"] - 0.5)


def test_a_german_report_has_german_findings(make: Callable[..., Study]) -> None:
    models = model("A", CEO=0.0, nurse=1.0), model("B", CEO=1.0, nurse=0.0)
    study = make(*models, report={"language": "de"})
    first = study.findings()[0]
    assert "eine Frau" in first["sentence"]
    assert spaced(first["sentence"]) in on_page(study)


def test_the_command_prints_sentences_or_rows(two: Study, cli: Callable[..., Any]) -> None:
    ran = cli("findings", two.folder)
    assert ran.returncode == 0, ran.stderr
    rows = two.findings()
    assert ran.stdout.startswith(spaced(rows[0]["sentence"]))
    folded = sum(not row["open"] for row in rows)
    assert (f"{folded} more; --all" in ran.stdout) is bool(folded)
    everything = cli("findings", two.folder, "--all").stdout
    assert all(spaced(row["sentence"]) in everything for row in rows)
    printed = json.loads(cli("findings", two.folder, "--json").stdout)
    assert printed["findings"] == rows.to_arrow().to_pylist()
    assert printed["summary"] == rows.summary


def test_what_is_not_measured_is_one_line(write_study: Make, tmp_path: Path, cli: Callable[..., Any]) -> None:
    folder = write_study(tmp_path / "study")
    with pytest.raises(StudyError, match="nothing is measured yet; run: portrayal measure"):
        Study(folder).findings()
    ran = cli("findings", folder)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1


def test_one_model_has_a_verdict_and_no_difference(make: Callable[..., Study]) -> None:
    rows = make(model("A", CEO=0.0, nurse=1.0)).findings()
    assert {row["kind"] for row in rows} == {"verdict", "deviation"}
    assert rows[0]["kind"] == "verdict"
