"""The pages as a browser without scripts gets them: a study created, run, looked at, compared; and who is kept out."""

from __future__ import annotations

import csv
import io
import os
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.apps.studio.conftest import add_study

import portrayal
from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import list_studies
from portrayal.study.create.create_study import create_study
from portrayal.study.tables.left_out import read_left_out

FORM = {
    "title": "Nurses & CEOs",
    "method": "representation",
    "prompts": "a photo of one nurse\na photo of one CEO",
    "generator": "simulated",
    "annotator": "simulated",
    "images": "6",
    "generator-model": "",
    "annotator-model": "",
}


def key_of(root: Path, name: str) -> str:
    return next(study.key for study in list_studies(root) if study.name == name)


def test_without_the_link_there_is_nothing_to_see_and_nothing_to_do(tmp_path: Path, start: Callable[..., Any]) -> None:
    Study(add_study(tmp_path / "one")).run(progress=False)
    studio = start()
    key, stranger, auditor = key_of(tmp_path, "one"), studio.client(entered=False), studio.client()
    picture = re.search(r"/picture/([0-9a-f]{64}\.png)", auditor.get(f"/s/{key}/pictures").text)
    assert picture
    paths = [
        "/new",
        f"/s/{key}",
        f"/s/{key}/live",
        f"/s/{key}/settings",
        f"/s/{key}/pictures",
        f"/s/{key}/compare",
        "/own",
    ]
    paths += [f"/s/{key}/{what}" for what in ("decide", "side-by-side", "people", "pictures.csv")]
    paths += [f"/s/{key}/report.zip"]
    paths += [f"/s/{key}/report/", *(f"/s/{key}/{kind}/{picture[1]}" for kind in ("picture", "thumbnail", "image"))]
    for path in paths:
        assert (stranger.get(path).status_code, auditor.get(path).status_code) == (403, 200), path
        assert "Study one" not in stranger.get(path).text
    assert stranger.get("/r/wrong").status_code == 404
    page = stranger.get("/")
    assert "Open the link" in page.text
    for path in ("/new", *(f"/s/{key}/{what}" for what in ("run", "stop", "images", "decide", "left-out", "people"))):
        assert stranger.send(path, page, FORM).status_code == 403


def test_forms_without_the_token_of_their_page_do_nothing(tmp_path: Path, start: Callable[..., Any]) -> None:
    add_study(tmp_path / "one")
    studio = start()
    client, key = studio.client(), key_of(tmp_path, "one")
    for path in ("/new", *(f"/s/{key}/{what}" for what in ("run", "images", "decide"))):
        assert client.post(path, {**FORM, "csrf": "0" * 64}).status_code == 403
    assert [study.name for study in list_studies(tmp_path)] == ["one"]
    assert "Not run from here yet." in client.get(f"/s/{key}").text


def test_a_study_is_created_run_looked_at_and_read(tmp_path: Path, start: Callable[..., Any]) -> None:
    studio = start()
    client = studio.client()
    assert "There is no study in this folder yet." in client.get("/").text
    page = client.follow(client.send("/new", client.get("/new"), FORM))
    assert "Nurses &amp; CEOs" in page.text
    assert "simulated" in page.text
    key = key_of(tmp_path, "nurses-ceos")
    page = client.follow(client.send(f"/s/{key}/run", page))
    while client.get(f"/s/{key}/live").json()["active"]:
        time.sleep(0.1)
    page = client.get(f"/s/{key}")
    assert "Done: the report is ready." in page.text
    assert "What was found" in page.text
    assert Study(tmp_path / "nurses-ceos").findings().to_arrow()["sentence"][0].as_py()[:20] in page.text
    report = client.get(f"/s/{key}/report/")
    assert "Nurses &amp; CEOs" in report.text
    assert report.headers["content-security-policy"].startswith("sandbox ")
    (tmp_path / "nurses-ceos" / "report" / "link.html").symlink_to("/etc/passwd")
    zipped = zipfile.ZipFile(io.BytesIO(client.get(f"/s/{key}/report.zip").content))
    assert zipped.read("report/index.html").decode() == report.text
    assert "report/summary.html" in zipped.namelist()
    assert "report/link.html" not in zipped.namelist()
    assert "Start it" in client.get(f"/s/{key}/people").text
    wall = client.get(f"/s/{key}/pictures")
    assert "12 pictures" in wall.text.replace("\xa0", " ")
    some = client.get(f"/s/{key}/pictures?gender=female&term=a+photo+of+one+nurse&nonsense=1")
    women = [
        row
        for row in Study(tmp_path / "nurses-ceos").images()
        if row["gender"] == "female" and "nurse" in row["prompt"]
    ]
    assert f">{len(women)} picture" in some.text.replace("\xa0", " ")
    name = re.search(r"/picture/([0-9a-f]{64}\.png)", wall.text)
    assert name
    one = client.get(f"/s/{key}/picture/{name[1]}")
    assert "Perceived gender" in one.text
    assert client.get(f"/s/{key}/thumbnail/{name[1]}").content[:2] == b"\xff\xd8"


