"""Somebody else's study is looked at, and nothing that it asks is done."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from portrayal.errors import PortrayalError
from portrayal.processes.refusing import reaching_nobody
from portrayal.study.run_control import RunControl
from portrayal.study.untrusted.looking import open_untrusted

Cli = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[..., Path]
Tree = Callable[[Path], dict[str, bytes | None]]


def test_a_study_that_stays_at_home_does_nothing_else(finished: Path, cli: Cli, tree: Tree) -> None:
    before = tree(finished)
    ran = cli("open", finished)
    title, deeds, verified, _ = ran.stdout.splitlines()
    assert (ran.returncode, title) == (0, "A small study")
    assert deeds == "running it would read and write in its own folder only"
    assert verified.endswith(": none is damaged")
    assert tree(finished) == before


def test_what_it_would_do_is_said(make_study: Make, tmp_path: Path, cli: Cli, tree: Tree) -> None:
    (tmp_path / "secret.csv").write_text("text\n")
    folder = make_study(
        suite={"use": "file", "options": {"path": "link.csv"}},
        generators=[
            {"use": "openai", "options": {"model": "m", "base_url": "https://a.example/v1", "key_env": "MY_KEY"}},
            {"use": "python:mine@1"},
            {"use": "folder:../../pictures"},
        ],
        annotators=[{"use": "nowhere"}, {"use": "simulated", "options": {"x": ["~/labels", "/etc/passwd", "a text"]}}],
        storage={"images": "s3://bucket/x"},
        imports=[{"images": "/mnt/photos", "layout": "manifest"}],
    )
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    before = tree(folder)
    ran = cli("open", folder, "--json")
    assert ran.returncode == 0
    found = json.loads(ran.stdout)
    assert found["verified"] is None
    said = {(deed["kind"], deed["what"]) for deed in found["deeds"]}
    home, near = os.path.realpath(Path.home()), os.path.realpath(tmp_path)
    asked = "send prompts and pictures to https://a.example/v1, with the key in MY_KEY; this may cost money"
    assert said == {
        ("path", f"read {near}/secret.csv"),
        ("path", f"follow the link link.csv to {near}/secret.csv"),
        ("network", asked),
        ("code", "run a part of its author's own, which you would have to give it from Python"),
        ("path", f"read {os.path.realpath(folder / '../../pictures')}"),
        ("code", "need a part that is not installed here"),
        ("path", f"read {home}/labels"),
        ("path", "read /etc/passwd"),
        ("store", "keep and read images in s3://bucket/x, if you allow it"),
        ("path", "read /mnt/photos"),
    }
    assert "running it would read /etc/passwd ([[annotators]] simulated)" in cli("open", folder).stdout
    assert tree(folder) == before


def test_damage_is_found(finished_copy: Path, cli: Cli) -> None:
    picture = next((finished_copy / "images").rglob("*.png"))
    picture.write_bytes(b"another")
    ran = cli("open", finished_copy)
    assert ran.returncode == 2
    assert f"{picture.relative_to(finished_copy)}: " in ran.stdout


def test_nobody_is_reached_meanwhile(finished: Path, serve: Callable[..., ThreadingHTTPServer]) -> None:
    server = serve(ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler))
    address = ("127.0.0.1", server.server_address[1])
    problems: list[BaseException] = []

    def reach() -> None:
        for work in (
            lambda: socket.create_connection(address),
            lambda: socket.getaddrinfo("localhost", 80),
            lambda: subprocess.run([sys.executable, "-c", ""], check=True),
            lambda: os.system("true"),
        ):
            try:
                work()
            except PortrayalError as error:
                problems.append(error)

    with reaching_nobody():
        reach()
        thread = threading.Thread(target=reach)
        thread.start()
        thread.join()
        open_untrusted(finished, RunControl())
        reach()
    assert len(problems) == 12
    assert str(problems[0]).startswith("an untrusted study may not reach the network (socket.")
    socket.create_connection(address).close()
    assert subprocess.run([sys.executable, "-c", ""], check=True).returncode == 0
