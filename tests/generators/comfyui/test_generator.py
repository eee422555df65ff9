from __future__ import annotations

import hashlib
import io
import itertools
import json
import pickle
import queue
import random
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image, PngImagePlugin
from tests.answering import AnswerHandler

from portrayal.errors import ConfigError, InputError, ServiceError
from portrayal.generators import GENERATORS, Editor
from portrayal.generators.comfyui import Comfyui, ComfyuiOptions
from portrayal.records import Failed, Job, Made, Prompt, plan_job
from portrayal.registry import Entry
from portrayal.services import calls
from portrayal.settings import parse_settings

CHECKPOINT = "sd15.safetensors"
ENTRY = Entry("portrayal.generators.comfyui:Comfyui", "drawn by a ComfyUI server")


def nodes() -> dict[str, Any]:
    return {
        "3": {
            "class_type": "KSampler",
            "inputs": {"seed": 0, "model": ["4", 0], "positive": ["6", 0], "latent_image": ["5", 0]},
            "_meta": {"title": "portrayal:seed"},
        },
        "4": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": CHECKPOINT}},
        "5": {"class_type": "EmptyLatentImage", "inputs": {"width": 24, "height": 16, "batch_size": 1}},
        "6": {
            "class_type": "CLIPTextEncode",
            "inputs": {"text": "", "clip": ["4", 1]},
            "_meta": {"title": "portrayal:prompt"},
        },
        "8": {"class_type": "VAEDecode", "inputs": {"samples": ["3", 0], "vae": ["4", 2]}},
        "9": {"class_type": "SaveImage", "inputs": {"filename_prefix": "out/one", "images": ["8", 0]}},
    }


def colour(text: str, seed: int) -> tuple[int, int, int]:
    red, green, blue = hashlib.sha256(f"{text} {seed}".encode()).digest()[:3]
    return red | 1, green, blue


class FakeComfy(ThreadingHTTPServer):
    """Speaks ComfyUI's API: it checks a workflow, queues it, draws in order of arrival and keeps a history.

    ``troubles`` are what goes wrong with the next requests of a route; it draws while ``may_draw`` is set.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.troubles: dict[str, list[str]] = defaultdict(list)
        self.asked: Counter[str] = Counter()
        self.may_draw = threading.Event()
        self.may_draw.set()
        self.pending: dict[str, list[Any]] = {}
        self.running: dict[str, list[Any]] = {}
        self.history: dict[str, dict[str, Any]] = {}
        self.files: dict[tuple[str, str, str], bytes] = {}
        self.inputs: dict[str, bytes] = {}
        self.putting: Callable[[dict[str, Any]], tuple[int, Any]] = self.put
        self.executing: Callable[[list[Any]], dict[str, Any]] = self.draw
        self.todo: queue.Queue[str] = queue.Queue()
        self.mutex = threading.Lock()
        self.numbers = itertools.count()

    def work(self) -> None:
        while True:
            ticket = self.todo.get()
            with self.mutex:
                entry = self.pending.pop(ticket, None)
                if entry is not None:
                    self.running[ticket] = entry
            if entry is not None:
                self.may_draw.wait()
                result = {"prompt": entry, "outputs": {}, **self.executing(entry)}
                with self.mutex:
                    self.running.pop(ticket, None)
                    self.history[ticket] = result

    def draw(self, entry: list[Any]) -> dict[str, Any]:
        prompt = entry[2]
        sampler = prompt["3"]["inputs"]
        latent = prompt["5"]["inputs"]
        text = prompt[sampler["positive"][0]]["inputs"]["text"]
        images = []
        for _ in range(latent["batch_size"] * latent.get("amount", 1)):
            told = PngImagePlugin.PngInfo()
            told.add_text("prompt", json.dumps(prompt))
            file = io.BytesIO()
            shade = (0, 0, 0) if text == "overflow" else colour(text, sampler["seed"])
            Image.new("RGB", (latent["width"], latent["height"]), shade).save(file, "PNG", pnginfo=told)
            place = (f"one_{next(self.numbers):05}_.png", "out", "output")
            self.files[place] = file.getvalue()
            images.append(dict(zip(("filename", "subfolder", "type"), place, strict=True)))
        done = {"status_str": "success", "completed": True, "messages": [["execution_start", {}]]}
        return {"outputs": {"9": {"images": images}}, "status": done}

    def keep(self, form: bytes) -> dict[str, str]:
        """Keep a picture that a form sends, as the server's own route does."""
        head, _, rest = form.partition(b"\r\n\r\n")
        name = head.partition(b'filename="')[2].partition(b'"')[0].decode()
        self.inputs[name] = rest.rpartition(b"\r\n--")[0]
        return {"name": name, "subfolder": "", "type": "input"}

    def put(self, body: dict[str, Any]) -> tuple[int, Any]:
        prompt, errors = body["prompt"], {}
        for node, content in prompt.items():
            if content["class_type"].startswith("My"):
                error = {"type": "invalid_prompt", "message": "Cannot execute because node MyNode does not exist."}
                return 400, {"error": {**error, "details": f"Node ID '#{node}'"}, "node_errors": {}}
            if content["inputs"].get("ckpt_name", CHECKPOINT) != CHECKPOINT:
                wrong = {"type": "value_not_in_list", "message": "Value not in list"}
                wrong["details"] = f"ckpt_name: '{content['inputs']['ckpt_name']}' not in ['{CHECKPOINT}']"
                errors[node] = {"errors": [wrong], "dependent_outputs": ["9"], "class_type": content["class_type"]}
        if errors and not any(content["class_type"] == "PreviewImage" for content in prompt.values()):
            failed = {"type": "prompt_outputs_failed_validation", "message": "Prompt outputs failed validation"}
            return 400, {"error": {**failed, "details": ""}, "node_errors": errors}
        ticket = str(uuid.uuid4())
        with self.mutex:
            number = next(self.numbers)
            self.pending[ticket] = [number, ticket, prompt, {"client_id": body["client_id"]}, ["9"]]
        self.todo.put(ticket)
        return 200, {"prompt_id": ticket, "number": number, "node_errors": errors}


