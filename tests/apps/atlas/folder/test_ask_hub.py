"""The hub online: a server on this machine that answers as the hub does."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from huggingface_hub import constants

from portrayal.apps.atlas.folder.ask_hub import fetch_records
from portrayal.errors import PortrayalError

pytestmark = pytest.mark.slow

INDEX = json.dumps({"_class_name": "P", "scheduler": ["diffusers", "PNDMScheduler"]}).encode()
INFO = {
    "id": "org/model",
    "likes": 12,
    "downloads": 340,
    "pipeline_tag": "text-to-image",
    "createdAt": "2022-08-22T10:20:30.000Z",
    "siblings": [],
    "tags": [],
    "private": False,
}


class Hub(BaseHTTPRequestHandler):
    """Knows org/model, a pipeline, and org/plain, which is none."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        if self.path.startswith("/api/models/org/"):
            name = self.path.split("/api/models/")[1].split("?")[0]
            known = name in ("org/model", "org/plain")
            return self._answer(200 if known else 404, json.dumps({**INFO, "id": name}).encode())
        if self.path == "/org/model/resolve/main/model_index.json":
            return self._answer(200, INDEX)
        return self._answer(404, b"", "EntryNotFound")

    def _answer(self, code: int, data: bytes, error: str = "RepoNotFound") -> None:
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", '"0123"')
        self.send_header("X-Repo-Commit", "0" * 40)
        if code == 404:
            self.send_header("X-Error-Code", error)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def hub(serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> str:
    server = serve(ThreadingHTTPServer(("127.0.0.1", 0), Hub))
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", address)
    template = f"{address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    return address


def test_likes_downloads_date_and_scheduler(hub: str) -> None:
    pipeline, plain, unknown = fetch_records(["org/model", "org/plain", "org/unknown"])
    assert pipeline == {
        "id": "org/model",
        "likes": 12,
        "downloads": 340,
        "pipeline_tag": "text-to-image",
        "createdAt": "2022-08-22",
        "model_index.json": json.loads(INDEX),
    }
    assert isinstance(plain, dict)
    assert "model_index.json" not in plain
    assert unknown == "org/unknown: the hub has no such model"


def test_without_a_network_it_stops_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with pytest.raises(PortrayalError, match="the hub cannot be reached"):
        list(fetch_records(["org/model"]))


def test_a_name_that_cannot_be_on_the_hub(hub: str) -> None:
    assert list(fetch_records(["simulated@1#0123"])) == ["simulated@1#0123: the hub has no such model"]
