"""What a site printed is told apart, as its command prints it."""

from __future__ import annotations

from portrayal.apps.studio.people.people_sites import PeopleSite
from portrayal.apps.studio.people.site_lines import SiteLines, read_lines

LABELS = """\
/audits/one/study.toml: added a table [[annotators]]
labels: http://127.0.0.1:39353/
watch: http://127.0.0.1:39353/admin
password of the watch page (for this run; set PORTRAYAL_LABELS_PASSWORD to choose one): 36e4-vuws
15 pictures drawn to label
a first rater's link to try: http://127.0.0.1:39353/r/oR_DHb-3
"""
ARENA = """\
admin: http://127.0.0.1:1/admin
admin password (for this run; set PORTRAYAL_ARENA_PASSWORD to choose one): abcd
"""


def test_links_the_password_and_the_rest_are_told_apart() -> None:
    assert read_lines(LABELS.splitlines(), "/audits/one") == SiteLines(
        "http://127.0.0.1:39353/admin",
        "36e4-vuws",
        [("", "http://127.0.0.1:39353/r/oR_DHb-3")],
        "",
        ["study.toml: added a table [[annotators]]", "15 pictures drawn to label"],
    )
    arena = read_lines(ARENA.splitlines())
    assert (arena.password, arena.desk, arena.others) == ("abcd", "http://127.0.0.1:1/admin", [])
    graph = ["annotation: http://127.0.0.1:1/", "Ann: http://127.0.0.1:1/r/x", "Ann: 0 of 3 pages answered"]
    assert read_lines(graph) == SiteLines("", "", [("Ann", "http://127.0.0.1:1/r/x")], "", graph[2:])


def test_an_error_is_said_without_the_folder() -> None:
    lines = read_lines(["error: /audits/one: an arena compares two models"], "/audits/one")
    assert (lines.error, lines.ready) == ("an arena compares two models", False)


def test_a_site_is_open_once_people_can_come_and_not_while_it_closes() -> None:
    ready = SiteLines(links=[("", "http://127.0.0.1:1/r/x")])
    assert PeopleSite("arena", "").state == "closed"
    assert PeopleSite("arena", "", running=True).state == "starting"
    assert PeopleSite("arena", "", running=True, lines=ready).state == "running"
    assert PeopleSite("arena", "", running=True, closing=True, lines=ready).state == "closing"
    assert PeopleSite("arena", "", closing=True, lines=ready).state == "closed"
