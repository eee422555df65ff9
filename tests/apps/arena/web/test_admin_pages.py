"""The admin's pages: what they show is what was voted, and what they do is done."""

from __future__ import annotations

import csv
import io
import math
import re
import shutil
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from portrayal.records import PartNames


@pytest.fixture(scope="module")
def arena(arena_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory, start_module: Any) -> Any:
    """Return an arena in which one rater has answered everything with left, and one has begun; both take no time."""
    arena = start_module(
        arena_study(tmp_path_factory.mktemp("admin") / "study", quota=15, checks=0.2, leaderboard=True)
    )
    now = time.time()
    arena.service._clock = arena.service._steady = lambda: now
    for label, most in (("all left", 99), ("just begun", 1)):  # the first comparison is never an attention check
        client = arena.client()
        page = client.begin(arena.token(label))
        while "/done" not in str(page.url) and most:
            page, most = client.follow(client.vote(page)), most - 1
    return arena


def text_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_the_admin_page_shows_how_it_goes(arena: Any) -> None:
    said = text_of(arena.client().log_in().text)
    assert "19 comparisons answered 2 raters 2 began 1 finished" in said
    assert "all left 18/18" in said
    assert "just begun 1/18" in said
    assert "very fast" in said
    assert "one-sided: 15 left, 0 right" in said
    for model in ("secretmodelalpha", "secretmodelbeta", "secretmodelgamma"):
        assert model in said
    assert "Bias 16 votes, 0 skipped" in said


def test_the_admin_page_speaks_german(arena: Any) -> None:
    said = text_of(arena.client("de").log_in().text)
    assert "19 Vergleiche beantwortet" in said
    assert "einseitig: 15 links, 0 rechts" in said


def test_links_are_shown_once_and_work(arena: Any) -> None:
    admin, before = arena.client(), len(arena.service.raters())
    page = admin.log_in()
    made = admin.send("/admin/invite", page, count="3", label="  class\t 3b ")
    links = re.findall(rf"<code>({arena.address}/r/[\w-]+)</code>", made.text)
    assert len(set(links)) == 3
    assert [rater.label for rater in arena.service.raters()][before:] == ["class 3b"] * 3
    assert not any(link in admin.get("/admin").text for link in links)
    client = arena.client()
    assert client.get(links[0]).headers["location"] == "/consent"


@pytest.mark.parametrize("count", ["0", "501", "-1", "1.5", "", "x", "٣", "9" * 30])
def test_a_number_of_links_out_of_range_makes_none(arena: Any, count: str) -> None:
    admin, before = arena.client(), len(arena.service.raters())
    answer = admin.send("/admin/invite", admin.log_in(), count=count)
    assert answer.status_code == 422
    assert "Give a number from 1 to 500." in answer.text
    assert len(arena.service.raters()) == before


def test_the_export_holds_the_votes_that_count(arena: Any) -> None:
    admin = arena.client()
    page = admin.log_in()
    answer = admin.get("/admin/votes.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 16 * 3
    assert {row["vote"] for row in rows} == {"0"}
    assert {row["aspect"] for row in rows} == {"bias", "quality", "alignment"}
    everything = list(csv.DictReader(io.StringIO(admin.get("/admin/votes.csv?all=1").text)))
    assert len(everything) == 19 * 3
    busy = next(rater.id for rater in arena.service.raters() if rater.label == "all left")
    assert admin.send("/admin/exclude", page, rater=busy, excluded="yes").headers["location"] == "/admin#raters"
    assert len(admin.get("/admin/votes.csv").text.splitlines()) == 1 + 1 * 3
    assert len(admin.get("/admin/votes.csv?all=1").text.splitlines()) == 1 + 19 * 3
    admin.send("/admin/exclude", page, rater=busy, excluded="no")
    assert len(admin.get("/admin/votes.csv").text.splitlines()) == 1 + 16 * 3
    assert admin.send("/admin/exclude", page, rater="nobody", excluded="yes").status_code == 404


def test_the_leaderboard_is_public_and_computed_at_most_once_a_minute(
    arena: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from portrayal.apps.arena.web import leaderboard_cache

    calls = []
    rate = leaderboard_cache._rate

    def counted(rows: Any) -> Any:
        calls.append(len(rows))
        return rate(rows)

    monkeypatch.setattr(leaderboard_cache, "_rate", counted)
    monkeypatch.setattr(leaderboard_cache, "FRESH_SECONDS", math.inf)
    stranger, german = arena.client(), arena.client("de")
    page = stranger.get("/leaderboard")
    assert page.status_code == 200
    assert "secretmodelalpha" in page.text
    assert 'lang="de"' in german.get("/leaderboard").text
    stranger.get("/leaderboard")
    assert len(calls) <= 1


def test_models_go_by_their_names_and_votes_by_identities(
    arena: Any, start_arena: Callable[..., Any], cli: Callable[..., Any], tmp_path: Path
) -> None:
    named = start_arena(root=shutil.copytree(arena.root, tmp_path / "named"))
    named.service.study.names = PartNames({"secretmodelalpha": "Model A", "secretmodelbeta": "Model B"})
    admin = named.client()
    said = text_of(admin.log_in().text)
    assert "Model A" in said
    assert "secretmodelalpha" not in said
    page = text_of(named.client().get("/leaderboard").text)
    assert "Model B" in page
    assert "secretmodelbeta" not in page
    votes = tmp_path / "votes.csv"
    votes.write_text(admin.get("/admin/votes.csv").text, encoding="utf-8")
    rows = list(csv.DictReader(votes.read_text(encoding="utf-8").splitlines()))
    pairs = {(row[f"model_{side}"], row[f"name_{side}"]) for row in rows for side in "ab"}
    assert ("secretmodelalpha", "Model A") in pairs
    assert ("secretmodelgamma", "secretmodelgamma") in pairs
    rated = cli("arena", "rate", votes, "--aspect", "bias", "--draws", "100", "--html", tmp_path / "board.html")
    for text in (rated.stdout, (tmp_path / "board.html").read_text(encoding="utf-8")):
        assert "Model A" in text
        assert "secretmodelalpha" not in text
    assert "secretmodelalpha" in cli("arena", "rate", votes, "--draws", "100", "--json").stdout


def test_an_empty_arena_has_an_empty_admin_page_and_leaderboard(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(leaderboard=True)
    assert arena.client().get("/leaderboard").status_code == 200
    said = text_of(arena.client().log_in().text)
    assert "No votes to rate yet." in said
    assert "There are no raters yet." in said
    assert "not yet known" in said


def test_a_wrong_password_is_told(arena: Any) -> None:
    answer = arena.client().log_in("wrong password!")
    assert answer.status_code == 403
    assert "That is not the password." in answer.text