class Handler(AnswerHandler):
    protocol_version = "HTTP/1.1"
    server: FakeComfy

    def do_GET(self) -> None:
        comfy, place = self.server, urlsplit(self.path)
        route, _, rest = place.path.strip("/").partition("/")
        if self.in_trouble(f"GET {route}"):
            return
        if route == "history":
            with comfy.mutex:
                found = comfy.history.get(rest)
            self.say(200, {} if found is None else {rest: found})
        elif route == "queue":
            with comfy.mutex:
                running, pending = [*comfy.running.values()], [*comfy.pending.values()]
            self.say(200, {"queue_running": running, "queue_pending": pending})
        elif route == "system_stats":
            self.say(200, {"system": {"os": "posix", "comfyui_version": "0.3.40"}, "devices": []})
        elif route == "view":
            query = {key: values[0] for key, values in parse_qs(place.query, keep_blank_values=True).items()}
            data = comfy.files.get((query["filename"], query["subfolder"], query["type"]))
            self.send(200 if data else 404, data or b"")
        else:
            self.send(404, b"404: Not Found")

    def do_POST(self) -> None:
        comfy, route = self.server, self.path.strip("/")
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if self.in_trouble(f"POST {route}"):
            return
        if route == "upload/image":
            self.say(200, comfy.keep(sent))
            return
        body = json.loads(sent)
        if route == "prompt":
            self.say(*comfy.putting(body))
        elif route == "queue":
            with comfy.mutex:
                for ticket in body["delete"]:
                    comfy.pending.pop(ticket, None)
            self.send(200, b"")

    def in_trouble(self, route: str) -> bool:
        self.server.asked[route] += 1
        trouble = next(iter(self.server.troubles[route]), "")
        del self.server.troubles[route][:1]
        if trouble == "drop":
            self.close_connection = True
        elif trouble == "words":
            self.send(200, b"<html>")
        elif trouble == "list":
            self.say(200, [])
        elif trouble == "cut":
            whole = next(iter(self.server.files.values()))
            self.send(200, whole[: len(whole) // 2])
        elif trouble:
            self.send(int(trouble), b"out of memory")
        return bool(trouble)


@pytest.fixture
def comfy(serve: Callable[[FakeComfy], FakeComfy]) -> FakeComfy:
    server = serve(FakeComfy())
    threading.Thread(target=server.work, daemon=True).start()
    return server


@pytest.fixture
def make(comfy: FakeComfy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Comfyui]:
    """Build a generator for the server: ``make(nodes, tries=1, ...)``."""
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)

    def build(content: dict[str, Any] | None = None, **options: Any) -> Comfyui:
        path = tmp_path / "workflow.json"
        path.write_text(json.dumps(content or nodes()), encoding="utf-8")
        fast = {"workflow": path, "longest_wait": 0.01, "tries": 3, **options}
        return Comfyui(comfy.url, ComfyuiOptions.model_validate(fast))

    return build


def jobs(count: int, term: str = "nurse") -> list[Job]:
    prompt = Prompt(f"a photo of one {term}", term, suffix=", portrait")
    return [plan_job(prompt, "comfyui", index, study_seed=1) for index in range(count)]


@pytest.mark.slow
def test_jobs_are_drawn_by_prompt_and_seed_and_files_kept_as_they_are(
    comfy: FakeComfy, make: Callable[..., Comfyui]
) -> None:
    generator = make()
    asked = jobs(3)
    made = list(generator.generate(asked))
    assert {job.seed for job in asked} != {0}
    for job, one in zip(asked, made, strict=True):
        assert isinstance(one, Made)
        assert (one.job, one.ext, one.width, one.height) == (job.id, "png", 24, 16)
        assert one.versions == "ComfyUI 0.3.40; comfyui@1:sd15"
        assert one.data in comfy.files.values()
        with Image.open(io.BytesIO(one.data)) as picture:
            assert picture.getpixel((0, 0)) == colour("a photo of one nurse, portrait", job.seed)
            assert json.loads(str(picture.info["prompt"]))["3"]["inputs"]["seed"] == job.seed
    assert list(generator.generate(asked[1:2])) == made[1:2], "whatever the batch"
    assert generator.truth(Prompt("x", "x")) is None
    assert comfy.asked["GET system_stats"] == 1


@pytest.mark.slow
def test_several_threads_at_a_time_get_each_their_own(comfy: FakeComfy, make: Callable[..., Comfyui]) -> None:
    generator = make(concurrency=4)
    assert generator.parallel == 4
    asked = jobs(12)
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda job: next(generator.generate([job])), asked))
    for job, one in zip(asked, made, strict=True):
        assert isinstance(one, Made)
        with Image.open(io.BytesIO(one.data)) as picture:
            assert (one.job, picture.getpixel((0, 0))) == (job.id, colour(job.text, job.seed))


