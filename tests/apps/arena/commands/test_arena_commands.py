"""The arena's commands: serve in a process of its own, links, export, and every mistake in one line."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest

from portrayal import Arena
from portrayal.registry import Entry
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

PASSWORD = "a password of length"
GENERATORS = [{"use": "simulated", "images": 2}, {"use": "simulated", "images": 2, "options": {"size": 24}}]


@pytest.fixture(scope="module")
def drawn(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study with the pictures of two models; only to be copied."""
    about = {"quota": 2, "checks": 0, "questionnaire": False}
    folder = write_study(tmp_path_factory.mktemp("drawn") / "study", generators=GENERATORS, arena=about)
    run_stages(OpenStudy(folder), RunControl(), ("plan", "generate"))
    return folder


@pytest.fixture
def study(drawn: Path, tmp_path: Path) -> Path:
    return shutil.copytree(drawn, tmp_path / "study")


@pytest.fixture
def serving(start_command: Callable[..., subprocess.Popen[str]]) -> Iterator[Callable[..., Any]]:
    """Start a server and return it with the lines it prints; it is interrupted when the test ends."""
    started: list[subprocess.Popen[str]] = []

    def start(study: Path, *options: str, lines: int = 3, **environment: str) -> tuple[Any, list[str]]:
        told = {**os.environ, "PORTRAYAL_ARENA_PASSWORD": PASSWORD, **environment}
        server = start_command("arena", "serve", study, "--port", "0", *options, env=told)
        started.append(server)
        assert server.stdout is not None
        return server, [server.stdout.readline().strip() for _ in range(lines)]

    yield start
    for server in started:
        if server.poll() is None:
            server.send_signal(signal.SIGINT)
        server.communicate()


def address(line: str) -> str:
    found = re.search(r"http://[\d.]+:\d+", line)
    assert found, line
    return found[0]


def vote(http: httpx2.Client, page: httpx2.Response) -> httpx2.Response:
    fields = dict(re.findall(r'name="(csrf|battle)" value="(\w+)"', page.text))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    path = "/battle" if "battle" in fields else "/consent"
    fields |= dict.fromkeys(("bias", "quality", "alignment"), "left")
    return http.post(path, content=urlencode(fields), headers=headers)


@pytest.mark.slow
def test_serve_from_the_first_link_to_the_ratings(study: Path, serving: Callable[..., Any], cli: Any) -> None:
    server, (front, admin, link) = serving(study)
    root = address(front)
    assert front == f"arena: {root}/"
    assert admin == f"admin: {root}/admin"
    with httpx2.Client(base_url=root, follow_redirects=True, timeout=None) as http:
        page = http.get(link.removeprefix("a first rater's link to try: "))
        assert "Before you begin" in page.text
        for _ in range(3):
            page = vote(http, page)
        assert "Thank you!" in page.text
    to = study.parent / "votes.csv"
    done = cli("arena", "export", study, "--to", to)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{to}: 6 votes; rate them with: portrayal arena rate {to}\n"
    assert OpenStudy(study).workspace.tables["votes"].count() == 6
    assert Arena(study).export_votes(study.parent / "python.csv") == len(Arena(study).votes()) == 6
    assert (study.parent / "python.csv").read_bytes() == to.read_bytes()
    printed = cli("arena", "export", study, "--all").stdout
    assert len(list(csv.DictReader(io.StringIO(printed)))) == 6
    second = cli("arena", "serve", study, "--port", "0")
    assert second.returncode == 2
    assert re.fullmatch(r"error: .*another arena server is using it.*\n", second.stderr)
    assert cli("arena", "invite", study).returncode == 2
    server.send_signal(signal.SIGINT)
    out, err = server.communicate()
    assert server.returncode == 130
    assert out == ""
    asked, stopped = err.splitlines()
    assert asked.endswith("set contact under [arena] in study.toml")
    assert stopped == "stopped; every answer that was acknowledged is stored, run the same command to go on"
    rated = cli("arena", "rate", to)
    assert rated.returncode == 0, rated.stderr


