"""A service in all its moods: whatever it answers, every job ends in one outcome and the budget holds."""

from __future__ import annotations

import base64
import io
import json
import math
import random
import signal
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import httpcore2
import pytest
from PIL import Image as Pillow
from tests.answering import AnswerHandler

from portrayal.errors import BudgetError
from portrayal.services import calls
from portrayal.store.ledger import spent_by_part
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Start = Callable[..., ForkServerProcess]
JOBS, TRIES, ATTEMPTS, CONCURRENCY, KILLS = 40, 3, 2, 8, 3
PROMPTS = "text,term,category\n" + "".join(f"a photo of person {n},t{n},c\n" for n in range(JOBS))
MOODS = {
    "good": 40,
    "slow": 10,
    "limited": 12,
    "broken": 10,
    "hangs": 4,
    "malformed": 7,
    "truncated": 7,
    "reset": 5,
    "refuses": 5,
}
BILLED = ("good", "slow", "hangs", "malformed", "truncated", "reset", "refuses")
"""Moods in which the service charges for the request; the client sees that of some only as silence."""


IMPATIENT = """
import httpcore2

patient = httpcore2.ConnectionPool.handle_request

def impatient(pool, request):
    response = patient(pool, request)
    if any(name.lower() == b"x-hangs" for name, _ in response.headers):
        response.close()
        raise httpcore2.ReadTimeout("the service hangs")
    return response

httpcore2.ConnectionPool.handle_request = impatient
"""
"""Gives a request up as soon as the service hangs. A limit in seconds would give up others too, on a busy machine."""

HASTE = f"""
from portrayal.services import calls
{IMPATIENT}
calls.FIRST_WAIT = 0.01
"""


