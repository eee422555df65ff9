"""Images and edits over a real server on loopback that speaks OpenAI's API."""

from __future__ import annotations

import base64
import gc
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import ThreadingHTTPServer
from typing import Any

import pytest
from tests.answering import AnswerHandler

from portrayal.errors import ConfigError, ServiceError
from portrayal.generators.openai import OpenAI, OpenAIOptions
from portrayal.records import OUTCOME_SCHEMA, Failed, Job, Made, Outcome, Refused, to_table
from portrayal.services import calls, openai_api
from portrayal.services.account import Paid
from portrayal.settings import parse_settings

Picture = Callable[..., bytes]


class Server(ThreadingHTTPServer):
    """Answers POST with what ``answers`` holds, one after the other, and GET with ``files``."""

    daemon_threads = True
    answers: list[tuple[int, Any]]
    files: list[bytes]
    seen: list[tuple[str, str, bytes]]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(AnswerHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Server)
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.seen.append((self.path, self.headers["content-type"], body))
        status, answer = self.server.answers.pop(0)
        self.say(status, answer)

    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        self.send(200, self.server.files.pop(0), content_type="image/png")


class Books:
    """An account that remembers what was reserved and what was paid."""

    def __init__(self) -> None:
        self.rows = list[tuple[str, float, float]]()
        self._held = dict[str, tuple[str, float]]()

    def reserve(self, usd: float, part: str, item: str) -> str:
        ticket = str(len(self._held))
        self._held[ticket] = (item, usd)
        return ticket

    def settle(self, ticket: str, usd: float) -> None:
        self.rows.append((*self._held[ticket], round(usd, 9)))


@pytest.fixture
def server(serve: Callable[[Server], Server], monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    found = serve(Server(("127.0.0.1", 0), Handler))
    found.answers, found.files, found.seen = [], [], []
    return found


def build(model: str = "my-model", **options: Any) -> OpenAI:
    return OpenAI(model, parse_settings(OpenAIOptions, options, "study.toml"))


def local(server: Server, **options: Any) -> OpenAI:
    return build(base_url=f"{server.url}/v1", **options)


def job(name: str = "a") -> Job:
    return Job(name, "p", "g", 0, 77, f"a photo of a nurse {name}", "nurse")


def editing(name: str, source: bytes, text: str) -> Job:
    return Job(name, "p", "g", 0, 3, text, "old", source=source)


def image(data: bytes, **more: Any) -> tuple[int, Any]:
    return 200, {"created": 1, "data": [{"b64_json": base64.b64encode(data).decode(), **more}]}


def sent(server: Server) -> list[Any]:
    return [json.loads(body) for _, _, body in server.seen]


def test_an_image_is_kept_as_it_came(server: Server, picture: Picture) -> None:
    generator = local(server)
    for form, ext in (("PNG", "png"), ("JPEG", "jpg"), ("WEBP", "webp")):
        data = picture("blue", form, (12, 8))
        server.answers = [image(data, revised_prompt="a nurse, smiling")]
        versions = f"{openai_api.sdk_version()}, model my-model"
        made = Made("a", data, ext, 12, 8, "a nurse, smiling", versions)
        assert list(generator.generate([job()])) == [made]


def test_only_what_is_set_is_sent(server: Server, picture: Picture) -> None:
    server.answers = [image(picture()), image(picture())]
    list(local(server).generate([job()]))
    everything = {
        "size": "1024x1024",
        "quality": "low",
        "style": "natural",
        "background": "opaque",
        "moderation": "low",
        "output_format": "jpeg",
        "output_compression": 80,
        "response_format": "b64_json",
    }
    list(local(server, **everything, send_seed=True, extra={"steps": 4}, input_fidelity="high").generate([job()]))
    plain = {"model": "my-model", "prompt": "a photo of a nurse a", "n": 1}
    assert sent(server) == [plain, {**plain, **everything, "seed": 77, "steps": 4}]
    assert server.seen[0][0] == "/v1/images/generations"


def test_every_job_has_one_outcome_in_order(server: Server, picture: Picture) -> None:
    refusal = {"error": {"code": "moderation_blocked", "message": "not allowed", "type": "image_generation_user_error"}}
    bad = {"error": {"code": None, "message": "no such size", "type": "invalid_request_error"}}
    server.answers = [image(picture()), (400, refusal), (400, bad), image(picture())]
    found = list(local(server).generate([job("a"), job("b"), job("c"), job("d")]))
    assert [(type(outcome), outcome.job) for outcome in found] == [
        (Made, "a"),
        (Refused, "b"),
        (Failed, "c"),
        (Made, "d"),
    ]
    refused, failed = found[1], found[2]
    assert isinstance(refused, Refused)
    assert isinstance(failed, Failed)
    assert (refused.reason, refused.detail) == ("content_policy", "moderation_blocked: not allowed")
    assert (failed.reason, failed.detail) == ("bad_request", "400: no such size")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"data": []}, "malformed_answer"),
        ({"data": [{"b64_json": "%%%"}]}, "malformed_answer"),
        ({"data": [{"b64_json": None, "url": 3}]}, "malformed_answer"),
        ({"data": {"b64_json": "AA=="}}, "malformed_answer"),
        ({"data": [{"b64_json": base64.b64encode(b"no image").decode()}]}, "broken_image"),
        ({"data": [{"url": "file:///etc/passwd"}]}, "malformed_answer"),
    ],
)
def test_an_answer_without_an_image_is_a_failure(server: Server, answer: Any, reason: str) -> None:
    server.answers = [(200, answer)] * 2
    outcome = next(local(server, tries=2).generate([job()]))
    assert isinstance(outcome, Failed)
    assert outcome.reason == reason