@pytest.mark.parametrize("trouble", ["500", "503", "drop", "words", "list"])
@pytest.mark.parametrize("route", ["POST prompt", "GET history", "GET system_stats"])
def test_what_goes_wrong_once_is_tried_again(
    comfy: FakeComfy, make: Callable[..., Comfyui], route: str, trouble: str
) -> None:
    comfy.troubles[route] = [trouble, trouble]
    (one,) = make().generate(jobs(1))
    assert isinstance(one, Made)
    if route == "POST prompt":
        assert comfy.asked[route] == 3


@pytest.mark.slow
def test_a_file_that_comes_cut_is_fetched_again(comfy: FakeComfy, make: Callable[..., Comfyui]) -> None:
    comfy.troubles["GET view"] = ["cut", "drop"]
    assert isinstance(next(make().generate(jobs(1))), Made)
    comfy.troubles["GET view"] = ["cut"] * 3
    first, second = make().generate(jobs(2))
    assert isinstance(first, Failed)
    assert first.reason == "broken_image"
    assert isinstance(second, Made)
    assert comfy.asked["POST prompt"] == 3, "drawn once each"


def test_a_server_that_stays_broken_fails_the_job_not_the_study(comfy: FakeComfy, make: Callable[..., Comfyui]) -> None:
    comfy.troubles["POST prompt"] = ["500"] * 3
    first, second = make().generate(jobs(2))
    assert isinstance(first, Failed)
    assert (first.reason, first.detail) == ("server_error", "500: out of memory")
    assert isinstance(second, Made)