class Moody(ThreadingHTTPServer):
    """Its mood at the n-th request for a prompt follows from ``seed``; how long it takes, from ``timing``.

    So two servers of one seed give the same answers at different times and in a different order.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, seed: int, timing: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self._lock = threading.Lock()
        self.begin(seed, timing)

    def begin(self, seed: int, timing: int) -> None:
        """Forget all requests so far."""
        self.seed, self.timing, self.silent_after = seed, random.Random(timing), math.inf
        self.moods, self._asked = Counter[str](), Counter[str]()

    def mood(self, prompt: str) -> tuple[str, float]:
        with self._lock:
            self._asked[prompt] += 1
            chance = random.Random(f"{self.seed} {prompt} {self._asked[prompt]}")
            mood = chance.choices(list(MOODS), list(MOODS.values()))[0]
            self.moods[mood] += 1
            return mood, self.timing.uniform(0, 0.03)

    @property
    def billed(self) -> int:
        return sum(self.moods[mood] for mood in BILLED)


class Handler(AnswerHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Moody)
        prompt = json.loads(self.rfile.read(int(self.headers["content-length"])))["prompt"]
        mood, pause = self.server.mood(prompt)
        if self.server.moods.total() > self.server.silent_after:
            self.connection.recv(1)  # which comes when the client is gone
            return
        time.sleep(pause + (0.2 if mood == "slow" else 0))
        if mood == "hangs":
            self.say(200, b"", x_hangs="for ever")
        elif mood == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        elif mood == "limited":
            self.say(429, {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, retry_after_ms="20")
        elif mood == "broken":
            self.say(500, {"error": {"message": "out of order"}})
        elif mood == "refuses":
            self.say(400, {"error": {"message": "not this", "code": "content_policy_violation"}})
        elif mood == "malformed":
            self.say(200, b'{"data": [{"b64_json": "iVBO')
        else:
            data = drawn(prompt)
            data = data[: len(data) // 2] if mood == "truncated" else data
            self.say(200, {"data": [{"b64_json": base64.b64encode(data).decode(), "revised_prompt": f"{prompt}!"}]})

    def finish(self) -> None:
        if self.connection.fileno() != -1:  # not reset
            super().finish()


def drawn(prompt: str) -> bytes:
    """Return the picture of a prompt: noise, so that half of it is really half of it."""
    noise = random.Random(prompt).randbytes(24 * 24 * 3)
    buffer = io.BytesIO()
    Pillow.frombytes("RGB", (24, 24), noise).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def study_for(make_study: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[[Moody, str], OpenStudy]:
    """Write a study that asks a server for one image of each prompt, and plan it."""
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    pool = httpcore2.ConnectionPool
    monkeypatch.setattr(pool, "handle_request", pool.handle_request)  # to be put back
    exec(IMPATIENT, {})

    def make(server: Moody, name: str) -> OpenStudy:
        options = {"base_url": f"http://127.0.0.1:{server.server_port}/v1", "price": 1.0}
        limits = {"tries": TRIES, "timeout": 3600, "concurrency": CONCURRENCY}
        generators = [{"use": "openai:moody", "images": 1, "options": {**options, **limits}}]
        folder = make_study(name, prompts=PROMPTS, generators=generators, generate={"attempts": ATTEMPTS})
        study = OpenStudy(folder)
        plan(study, RunControl())
        return study

    return make


def check_outcomes(study: OpenStudy) -> None:
    """Every job is answered once, or has failed as often as it may; the images are there."""
    outcomes = study.workspace.query("SELECT * FROM outcomes").to_pylist()
    by_job: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(outcomes, key=lambda row: row["attempt"]):
        by_job.setdefault(row["job"], []).append(row)
    assert len(by_job) == JOBS
    for rows in by_job.values():
        assert [row["attempt"] for row in rows] == list(range(1, len(rows) + 1))
        assert [row["status"] for row in rows[:-1]] == ["failed"] * (len(rows) - 1)
        assert rows[-1]["status"] in ("made", "refused") or len(rows) == ATTEMPTS
    texts = {row["id"]: row["text"] for row in study.workspace.query("SELECT * FROM prompts").to_pylist()}
    jobs = {row["id"]: texts[row["prompt"]] for row in study.workspace.query("SELECT * FROM jobs").to_pylist()}
    for row in outcomes:
        if row["status"] == "made":
            assert row["revised_prompt"] == f"{jobs[row['job']]}!"
            assert study.workspace.images.path(row["image"], row["ext"]).read_bytes() == drawn(jobs[row["job"]])


def spent(study: OpenStudy) -> float:
    return sum(spent_by_part(study.workspace).values())


def test_every_job_ends_in_one_outcome_and_the_order_of_arrival_changes_nothing(
    serve: Callable[[Moody], Moody],
    study_for: Callable[[Moody, str], OpenStudy],
    rows: Callable[[Path], dict[str, list[str]]],
) -> None:
    found = []
    server = serve(Moody(5, 1))  # one server for both: its address is part of every job
    for timing in (1, 2):
        server.begin(5, timing)
        study = study_for(server, f"study{timing}")
        generate(study, RunControl())
        check_outcomes(study)
        assert spent(study) == server.billed
        assert set(server.moods) == set(MOODS)
        tables = rows(study.root)
        assert len(tables.pop("spending")) == 2 * server.moods.total()  # held, and settled
        found.append(tables)
    assert found[0] == found[1]
    statuses = {row["status"] for row in study.workspace.query("SELECT status FROM outcomes").to_pylist()}
    assert statuses == {"made", "refused", "failed"}


def test_the_bill_never_exceeds_the_budget_and_a_larger_one_goes_on(
    serve: Callable[[Moody], Moody], study_for: Callable[[Moody, str], OpenStudy]
) -> None:
    server = serve(Moody(1, 3))
    study = study_for(server, "study")
    for budget in (0.5, 7.0, 21.5):
        with pytest.raises(BudgetError, match="budget of"):
            generate(study, RunControl(budget=budget))
        assert server.billed == spent(study) <= budget
    assert server.billed > 10
    generate(study, RunControl(budget=10_000))
    check_outcomes(study)
    assert spent(study) == server.billed


def test_killed_while_paying_the_books_say_no_less_than_the_bill(
    serve: Callable[[Moody], Moody], study_for: Callable[[Moody, str], OpenStudy], start_loaded: Start
) -> None:
    server = serve(Moody(2, 4))
    study = study_for(server, "study")
    chance = random.Random(3)

    def paying(budget: float) -> ForkServerProcess:
        return start_loaded("generate", study.root, "--budget", budget, first=HASTE)

    def ended(process: ForkServerProcess) -> int | None:
        process.join()
        return process.exitcode

    for _ in range(KILLS):
        budget = spent(study) + 40
        server.silent_after = server.moods.total() + chance.randint(4, 12)  # or it might be done before it is killed
        process = paying(budget)
        while server.moods.total() < server.silent_after:
            time.sleep(0.005)
        process.kill()
        assert ended(process) == -signal.SIGKILL
        assert server.billed <= spent(study) <= budget
    server.silent_after = math.inf
    assert ended(paying(spent(study) + 3)) == 2
    assert ended(paying(10_000)) == 0
    check_outcomes(study)
    assert server.billed <= spent(study) <= server.billed + KILLS * CONCURRENCY
