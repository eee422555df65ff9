"""Names in study.toml: people read them everywhere, and nothing that is computed depends on them."""

from __future__ import annotations

import csv
import html
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.records import PartNames
from portrayal.study.agreement import compare
from portrayal.study.importing.import_rows import check_models
from portrayal.study.importing.labels.find_image import find_images
from portrayal.study.plan.make_plan import plan
from portrayal.study.report.gather_data import gather
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import Status, read_status
from portrayal.study.study import OpenStudy
from portrayal.study.tables.exporting import export_tables

Make = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]
SMALL: dict[str, Any] = {"use": "simulated", "images": 3, "name": "Toy & Co, small"}
LARGE = {"use": "simulated", "images": 3, "options": {"size": 24}, "name": "Toy large"}
EYES = {"use": "simulated", "name": "Sharp eyes"}
DIM = {"use": "simulated", "options": {"accuracy": 0.6}, "name": "Dim eyes"}


@pytest.fixture(scope="module")
def named(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> OpenStudy:
    """A study of two generators and two annotators with names, run to its report; the plain ones share an identity."""
    folder = tmp_path_factory.mktemp("named") / "study"
    study = OpenStudy(write_study(folder, generators=[SMALL, LARGE], annotators=[EYES, DIM]))
    run_stages(study, RunControl())
    return study


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, own in value.items():
            yield from texts(key)
            yield from texts(own)
    elif isinstance(value, list | tuple):
        for own in value:
            yield from texts(own)


@pytest.mark.slow
def test_a_report_tells_names_and_only_provenance_identities(named: OpenStudy) -> None:
    data = gather(named)
    assert list(data.generators) == [SMALL["name"], LARGE["name"]]
    assert {row.annotator for row in data.measurements} == {EYES["name"], DIM["name"]}
    told = "\n".join(texts(asdict(replace(data, config="", provenance=(), pairing=None))))
    assert "simulated@" not in told
    assert ("generator", f"{SMALL['name']}: simulated@1") in data.provenance
    page = (named.root / "report" / "index.html").read_text(encoding="utf-8")
    before, after = page.split('<section id="provenance">')
    assert "simulated@" not in html.unescape(re.sub(r"<[^>]+>", " ", before))
    assert "simulated@1#" in after


@pytest.mark.slow
def test_the_terminal_tells_names_and_json_both(named: OpenStudy, cli: Run) -> None:
    for command in (("status",), ("run", "--dry-run"), ("annotators", "compare")):
        words = (*command[:2], named.root) if command[0] == "annotators" else (command[0], named.root, *command[1:])
        more = ("Sharp eyes", "Dim eyes") if command[0] == "annotators" else ()
        said = cli(*words, *more)
        assert said.returncode == 0, said.stderr
        assert "Sharp eyes" in said.stdout
        assert "simulated@" not in said.stdout
    found = json.loads(cli("status", named.root, "--json").stdout)
    assert "simulated@1" in found["outcomes"]
    assert found["names"]["generators"]["simulated@1"] == SMALL["name"]
    assert read_status(named).named().outcomes.keys() == {SMALL["name"], LARGE["name"]}


@pytest.mark.slow
def test_a_comparison_says_whose_identity_a_name_stands_for(named: OpenStudy) -> None:
    found = compare(named, ["Sharp eyes", "Dim eyes"])
    assert list(found.annotators) == ["Sharp eyes", "Dim eyes"]
    assert found.identities["Sharp eyes"] == "simulated@1"
    assert found.identities["Dim eyes"].startswith("simulated@1#")


@pytest.mark.slow
def test_exported_files_have_names_beside_identities(named: OpenStudy, tmp_path: Path) -> None:
    [path, lines] = [export_tables(named, tmp_path, form, ["measurements"])[0] for form in ("csv", "jsonl")]
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert {(row["generator"].partition("#")[0], row["generator_name"]) for row in rows} == {
        ("simulated@1", SMALL["name"]),
        ("simulated@1", LARGE["name"]),
    }
    assert json.loads(lines.read_text(encoding="utf-8").splitlines()[0])["annotator_name"] in ("Sharp eyes", "Dim eyes")
    assert list(rows[0])[2:6] == ["generator_name", "generator", "annotator_name", "annotator"]
    [images] = export_tables(named, tmp_path, "csv", ["images"])
    (first, *_) = csv.DictReader(images.read_text(encoding="utf-8").splitlines())
    assert first["model_name"] in (SMALL["name"], LARGE["name"])


@pytest.mark.slow
def test_tables_that_compare_generators_have_their_names(write_study: Make, tmp_path: Path) -> None:
    suite = {"use": "socialbiaskg", "options": {"kinds": ["occupation"], "terms": ["CEO"]}}
    shares = {"race11": {"white": 0.5, "black": 0.5}}
    draws = [{**SMALL, "options": {"shares": shares}}, {**SMALL, "name": LARGE["name"], "options": {"refused": 0.1}}]
    looks = {**EYES, "options": {"attributes": ["race11"]}}
    methods = [{"use": "socialbiaskg"}]
    root = write_study(tmp_path / "study", suite=suite, generators=draws, annotators=[looks], methods=methods)
    run_stages(OpenStudy(root), RunControl())
    page = (root / "report" / "index.html").read_text(encoding="utf-8").split('<section id="provenance">')[0]
    assert "simulated@" not in html.unescape(re.sub(r"<[^>]+>", " ", page))
    table = (root / "report" / "tables" / "socialbiaskg.differences.csv").read_text(encoding="utf-8")
    (first, *_) = csv.DictReader(table.splitlines())
    assert (first["first_name"], first["second_name"]) == ("people", first["second_name"])
    assert first["second_name"] in (SMALL["name"], LARGE["name"])


def test_errors_are_told_by_names() -> None:
    status = Status("t", 1, 1, errors={"simulated@1": "ValueError"}, names=PartNames({"simulated@1": "Model A"}))
    assert "last error of Model A: ValueError" in repr(status)


def test_changing_a_name_changes_no_job(make_study: Make) -> None:
    study = OpenStudy(make_study(generators=[SMALL], annotators=[EYES]))
    assert plan(study, RunControl())
    path = study.root / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("small", "tiny"), encoding="utf-8")
    again = OpenStudy(study.root)
    assert again.names.generator("simulated@1") == "Toy & Co, tiny"
    assert not plan(again, RunControl())


