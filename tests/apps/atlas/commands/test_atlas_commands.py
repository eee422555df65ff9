"""The commands of the atlas, from files to the page."""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Cli = Callable[..., Any]
HEADER = "model,category,scheduler,created,likes,downloads,protocol,run,log_bias,miss_rate\n"


def models(
    count: int = 24, *, slope: float = 0.6, kinds: tuple[str, ...] = ("art", "foundation"), likes: bool = True
) -> str:
    """Return models of the months from 2010 on; scores rise by ``slope`` a year, those of the first kind are higher."""
    lines = []
    for number in range(count):
        for place, kind in enumerate(kinds):
            score = slope * number / 12 - place + 0.1 * (-1) ** number
            created = f"{2010 + number // 12}-{number % 12 + 1:02d}-01"
            liked = f"{10 * (count - number)},{100 * number}" if likes else ","
            lines.append(f"{kind}/{number},{kind},DDIM,{created},{liked},mine,1,{score:.3f},0.1")
    return HEADER + "\n".join(lines) + "\n"


@pytest.fixture
def atlas(tmp_path: Path, cli: Cli) -> Callable[[str], Path]:
    def make(text: str, *more: str) -> Path:
        (tmp_path / "models.csv").write_text(text, encoding="utf-8")
        assert cli("atlas", "import", tmp_path / "atlas", tmp_path / "models.csv", *more).returncode == 0
        return tmp_path / "atlas"

    return make


def page(folder: Path, cli: Cli, *options: str) -> str:
    """Return what a reader sees of the report, in single spaces."""
    ran = cli("atlas", "report", folder, *options)
    assert ran.returncode == 0, ran.stderr
    text = Path(ran.stdout.strip()).read_text(encoding="utf-8").split("<main>")[1]
    plain = html.unescape(re.sub(r"<title>.*?</title>|<[^>]+>", " ", text, flags=re.DOTALL))
    return re.sub(r"\s+", " ", plain.replace("\xa0", " "))