def test_half_an_image_is_asked_for_again_and_both_are_paid_for(server: Server, picture: Picture) -> None:
    whole = picture("green", "PNG", (64, 64))
    for form in ("PNG", "JPEG"):
        half = picture("green", form, (64, 64))
        server.answers = [image(half[: len(half) * 2 // 3]), image(whole)]
        generator = local(server, price=0.5)
        generator.account = books = Books()
        (outcome,) = generator.generate([job()])
        assert isinstance(outcome, Made)
        assert outcome.data == whole
        assert books.rows == [("a", 0.5, 0.5), ("a", 0.5, 0.5)]


def test_an_image_at_an_address_is_fetched_until_it_is_whole_and_paid_for_once(
    server: Server, picture: Picture
) -> None:
    whole = picture("green", "PNG", (64, 64))
    server.answers = [(200, {"data": [{"url": f"{server.url}/1.png", "revised_prompt": 5}]})]
    server.files = [whole[:90], whole]
    generator = local(server, price=0.5, response_format="url")
    generator.account = books = Books()
    (outcome,) = generator.generate([job()])
    assert isinstance(outcome, Made)
    assert (outcome.data, outcome.revised_prompt) == (whole, None)
    assert books.rows == [("a", 0.5, 0.5)]


def test_an_image_at_an_address_where_nobody_answers_is_a_failure_that_was_paid_for(server: Server) -> None:
    server.answers = [(200, {"data": [{"url": "http://127.0.0.1:9/1.png"}]})] * 2
    generator = local(server, price=0.5, tries=1)
    generator.account = books = Books()
    outcomes = list(generator.generate([job("a"), job("b")]))
    assert [isinstance(outcome, Failed) and outcome.reason for outcome in outcomes] == ["lost_image"] * 2
    assert books.rows == [("a", 0.5, 0.5), ("b", 0.5, 0.5)]


def test_a_revised_prompt_can_always_be_written_to_a_table(server: Server, picture: Picture) -> None:
    server.answers = [image(picture(), revised_prompt="half \ud83d of a smile for sk-planted-0123456789")]
    (outcome,) = local(server, key_env="OPENAI_API_KEY").generate([job()])
    assert isinstance(outcome, Made)
    assert outcome.revised_prompt == "half ? of a smile for ***"
    to_table([Outcome.of(outcome, 1)], OUTCOME_SCHEMA)


def test_an_option_that_the_service_does_not_take_stops_all(server: Server) -> None:
    said = {"message": "Unknown parameter: 'style'.", "param": "style", "code": "unknown_parameter"}
    server.answers = [(400, {"error": said}), (400, {"error": {**said, "param": "steps"}})]
    for options, name in (({"style": "vivid"}, "style"), ({"extra": {"steps": 3}}, "steps")):
        with pytest.raises(ServiceError, match=rf"'openai': the service does not take '{name}' so \(400\): Unknown"):
            list(local(server, **options).generate([job()]))


@pytest.mark.slow
def test_threads_share_one_connection_to_the_service(server: Server, picture: Picture) -> None:
    generator = local(server)
    server.answers = [image(picture()) for _ in range(8)]
    jobs = [[job(str(number))] for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(next, map(generator.generate, jobs)))
    assert {type(outcome) for outcome in outcomes} == {Made}
    client = generator._client.get()
    assert not client.is_closed()
    del generator, pool
    gc.collect()
    assert client.is_closed()


def test_edits_send_the_picture(server: Server, picture: Picture) -> None:
    server.answers = [image(picture("red"))]
    source = picture("blue", "JPEG")
    jobs = [editing("e", source, "make her older"), editing("f", b"no picture", "x")]
    made, failed = local(server, input_fidelity="high", style="vivid", size="auto").edit(jobs)
    assert isinstance(made, Made)
    assert made.data == picture("red")
    assert isinstance(failed, Failed)
    assert failed.reason == "unreadable_source"
    path, kind, body = server.seen[0]
    assert path == "/v1/images/edits"
    assert kind.startswith("multipart/form-data")
    assert source in body
    for text in (b"make her older", b"my-model", b'name="input_fidelity"', b"image/jpeg", b'name="size"'):
        assert text in body
    assert b"style" not in body


def test_prices() -> None:
    text = "a photo of a nurse"
    assert build("dall-e-3", quality="hd", size="1024x1024").price(text) == 0.08
    assert build("dall-e-3", price=0.01).price(text) == 0.01
    assert build("dall-e-3", base_url="http://127.0.0.1:1").price(text) == 0
    assert build("dall-e-3", base_url="https://images.example/v1", key_env="K").price(text) is None
    assert build("dall-e-3", base_url="http://127.0.0.1:1", price=0).price(text) == 0
    assert build("unknown").price(text) is None
    # gpt-image-1, medium: 1056 tokens at 40 USD a million, and at most 18 + 50 tokens of text at 5
    price = build("gpt-image-1", quality="medium", size="1024x1024").price(text)
    assert price == pytest.approx(0.04224 + 68 * 5e-6)
    assert isinstance(build(), Paid)


def test_tokens_that_the_service_counts_are_what_is_paid(
    server: Server, picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portrayal.services.openai_api.client.OPENAI_URL", f"{server.url}/v1")
    usage = {"input_tokens": 20, "output_tokens": 1056, "total_tokens": 1076}
    status, answer = image(picture())
    seen = {**usage, "input_tokens": 420, "input_tokens_details": {"text_tokens": 20, "image_tokens": 400}}
    odd = {**usage, "input_tokens": "many"}
    server.answers = [(status, {**answer, "usage": found}) for found in (usage, None, odd, seen)]
    generator = build("gpt-image-1", quality="medium", size="1024x1024")
    generator.account = books = Books()
    list(generator.generate([job("a"), job("b"), job("c")]))
    list(generator.edit([editing("d", picture(), "older")]))
    paid = [(item, usd) for item, _, usd in books.rows]
    bound = round(0.04224 + (len(job().text) + 50) * 5e-6, 9)
    assert paid == [("a", 0.04234), ("b", bound), ("c", bound), ("d", 0.04634)]
    assert books.rows[-1][1] > 0.08


def test_what_makes_another_generator() -> None:
    same = {"concurrency": 2, "timeout": 5, "tries": 2, "key_env": "A", "price": 1, "requests_per_minute": 9}
    assert parse_settings(OpenAIOptions, same, "x").changed() == {}
    other = {"base_url": "http://host", "size": "auto", "send_seed": True, "extra": {"steps": 3}}
    assert parse_settings(OpenAIOptions, other, "x").changed() == other
    assert build("gpt-image-2").name == "openai@1:gpt-image-2"
    assert build(concurrency=3).parallel == 3


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("", {}, "generator 'openai' needs a model, such as openai:gpt-image-2"),
        ("m", {"base_url": "http://me:secret@host"}, "generator 'openai': the address holds a user, a password"),
        ("m", {"base_url": "http://host:99999"}, "generator 'openai': give the address of the service as http"),
        ("m", {"base_url": "http://host\n/v1"}, "generator 'openai': give the address of the service as http"),
        ("m", {"base_url": "host/v1"}, "generator 'openai': give the address of the service as http"),
        ("m", {"base_url": "https://example.org"}, "generator 'openai': key_env is empty"),
        ("m", {"size": "big"}, "study.toml: 'size': string should match"),
        ("m", {"extra": {"prompt": "x", "n": 2}}, "study.toml: 'extra': n, prompt cannot be given here"),
        ("m", {"api_key": "sk-secret"}, "study.toml: unknown key 'api_key'"),
        ("m", {"price": -1}, "study.toml: 'price': input should be greater than or equal to 0"),
    ],
)
def test_options_that_make_no_sense_are_named_and_secrets_are_not(
    model: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        build(model, **options)
    assert str(caught.value).startswith(message)
    assert "secret" not in str(caught.value)


def test_a_key_that_is_not_set_stops_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="set the environment variable OPENAI_API_KEY"):
        list(build("dall-e-3").generate([job()]))


def test_building_imports_nothing_heavy_and_a_used_one_travels(server: Server, picture: Picture) -> None:
    generator = local(server)
    server.answers = [image(picture()), image(picture())]
    before = list(generator.generate([job()]))
    assert list(pickle.loads(pickle.dumps(generator)).generate([job()])) == before
    code = (
        "import sys; from portrayal.generators.openai import OpenAI; OpenAI('m', OpenAI.Options());"
        "print([name for name in ('openai', 'httpx', 'httpx2', 'stamina', 'PIL') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
