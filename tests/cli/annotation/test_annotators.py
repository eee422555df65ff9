"""Annotators are listed and compared; what is printed fits a terminal, and a mistake is one line."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.annotators import ANNOTATORS
from portrayal.study.importing.labels.import_labels import check_labels, import_labels
from portrayal.study.importing.labels.imported_annotator import imported_annotator
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]
GOOD, POOR = "simulated@1", "simulated@1#1f76754b"
ANNOTATORS_USED: list[dict[str, Any]] = [
    {"use": "simulated"},
    {"use": "simulated", "options": {"accuracy": 0.8}},
    {"use": "imported:humans", "options": {"attributes": ["gender", "tone3"]}},
    {"use": "imported:hair", "options": {"attributes": ["hair"], "groups": {"hair": ["short", "long"]}}},
]


@pytest.fixture(scope="module")
def study(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study of 160 images in 8 prompts, only to be read; people took dark women for men."""
    folder = tmp_path_factory.mktemp("compare")
    terms = ("nurse", "CEO", "chef", "judge", "pilot", "lawyer", "farmer", "actor")
    prompts = "text,term\n" + "".join(f"a photo of a {term},{term}\n" for term in terms)
    generators = [{"use": "simulated", "images": 20, "options": {"no_person": 0.1}}]
    root = write_study(folder / "study", prompts=prompts, generators=generators, annotators=ANNOTATORS_USED)
    opened = OpenStudy(root)
    run_stages(opened, RunControl(), ("plan", "generate", "annotate"))
    planted = opened.workspace.query("SELECT image, planted FROM outcomes WHERE len(planted) = 1").to_pylist()
    with (folder / "sheet.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("image", "gender", "tone3"))
        for row in planted:
            person = dict(row["planted"][0])
            writer.writerow((row["image"], "male" if person["tone3"] == "dark" else person["gender"], person["tone3"]))
    import_labels(opened, check_labels(opened, folder / "sheet.csv", imported_annotator(opened, "humans")))
    return root


def done(ran: Ran) -> str:
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_annotators_are_listed(cli: Run) -> None:
    listed = json.loads(done(cli("annotators", "--json")))
    assert [entry["name"] for entry in listed] == list(ANNOTATORS.entries())
    said = done(cli("annotators"))
    assert all(entry["name"] in said and entry["summary"] in said for entry in listed)


@pytest.mark.slow
def test_a_comparison_fits_a_terminal_and_tells_who_is_worse_where(cli: Run, study: Path) -> None:
    said = done(cli("annotators", "compare", study, GOOD, POOR, "humans"))
    assert max(map(len, said.splitlines())) <= 100
    first, who, caution, *_ = said.splitlines()
    assert first == "A small study: 160 images"
    assert who.startswith("Annotators: imported:humans#")
    assert "(reference)" in who
    assert "accuracy only as far as that is right" in caution
    worse = said.partition("Marked as worse than the rest:")[2].partition("\n\n")[0]
    assert f"{GOOD} on perceived gender where perceived skin tone is dark: accuracy" in " ".join(worse.split())
    table = said.partition(f"Perceived gender: {GOOD} against")[2].splitlines()
    header = next(place for place, line in enumerate(table) if line.startswith("  people "))
    assert table[header].split() == ["people", "n", "accuracy", "interval", "to", "the", "rest"]
    assert table[header + 1].split()[0] == "all"
    assert table[header + 2].lstrip().startswith("perceived skin tone: dark")
    assert table[header + 2].endswith("*")
    for part in ("Cohen's kappa", "Krippendorff's alpha", "no_person", "neither tells it in"):
        assert part in said


@pytest.mark.slow
def test_who_abstains_on_some_people_is_told_so(cli: Run, write_study: Callable[..., Path], tmp_path: Path) -> None:
    prompts = "text,term\n" + "".join(f"a photo of a {term},{term}\n" for term in ("nurse", "chef", "pilot"))
    annotators = [{"use": f"imported:{name}", "options": {"attributes": ["gender", "tone3"]}} for name in ("us", "it")]
    generators = [{"use": "simulated", "images": 60}]
    opened = OpenStudy(write_study(tmp_path / "study", prompts=prompts, generators=generators, annotators=annotators))
    run_stages(opened, RunControl(), ("plan", "generate"))
    planted = opened.workspace.query("SELECT image, planted FROM outcomes").to_pylist()
    for name in ("us", "it"):
        with (tmp_path / "sheet.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("image", "gender", "tone3"))
            for place, row in enumerate(planted):
                person = dict(row["planted"][0])
                silent = name == "it" and person["tone3"] == "dark" and place % 2
                writer.writerow((row["image"], "?" if silent else person["gender"], person["tone3"]))
        import_labels(opened, check_labels(opened, tmp_path / "sheet.csv", imported_annotator(opened, name)))
    said = done(cli("annotators", "compare", opened.root, "it", "--reference", "us", "--by", "tone3"))
    assert max(map(len, said.splitlines())) <= 100
    assert "tells perceived gender less often where perceived skin tone is dark: share 0." in " ".join(said.split())
    table = said.partition("of whom imported:us")[2].splitlines()
    assert [line.split()[0] for line in table[1:3]] == ["people", "all"]
    assert table[3].lstrip().startswith("perceived skin tone: dark")
    assert table[3].endswith("*?")  # of three prompts
    assert "light" not in table[4]  # of the others everything is told
    assert "less often" not in done(cli("annotators", "compare", opened.root, "us", "--reference", "it"))


@pytest.mark.slow
def test_everything_is_in_the_json(cli: Run, study: Path) -> None:
    found = json.loads(done(cli("annotators", "compare", study, GOOD, "--reference", "humans", "--json")))
    assert found["reference"] == found["annotators"][0]
    assert found["annotators"][0].startswith("imported:humans#")
    gender = next(pair for pair in found["pairs"] if pair["attribute"] == "gender")
    assert [[bool(count) for count in row] for row in gender["confusion"]] == [[True, True], [False, True]]
    assert {"overall", "groups", "coverage", "kappa", "measure"} <= set(gender)
    assert {row["by"] for row in gender["groups"]} == {"gender", "tone3", "age3"}
    assert gender["coverage"]["compared"] == gender["overall"]["n"] > 100
    assert {alpha["metric"] for alpha in found["alphas"]} == {"nominal", "ordinal"}


@pytest.mark.slow
def test_from_python_the_same_numbers_are_rows(cli: Run, study: Path) -> None:
    found = json.loads(done(cli("annotators", "compare", study, GOOD, POOR, "--reference", "humans", "--json")))
    rows = Study(study).agreement(GOOD, POOR, reference="humans")
    assert rows.comparison.as_json() == found
    pair = next(own for own in found["pairs"] if own["attribute"] == "gender" and own["second"] == GOOD)
    mine = [row for row in rows if (row["attribute"], row["second"]) == ("gender", GOOD)]
    whole, *groups = [row for row in mine if row["measure"] == "accuracy"]
    assert (whole["group"], whole["first"]) == (None, pair["first"])
    assert {name: whole[name] for name in ("value", "low", "high")} == pair["overall"]["value"]
    assert [
        (row["by"], row["group"], row["n"], row["value"], row["marked"], row["difference_low"]) for row in groups
    ] == [
        (own["by"], own["group"], own["n"], own["value"]["value"], own["marked"], own["difference"]["low"])
        for own in pair["groups"]
    ]
    assert [row["value"] for row in mine if row["measure"] == "kappa"] == [pair["kappa"]["value"]]
    assert [row["value"] for row in mine if row["measure"] == "answered"] == [
        own["value"]["value"] for own in pair["told"]
    ]
    assert [(row["attribute"], row["annotators"], row["value"]) for row in rows.alphas] == [
        (own["attribute"], own["annotators"], own["value"]["value"]) for own in found["alphas"]
    ]
    assert {row["by"] for row in Study(study).agreement(GOOD, POOR, by="age3")} == {None, "age3"}


def test_without_a_reference_it_is_called_agreement(cli: Run, study: Path) -> None:
    said = done(cli("annotators", "compare", study, GOOD, POOR, "--by", "age3"))
    assert "this is agreement, not accuracy: annotators can agree and all be wrong." in " ".join(said.split())
    assert "accuracy " not in said.partition("Krippendorff")[2]
    assert "skin tone: dark" not in said
    assert "age group: elderly" in said


def test_a_comparison_needs_no_lock_and_writes_nothing(cli: Run, study: Path, tree: Callable[[Path], Any]) -> None:
    with OpenStudy(study).workspace.writing():
        before = tree(study)
        done(cli("annotators", "compare", study, GOOD, POOR))
        assert tree(study) == before


@pytest.mark.parametrize(
    ("words", "mentioned"),
    [
        ((GOOD,), "a comparison takes two annotators or more"),
        ((), "a comparison takes two annotators or more"),
        ((GOOD, "human"), "no annotator 'human' among the [[annotators]]; did you mean 'humans'?"),
        ((GOOD, POOR, "--reference", "nobody"), "no annotator 'nobody'"),
        (("simulated", "humans"), f"'simulated' may be any of 2 annotators; say which: '{GOOD}' or '{POOR}'"),
        ((GOOD, POOR, "--by", "tone"), "--by 'tone': none of these annotators"),
        ((GOOD, "hair"), "have no attribute in common"),
        (("humans", "hair"), "have no attribute in common"),
    ],
)
def test_a_mistake_is_one_line(cli: Run, study: Path, words: tuple[str, ...], mentioned: str) -> None:
    ran = cli("annotators", "compare", study, *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    (line,) = ran.stderr.splitlines()
    assert mentioned in line


def test_a_folder_that_is_no_study(cli: Run, tmp_path: Path) -> None:
    ran = cli("annotators", "compare", tmp_path, "a", "b")
    assert ran.returncode == 2
    assert "no study.toml here" in ran.stderr


@pytest.mark.slow
def test_many_long_names_of_groups_still_fit(cli: Run, make_study: Callable[..., Path]) -> None:
    names = [f"a rather long group number {number}" for number in range(12)]
    options = {"attributes": ["style"], "groups": {"style": names}}
    shares = {"style": dict.fromkeys(names[:-1], 1 / 12) | {names[-1]: 1 - 11 / 12}}
    study = make_study(
        generators=[{"use": "simulated", "images": 30, "options": {"shares": shares}}],
        annotators=[
            {"use": "simulated", "options": options},
            {"use": "simulated", "options": {**options, "accuracy": 0.7}},
        ],
    )
    opened = OpenStudy(study)
    run_stages(opened, RunControl(), ("plan", "generate", "annotate"))
    said = done(cli("annotators", "compare", study, *opened.annotators))
    assert max(map(len, said.splitlines())) <= 100
    assert "12 a rather long group number 11" in said


def test_shares_are_corrected_by_labels(cli: Run, study: Path) -> None:
    run_stages(OpenStudy(study), RunControl(), ("measure",))
    rows = json.loads(done(cli("annotators", "correct", str(study), "--reference", "humans", "--json")))
    women = [row for row in rows if row["group"] == "female" and row["level"] == "overall" and row["decides"]]
    assert {row["annotator"] for row in women} == {GOOD, POOR}
    for row in women:
        assert row["corrected_low"] <= row["corrected"] <= row["corrected_high"]
        assert row["difference"] == (None if row["target"] is None else pytest.approx(row["corrected"] - row["target"]))
    assert "survive the correction" in done(cli("annotators", "correct", str(study), "--reference", "humans"))


def test_whose_labels_count_must_be_plain(cli: Run, study: Path) -> None:
    ran = cli("annotators", "correct", str(study))
    assert ran.returncode == 2
    assert "whose word counts? Say it with --reference: imported:hair" in ran.stderr
    assert ran.stderr.count("\n") == 1
