"""Real annotation on loopback: a small domain, a real server, and clients of its pages."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest

from portrayal.apps.graph.web.app import create_app
from portrayal.apps.graph.web.service import GraphService
from portrayal.graph.domain import DOMAINS, Domain
from portrayal.web.server import build_server, listen
from portrayal.web.site_settings import SiteSettings

OCCUPATIONS = "name,group,title_de\njudge,Law,Richter/in\n<b>cook</b> & co,Kitchen,\nnurse,Care,Pflegefachkraft\n"
GROUPS = "name,title,title_de,terms\nred,Red people,Rote,Red\nblue,Blue people,,Blue\n"


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write three occupations and two groups."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "occupations.csv").write_text(OCCUPATIONS, encoding="utf-8")
    (folder / "groups.csv").write_text(GROUPS, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def domain(tables: Path) -> Domain:
    return DOMAINS.load(next(iter(DOMAINS.entries())))(tables, "team")


class PageClient:
    """A browser without scripts: keeps cookies, and follows what a person would follow."""

    def __init__(self, address: str, language: str = "en") -> None:
        self.http = httpx2.Client(base_url=address, headers={"Accept-Language": language}, timeout=None)

    def get(self, path: str) -> httpx2.Response:
        return self.http.get(path)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> httpx2.Response:
        headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self.http.post(path, content=urlencode(fields), headers=headers)

    def send(self, path: str, page: httpx2.Response, **fields: str) -> httpx2.Response:
        """Send a form of a page, with the page's token and version; a field like ``r0_1`` is ``r0-1``."""
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', page.text)
        assert found, page.text
        own = {name.replace("_", "-"): value for name, value in fields.items()}
        if version := re.search(r'name="version" value="([0-9a-f]+)"', page.text):
            own["version"] = version[1]
        return self.post(path, {"csrf": found[1], **own})

    def follow(self, answer: httpx2.Response) -> httpx2.Response:
        while answer.status_code == 303:
            answer = self.get(answer.headers["location"])
        return answer

    def begin(self, token: str) -> httpx2.Response:
        """Come with a link, agree, read how to judge, and see the first page."""
        page = self.follow(self.get(f"/r/{token}"))
        self.follow(self.send("/consent", page))
        return self.follow(self.get("/"))


class Annotation(threading.Thread):
    """A running server with its service, and the clients of its pages."""

    def __init__(self, folder: Path, domain: Domain, settings: Mapping[str, Any]) -> None:
        super().__init__()
        self.folder, self.domain, self.extra = folder, domain, settings
        self.ready = threading.Event()
        self.clients: list[PageClient] = []

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        try:
            self.service = await GraphService.open(self.folder, self.domain)
            self.loop = asyncio.get_running_loop()
            with listen("127.0.0.1", 0) as sock:
                self.address = f"http://127.0.0.1:{sock.getsockname()[1]}"
                settings = SiteSettings(**{"address": self.address, **self.extra})
                self.server = build_server(create_app(self.service, settings, "team@example.org"))
                self.ready.set()
                try:
                    await self.server.serve([sock])
                finally:
                    await self.service.close()
        finally:
            self.ready.set()

    def token(self, name: str) -> str:
        return asyncio.run_coroutine_threadsafe(self.service.invite(name), self.loop).result()

    def client(self, language: str = "en") -> PageClient:
        self.clients.append(PageClient(self.address, language))
        return self.clients[-1]

    def stop(self) -> None:
        for client in self.clients:
            client.http.close()
        self.server.should_exit = True
        self.join()


@pytest.fixture(scope="module")
def start(domain: Domain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Annotation]]:
    """Start a server: ``start()``, on answers that are there: ``start(folder)``, or about others: ``about=...``."""
    with ExitStack() as stack:

        def started(folder: Path | None = None, about: Domain = domain, **settings: Any) -> Annotation:
            thread = Annotation(folder or tmp_path_factory.mktemp("annotation") / "answers", about, settings)
            thread.start()
            thread.ready.wait()
            stack.callback(thread.stop)
            return thread

        yield started


@pytest.fixture(scope="module")
def annotation(start: Callable[..., Annotation]) -> Annotation:
    """A server that the tests of a module share."""
    return start()