@pytest.mark.slow
def test_in_a_storm_every_job_has_one_outcome(comfy: FakeComfy, make: Callable[..., Comfyui]) -> None:
    calm = {job.id: one for job, one in zip(jobs(12), make().generate(jobs(12)), strict=True)}
    storm = random.Random(7)
    for route in ("POST prompt", "GET history", "GET view"):
        kinds = ["", "429", "500", "503", "drop", "cut" if route == "GET view" else "words"]
        comfy.troubles[route] = storm.choices(kinds, weights=[6, 1, 1, 1, 1, 1], k=60)
    generator = make(concurrency=4, tries=2)
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda job: list(generator.generate([job])), reversed(jobs(12))))
    assert [[one.job for one in each] for each in outcomes] == [[job.id] for job in reversed(jobs(12))]
    assert Counter(type(one) for (one,) in outcomes).keys() == {Made, Failed}
    assert all(one == calm[one.job] for (one,) in outcomes if isinstance(one, Made))


def ended(kind: str, **told: Any) -> dict[str, Any]:
    messages = [["execution_start", {}], [kind, {"prompt_id": "x", **told}]]
    return {"status": {"status_str": "error", "completed": False, "messages": messages}}


@pytest.mark.parametrize(
    ("result", "reason", "detail"),
    [
        (
            ended(
                "execution_error",
                node_id="3",
                node_type="KSampler",
                exception_type="torch.OutOfMemoryError",
                exception_message="Allocation on device\n",
            ),
            "execution_error",
            "KSampler (node 3): torch.OutOfMemoryError: Allocation on device",
        ),
        (ended("execution_interrupted", node_id="3"), "interrupted", "someone stopped it on the server"),
        (ended("execution_cached"), "execution_error", "the server does not say why"),
        ({"status": None}, "no_image", "the workflow ran, but node 9 gave no image"),
        ({"outputs": {"9": {"images": []}}}, "no_image", "the workflow ran, but node 9 gave no image"),
        (
            {"outputs": {"9": {"images": [{"filename": "gone.png", "subfolder": "", "type": "output"}]}}},
            "no_image",
            "the server no longer has its file gone.png",
        ),
    ],
)
def test_an_execution_without_an_image_fails_with_its_reason(
    comfy: FakeComfy, make: Callable[..., Comfyui], result: dict[str, Any], reason: str, detail: str
) -> None:
    comfy.executing = lambda _: result
    (one,) = make().generate(jobs(1))
    assert isinstance(one, Failed)
    assert (one.reason, one.detail) == (reason, detail)
    assert comfy.asked["POST prompt"] == 1, "it would end so again"


def test_a_black_picture_is_no_portrait(comfy: FakeComfy, make: Callable[..., Comfyui]) -> None:
    job = Job("j", "p", "g", 0, 1, text="overflow")
    (one,) = make().generate([job])
    assert isinstance(one, Failed)
    assert one.reason == "blank_image"


@pytest.mark.slow
def test_a_job_waits_its_time_and_is_taken_out_of_the_queue(comfy: FakeComfy, make: Callable[..., Comfyui]) -> None:
    comfy.may_draw.clear()
    assert make(timeout=0.3)._queue.timeout == 0.3
    generator = make(timeout=3600)
    generator._queue.timeout = 0.3
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: next(generator.generate([job])), jobs(2)))
    for one in results:
        assert isinstance(one, Failed)
        assert (one.reason, one.detail) == ("timeout", "no image within 0.3 s, waiting in the queue included")
    assert not comfy.pending


@pytest.mark.slow
def test_a_job_that_the_server_forgot_is_lost_and_one_that_waits_is_not(
    comfy: FakeComfy, make: Callable[..., Comfyui], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portrayal.generators.comfyui.queue._DOUBT", 0.1)
    comfy.may_draw.clear()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: list(make().generate(jobs(1))))
        while not comfy.asked["GET queue"]:
            time.sleep(0.001)
        comfy.may_draw.set()
    (one,) = waiting.result()
    assert isinstance(one, Made)
    comfy.putting = lambda _: (200, {"prompt_id": "forgotten", "number": 1, "node_errors": {}})
    (one,) = make().generate(jobs(1))
    assert isinstance(one, Failed)
    assert one.reason == "lost"


