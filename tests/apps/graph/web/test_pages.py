"""The pages without a browser: from the link to the sheet, what may be sent, and who may see what."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.apps.graph.annotations.judgements import sheets_of
from portrayal.apps.graph.annotations.sheets import read_sheet, sheet_csv
from portrayal.apps.graph.database.open_answers import read_answers
from portrayal.graph import Vertex
from portrayal.graph.domain import Domain


def judged(annotation: Any, name: str) -> dict[str, str]:
    """Return what is on disk for an annotator, as "source > target": "types"."""
    found = read_answers(annotation.folder, annotation.domain)
    (who,) = [own.id for own in found.annotators if own.name == name]
    return {
        f"{own.pair[0].name} > {own.pair[1].name}": "unjudged" if own.types is None else " ".join(sorted(own.types))
        for own in found.judgements
        if own.annotator == who
    }


def test_from_the_link_to_the_sheet(annotation: Any, tmp_path: Path) -> None:
    client = annotation.client()
    page = client.follow(client.get(f"/r/{annotation.token('Ann')}"))
    assert "I agree, begin" in page.text
    assert "invited you: Ann." in page.text
    page = client.follow(client.send("/consent", page))
    assert str(page.url).endswith("/guidelines")
    page = client.follow(client.get("/"))
    assert '<h1 tabindex="-1" data-focus>Judge</h1>' in page.text
    stored = client.send("/vertex/1", page, r0_0="1", r0_2="1", u1="1", r3_1="1")
    assert (stored.status_code, stored.headers["location"]) == (303, "/vertex/2")
    expected = {
        "judge > red": "dominant_in stereotyped_as",
        "judge > blue": "unjudged",
        "red > judge": "",
        "blue > judge": "underrepresented_in",
    }
    assert judged(annotation, "Ann") == expected  # on disk before the answer came
    again = client.get("/vertex/1")
    assert set(re.findall(r'name="(\w+-?\d*)" value="1" checked', again.text)) == {"r0-0", "r0-2", "u1", "r3-1"}
    page = client.follow(client.send("/vertex/2", client.get("/vertex/2"), skip="1", r0_0="1"))
    page = client.follow(client.send("/vertex/3", page, save="1"))
    assert "answered all 3 pages" in page.text
    (sheet,) = [own for own in sheets_of(read_answers(annotation.folder, annotation.domain)) if own.annotator == "Ann"]
    path = tmp_path / "Ann.csv"
    path.write_text(sheet_csv(annotation.domain.vertices, annotation.domain.schema, sheet), encoding="utf-8")
    assert read_sheet(path, "Ann", annotation.domain.vertices, annotation.domain.schema) == sheet
    assert len(sheet.judged) == 3 + 4  # the cook was left unjudged, and one pair of the judge


def test_it_can_be_left_and_resumed_also_after_the_server_ended(start: Callable[..., Any]) -> None:
    first = start()
    token = first.token("Ann")
    client = first.client()
    page = client.begin(token)
    client.send("/vertex/1", page, r0_0="1")
    cookies = client.http.cookies
    first.stop()
    second = start(first.folder)
    again = second.client()
    assert "Page 2 of 3" in again.follow(again.get(f"/r/{token}")).text
    same = second.client()
    same.http.cookies = cookies  # the browser that was open all the time
    assert "Page 2 of 3" in same.follow(same.get("/")).text
    assert "2 of 3 pages answered" not in same.get("/overview").text
    assert same.get("/overview").text.count('<li class="done">') == 1


def test_answers_of_two_people_are_kept_apart(annotation: Any) -> None:
    clients = {name: annotation.client() for name in ("Cem", "Dua")}
    for number, (name, client) in enumerate(clients.items()):
        client.send("/vertex/1", client.begin(annotation.token(name)), **{f"r0_{number}": "1"})
    assert judged(annotation, "Cem")["judge > red"] == "stereotyped_as"
    assert judged(annotation, "Dua")["judge > red"] == "associated_with"


def test_of_two_windows_the_second_is_shown_what_the_first_stored(annotation: Any) -> None:
    client = annotation.client()
    first = client.begin(annotation.token("Kim"))
    second = client.get("/vertex/1")
    assert client.send("/vertex/1", first, r0_0="1").status_code == 303
    answer = client.send("/vertex/1", second, r0_1="1")
    assert (answer.status_code, "it was answered in another window" in answer.text) == (409, True)
    assert re.findall(r'name="([\w-]+)" value="1" checked', answer.text) == ["r0-0"]
    assert judged(annotation, "Kim")["judge > red"] == "stereotyped_as"
    assert client.send("/vertex/1", first, r0_0="1").status_code == 303  # the same once more, as by a double click
    assert client.send("/vertex/1", answer, r0_1="1").status_code == 303
    assert judged(annotation, "Kim")["judge > red"] == "associated_with"


def test_of_windows_that_send_at_the_same_moment_one_is_stored(start: Callable[..., Any]) -> None:
    annotation = start()
    client = annotation.client()
    page = client.begin(annotation.token("Lea"))
    windows = [annotation.client() for _ in range(8)]
    for window in windows:
        window.http.cookies = client.http.cookies
    write = annotation.service._writer._write

    def slow(changes: Any) -> None:
        time.sleep(0.3)  # all windows have sent before the first of them is on disk
        write(changes)

    annotation.service._writer._write = slow
    seen = [f"r{row}_{box}" for row in (0, 1) for box in range(4)]
    with ThreadPoolExecutor(8) as pool:
        sent = [
            pool.submit(window.send, "/vertex/1", page, **{box: "1"}) for window, box in zip(windows, seen, strict=True)
        ]
        answers = [one.result() for one in sent]
    assert sorted(answer.status_code for answer in answers) == [303] + [409] * 7
    stored = next(box for box, answer in zip(seen, answers, strict=True) if answer.status_code == 303)
    again = client.get("/vertex/1").text
    assert re.findall(r'name="([\w-]+)" value="1" checked', again) == [stored.replace("_", "-")]
    assert sum(map(bool, judged(annotation, "Lea").values())) == 1


def test_two_relations_that_contradict_one_another_are_not_stored(annotation: Any) -> None:
    client = annotation.client()
    page = client.begin(annotation.token("Jon"))
    answer = client.send("/vertex/1", page, r0_2="1", r0_3="1")
    assert (answer.status_code, "two relations that contradict one another" in answer.text) == (422, True)
    assert judged(annotation, "Jon") == {}
    assert client.send("/vertex/1", answer, r0_2="1", r2_1="1").status_code == 303  # in two directions they may


def test_a_new_link_takes_the_place_of_the_old_one(annotation: Any) -> None:
    old, new = annotation.token("Eve"), annotation.token("eve")
    assert annotation.client().get(f"/r/{old}").status_code == 404
    assert annotation.client().get(f"/r/{new}").status_code == 303
    assert [own.name for own in annotation.service.annotators()].count("Eve") == 1


def test_a_new_link_ends_the_sessions_of_the_old_one(start: Callable[..., Any]) -> None:
    annotation = start()
    client = annotation.client()
    page = client.begin(annotation.token("Eve"))
    other = annotation.client()
    other.begin(annotation.token("Bob"))
    new = annotation.token("Eve")
    assert client.get("/vertex/1").status_code == 403
    assert client.send("/vertex/1", page, r0_0="1").status_code == 403
    assert judged(annotation, "Eve") == {}
    assert other.get("/vertex/1").status_code == 200  # of somebody else
    assert client.follow(client.get(f"/r/{new}")).status_code == 200
    assert client.send("/vertex/1", client.get("/vertex/1"), r0_0="1").status_code == 303


def test_a_relation_and_no_judgement_at_once_are_not_stored(annotation: Any) -> None:
    client = annotation.client()
    page = client.begin(annotation.token("Fay"))
    answer = client.send("/vertex/1", page, r0_0="1", u0="1")
    assert answer.status_code == 422
    assert "for Red people a relation and “Not judged” were both ticked" in answer.text
    assert judged(annotation, "Fay") == {}


@pytest.mark.slow
def test_all_boxes_of_a_large_page_can_be_ticked(start: Callable[..., Any], domain: Domain) -> None:
    many = [Vertex("team", f"team {number}") for number in range(500)]
    large = start(about=replace(domain, vertices=[*domain.of_kind("occupation"), *many]))
    client = large.client()
    page = client.begin(large.token("Gus"))
    fields = {name.replace("-", "_"): "1" for name in re.findall(r'name="(r\d+-\d+)"', page.text)}
    assert len(fields) == 500 * (4 + 2)
    assert client.send("/vertex/1", page, **fields).status_code == 422  # all were read: some contradict one another
    kept = {name: value for name, value in fields.items() if not name.endswith("_3")}
    kept = {name: value for name, value in kept.items() if int(name[1:].partition("_")[0]) < 500 or name.endswith("_0")}
    assert client.send("/vertex/1", page, **kept).status_code == 303
    assert judged(large, "Gus")["team 499 > judge"] == "dominant_in"


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/vertex/1", {"r0_0": "1", "r9_9": "1"}, 400),
        ("/vertex/1", {"csrf": "0" * 64}, 403),
        ("/vertex/99", {}, 404),
        ("/vertex/x", {}, 404),
        ("/vertex/1", {f"x{number}": "1" for number in range(40)}, 400),
        ("/language", {"language": "xx"}, 400),
    ],
)
def test_what_no_page_of_ours_sends_is_refused(annotation: Any, path: str, fields: Any, status: int) -> None:
    client = annotation.client()
    page = client.begin(annotation.token("Hal"))
    assert client.send(path, page, **fields).status_code == status
    assert judged(annotation, "Hal") == {}


def test_forms_of_other_sites_and_endless_ones_are_refused(annotation: Any) -> None:
    client = annotation.client()
    page = client.begin(annotation.token("Ida"))
    csrf = re.findall(r'name="csrf" value="([0-9a-f]+)"', page.text)[0]
    assert client.post("/vertex/1", {"csrf": csrf}, Origin="https://elsewhere.example").status_code == 403
    assert client.post("/vertex/1", {"csrf": csrf, "r0-0": "1" * 20_000}).status_code == 413
    assert judged(annotation, "Ida") == {}


def test_without_a_link_there_is_nothing_to_see(annotation: Any) -> None:
    client = annotation.client()
    for path in ("/vertex/1", "/overview", "/guidelines", "/consent", "/done"):
        answer = client.get(path)
        assert (answer.status_code, "You need a link" in answer.text) == (403, True)
    assert "judge" not in client.get("/").text
    assert client.get("/r/guess").status_code == 404


def test_nothing_before_consent(annotation: Any) -> None:
    client = annotation.client()
    page = client.follow(client.get(f"/r/{annotation.token('Jan')}"))
    for path in ("/vertex/1", "/overview", "/guidelines", "/done"):
        assert client.get(path).headers["location"] == "/consent"
    assert client.send("/vertex/1", page, r0_0="1").headers["location"] == "/consent"
    assert judged(annotation, "Jan") == {}


def test_who_guesses_links_must_wait(start: Callable[..., Any]) -> None:
    client = start().client()
    assert [client.get(f"/r/guess{number}").status_code for number in range(31)] == [404] * 30 + [429]


def test_both_languages(annotation: Any) -> None:
    client = annotation.client("de")
    page = client.begin(annotation.token("Kai"))
    assert 'lang="de"' in page.text
    assert ("Richter/in" in page.text, "Rote" in page.text, "Blue people" in page.text) == (True, True, True)
    assert "Wen stellt man sich bei dieser Arbeit vor?" in page.text
    answer = client.send("/language", page, language="en", to="/vertex/1")
    assert "Whom does one picture at this work?" in client.follow(answer).text
    assert client.send("/language", page, language="en", to="//elsewhere.example").headers["location"] == "/"


def test_names_of_vertices_are_shown_as_text(annotation: Any) -> None:
    client = annotation.client()
    client.begin(annotation.token("Liv"))
    for path in ("/vertex/2", "/overview"):
        text = client.get(path).text
        assert "&lt;b&gt;cook&lt;/b&gt; &amp; co" in text
        assert "<b>cook" not in text


def test_cookies_travel_only_over_tls_where_there_is_tls(start: Callable[..., Any]) -> None:
    secure = start(address="https://people.example.org")
    cookie = secure.client().get(f"/r/{secure.token('Ann')}").headers["set-cookie"]
    assert all(word in cookie for word in ("__Host-portrayal-annotator", "Secure", "HttpOnly", "SameSite=lax"))
