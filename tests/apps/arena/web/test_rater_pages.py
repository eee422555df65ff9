"""A rater's way through the pages, without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.apps.arena.web.rater_table import rater_statuses
from portrayal.errors import StorageError

pytestmark = pytest.mark.slow


def test_from_the_link_to_the_end(arena: Any) -> None:
    client, token = arena.client(), arena.token()
    page = client.follow(client.get(f"/r/{token}"))
    assert str(page.url).endswith("/consent")
    assert "There are 5 comparisons, about 2\xa0minutes." in page.text
    assert "team@example.org" in page.text
    page = client.follow(client.send("/consent", page))
    assert str(page.url).endswith("/questions")
    page = client.follow(client.send("/questions", page, skip="1"))
    for number in range(1, 6):
        assert f"Comparison {number} of 5" in page.text
        assert f'value="{number - 1}" max="5"' in page.text
        page = client.follow(client.vote(page))
    assert str(page.url).endswith("/done")
    assert "Thank you!" in page.text
    for path in ("/battle", "/", f"/r/{token}", "/consent", "/questions"):
        assert str(client.follow(client.get(path)).url).endswith("/done")
    page = client.follow(client.send("/undo", page))
    assert "Comparison 5 of 5" in page.text


def test_each_step_leads_to_the_one_that_is_due(arena: Any) -> None:
    client = arena.client()
    page = client.follow(client.get(f"/r/{arena.token()}"))
    for path in ("/", "/questions", "/battle", "/done"):
        assert client.get(path).headers["location"] == "/consent", path
    client.send("/consent", page)
    for path in ("/", "/consent", "/battle", "/done"):
        assert client.get(path).headers["location"] == "/questions", path


def test_without_a_link_there_is_nothing_to_see(arena: Any) -> None:
    stranger = arena.client()
    assert "You need a link" in stranger.get("/").text
    for path in ("/consent", "/questions", "/battle", "/done"):
        answer = stranger.get(path)
        assert (answer.status_code, "You need a link" in answer.text) == (403, True)
    assert "Sie brauchen einen Link" in arena.client("de-AT,de;q=0.9,en;q=0.5").get("/").text


def test_answers_to_the_questionnaire_are_stored_in_one_language(arena: Any) -> None:
    client, token = arena.client("de"), arena.token()
    page = client.follow(client.get(f"/r/{token}"))
    page = client.follow(client.send("/consent", page))
    assert "Wie alt sind Sie?" in page.text
    fields = {"q-age": "3", "q-gender": "  divers \t so ", "q-country": "x" * 500, "q-use": "99", "q-other": "y"}
    client.send("/questions", page, **fields)
    rater = arena.service.rater_by_token(token)
    assert dict(rater.answers) == {"age": "25 to 34", "gender": "divers so", "country": "x" * 80}
    assert rater.language == "de"
    client.send("/questions", page, **{"q-age": "1"})
    assert arena.service.rater_by_token(token).answers["age"] == "25 to 34", "asked once"


def test_the_language_is_remembered(arena: Any) -> None:
    client, token = arena.client("en"), arena.token()
    page = client.begin(token)
    page = client.follow(client.send("/language", page, language="de", to="/battle"))
    assert "Vergleich 1 von 5" in page.text
    assert arena.service.rater_by_token(token).language == "de"
    other = arena.client("en")
    assert "Vergleich 1 von 5" in other.follow(other.get(f"/r/{token}")).text
    assert client.send("/language", page, language="fr").status_code == 400
    stranger = arena.client("en")
    page = stranger.get("/")
    for elsewhere in ("https://evil.example/", "//evil.example", "/r/x", "javascript:alert(1)"):
        answer = stranger.send("/language", page, language="de", to=elsewhere)
        assert answer.headers["location"] == "/"
    assert "Sie brauchen einen Link" in stranger.get("/").text


def test_prompts_carry_their_own_language(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(quota=15, checks=0)
    client = arena.client()
    page = client.begin(arena.token())
    spoken = set()
    while "/done" not in str(page.url):
        spoken |= {
            (language, text[:3]) for language, text in re.findall(r'class="prompt" lang="(\w+)">(.*?)<', page.text)
        }
        page = client.follow(client.vote(page))
    assert spoken == {("en", "A p"), ("de", "Ein")}


def test_own_consent_and_own_questions(arena_study: Callable[..., Path], tmp_path: Path, start_arena: Any) -> None:
    root = arena_study(tmp_path / "own", title="Our own", consent={"en": "One.\n\nTwo.", "de": "Eins."})
    with (root / "study.toml").open("a", encoding="utf-8") as file:
        file.write(
            '[[arena.questions]]\nkey = "role"\nlabel = { en = "Your role?", de = "Ihre Rolle?" }\n'
            'options = [{ en = "Student", de = "Studium" }, { en = "Staff" }]\n'
            '[[arena.questions]]\nkey = "note"\nlabel = { en = "Anything else?" }\n'
        )
    arena = start_arena(root=root)
    client, token = arena.client("de"), arena.token()
    page = client.follow(client.get(f"/r/{token}"))
    assert "<p>Eins.</p>" in page.text
    assert "Was gespeichert wird" in page.text  # whatever the text of their own says
    assert "Our own" in page.text
    page = client.follow(client.send("/consent", page))
    assert all(text in page.text for text in ("Ihre Rolle?", "Studium", "Staff", "Anything else?"))
    assert "Wie alt" not in page.text
    client.send("/questions", page, **{"q-role": "1", "q-note": "nein"})
    assert dict(arena.service.rater_by_token(token).answers) == {"role": "Student", "note": "nein"}


def test_without_a_questionnaire_nobody_is_asked(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(questionnaire=False)
    client = arena.client()
    page = client.follow(client.get(f"/r/{arena.token()}"))
    assert "questions about yourself" not in page.text
    page = client.follow(client.send("/consent", page))
    assert "Comparison 1 of 5" in page.text


def test_joining_an_open_arena_gives_a_link_to_come_back(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(open=True)
    client = arena.client()
    page = client.get("/")
    assert "5 comparisons, about 2\xa0minutes" in page.text
    joined = client.send("/join", page)
    link = re.search(rf"{arena.address}/r/([\w-]+)", joined.text)
    assert link
    assert len(arena.service.raters()) == 1
    again = client.send("/join", joined)
    assert again.headers["location"] == "/consent", "a reload makes no second rater"
    assert len(arena.service.raters()) == 1
    elsewhere = arena.client()
    assert str(elsewhere.follow(elsewhere.get(f"/r/{link[1]}")).url).endswith("/consent")


def test_a_closed_arena_cannot_be_joined(arena: Any) -> None:
    stranger, before = arena.client(), len(arena.service.raters())
    assert stranger.send("/join", stranger.get("/")).status_code == 404
    assert len(arena.service.raters()) == before


def test_joining_is_throttled(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(open=True)
    client = arena.client()
    page, cookies = client.get("/"), client.http.cookies.jar
    statuses = []
    for _ in range(102):
        statuses.append(client.send("/join", page).status_code)
        for cookie in [cookie for cookie in cookies if "rater" in cookie.name]:
            cookies.clear(cookie.domain, cookie.path, cookie.name)
    assert statuses.count(200) == 100
    assert statuses[-1] == 429


def test_a_restarted_server_goes_on_where_it_was(start_arena: Callable[..., Any]) -> None:
    arena = start_arena()
    client, token = arena.client(), arena.token()
    page = client.follow(client.vote(client.begin(token)))
    cookies = {cookie.name: cookie.value for cookie in client.http.cookies.jar}
    arena.stop()
    again = start_arena(root=arena.root)
    resumed = again.client()
    resumed.http.cookies.update(cookies)
    shown = resumed.get("/battle")
    assert resumed.task_of(shown) == client.task_of(page)
    answer = resumed.post(
        "/battle",
        {"csrf": client.csrf(page), "battle": client.task_of(page)}
        | dict.fromkeys(("bias", "quality", "alignment"), "draw"),
    )
    assert answer.status_code == 303, "a page from before the restart still counts"
    assert len(again.service.answered_battles()) == 2


@pytest.mark.parametrize(("language", "words"), [("en", "Nothing here"), ("de", "Hier ist nichts")])
def test_what_is_not_there(arena: Any, language: str, words: str) -> None:
    client = arena.client(language)
    for path in (
        "/nothing",
        "/battle/",
        "/docs",
        "/openapi.json",
        "/leaderboard",
        "/static/none.css",
        "/admin/none",
        "/r/",
        "/r/a/b",
    ):
        answer = client.get(path)
        assert (answer.status_code, words in answer.text) == (404, True), path
    answer = client.http.put("/battle", headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert (answer.status_code, words in answer.text) == (405, True)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (RuntimeError("secret detail"), 500, ("Something went wrong", "Etwas ist schiefgegangen")),
        (StorageError("/secret/detail: the disk is full"), 503, ("Not available just now", "Gerade nicht verfügbar")),
    ],
)
def test_trouble_is_told_kindly_and_without_details(
    start_arena: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    words: tuple[str, str],
) -> None:
    arena = start_arena()

    async def fail(*_: object) -> None:
        raise error

    for language, said in zip(("en", "de"), words, strict=True):
        client = arena.client(language)
        page = client.begin(arena.token())
        with monkeypatch.context() as patch:
            patch.setattr(arena.service, "vote", fail)
            answer = client.vote(page)
        assert answer.status_code == status
        assert said in answer.text
        assert "secret" not in answer.text
        assert answer.headers["content-security-policy"]
        assert client.vote(page).status_code == 303, "the same page can be sent again"


def test_a_picture_that_is_gone_is_told_in_the_log_only(
    start_arena: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    arena = start_arena()
    client = arena.client()
    page = client.begin(arena.token())
    for path in (arena.root / "images").glob("*/*"):
        path.unlink()
    answer = client.get(f"/image/{client.task_of(page)}/left")
    assert answer.status_code == 500
    assert "images" not in answer.text
    assert "the image is gone" in caplog.text


def test_a_degraded_picture_is_shown_on_the_failing_side_of_a_check(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(quota=4, checks=0.5)
    client, token = arena.client(), arena.token()
    page = client.begin(token)
    kinds = set()
    while "/done" not in str(page.url):
        battle = client.task_of(page)
        shown = arena.service.dealt_task(arena.service.rater_by_token(token).id, battle)
        same = client.get(f"/image/{battle}/left").content == client.get(f"/image/{battle}/right").content
        assert not same
        if shown.check:
            assert shown.left_image == shown.right_image
            kinds.add(shown.check)
            page = client.follow(client.vote(page, shown.check))
        else:
            page = client.follow(client.vote(page, "draw"))
    assert kinds
    [status] = arena.call(rater_statuses(arena.service))
    assert status.quality.failed_checks == 0


def test_votes_of_a_rater_left_out_are_still_taken(arena: Any) -> None:
    client, token = arena.client(), arena.token()
    page = client.begin(token)
    rater = arena.service.rater_by_token(token)
    arena.call(arena.service.exclude(rater.id, True))
    assert client.vote(page).status_code == 303
    assert arena.service.rater_by_token(token) == replace(rater, excluded=True)