@pytest.mark.parametrize(
    ("node", "content", "message"),
    [
        (
            "4",
            {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "no.safetensors"}},
            r"node 4 \(CheckpointLoaderSimple\): Value not in list: ckpt_name: 'no.safetensors' not in",
        ),
        ("12", {"class_type": "MyNode", "inputs": {}}, r"node MyNode does not exist. Node ID '#12'"),
        (
            "5",
            {"class_type": "EmptyLatentImage", "inputs": {"width": 8, "height": 8, "batch_size": 4, "amount": 3}},
            "draws 3 images at a time; have it draw one",
        ),
    ],
)
def test_a_workflow_that_is_wrong_for_every_job_stops_all(
    make: Callable[..., Comfyui], node: str, content: dict[str, Any], message: str
) -> None:
    with pytest.raises(ServiceError, match=message) as caught:
        list(make({**nodes(), node: content}).generate(jobs(1)))
    assert "workflow.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_workflow_that_draws_several_draws_one_for_each_job(make: Callable[..., Comfyui]) -> None:
    content = nodes()
    content["5"]["inputs"]["batch_size"] = 16
    assert [type(one) for one in make(content).generate(jobs(2))] == [Made, Made]


def test_a_workflow_half_of_which_runs_stops_all_if_the_image_is_in_the_other(make: Callable[..., Comfyui]) -> None:
    content = {**nodes(), "10": {"class_type": "PreviewImage", "inputs": {"images": ["8", 0]}}}
    content["4"]["inputs"]["ckpt_name"] = "no.safetensors"
    with pytest.raises(ServiceError, match="Value not in list"):
        list(make(content).generate(jobs(1)))