@pytest.mark.parametrize(
    ("generators", "annotators"),
    [
        ([SMALL, {**LARGE, "name": SMALL["name"]}], [EYES]),
        ([SMALL], [EYES, {**DIM, "name": EYES["name"]}]),
        ([SMALL], [{**EYES, "name": SMALL["name"]}]),
    ],
)
def test_two_parts_of_one_name_are_refused(make_study: Make, generators: Any, annotators: Any) -> None:
    with pytest.raises(ConfigError, match=r"study.toml: two parts are named '.*'; give one of them another name$"):
        OpenStudy(make_study(generators=generators, annotators=annotators))


@pytest.mark.parametrize("name", ["two\nlines", " around", "\x1b[31mred", "x" * 81])
def test_a_name_is_a_line_that_can_be_read(make_study: Make, name: str) -> None:
    with pytest.raises(ConfigError, match=r"'generators\.1\.name'"):
        OpenStudy(make_study(generators=[{**SMALL, "name": name}]))


def test_a_suite_and_a_method_have_no_name(make_study: Make) -> None:
    with pytest.raises(ConfigError, match=r"unknown key 'methods\.1\.name'"):
        OpenStudy(make_study(methods=[{"use": "representation", "name": "mine"}]))


def test_a_generator_that_draws_and_edits_has_one_name(make_study: Make) -> None:
    tables = [{**SMALL, "role": role, "name": name} for role, name in (("draw", "A"), ("edit", "B"))]
    with pytest.raises(ConfigError, match="simulated@1 is named 'A' and 'B'; a part has one name"):
        OpenStudy(make_study(generators=tables)).check()
    both = OpenStudy(make_study("both", generators=[{**SMALL, "role": "draw"}, {**SMALL, "role": "edit"}]))
    assert both.names == PartNames({"simulated@1": SMALL["name"]}, {})


def test_a_name_that_means_another_part_is_refused(make_study: Make) -> None:
    other = {**LARGE, "name": "simulated@1"}
    with pytest.raises(ConfigError, match="'simulated@1' is another generator's identity"):
        OpenStudy(make_study("a", generators=[{"use": "simulated"}, other])).check()
    with pytest.raises(ConfigError, match="simulated@1 is called 'simulated' too"):
        OpenStudy(make_study("b", annotators=[{"use": "simulated"}, {**DIM, "name": "simulated"}])).check()


def test_an_imported_model_is_no_namesake_of_a_generator(make_study: Make) -> None:
    study = OpenStudy(make_study(generators=[SMALL]))
    with pytest.raises(InputError, match="a generator of this study is named 'Toy & Co, small' too"):
        check_models(study, [str(SMALL["name"])])


@pytest.mark.slow
def test_a_sheet_may_call_a_model_by_its_name(named: OpenStudy, tmp_path: Path) -> None:
    from portrayal.csvfile import read_csv

    sheet = tmp_path / "sheet.csv"
    lines = [f'"{name}",a photo of a nurse,1' for name in (SMALL["name"], "simulated@1")]
    sheet.write_text("\n".join(["model,prompt,index", *lines]), encoding="utf-8")
    one, two = find_images(named, read_csv(sheet, ["model", "prompt", "index"]))
    assert one == two
