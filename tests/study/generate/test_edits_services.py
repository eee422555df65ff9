"""Real editors through the stages: a service behind HTTP, many at a time and for money, and faces that are drawn."""

from __future__ import annotations

import base64
import io
import threading
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.answering import AnswerHandler

from portrayal.generators.facegan.planted_edits import read_face
from portrayal.services import calls
from portrayal.store.ledger import spent_by_part
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
PROMPTS = """text,term,kind,edits
a portrait of a man,man,seed,
a portrait of a woman,woman,seed,
make it a nurse,nurse,word,seed
make it a plumber,plumber,word,seed
"""
EDITS = """
    SELECT term, edited.status, edited.reason, edited.image AS after, edited.ext,
           source.image AS before, source.ext AS source_ext
    FROM jobs JOIN prompts ON prompt = prompts.id JOIN outcomes AS edited ON edited.job = jobs.id
    JOIN outcomes AS source ON source.job = source_job
"""


class Service(ThreadingHTTPServer):
    """Speaks OpenAI's Images API. Every picture it makes is another one; plumbers it does not draw."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.edits: list[bytes] = []
        self.made = 0
        self.lock = threading.Lock()

    def draw(self) -> dict[str, Any]:
        with self.lock:
            self.made += 1
            colour = self.made % 256, self.made // 256, 7
        file = io.BytesIO()
        Image.new("RGB", (8, 8), colour).save(file, "PNG")
        return {"created": 1, "data": [{"b64_json": base64.b64encode(file.getvalue()).decode()}]}


class Handler(AnswerHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Service)
        body = self.rfile.read(int(self.headers["content-length"]))
        refused = b"plumber" in body
        if self.path == "/v1/images/edits":
            with self.server.lock:
                self.server.edits.append(body)
        error = {"error": {"code": "moderation_blocked", "message": "no plumbers", "type": "invalid_request_error"}}
        self.say(*((400, error) if refused else (200, self.server.draw())))


def edits(study: OpenStudy) -> list[dict[str, Any]]:
    return list(study.workspace.query(EDITS).to_pylist())


@pytest.mark.slow
def test_a_service_edits_what_it_drew(
    make_study: Make, serve: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    service = serve(Service())
    options = {"base_url": f"http://127.0.0.1:{service.server_port}/v1", "price": 0.25, "concurrency": 3}
    study = OpenStudy(make_study(prompts=PROMPTS, generators=[{"use": "openai:m", "images": 2, "options": options}]))
    run_stages(study, RunControl(budget=5.0), ("plan", "generate"))
    (name,) = study.generators
    assert read_status(study).outcomes == {name: {"made": 4 + 8, "refused: content_policy": 8}}
    found = edits(study)
    assert {(row["term"], row["status"]) for row in found} == {("nurse", "made"), ("plumber", "refused")}
    for row in found:
        source = study.workspace.images.path(row["before"], row["source_ext"]).read_bytes()
        # Every source was sent with either text as often as it is to be edited.
        text = f"make it a {row['term']}".encode()
        assert sum(source in body and text in body for body in service.edits) == 2
    assert len(service.edits) == 16
    assert spent_by_part(study.workspace)[name] == pytest.approx(0.25 * 20)  # a refusal is billed too
    run_stages(OpenStudy(study.root), RunControl(budget=0.0), ("plan", "generate"))
    assert len(service.edits) == 16


@pytest.mark.slow
def test_facegan_edits_the_faces_it_drew(make_study: Make) -> None:
    study = OpenStudy(
        make_study(prompts=PROMPTS, generators=[{"use": "facegan", "images": 1, "options": {"size": 128}}])
    )
    run_stages(study, RunControl(), ("plan", "generate"))
    assert list(read_status(study).outcomes.values()) == [{"made": 2 + 4}]
    for row in edits(study):
        before, after = (
            read_face(study.workspace.images.path(row[name], "jpg").read_bytes()) for name in ("before", "after")
        )
        assert (before.seed, before.moves) == (after.seed, {})
        assert after.moves["gender"] * {"nurse": 1, "plumber": -1}[row["term"]] > 0
        assert row["before"] != row["after"]