def test_nobody_there(make: Callable[..., Comfyui], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    options = make().options
    with pytest.raises(
        ServiceError, match=rf"nobody answers at http://127.0.0.1:{port}; start ComfyUI \(python main.py"
    ):
        list(Comfyui(f"http://127.0.0.1:{port}/", options).generate(jobs(1)))


def test_money_is_asked_for_once_an_image(make: Callable[..., Comfyui]) -> None:
    class Book:
        def __init__(self) -> None:
            self.reserved: list[tuple[float, str, str]] = []
            self.settled: list[float] = []

        def reserve(self, usd: float, part: str, item: str) -> str:
            self.reserved.append((usd, part, item))
            return "t"

        def settle(self, ticket: str, usd: float) -> None:
            self.settled.append(usd)

    free = make()
    assert free.price("x") == 0
    generator, book = make(price=0.03), Book()
    generator.account = book
    assert generator.account is book
    asked = jobs(2)
    assert all(isinstance(one, Made) for one in generator.generate(asked))
    assert book.reserved == [(0.03, "generator 'comfyui'", job.id) for job in asked]
    assert book.settled == [0.03, 0.03]
    assert generator.price("x") == 0.03


def test_settings_are_checked_when_it_is_built(make: Callable[..., Comfyui], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs the address of a server, such as comfyui:http://"):
        Comfyui("", make().options)
    with pytest.raises(ConfigError, match="give the address of the service as http://host:port"):
        Comfyui("127.0.0.1:8188", make().options)
    with pytest.raises(ConfigError, match="'workflow' is required"):
        parse_settings(ComfyuiOptions, {}, "study.toml")
    with pytest.raises(ConfigError, match="'prompt_node'"):
        parse_settings(ComfyuiOptions, {"workflow": "w.json", "prompt_node": "6"}, "study.toml")
    with pytest.raises(InputError, match="no node '60'"):
        make(prompt_node="60.text")


@pytest.mark.slow
def test_building_it_is_cheap_and_a_used_one_pickles(make: Callable[..., Comfyui]) -> None:
    generator = make()
    made = list(generator.generate(jobs(1)))
    assert list(pickle.loads(pickle.dumps(generator)).generate(jobs(1))) == made
    code = (
        "import sys; import portrayal.generators.comfyui;"
        "print([name for name in ('httpx2', 'stamina', 'PIL') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.slow
def test_a_whole_study(
    comfy: FakeComfy, make_study: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from portrayal.study.run import run_stages
    from portrayal.study.run_control import RunControl
    from portrayal.study.study import OpenStudy

    monkeypatch.setitem(GENERATORS._builtin, "comfyui", ENTRY)
    options = {"workflow": "mine.json", "longest_wait": 0.01}
    folder = make_study(generators=[{"use": f"comfyui:{comfy.url}", "images": 3, "options": options}])
    (folder / "mine.json").write_text(json.dumps(nodes()), encoding="utf-8")
    comfy.troubles["POST prompt"] = ["500"]
    run_stages(OpenStudy(folder), RunControl())
    study = OpenStudy(folder)
    rows = [row for batch in study.workspace.tables["outcomes"].batches() for row in batch.to_pylist()]
    assert [row["status"] for row in rows] == ["made"] * 6
    (name,) = study.generators
    assert name.startswith("comfyui@1:sd15#")
    assert all(study.workspace.images.path(row["image"], row["ext"]).is_file() for row in rows)
    (folder / "study.toml").write_text((folder / "study.toml").read_text().replace(comfy.url, "http://elsewhere:1"))
    assert list(OpenStudy(folder).generators) == [name], "where it runs makes no other generator"
    (folder / "mine.json").write_text(json.dumps(nodes() | {"5": {**nodes()["5"], "_meta": {"title": "other"}}}))
    assert list(OpenStudy(folder).generators) != [name], "another workflow does"


def editing() -> dict[str, Any]:
    """Return a workflow that begins with a picture."""
    load = {"class_type": "LoadImage", "inputs": {"image": "example.png"}, "_meta": {"title": "portrayal:image"}}
    return {**nodes(), "10": load}


def picture(shade: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 8), (shade, 0, 0)).save(file, "PNG")
    return file.getvalue()


def edit_of(source: bytes, seed: int = 3) -> Job:
    return Job(f"job {seed}", "p", "g", 0, seed, "a photo of a nurse", "nurse", source=source)


@pytest.mark.slow
def test_a_workflow_with_a_marked_image_edits(comfy: FakeComfy, make: Callable[..., Comfyui]) -> None:
    painter = make(editing())
    assert isinstance(painter, Editor)
    one, other = (edit_of(picture(shade), shade) for shade in (10, 20))
    made = list(painter.edit([one, other]))
    assert all(isinstance(own, Made) for own in made)
    loaded = [entry["prompt"][2]["10"]["inputs"]["image"] for entry in comfy.history.values()]
    assert [comfy.inputs[name] for name in loaded] == [one.source, other.source]
    assert all(name.startswith("portrayal-") and name.endswith(".png") for name in loaded)
    assert [entry["prompt"][2]["6"]["inputs"]["text"] for entry in comfy.history.values()] == [one.text, other.text]


def test_a_workflow_without_one_does_not_and_one_with_it_does_not_draw(make: Callable[..., Comfyui]) -> None:
    assert not isinstance(make(), Editor)
    with pytest.raises(ConfigError, match='edits a picture, and draws none; set role = "edit"'):
        list(make(editing()).generate([edit_of(b"")]))


def test_the_image_may_be_named_by_an_option(make: Callable[..., Comfyui]) -> None:
    plain = editing()
    del plain["10"]["_meta"]
    assert not isinstance(make(plain), Editor)
    assert isinstance(make(plain, image_node="10.image"), Editor)
    with pytest.raises(InputError, match="no input 'picture'"):
        make(plain, image_node="10.picture")


def test_a_source_that_is_no_picture_fails_alone(make: Callable[..., Comfyui]) -> None:
    painter = make(editing())
    assert isinstance(painter, Editor)
    broken, whole = painter.edit([edit_of(b"text"), edit_of(picture(1))])
    assert isinstance(broken, Failed)
    assert broken.reason == "unreadable_source"
    assert isinstance(whole, Made)


def test_a_picture_that_cannot_be_sent_is_sent_again(comfy: FakeComfy, make: Callable[..., Comfyui]) -> None:
    comfy.troubles["POST upload/image"] = ["500", "list"]
    painter = make(editing())
    assert isinstance(painter, Editor)
    (made,) = painter.edit([edit_of(picture(1))])
    assert isinstance(made, Made)
    assert comfy.asked["POST upload/image"] == 3