def test_more_images_are_drawn_by_the_next_run(tmp_path: Path, start: Callable[..., Any]) -> None:
    Study(add_study(tmp_path / "one", 3)).run(progress=False)
    studio = start()
    client, key = studio.client(), key_of(tmp_path, "one")
    page = client.follow(client.send(f"/s/{key}/images", client.get(f"/s/{key}"), {"images": "5"}))
    assert "older than the pictures or the settings" in page.text
    client.send(f"/s/{key}/run", page)
    while client.get(f"/s/{key}/live").json()["active"]:
        time.sleep(0.1)
    assert Study(tmp_path / "one").status.jobs == 10
    assert "older than the pictures" not in client.get(f"/s/{key}").text
    newest = max((tmp_path / "one" / "tables" / "outcomes").iterdir(), key=lambda part: part.stat().st_mtime)
    os.utime(newest, (2e9, 2e9))
    assert "older than the pictures" in client.get(f"/s/{key}").text
    refused = client.send(f"/s/{key}/images", page, {"images": "many"})
    assert (refused.status_code, "a whole number from 1" in refused.text) == (422, True)


def test_two_studies_are_compared_in_the_words_of_the_command(tmp_path: Path, start: Callable[..., Any]) -> None:
    for name in ("one", "two"):
        Study(add_study(tmp_path / name, 40)).run(progress=False)
    studio = start()
    client = studio.client()
    page = client.get(f"/s/{key_of(tmp_path, 'one')}/compare?other={key_of(tmp_path, 'two')}")
    compared = Study(tmp_path / "one").compare(tmp_path / "two")
    assert all(sentence.replace("&", "&amp;") in page.text for sentence in compared.sentences)
    alone = client.get(f"/s/{key_of(tmp_path, 'one')}/compare")
    assert "pictures by one model only" in alone.text


@pytest.mark.parametrize(
    "path", ["../study.toml", "..%2Fstudy.toml", "/etc/passwd", "link.html", "index.html/..", "tables", "study.toml"]
)
def test_only_files_of_the_report_can_be_read(tmp_path: Path, start: Callable[..., Any], path: str) -> None:
    folder = add_study(tmp_path / "one")
    (folder / "report").mkdir()
    (folder / "report" / "index.html").write_text("<p>report</p>")
    (tmp_path / "secret.html").write_text("secret")
    (folder / "report" / "link.html").symlink_to(tmp_path / "secret.html")
    studio = start()
    assert studio.client().get(f"/s/{key_of(tmp_path, 'one')}/report/{path}").status_code == 404


def test_a_broken_study_is_listed_with_its_reason_and_the_others_work(
    tmp_path: Path, start: Callable[..., Any]
) -> None:
    add_study(tmp_path / "one")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "study.toml").write_text('[study]\ntitle = "x"\ncolour = "<script>"\n')
    studio = start()
    client = studio.client("de")
    page = client.get("/")
    assert "Study one" in page.text
    assert "colour" in page.text
    assert "<script>" not in page.text.replace('<script src="/static', "")
    assert client.get(f"/s/{key_of(tmp_path, 'broken')}").status_code == 200
    assert client.get("/s/000000000000").status_code == 404