@pytest.mark.slow
def test_a_server_whose_lock_is_deleted_stops_with_one_line(study: Path, serving: Callable[..., Any]) -> None:
    server, _ = serving(study)
    (study / "arena" / "votes.sqlite.lock").unlink()
    _, err = server.communicate()
    assert server.returncode == 2
    assert re.fullmatch(r"error: .*votes\.sqlite\.lock: somebody deleted this lock file.*", err.splitlines()[-1])
    assert "Traceback" not in err


@pytest.mark.slow
def test_serve_shows_a_first_link_only_without_raters_and_a_generated_password_only_on_standard_error(
    study: Path, serving: Callable[..., Any], cli: Any
) -> None:
    made = cli("arena", "invite", study, "--count", "2", "--label", "us", "--root-url", "https://arena.example.org")
    links = made.stdout.splitlines()
    assert len(set(links)) == 2
    assert all(re.fullmatch(r"https://arena\.example\.org/r/[\w-]{32}", link) for link in links)
    options = ("--root-url", "https://arena.example.org", "--behind-proxy")
    server, lines = serving(study, *options, lines=2, PORTRAYAL_ARENA_PASSWORD="")
    assert lines == ["arena: https://arena.example.org/", "admin: https://arena.example.org/admin"]
    server.send_signal(signal.SIGTERM)
    out, err = server.communicate()
    assert (server.returncode, out) == (130, "")
    [password] = re.findall(r"admin password .*: ([\w-]+)\n", err)
    assert len(password) > 20


@pytest.mark.slow
def test_a_port_in_use_is_one_line(study: Path, cli: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cli("arena", "serve", study, "--port", port)
    assert done.returncode == 2
    assert done.stderr == (
        f"error: cannot listen on 127.0.0.1:{port}: Address already in use; choose another --host or --port\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--root-url", "arena.example.org"), "--root-url 'arena.example.org' is not an address"),
        (("--host", "no.such.host.invalid"), "cannot listen on no.such.host.invalid:"),
        (("--database", "mysql://user:secretword@host/x"), "--database: must be like"),
        (("--port", "70000"), "Invalid value for '--port'"),
    ],
)
def test_wrong_options_are_one_line(study: Path, cli: Any, options: tuple[str, str], said: str) -> None:
    port = () if "--port" in options else ("--port", "0")
    done = cli("arena", "serve", study, *options, *port)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert "secretword" not in done.stderr


def test_a_short_password_is_one_line(study: Path, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTRAYAL_ARENA_PASSWORD", "short")
    done = cli("arena", "serve", study, "--port", "0")
    assert (done.returncode, "fewer than 12 characters" in done.stderr) == (2, True)
    assert "short" not in done.stderr.replace("shorter", "")


@pytest.mark.parametrize("command", ["serve", "invite"])
def test_a_study_without_pictures_says_what_to_do(make_study: Callable[..., Path], cli: Any, command: str) -> None:
    done = cli("arena", command, make_study())
    assert done.returncode == 2
    assert re.fullmatch(r"error: .*portrayal (run|generate|plan).*\n", done.stderr), done.stderr


def test_export_before_the_first_server_says_what_to_do(study: Path, cli: Any) -> None:
    done = cli("arena", "export", study)
    assert done.returncode == 2
    assert "start the arena with: portrayal arena serve" in done.stderr


@pytest.mark.parametrize("command", ["serve", "invite", "export"])
def test_a_missing_extra_is_one_line(study: Path, cli: Any, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setattr(Entry, "missing", lambda _: ("no_such_package",))
    done = cli("arena", command, study)
    assert done.returncode == 2
    assert done.stderr == 'error: the arena needs no_such_package: run pip install "portrayal[web]"\n'