def test_rows_that_cannot_be_read_are_named_and_the_rest_is_kept(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "models.csv"
    path.write_text(HEADER + "a,art,,2022,,,,,0.5,\nb,art,,2022-08,,,,,0.5,\nc,art,,,-3,,,,0.5,\n", encoding="utf-8")
    ran = cli("atlas", "import", tmp_path / "atlas", path, "--empty")
    assert ran.returncode == 1
    assert f"{path}:2: column 'created' must be a date" in ran.stderr
    assert f"{path}:4: column 'likes' must be a whole number" in ran.stderr
    assert [row["model"] for row in json.loads(cli("atlas", "list", tmp_path / "atlas", "--json").stdout)] == ["b"]


@pytest.mark.slow
def test_an_atlas_built_twice_is_the_same_byte_for_byte(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "models.csv").write_text(models(), encoding="utf-8")
    (tmp_path / "hub.json").write_text('[{"id": "art/3", "likes": 999}]', encoding="utf-8")
    found = []
    for name in ("one", "two"):
        folder = tmp_path / name / "atlas"
        cli("atlas", "import", folder, tmp_path / "models.csv", tmp_path / "hub.json")
        cli("atlas", "report", folder)
        found.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert found[0] == found[1]
    assert {path.name for path in found[0]} >= {"evaluations.parquet", "models.parquet", "index.html"}


def test_metadata_of_the_hub_comes_from_a_saved_file(atlas: Any, tmp_path: Path, cli: Cli) -> None:
    folder = atlas(models(3), "--empty")
    record = {"id": "art/1", "likes": 7, "model_index.json": {"scheduler": ["diffusers", "PNDMScheduler"]}}
    (tmp_path / "hub.json").write_text(json.dumps([record, {"likes": 3}]), encoding="utf-8")
    ran = cli("atlas", "import", folder, tmp_path / "hub.json")
    assert ran.returncode == 1
    assert "record 2: field 'id' is missing" in ran.stderr
    shown = json.loads(cli("atlas", "show", folder, "art/1", "--json").stdout)
    assert (shown["model"]["likes"], shown["model"]["scheduler"]) == (7, "PNDM")


def test_what_is_not_there_is_named(atlas: Any, tmp_path: Path, cli: Cli) -> None:
    folder = atlas(models(3))
    for arguments, message in (
        (("show", folder, "art/11"), "no model 'art/11'; did you mean 'art/1'?"),
        (("report", folder, "--score", "log_bais"), "has the score 'log_bais'; did you mean 'log_bias'?"),
        (("import", folder), "nothing to import"),
        (("list", tmp_path / "none"), "no atlas here"),
        (("import", folder, tmp_path / "none.csv"), "no such file"),
    ):
        ran = cli("atlas", *arguments)
        assert ran.returncode == 2
        assert message in ran.stderr


def test_the_released_evaluations_are_shown_with_their_source(atlas: Any, cli: Cli) -> None:
    folder = atlas(models(3))
    said = cli("atlas", "show", folder, "runwayml/stable-diffusion-v1-5").stdout
    assert "source: Vice et al. (2023)" in said
    assert "distribution_bias: 7.123" in said
    assert "Vice et al. (2023)" in page(folder, cli)


def test_long_tables_are_cut_and_the_file_has_all(atlas: Any, cli: Cli) -> None:
    folder = atlas(models(150), "--empty")
    said = page(folder, cli)
    assert "200 rows in between:" in said
    with (folder / "report" / "models-1-mine.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 300
    values = [float(row["log_bias"]) for row in rows]
    assert values == sorted(values)


def test_versions_are_listed_and_the_last_counts(atlas: Any, cli: Cli) -> None:
    text = HEADER + "a,art,,,,,mine,1,0.5,\na,art,,,,,mine,2,0.9,\nb,art,,,,,mine,1,0.1,\n"
    said = page(atlas(text, "--empty"), cli)
    assert "a, version 2" in said
    assert "2 models, 3 evaluations. Several evaluations of a model are its versions" in said
    assert "art 2 0.500 (0.566)" in said


def test_which_end_of_a_score_means_more_bias_is_said_where_it_is_known(atlas: Any, cli: Cli) -> None:
    text = "model,protocol,log_bias,distribution_bias,beauty\na,mine,1,2,3\nb,mine,2,3,4\n"
    folder = atlas(text, "--empty")
    assert "Log bias (B_log): higher means more bias." in page(folder, cli)
    lower = page(folder, cli, "--score", "distribution_bias")
    assert "Distribution bias (B_D): lower means more bias." in lower
    assert "higher means" not in lower
    assert "means more bias" not in page(folder, cli, "--score", "beauty")


def test_groups_say_how_many_of_their_models_have_a_score(atlas: Any, cli: Cli) -> None:
    header = "model,category,distribution_bias,jaccard_hallucination,miss_rate\n"
    lines = [f"b/{number},b,{2 if number < 4 else 0},0.5,0.1\n" for number in range(12)]
    folder = atlas(header + "".join(lines) + "c/0,b,,,\n", "--empty")
    said = page(folder, cli)
    assert "b 12 0.105 (0.000) [4 of 12] 0.667 (0.985) 0.500" in said
    assert "Log bias (B_log): 8 of 12 evaluations have none. It is not defined where B_D is 0" in said
    assert "Distribution bias (B_D): " not in said.split("By kind")[0].replace("Distribution bias (B_D) ", "")
    text = (folder / "report" / "index.html").read_text(encoding="utf-8")
    assert re.search(r'<td class="r thin">0\.105', text)
    assert not re.search(r'<td class="r thin">0\.667', text)
    assert (
        "12\xa0evaluations of 12\xa0models: by kind and scheduler, over time, and against their popularity. 1" in text
    )
    assert "1\xa0further model has no evaluation yet." in text


def test_where_all_models_have_a_score_nothing_is_said_of_those_without(atlas: Any, cli: Cli) -> None:
    folder = atlas(models(6), "--empty")
    text = (page(folder, cli), (folder / "report" / "index.html").read_text(encoding="utf-8"))
    assert not [word for word in ("evaluations have none", "no evaluation yet", "[6 of 6]") if word in "".join(text)]


def test_the_names_of_scores_in_german(atlas: Any, cli: Cli) -> None:
    text = "model,distribution_bias,jaccard_hallucination,miss_rate\na,2,0.5,0.1\nb,0,0.5,0.1\nc,,,\n"
    folder = atlas(text, "--empty")
    said = page(folder, cli, "--language", "de")
    assert "Jaccard-Halluzination (H_J)" in said
    assert "Jaccard hallucination" not in said
    assert "1 von 2 Auswertungen haben keinen Wert. Sie ist nicht definiert, wo B_D 0" in said
    page_text = (folder / "report" / "index.html").read_text(encoding="utf-8")
    assert "1\xa0weiteres Modell hat noch keine Auswertung." in page_text


def test_the_page_in_german(atlas: Any, cli: Cli) -> None:
    said = page(atlas(models(), "--empty"), cli, "--language", "de")
    assert "Nach Art des Modells" in said
    assert "steigt" in said


@pytest.mark.slow
def test_studies_come_in_with_all_their_methods(make_study: Callable[..., Path], tmp_path: Path, cli: Cli) -> None:
    shares = {
        "caption": {"a {term} on a lawn": 0.5, "a {term} and a fence": 0.3, "a cloud": 0.2},
        "prompt_match": {"match": 0.9, "miss": 0.1},
        "gender": {"male": 0.5, "female": 0.5},
    }
    study = make_study(
        suite={"use": "tbyb", "options": {"sample": 50}},
        generators=[{"use": "simulated", "images": 2, "options": {"shares": shares, "pixels": False}}],
        annotators=[{"use": "simulated", "options": {"attributes": ["caption", "prompt_match", "gender"]}}],
        methods=[
            {"use": "tbyb", "options": {"similarity": 0, "draws": 100}},
            {"use": "representation", "options": {"draws": 100, "references": {"gender": "uniform"}}},
        ],
    )
    assert "nothing is measured yet" in cli("atlas", "add", tmp_path / "atlas", study).stderr
    run_stages(OpenStudy(study), RunControl())
    assert cli("atlas", "add", tmp_path / "atlas", study, "--empty").returncode == 0
    ((name,),) = [[row["model"] for row in json.loads(cli("atlas", "list", tmp_path / "atlas", "--json").stdout)]]
    (found,) = json.loads(cli("atlas", "show", tmp_path / "atlas", name, "--json").stdout)["evaluations"]
    scores = found["scores"]
    assert {"log_bias", "distribution_bias", "jaccard_hallucination", "miss_rate"} <= set(scores)
    assert "representation share gender female uniform" in scores
    assert scores["log_bias"]["low"] < scores["log_bias"]["value"] < scores["log_bias"]["high"]
    assert found["images"] == 100
    assert found["protocol"].startswith("tbyb (simulated@1")
    again = cli("atlas", "add", tmp_path / "atlas", study)
    assert "added: 0;" in again.stdout
    second = cli("atlas", "add", tmp_path / "atlas", study, "--run", "second")
    assert "added: 1;" in second.stdout


def test_chosen_models_are_set_side_by_side(atlas: Any, tmp_path: Path, cli: Cli) -> None:
    header = "model,protocol,images,distribution_bias,jaccard_hallucination,miss_rate\n"
    folder = atlas(header + "me/mine,mine,300,20,0.5,0.2\n")
    ran = cli(
        "atlas", "compare", folder, "--protocol", "mine", "--protocol", "objects, actions", "--to", tmp_path / "to"
    )
    assert ran.returncode == 0, ran.stderr
    assert "me/mine" in ran.stdout
    assert "B_D grows with the number of images" in ran.stderr
    assert {path.name for path in (tmp_path / "to").iterdir()} == {
        "compare.csv",
        "compare-bars.svg",
        "compare-space.svg",
    }
    with (tmp_path / "to" / "compare.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["label"]: row for row in csv.DictReader(file)}
    assert len(rows) == 10
    assert float(rows["me/mine"]["miss_rate_normalised"]) == 1
    assert float(rows["me/mine"]["distribution_bias_normalised"]) == 0
    found = json.loads(cli("atlas", "compare", folder, "me/mine", "prompthero/openjourney", "--json").stdout)
    assert [row["label"] for row in found["rows"]] == ["prompthero/openjourney", "me/mine"]
    wrong = cli("atlas", "compare", folder, "me/min")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "the atlas has no model 'me/min'; did you mean 'me/mine'?" in wrong.stderr


def test_the_report_has_the_chosen_models_and_their_files_and_drops_them_again(atlas: Any, cli: Cli) -> None:
    folder = atlas("model,protocol\nme/mine,mine\n")
    said = page(folder, cli, "--compare", "prompthero/openjourney", "--compare", "Lykon/dreamshaper-7")
    assert "Chosen models side by side" in said
    assert "All three scores at once" in said
    assert {path.name for path in (folder / "report").glob("compare*")} == {
        "compare.csv",
        "compare-bars.svg",
        "compare-space.svg",
    }
    assert "Chosen models side by side" not in page(folder, cli)
    assert not list((folder / "report").glob("compare*"))


def test_dates_after_today_and_figures_given_twice_are_named(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "models.csv"
    path.write_text("model,created,run,x\na,2900-01-01,1,1\nb,2022-01,1,1\nb,2022-01,1,2\n", encoding="utf-8")
    ran = cli("atlas", "import", tmp_path / "atlas", path, "--empty")
    assert ran.returncode == 1
    assert f"{path}:2: column 'created' must not be after today, 20" in ran.stderr
    assert f"{path}:4: 'b', run '1', stands in line 3 with other figures; line 4 counts" in ran.stderr
    assert "added: 1; the atlas has evaluations: 1, models: 1" in ran.stdout
    path.write_text("model,created,run,x\nb,2022-01,1,3\n", encoding="utf-8")
    again = cli("atlas", "import", tmp_path / "atlas", path)
    assert again.returncode == 0
    assert "'b', run '1', was in the atlas with other figures; the last ones given count" in again.stderr
    assert "added: 0; the atlas has evaluations: 1, models: 1" in again.stdout
    (row,) = json.loads(cli("atlas", "show", tmp_path / "atlas", "b", "--json").stdout)["evaluations"]
    assert row["scores"]["x"]["value"] == 3
    assert cli("atlas", "import", tmp_path / "atlas", path).stderr == ""


def test_names_come_before_digests(atlas: Any, cli: Cli) -> None:
    header = "model,protocol,run,images,x,x_low,x_high\n"
    folder = atlas(header + "a,tbyb (faces@1#0a1b2c3d): 2 prompts #4dc66ac5,sim@1#77aa,22,22,22,22\n", "--empty")
    lines = cli("atlas", "show", folder, "a").stdout.splitlines()
    shown = lines[lines.index("") + 1 :]
    assert shown[:2] == ["tbyb (faces@1): 2 prompts, images: 22", "  x: 22"]
    assert shown[3:] == ["  run: sim@1#77aa", "  protocol: tbyb (faces@1#0a1b2c3d): 2 prompts #4dc66ac5"]
    said = page(folder, cli)
    assert said.split("The whole protocol:")[0].count("#") == 0
    (file,) = (folder / "report").glob("models-*.csv")
    assert file.name == "models-1-tbyb-faces-1-2-prompts.csv"
    columns = file.read_text(encoding="utf-8").splitlines()[0].split(",")
    assert columns[:2] == ["model", "version"]
    assert columns[-2:] == ["run", "source"]


def test_a_model_whose_images_were_not_counted_is_shown_as_such(atlas: Any, cli: Cli) -> None:
    folder = atlas("model,x,x_low,x_high\na,1,0.5,2\n", "--empty")
    lines = cli("atlas", "show", folder, "a").stdout.splitlines()
    assert "no protocol named, number of images not known" in lines
    assert "  x: 1 (0.5 to 2)" in lines