def test_what_services_cost_is_said_before_anything_runs(
    tmp_path: Path, start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    drawn: dict[str, Any] = {"use": "openai:made-up-model", "options": {"size": "1024x1024"}}
    for name, more in (("priced", {"price": 0.25}), ("unknown", {})):
        part = {**drawn, "options": {**drawn["options"], **more}}
        create_study(tmp_path / name, generator=part, annotator="simulated", prompts=["a nurse", "a CEO"], images=3)
    client = start().client()
    page = client.get(f"/s/{key_of(tmp_path, 'priced')}").text
    assert "All that it asks costs 1.50 US dollars at most." in page
    assert re.search(r"20</th>.*?10.00 US dollars</td>", page, re.DOTALL)  # of two prompts, 20 images each
    unknown = client.get(f"/s/{key_of(tmp_path, 'unknown')}").text
    assert "What it costs is not known here" in unknown
    assert "--dry-run" not in page + unknown


def test_a_second_studio_of_the_same_folder_is_refused(tmp_path: Path, start: Callable[..., Any]) -> None:
    from portrayal.apps.studio.web.service import StudioService
    from portrayal.errors import StudyLockedError

    start()
    with pytest.raises(StudyLockedError, match="another studio has this folder"):
        StudioService.open(tmp_path)


def test_a_rule_is_made_from_plain_questions_and_decides(tmp_path: Path, start: Callable[..., Any]) -> None:
    Study(add_study(tmp_path / "one", 60)).run(progress=False)
    studio = start()
    client, key = studio.client(), key_of(tmp_path, "one")
    page = client.get(f"/s/{key}/decide")
    assert "Write down what must hold before you look" in page.text
    rule = {"what": "gender/female", "term": "", "most": "1", "reference": "<b>The board</b>", "why": "So"}
    refused = client.send(f"/s/{key}/decide", page, {**rule, "why": ""})
    assert (refused.status_code, "who decided" in refused.text, "&lt;b&gt;" in refused.text) == (422, True, True)
    page = client.follow(client.send(f"/s/{key}/decide", page, rule))
    checked = portrayal.check(tmp_path / "one", tmp_path / "one" / "policy.toml")
    assert (checked.verdict, "Not ready" in page.text, "The rule is not met." in page.text) == ("fail", True, True)
    assert "All prompts: perceived gender is female in at most 1\xa0% of the pictures." in page.text
    assert "<b>The board" not in page.text
    (tmp_path / "one" / "policy.toml").write_text("[policy]\n")
    assert "policy.toml: no scenario" in client.get(f"/s/{key}/decide").text


def test_rules_stand_in_words_before_anything_is_measured(tmp_path: Path, start: Callable[..., Any]) -> None:
    add_study(tmp_path / "one")
    client, key = start().client(), key_of(tmp_path, "one")
    rule = {"what": "gender/female", "term": "", "least": "30", "reference": "The board", "why": "So"}
    page = client.follow(client.send(f"/s/{key}/decide", client.get(f"/s/{key}/decide"), rule)).text
    assert "No verdict yet: run the study, and it stands here." in page
    assert "<li>All prompts: perceived gender is female in at least 30\xa0% of the pictures.</li>" in page
    assert "nothing is measured" not in page
    assert str(tmp_path) not in page
    policy = tmp_path / "one" / "policy.toml"
    policy.write_text(policy.read_text() + "[[scenarios]]\nshare = 3\n")
    assert client.get(f"/s/{key}/decide").status_code == 200


def test_what_is_open_asks_for_images_of_each_prompt_and_gets_as_many(
    tmp_path: Path, start: Callable[..., Any]
) -> None:
    Study(add_study(tmp_path / "one", 12)).run(progress=False)
    client, key = start().client(), key_of(tmp_path, "one")
    rule = {"what": "gender/female", "term": "", "least": "30", "most": "70", "reference": "The board", "why": "So"}
    page = client.follow(client.send(f"/s/{key}/decide", client.get(f"/s/{key}/decide"), rule))
    checked = portrayal.check(tmp_path / "one", tmp_path / "one" / "policy.toml").to_dict()
    more = checked["more_images_per_prompt"]
    assert (checked["verdict"], 0 < more < checked["more_images"]) == ("undecided", True)
    assert f"About {more} more images of each prompt" in page.text.replace("\xa0", " ")
    assert f"Draw {more + 12} images of each prompt in place of 12" in page.text
    button = re.search(r'name="images" value="(\d+)"', page.text)
    assert button
    page = client.follow(client.send(f"/s/{key}/images", page, {"images": button[1]}))
    assert f"images = {more + 12}" in (tmp_path / "one" / "study.toml").read_text()
    assert f'value="{more + 12}"' in page.text


def test_ticked_pictures_are_left_out_with_a_reason_and_come_back(tmp_path: Path, start: Callable[..., Any]) -> None:
    Study(add_study(tmp_path / "one", 4)).run(progress=False)
    studio = start()
    client, key = studio.client(), key_of(tmp_path, "one")
    wall = client.get(f"/s/{key}/pictures?gender=female")
    names = re.findall(r'name="p-([0-9a-f]{64})"', wall.text)
    ticked = {f"p-{name}": "1" for name in names[:2]} | {"p-../study.toml": "1", "back": "gender=female&page=1"}
    assert client.send(f"/s/{key}/left-out", wall, {**ticked, "reason": " "}).status_code == 422
    answer = client.send(f"/s/{key}/left-out", wall, {**ticked, "reason": "<i>blurred</i>"})
    assert answer.headers["location"] == f"/s/{key}/pictures?gender=female&page=1"
    assert dict.fromkeys(names[:2], "<i>blurred</i>") == read_left_out(tmp_path / "one")
    shown = client.get(f"/s/{key}/pictures").text
    assert shown.count("left out: &lt;i&gt;blurred&lt;/i&gt;") == 2
    os.utime(studio.service.left_out_mark(list_studies(tmp_path)[0]), (2e9, 2e9))
    assert "older than the pictures" in client.get(f"/s/{key}").text
    client.send(f"/s/{key}/left-out", wall, {**ticked, "what": "back"})
    assert read_left_out(tmp_path / "one") == {}
    assert client.send(f"/s/{key}/left-out", wall, {"back": "//evil"}).headers["location"] == f"/s/{key}/pictures?"
    assert client.post(f"/s/{key}/left-out", {**ticked, "csrf": "0" * 64}).status_code == 403


def test_people_without_pictures_are_listed(tmp_path: Path, start: Callable[..., Any]) -> None:
    Study(add_study(tmp_path / "one", 3, size=0)).run(progress=False)
    key, client = key_of(tmp_path, "one"), start().client()
    page = client.get(f"/s/{key}/pictures")
    assert (page.status_code, page.text.count("No picture<")) == (200, 6)
    assert client.get(f"/s/{key}/originals.zip").status_code == 200


def test_ticked_pictures_are_labelled_and_taken(tmp_path: Path, start: Callable[..., Any]) -> None:
    Study(add_study(tmp_path / "one", 4)).run(progress=False)
    studio = start()
    key, client = key_of(tmp_path, "one"), studio.client()
    page = client.get(f"/s/{key}/pictures")
    ticked = dict.fromkeys(re.findall(r'name="(p-[0-9a-f]{64})"', page.text)[:2], "1")
    assert page.text.index('name="reason"') < page.text.index("formaction=")  # the key Enter labels nothing
    taken = client.send(f"/s/{key}/originals.zip", page, ticked)
    names = zipfile.ZipFile(io.BytesIO(taken.content)).namelist()
    assert sorted(names) == sorted(f"pictures/{name[2:]}.png" for name in ticked)
    assert client.send(f"/s/{key}/label", page).headers["location"] == f"/s/{key}/pictures"
    try:
        people = client.follow(client.send(f"/s/{key}/label", page, ticked))
        while ">starting …<" in people.text:
            people = client.get(f"/s/{key}/people")
        assert "2 pictures drawn to label" in people.text
        again = client.send(f"/s/{key}/label", page, ticked)
        assert (again.status_code, "Close it first" in again.text) == (409, True)
    finally:
        client.send(f"/s/{key}/people", page, {"what": "close", "site": "labels"})
        while (
            ">closed<" not in client.get(f"/s/{key}/people").text.partition("site-labels")[2].partition("</section>")[0]
        ):
            time.sleep(0.05)


def test_a_selection_is_a_table_that_no_spreadsheet_takes_for_formulas(
    tmp_path: Path, start: Callable[..., Any]
) -> None:
    folder = tmp_path / "one"
    create_study(
        folder, generator="simulated", annotator="simulated", prompts=["=cmd nurse", "a CEO"], images=3, title="x"
    )
    Study(folder).run(progress=False)
    studio = start()
    client, key = studio.client(), key_of(tmp_path, "one")
    answer = client.get(f"/s/{key}/pictures.csv?term=%3Dcmd+nurse")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["prompt"] for row in rows] == ["'=cmd nurse"] * 3
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "one model only" in client.get(f"/s/{key}/side-by-side").text
    assert client.get(f"/s/{key}/side-by-side?page=x").status_code == 404
