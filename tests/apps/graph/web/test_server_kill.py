"""``kill -9`` while several people answer: what was acknowledged is on disk, and they go on where they were."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest

from portrayal.apps.graph.database.open_answers import read_answers
from portrayal.graph.domain import DOMAINS

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Bob", "Cem")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
Said = list[tuple[str, int, str]]
"""Who answered which page, and with which type of relation, each acknowledged."""


def answer_until_it_dies(address: str, token: str, name: str, said: Said, enough: threading.Event) -> None:
    """Answer page after page, and note what was acknowledged: the redirect to the next page."""
    kinds = ("stereotyped_as", "associated_with", "dominant_in", "underrepresented_in")
    with httpx2.Client(base_url=address, timeout=None) as http:
        try:
            page = http.get(f"/r/{token}", follow_redirects=True)
            while number := re.search(r"/vertex/(\d+)$", str(page.url)):
                kind = int(number[1]) % 4
                hidden = dict(re.findall(r'name="(csrf|version)" value="([0-9a-f]+)"', page.text))
                sent = http.post(number[0], content=urlencode({**hidden, f"r0-{kind}": "1"}), headers=FORM)
                assert sent.status_code == 303
                said.append((name, int(number[1]), kinds[kind]))
                if len(said) >= 25:
                    enough.set()
                page = http.get(sent.headers["location"])
        except httpx2.TransportError:
            return  # it was killed


def started(start_command: Any, folder: Path, *names: str) -> tuple[subprocess.Popen[str], str, dict[str, str]]:
    """Start the real command, and return it with its address and the links it printed."""
    asked = [word for name in names for word in ("--annotator", name)]
    server: subprocess.Popen[str] = start_command("graph", "serve", folder, "--port", "0", *asked)
    assert server.stdout is not None
    address = server.stdout.readline().split()[-1].rstrip("/")
    links = {name: server.stdout.readline().strip().rpartition("/r/")[2] for name in names}
    return server, address, links


def test_no_acknowledged_answer_is_lost(start_command: Callable[..., Any], tmp_path: Path) -> None:
    folder, said, enough = tmp_path / "answers", Said(), threading.Event()
    server, address, links = started(start_command, folder, *NAMES)
    for token in links.values():
        with httpx2.Client(base_url=address, timeout=None) as http:
            page = http.get(f"/r/{token}", follow_redirects=True)
            csrf = re.findall(r'name="csrf" value="([0-9a-f]+)"', page.text)[0]
            http.post("/consent", content=urlencode({"csrf": csrf}), headers=FORM)
    people = [
        threading.Thread(target=answer_until_it_dies, args=(address, token, name, said, enough))
        for name, token in links.items()
    ]
    for person in people:
        person.start()
    enough.wait()
    server.kill()
    for person in people:
        person.join()
    server.communicate()
    domain = DOMAINS.load(next(iter(DOMAINS.entries())))()
    found = read_answers(folder, domain)
    names = {own.id: own.name for own in found.annotators}
    pages = [vertex.name for vertex in domain.of_kind("occupation")]
    kept = {
        (names[own.annotator], pages.index(own.pair[0].name) + 1, *(own.types or ()))
        for own in found.judgements
        if own.pair[0].kind == "occupation" and own.types
    }
    assert set(said) <= kept
    assert len(kept - set(said)) <= len(NAMES)  # at most one each was stored and not acknowledged any more
    assert len(found.judgements) % 22 == 0  # a page is there as a whole or not at all

    server, address, _ = started(start_command, folder)
    with httpx2.Client(base_url=address, timeout=None) as http:
        page = http.get(f"/r/{links['Ann']}", follow_redirects=True)
    done = sum(name == "Ann" for name, *_ in kept)
    assert str(page.url).endswith(f"/vertex/{done + 1}")
    server.send_signal(signal.SIGINT)
    assert "stopped; every answer that was acknowledged is stored" in server.communicate()[1]
    assert server.returncode == 130
