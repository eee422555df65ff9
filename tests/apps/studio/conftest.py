"""A folder of studies that run without pictures, and a real studio on loopback."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import httpx2
import pytest

from portrayal.api.study import Study
from portrayal.apps.studio.web.app import create_app
from portrayal.apps.studio.web.service import StudioService
from portrayal.study.create.create_study import create_study
from portrayal.web.server import build_server, listen
from portrayal.web.site_settings import SiteSettings


def add_study(folder: Path, images: int = 4, size: int = 24) -> Path:
    """Create a study of two prompts with planted people."""
    create_study(
        folder,
        generator={"use": "simulated", "options": {"size": size} if size else {"pixels": False}},
        annotator="simulated",
        prompts=["a photo of one nurse", "a photo of one <b>CEO</b>"],
        images=images,
        title=f"Study {folder.name}",
    )
    return folder


@pytest.fixture
def add_finished(made_once: Callable[..., Path]) -> Callable[..., Path]:
    """Put a study into a folder as ``add_study`` does, run to its report."""

    def run(folder: Path, images: int, size: int) -> None:
        Study(add_study(folder, images, size)).run(progress=False)

    def add(folder: Path, images: int = 4, size: int = 24) -> Path:
        return made_once(folder, run, images, size)

    return add


class PageClient:
    """A browser without scripts."""

    def __init__(self, address: str, language: str = "en") -> None:
        self.http = httpx2.Client(base_url=address, headers={"Accept-Language": language}, timeout=None)

    def get(self, path: str) -> httpx2.Response:
        return self.http.get(path)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> httpx2.Response:
        headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self.http.post(path, content=urlencode(fields), headers=headers)

    def send(self, path: str, page: httpx2.Response, fields: Mapping[str, str] | None = None) -> httpx2.Response:
        """Send a form of a page, with the page's token."""
        token = re.search(r'name="csrf" value="([0-9a-f]+)"', page.text)
        assert token, page.text
        return self.post(path, {"csrf": token[1], **(fields or {})})

    def follow(self, answer: httpx2.Response) -> httpx2.Response:
        while answer.status_code == 303:
            answer = self.get(answer.headers["location"])
        return answer


class Studio(threading.Thread):
    """A running server."""

    def __init__(self, root: Path, password: str = "") -> None:
        super().__init__()
        self.password = password
        self.root = root
        self.ready = threading.Event()
        self.clients: list[PageClient] = []

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self.service = StudioService.open(self.root)
        tending = asyncio.create_task(self.service.tend())
        try:
            with listen("127.0.0.1", 0) as sock:
                self.address = f"http://127.0.0.1:{sock.getsockname()[1]}"
                self.server = build_server(create_app(self.service, SiteSettings(self.address), self.password))
                self.ready.set()
                await self.server.serve([sock])
        finally:
            tending.cancel()
            self.service.close()
            self.ready.set()

    def client(self, language: str = "en", *, entered: bool = True) -> PageClient:
        client = PageClient(self.address, language)
        self.clients.append(client)
        if entered:
            assert client.get(f"/r/{self.service.token}").status_code == 303
        return client

    def stop(self) -> None:
        for client in self.clients:
            client.http.close()
        self.server.should_exit = True
        self.join()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Studio]]:
    """Start a studio on a folder, by default a new one."""
    with ExitStack() as stack:

        def started(root: Path | None = None, password: str = "") -> Studio:
            thread = Studio(root or tmp_path, password)
            thread.start()
            thread.ready.wait()
            stack.callback(thread.stop)
            return thread

        yield started
