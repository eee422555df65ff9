from __future__ import annotations

import base64
import hashlib
import io
import json
import pickle
import random
import socket
import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.answering import AnswerHandler

from portrayal.errors import ConfigError, ServiceError
from portrayal.generators import GENERATORS
from portrayal.generators.a1111 import A1111, A1111Options
from portrayal.records import Failed, Job, Made, Prompt, Refused, plan_job
from portrayal.registry import Entry
from portrayal.services import calls
from portrayal.settings import parse_settings

HASH = "6ce0161689"
CHECKPOINT = f"v1-5-pruned-emaonly.safetensors [{HASH}]"
LOGIN = "ann:correct-horse"
ENTRY = Entry("portrayal.generators.a1111:A1111", "drawn by a web UI's API")


def colour(text: str, seed: int) -> tuple[int, int, int]:
    red, green, blue = hashlib.sha256(f"{text} {seed}".encode()).digest()[:3]
    return red | 1, green, blue


class FakeWebUI(ThreadingHTTPServer):
    """Speaks the web UI's API; draws one image at a time, black ones of what it finds improper.

    ``models`` are the checkpoints it has, by title; the first is loaded, and stays so when another is not found.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.models = {"anything.ckpt [89d59c3dde]": "89d59c3dde", CHECKPOINT: HASH}
        self.obeys = True
        self.login = ""
        self.told: dict[str, Any] = {"version": "v1.10.1", "sd_vae_name": "vae.pt", "clip_skip": 1}
        self.troubles: dict[str, list[str]] = defaultdict(list)
        self.asked: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.drawing = threading.Lock()

    def draw(self, body: dict[str, Any]) -> dict[str, Any]:
        with self.drawing:
            self.bodies.append(body)
            wanted = body["override_settings"]["sd_model_checkpoint"]
            title = wanted if self.obeys and wanted in self.models else next(iter(self.models))
            shade = (0, 0, 0) if "nude" in body["prompt"] else colour(body["prompt"], body["seed"])
            picture = Image.new("RGB", (body["width"], body["height"]), shade)
            for source in body.get("init_images", ()):
                with Image.open(io.BytesIO(base64.b64decode(source))) as old:
                    resized = old.convert("RGB").resize(picture.size)
                picture = Image.blend(resized, picture, body["denoising_strength"])
            file = io.BytesIO()
            picture.save(file, "PNG")
            name = title.partition(" ")[0].rpartition(".")[0]
            info = {"seed": body["seed"], "sd_model_name": name, "sd_model_hash": self.models[title], **self.told}
            image = base64.b64encode(file.getvalue()).decode()
            return {"images": [image], "parameters": body, "info": json.dumps(info)}


class Handler(AnswerHandler):
    server: FakeWebUI
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.in_trouble():
            return
        if self.path == "/sdapi/v1/sd-models":
            models = self.server.models.items()
            self.say(200, [{"title": title, "model_name": title.partition(".")[0], "hash": h} for title, h in models])
        else:
            self.say(404, {"detail": "Not Found"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.in_trouble():
            return
        if self.path not in ("/sdapi/v1/txt2img", "/sdapi/v1/img2img"):
            self.say(404, {"detail": "Not Found"})
        elif body["sampler_name"] not in ("Euler a", "DPM++ 2M"):
            said = {"error": "HTTPException", "detail": "Sampler not found", "body": "", "errors": ""}
            self.say(404, said)
        else:
            self.say(200, self.server.draw(body))

    def in_trouble(self) -> bool:
        server = self.server
        route = self.path.rpartition("/")[2]
        server.asked[route] += 1
        told = f"Basic {base64.b64encode(server.login.encode()).decode()}"
        if server.login and self.headers.get("Authorization") != told:
            self.say(401, {"detail": f"Incorrect username or password: {self.headers.get('Authorization')}"})
            return True
        trouble = next(iter(server.troubles[route]), "")
        del server.troubles[route][:1]
        if trouble == "hang":
            self.connection.recv(1)  # which comes when the client hangs up
            self.close_connection = True
        elif trouble == "drop":
            self.close_connection = True
        elif trouble == "words":
            self.send(200, b"Internal Server Error")
        elif trouble == "list":
            self.say(200, [])
        elif trouble == "echo":
            error = f"RuntimeError near {self.headers.get('Authorization')} of {server.login}"
            self.say(500, {"error": "RuntimeError", "detail": "", "body": "", "errors": error})
        elif trouble.isdecimal():
            self.say(int(trouble), {"error": "OutOfMemoryError", "detail": "", "errors": "CUDA out of memory."})
        elif trouble:
            self.say(200, json.loads(trouble))
        return bool(trouble)


@pytest.fixture
def webui(serve: Callable[[FakeWebUI], FakeWebUI]) -> FakeWebUI:
    return serve(FakeWebUI())


@pytest.fixture
def make(webui: FakeWebUI, monkeypatch: pytest.MonkeyPatch) -> Callable[..., A1111]:
    """Build a generator for the server: ``make(tries=1, ...)``."""
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)

    def build(**options: Any) -> A1111:
        fast = {"checkpoint": CHECKPOINT, "width": 64, "height": 72, "longest_wait": 0.01, "tries": 3, **options}
        return A1111(webui.url, A1111Options.model_validate(fast))

    return build


def jobs(count: int, text: str = "a photo of one nurse") -> list[Job]:
    return [plan_job(Prompt(text, "nurse"), "a1111", index, study_seed=1) for index in range(count)]


def answer(**changes: Any) -> str:
    info = {"sd_model_name": "v1-5-pruned-emaonly", "sd_model_hash": HASH}
    return json.dumps({"images": [], "parameters": {}, "info": json.dumps(info), **changes})


def test_jobs_are_drawn_by_prompt_and_seed(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    generator = make(negative_prompt="blurry", settings={"CLIP_stop_at_last_layers": 2})
    asked = jobs(3)
    made = list(generator.generate(asked))
    for job, one in zip(asked, made, strict=True):
        assert isinstance(one, Made)
        assert (one.job, one.ext, one.width, one.height) == (job.id, "png", 64, 72)
        with Image.open(io.BytesIO(one.data)) as picture:
            assert picture.getpixel((0, 0)) == colour(job.text, job.seed)
        told = "web UI v1.10.1; checkpoint v1-5-pruned-emaonly; hash 6ce0161689; VAE vae.pt; clip skip 1; "
        assert one.versions == told + "a1111@1:v1-5-pruned-emaonly.safetensors@6ce0161689"
    assert list(generator.generate(asked[2:])) == made[2:], "whatever the batch"
    assert generator.truth(Prompt("x", "x")) is None
    assert webui.asked["sd-models"] == 1
    assert webui.bodies[0] == {
        "prompt": "a photo of one nurse",
        "negative_prompt": "blurry",
        "seed": asked[0].seed,
        "steps": 20,
        "cfg_scale": 7.0,
        "width": 64,
        "height": 72,
        "sampler_name": "Euler a",
        "scheduler": "Automatic",
        "batch_size": 1,
        "n_iter": 1,
        "send_images": True,
        "save_images": False,
        "override_settings": {"CLIP_stop_at_last_layers": 2, "sd_model_checkpoint": CHECKPOINT},
        "override_settings_restore_afterwards": True,
    }


def test_several_threads_at_a_time_get_each_their_own(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    generator = make(concurrency=4)
    assert generator.parallel == 4
    asked = jobs(12)
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda job: next(generator.generate([job])), asked))
    for job, one in zip(asked, made, strict=True):
        assert isinstance(one, Made)
        with Image.open(io.BytesIO(one.data)) as picture:
            assert (one.job, picture.getpixel((0, 0))) == (job.id, colour(job.text, job.seed))


def test_an_edit_goes_from_its_source_in_its_size(
    webui: FakeWebUI, make: Callable[..., A1111], picture: Callable[..., bytes]
) -> None:
    source = picture("white", "JPEG", (83, 40))
    job = Job("e", "p", "g", 0, 5, "a photo of a nurse", "nurse", source=source)
    (one,) = make(denoising_strength=0.5).edit([job])
    assert isinstance(one, Made)
    assert (one.job, one.width, one.height) == ("e", 80, 40)
    with Image.open(io.BytesIO(one.data)) as drawn:
        middle = [(255 + level) / 2 for level in colour(job.text, 5)]
        assert drawn.getpixel((40, 20)) == pytest.approx(middle, abs=1)
    assert base64.b64decode(webui.bodies[0]["init_images"][0]) == source
    broken = Job("b", "p", "g", 0, 5, "x", "x", source=source[:100])
    first, second = make().edit([broken, job])
    assert isinstance(first, Failed)
    assert first.reason == "unreadable_source"
    assert isinstance(second, Made)


def test_a_black_picture_is_a_refusal(make: Callable[..., A1111]) -> None:
    (one,) = make().generate(jobs(1, "a nude nurse"))
    assert isinstance(one, Refused)
    assert one.reason == "blank_image"
    assert one.versions.endswith("@6ce0161689")


@pytest.mark.parametrize("trouble", ["500", "503", "drop", "words"])
@pytest.mark.parametrize("route", ["txt2img", "sd-models"])
def test_what_goes_wrong_once_is_tried_again(
    webui: FakeWebUI, make: Callable[..., A1111], route: str, trouble: str
) -> None:
    webui.troubles[route] = [trouble, trouble]
    assert isinstance(next(make().generate(jobs(1))), Made)
    assert webui.asked[route] == 3


@pytest.mark.parametrize(
    ("trouble", "reason", "detail"),
    [
        ("500", "server_error", "CUDA out of memory."),
        ("list", "malformed_answer", "no JSON object"),
        ("drop", "connection_lost", "disconnected"),
        (answer(), "no_image", "the answer holds no image"),
        (answer(images=[7]), "no_image", "the answer holds no image"),
        (answer(images=["*"]), "broken_image", "no base64"),
        (
            answer(images=[base64.b64encode(b"\x89PNG").decode()]),
            "broken_image",
            "4 bytes, no picture in PNG",
        ),
        (answer(info=None), "malformed_answer", "no JSON"),
    ],
)
def test_what_stays_wrong_fails_the_job_not_the_study(
    webui: FakeWebUI, make: Callable[..., A1111], trouble: str, reason: str, detail: str
) -> None:
    webui.troubles["txt2img"] = [trouble] * 3
    first, second = make().generate(jobs(2))
    assert isinstance(first, Failed)
    assert first.reason == reason
    assert detail in first.detail
    assert isinstance(second, Made)


@pytest.mark.slow
def test_in_a_storm_every_job_has_one_outcome(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    calm = {job.id: one for job, one in zip(jobs(16), make().generate(jobs(16)), strict=True)}
    storm = random.Random(7)
    kinds = ["", "429", "500", "503", "drop", "words", "list", answer(images=["*"])]
    webui.troubles["txt2img"] = storm.choices(kinds, weights=[3, 1, 1, 1, 1, 1, 1, 1], k=48)
    generator = make(concurrency=4, tries=2)
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda job: list(generator.generate([job])), reversed(jobs(16))))
    assert [[one.job for one in each] for each in outcomes] == [[job.id] for job in reversed(jobs(16))]
    assert Counter(type(one) for (one,) in outcomes).keys() == {Made, Failed}
    assert all(one == calm[one.job] for (one,) in outcomes if isinstance(one, Made))


def test_a_silent_server_is_waited_for_so_long_and_no_longer(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    assert make(timeout=0.1).server.patience == 0.1
    generator = make(tries=1)
    assert isinstance(next(generator.generate(jobs(1))), Made)
    webui.troubles["txt2img"] = ["hang"]
    generator.server.patience = 0.1
    (one,) = generator.generate(jobs(1))
    assert isinstance(one, Failed)
    assert (one.reason, one.detail) == ("timeout", "no answer within 0.1 s")


@pytest.mark.parametrize(
    ("checkpoint", "message"),
    [
        (
            "v1-5-pruned-emaoly.safetensors [6ce0161689]",
            r"no checkpoint 'v1-5-pruned-emaoly.safetensors'; did you mean 'v1-5-pruned-emaonly.safetensors'\?",
        ),
        (
            "v1-5-pruned-emaonly.safetensors [0000000000]",
            r"v1-5-pruned-emaonly.safetensors is another file: .* \[6ce0161689\], not \[0000000000\]",
        ),
    ],
)
def test_a_checkpoint_that_the_server_lacks_stops_all(
    webui: FakeWebUI, make: Callable[..., A1111], checkpoint: str, message: str
) -> None:
    with pytest.raises(ServiceError, match=message):
        list(make(checkpoint=checkpoint).generate(jobs(1)))
    assert not webui.bodies


def test_no_image_of_another_checkpoint_is_taken(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    webui.obeys = False
    with pytest.raises(ServiceError, match=r"drew with anything \[89d59c3dde\], not with v1-5-pruned-emaonly.safe"):
        list(make().generate(jobs(1)))


def test_the_hash_is_wanted_wherever_the_server_has_one(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    wanted = r'set options.checkpoint to "v1-5-pruned-emaonly.safetensors \[6ce0161689\]", so that'
    with pytest.raises(ConfigError, match=wanted):
        list(make(checkpoint="v1-5-pruned-emaonly.safetensors").generate(jobs(1)))
    assert not webui.bodies
    # Before it loads a file for the first time, the server lists it without its hash.
    webui.models = {"v1-5-pruned-emaonly.safetensors": HASH}
    with pytest.raises(ConfigError, match=wanted):
        list(make(checkpoint="v1-5-pruned-emaonly.safetensors").generate(jobs(1)))
    assert isinstance(next(make().generate(jobs(1))), Made)


def test_a_server_without_hashes_goes_by_the_name(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    webui.models = {"one.ckpt": "", "two.ckpt": ""}
    generator = make(checkpoint="two.ckpt")
    assert generator.name == "a1111@1:two.ckpt"
    assert isinstance(next(generator.generate(jobs(1))), Made)
    with pytest.raises(
        ServiceError, match=r"tells no hash of what it draws with .* give options\.checkpoint as the name"
    ):
        list(make(checkpoint="two.ckpt [0123456789]").generate(jobs(1)))
    webui.obeys = False
    with pytest.raises(ServiceError, match=r"drew with one \[\], not with two.ckpt"):
        list(generator.generate(jobs(1)))


def test_options_that_the_server_does_not_take_stop_all(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    with pytest.raises(ServiceError, match=r"does not take the options: \"Sampler not found\"; change them"):
        list(make(sampler="Oiler").generate(jobs(1)))
    webui.troubles["txt2img"] = ["422"]
    with pytest.raises(ServiceError, match="does not take the options"):
        list(make().generate(jobs(1)))


def test_a_server_without_its_api(webui: FakeWebUI, make: Callable[..., A1111]) -> None:
    webui.troubles["sd-models"] = ["404"]
    with pytest.raises(ServiceError, match="start the web UI with --api"):
        list(make().generate(jobs(1)))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ServiceError, match=rf"nobody answers at http://127.0.0.1:{port}; start the web UI with --api"):
        list(A1111(f"http://127.0.0.1:{port}", make().options).generate(jobs(1)))


def test_a_login_opens_the_server_and_is_shown_nowhere(
    webui: FakeWebUI, make: Callable[..., A1111], monkeypatch: pytest.MonkeyPatch
) -> None:
    webui.login = LOGIN
    with pytest.raises(
        ServiceError, match=r"wants a password \(401\); option key_env: name the variable that holds it"
    ):
        list(make().generate(jobs(1)))
    generator = make(key_env="WEBUI_LOGIN")
    with pytest.raises(ConfigError, match="set the environment variable WEBUI_LOGIN"):
        list(generator.generate(jobs(1)))
    monkeypatch.setenv("WEBUI_LOGIN", LOGIN)
    webui.troubles["txt2img"] = ["echo"] * 3
    first, second = generator.generate(jobs(2))
    assert isinstance(second, Made)
    assert isinstance(first, Failed)
    assert "RuntimeError near Basic *** of ***" in first.detail
    kept = repr((first, second, generator.name, vars(generator), vars(generator.server))) + str(pickle.dumps(generator))
    for secret in (LOGIN, "correct-horse", base64.b64encode(LOGIN.encode()).decode()):
        assert secret not in kept


def test_settings_are_checked_when_it_is_built(make: Callable[..., A1111]) -> None:
    with pytest.raises(ConfigError, match="needs the address of a server, such as a1111:http://"):
        A1111("", make().options)
    with pytest.raises(ConfigError, match=r"give the model by options\.checkpoint"):
        make(settings={"sd_model_checkpoint": "x"})
    for wrong in ({}, {"checkpoint": "a", "width": 100}, {"checkpoint": "a", "steps": 0}):
        with pytest.raises(ConfigError, match=r"checkpoint|width|steps"):
            parse_settings(A1111Options, wrong, "study.toml")


def test_what_draws_makes_the_identity_and_not_where(make: Callable[..., A1111]) -> None:
    given = {"checkpoint": CHECKPOINT, "concurrency": 8, "timeout": 5, "price": 1, "key_env": "K", "steps": 30}
    assert parse_settings(A1111Options, given, "study.toml").changed() == {"steps": 30}
    generator = make(price=0.01)
    assert generator.name == "a1111@1:v1-5-pruned-emaonly.safetensors@6ce0161689"
    assert generator.price("x") == 0.01
    account = generator.account
    generator.account = account
    assert generator.server.service.account is account


def test_a_used_one_pickles(make: Callable[..., A1111]) -> None:
    generator = make()
    made = list(generator.generate(jobs(1)))
    assert list(pickle.loads(pickle.dumps(generator)).generate(jobs(1))) == made


@pytest.mark.slow
def test_a_whole_study(webui: FakeWebUI, make_study: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    from portrayal.study.run import run_stages
    from portrayal.study.run_control import RunControl
    from portrayal.study.study import OpenStudy

    monkeypatch.setitem(GENERATORS._builtin, "a1111", ENTRY)
    options = {"checkpoint": CHECKPOINT, "width": 64, "height": 64, "longest_wait": 0.01}
    prompts = "text,term\na photo of a nurse,nurse\na photo of a nude CEO,CEO\n"
    part = {"use": f"a1111:{webui.url}/", "images": 3, "options": options}
    folder = make_study(prompts=prompts, generators=[part])
    webui.troubles["txt2img"] = ["500", "drop"]
    run_stages(OpenStudy(folder), RunControl())
    study = OpenStudy(folder)
    rows = [row for batch in study.workspace.tables["outcomes"].batches() for row in batch.to_pylist()]
    assert Counter(row["status"] for row in rows) == {"made": 3, "refused": 3}
    (name,) = study.generators
    assert name.startswith("a1111@1:v1-5-pruned-emaonly.safetensors@6ce0161689#")
