"""Against a real HTTP server on this machine that speaks the chat completions API."""

from __future__ import annotations

import base64
import io
import json
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from portrayal.annotators import Annotator
from portrayal.annotators.vlm import Vlm, VlmOptions
from portrayal.errors import BudgetError, ConfigError, ServiceError
from portrayal.records import OBSERVATION_SCHEMA, Abstention, Image, Observation, to_table
from portrayal.services import calls
from portrayal.services.account import Paid
from portrayal.settings import parse_settings

NURSE = {"gender": "female", "race5": "african", "age3": "middle-aged (30 to 59)", "occupation": "nurse"}
GOOD = json.dumps({"people": "one", "person": NURSE})
KEY = "sk-planted-key-0123456789"
VERSION = "tiny-vlm-2026-01-31 fp_abc"

Asked = dict[str, Any]


def reply(text: str | None, **changes: Any) -> Asked:
    """Return what a service answers; ``changes`` replace parts of its only choice."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", **changes}
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
    named = {"model": "tiny-vlm-2026-01-31", "system_fingerprint": "fp_abc"}
    return {"id": "1", "object": "chat.completion", "created": 1, **named, "choices": [choice], "usage": usage}


def error(status: int, code: str = "", message: str = "no", **headers: str) -> tuple[int, Asked, dict[str, str]]:
    return status, {"error": {"message": message, "type": "error", "code": code}}, headers


class Chat:
    """A chat service whose answers ``script`` gives, one after the other; the last is repeated."""

    def __init__(self) -> None:
        self.script: list[Any] = [reply(GOOD)]
        self.asked: list[Asked] = []
        self.headers: list[dict[str, str]] = []
        self.lock = threading.Lock()
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                chat.answer(self, json.loads(body))

            def log_message(self, *words: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def answer(self, handler: BaseHTTPRequestHandler, body: Asked) -> None:
        with self.lock:
            self.asked.append(body)
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            given = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        given = given(body) if callable(given) else given
        status, answer, headers = given if isinstance(given, tuple) else (200, given, {})
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        handler.send_response(status if handler.path == "/v1/chat/completions" else 404)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    service = Chat()
    thread = threading.Thread(target=service.server.serve_forever, args=(0.01,))
    thread.start()
    yield service
    service.server.shutdown()
    service.server.server_close()
    thread.join()


@pytest.fixture
def images(tmp_path: Path, picture: Callable[..., bytes]) -> list[Image]:
    found = []
    for number in range(4):
        path = tmp_path / f"{number}.png"
        path.write_bytes(picture((number * 50, 0, 0), size=(400, 200)))
        found.append(Image(f"i{number}", path, people=1, text="a photo of a nurse"))
    return found


def build(chat: Chat, **options: Any) -> Vlm:
    given = {"base_url": chat.url, "tries": 3, **options}
    return Vlm("tiny-vlm", parse_settings(VlmOptions, given, "study.toml"))


def look(chat: Chat, image: Image, **options: Any) -> list[Any]:
    return list(build(chat, **options).annotate([image]))


def told(rows: list[Any]) -> dict[tuple[int | None, str | None], Any]:
    """Return rows by subject and attribute: groups' masses, words, or reasons."""
    return {(row.subject, row.attribute): row.mass or row.text or row.reason for row in rows}


SEEN = {
    (0, "model_version"): VERSION,
    (0, "person"): (1.0, 0.0),
    (0, "gender"): (0.0, 1.0),
    (0, "race5"): (0.0, 0.0, 1.0, 0.0, 0.0),
    (0, "age3"): (0.0, 1.0, 0.0),
    (0, "occupation"): "nurse",
}


def test_an_answer_becomes_observations(chat: Chat, images: list[Image]) -> None:
    vlm = build(chat)
    rows = list(vlm.annotate(images[:2]))
    assert told(rows[:6]) == told(rows[6:]) == SEEN
    assert [row.image for row in rows] == ["i0"] * 6 + ["i1"] * 6
    assert {row.annotator for row in rows} == {"vlm@1:tiny-vlm"}
    assert {row.attribute for row in rows} < {attribute.name for attribute in vlm.attributes}
    assert to_table(rows, OBSERVATION_SCHEMA).num_rows == 12


def test_the_request_holds_the_questions_a_schema_and_a_small_picture(chat: Chat, images: list[Image]) -> None:
    vlm = build(chat, max_side=100, detail="low", max_tokens=77, seed=5)
    list(vlm.annotate(images[:1]))
    (asked,) = chat.asked
    text, image = asked["messages"][0]["content"]
    assert text == {"type": "text", "text": vlm.questions.text(1)}
    assert "nurse" not in text["text"], "the prompt of the image would give the answer away"
    start, _, data = image["image_url"].pop("url").partition(",")
    assert image == {"type": "image_url", "image_url": {"detail": "low"}}
    with Pillow.open(io.BytesIO(base64.b64decode(data))) as sent:
        assert (start, sent.format, sent.size) == ("data:image/jpeg;base64", "JPEG", (100, 50))
    shape = {"name": "portrayal", "strict": True, "schema": vlm.questions.schema(1)}
    assert {name: asked[name] for name in asked if name != "messages"} == {
        "model": "tiny-vlm",
        "max_tokens": 77,
        "temperature": 0.0,
        "seed": 5,
        "response_format": {"type": "json_schema", "json_schema": shape},
    }
    assert "authorization" not in chat.headers[0] or KEY not in chat.headers[0]["authorization"]


@pytest.mark.parametrize(("form", "sent"), [("json_object", {"type": "json_object"}), ("text", None)])
def test_servers_without_schemas_are_asked_in_their_own_way(
    chat: Chat, images: list[Image], form: str, sent: Any
) -> None:
    chat.script = [reply(f"Of course!\n```json\n{GOOD}\n```")]
    rows = look(chat, images[0], format=form, leave_out=["temperature", "seed"])
    assert told(rows) == SEEN
    assert chat.asked[0].get("response_format") == sent
    assert not {"temperature", "seed"} & set(chat.asked[0])


def test_two_people_are_told_apart(chat: Chat, images: list[Image]) -> None:
    nobody = dict.fromkeys(NURSE, "cannot tell")
    chat.script = [reply(json.dumps({"people": "two", "left": NURSE, "right": nobody}))]
    rows = look(chat, Image("pair", images[0].path, people=2))
    unknown = {(1, name): "cannot_tell" for name in NURSE}
    assert told(rows) == {**SEEN, **unknown}
    assert list(chat.asked[0]["response_format"]["json_schema"]["schema"]["properties"]) == ["people", "left", "right"]


def test_everyone_in_a_group_is_described_at_the_same_price(chat: Chat, images: list[Image]) -> None:
    doctor = {**NURSE, "gender": "male", "occupation": "doctor"}
    chat.script = [reply(json.dumps({"persons": [NURSE, doctor, NURSE]})), reply('{"persons": []}')]
    group = Image("group", images[0].path, people=0)
    vlm = build(chat)
    rows = list(vlm.annotate([group]))
    assert not [row for row in rows if isinstance(row, Abstention)]
    genders = {row.subject: row.mass for row in rows if row.attribute == "gender"}
    assert genders == {0: (0.0, 1.0), 1: (1.0, 0.0), 2: (0.0, 1.0)}
    assert [row.text for row in rows if row.attribute == "occupation"] == ["nurse", "doctor", "nurse"]
    assert [row.reason for row in vlm.annotate([group]) if isinstance(row, Abstention)] == ["no_person"]
    asked = chat.asked[0]
    assert asked["messages"][0]["content"][0]["text"] == vlm.questions.text(0)
    assert asked["response_format"]["json_schema"]["schema"] == vlm.questions.schema(0)
    assert asked["max_tokens"] == 300
    assert "at most 5," in vlm.questions.text(0), "of more than that the answer would not fit"
    assert "at most 10," in build(chat, max_tokens=2000).questions.text(0)


def test_nobody_and_what_cannot_be_told_are_abstentions(chat: Chat, images: list[Image]) -> None:
    unsure = json.dumps({"people": "one", "person": {**NURSE, "race5": "cannot tell"}})
    empty = json.dumps({"people": "none", "person": dict.fromkeys(NURSE, "cannot tell")})
    chat.script = [reply(unsure), reply(empty)]
    vlm = build(chat)
    assert told(list(vlm.annotate(images[:1]))) == {**SEEN, (0, "race5"): "cannot_tell"}
    assert told(list(vlm.annotate(images[1:2]))) == {
        (0, "model_version"): VERSION,
        (0, "person"): (0.0, 1.0),
        (None, None): "no_person",
    }


def test_an_answer_that_cannot_be_used_is_asked_for_again_with_the_reason(chat: Chat, images: list[Image]) -> None:
    wrong = json.dumps({"people": "one", "person": {**NURSE, "gender": "nurse"}})
    chat.script = [reply(wrong), reply(GOOD)]
    assert told(look(chat, images[0])) == SEEN
    first, second = chat.asked
    assert second["messages"][0] == first["messages"][0]
    assert second["messages"][1:] == [
        {"role": "assistant", "content": wrong},
        {
            "role": "user",
            "content": 'That cannot be used: "gender" must be one of "male", "female", "cannot tell". '
            "Answer again, with the JSON object alone.",
        },
    ]
    assert (first["seed"], second["seed"]) == (0, 1)


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (reply("I see\na nurse."), "I see a nurse."),
        (reply(GOOD, finish_reason="length"), GOOD),
        (reply(None), None),
        (reply("\ud800" + KEY), "?***"),
    ],
)
def test_answers_that_never_can_be_used_end_in_an_abstention(
    chat: Chat, images: list[Image], monkeypatch: pytest.MonkeyPatch, answer: Asked, kept: str
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    chat.script = [answer]
    rows = look(chat, images[0], answers=2, key_env="MY_KEY")
    assert len(chat.asked) == 2
    assert rows[0].text == VERSION
    assert rows[-1] == Abstention("i0", "vlm@1:tiny-vlm", "invalid_answer")
    assert [row.text for row in rows[1:-1]] == ([kept] if kept else [])


@pytest.mark.parametrize("text", [None, "", " ", "<think>The picture shows"])
def test_a_model_that_thinks_for_too_long_is_cut_off_and_not_asked_again(
    chat: Chat, images: list[Image], text: str | None
) -> None:
    chat.script = [reply(text, finish_reason="length")]
    rows = look(chat, images[0])
    assert len(chat.asked) == 1
    assert rows[-1] == Abstention("i0", "vlm@1:tiny-vlm", "cut_off")


def test_thoughts_are_not_repeated_to_the_model(chat: Chat, images: list[Image]) -> None:
    chat.script = [reply(f"<think>{GOOD}</think>It is a nurse."), reply(f"So</think>{GOOD}")]
    assert told(look(chat, images[0])) == SEEN
    assert chat.asked[1]["messages"][1] == {"role": "assistant", "content": "It is a nurse."}


@pytest.mark.parametrize(
    "answer",
    [
        reply(None, message={"content": None, "refusal": "I cannot help with that."}),
        reply("", finish_reason="content_filter"),
    ],
)
def test_a_model_that_will_not_answer_refuses(chat: Chat, images: list[Image], answer: Asked) -> None:
    chat.script = [answer]
    rows = look(chat, images[0])
    assert told(rows) == {(0, "model_version"): VERSION, (None, None): "refused"}
    assert len(chat.asked) == 1


def test_a_service_that_will_not_answer_refuses(chat: Chat, images: list[Image]) -> None:
    chat.script = [error(400, "content_policy_violation")]
    assert look(chat, images[0]) == [Abstention("i0", "vlm@1:tiny-vlm", "refused")]


@pytest.mark.parametrize(
    "trouble",
    [error(429, Retry_After="0"), error(500), error(503), (200, b"no JSON", {}), {"choices": []}, {"choices": None}],
)
def test_trouble_that_passes_leaves_no_trace(chat: Chat, images: list[Image], trouble: Any) -> None:
    chat.script = [trouble, trouble, reply(GOOD)]
    assert told(look(chat, images[0])) == SEEN
    assert len(chat.asked) == 3


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (error(503, message="overloaded"), "no answer about image i0: server_error: 503: overloaded; run again"),
        ((200, b"no JSON", {}), "no answer about image i0: malformed_answer: the answer is no JSON; run again"),
        (error(401), "the service refuses the key"),
        (error(404), "the service knows no model 'tiny-vlm'"),
        (error(429, Retry_After="9999"), "the service asks to wait 9999 s"),
        (error(400, message="no images here"), "no answer about image i0: bad_request: 400: no images here; run again"),
    ],
)
def test_a_service_that_does_not_work_stops_the_stage(
    chat: Chat, images: list[Image], trouble: Any, message: str
) -> None:
    chat.script = [trouble]
    with pytest.raises(ServiceError) as caught:
        look(chat, images[0])
    assert str(caught.value).startswith(f"annotator 'vlm': {message}")


def test_an_image_that_the_service_does_not_take_costs_only_itself(chat: Chat, images: list[Image]) -> None:
    chat.script = [error(400, message="bad image"), reply(GOOD), reply(GOOD), error(400, message="bad image")]
    vlm = build(chat)
    rejected = [Abstention(name, vlm.name, "rejected_image") for name in ("i0", "i2")]
    rows = list(vlm.annotate(images[:3]))
    assert [row for row in rows if row.reason] == rejected
    assert len(chat.asked) == 4, "the first was followed by a grey picture, the second known to be its own fault"


def test_nobody_at_the_address_is_one_line(images: list[Image], chat: Chat) -> None:
    chat.url = "http://127.0.0.1:9/v1"
    with pytest.raises(ServiceError, match=r"^annotator 'vlm': nobody answers at 127\.0\.0\.1:9 .*nothing is lost$"):
        look(chat, images[0])


def test_an_image_that_cannot_be_read_is_not_sent(chat: Chat, images: list[Image], tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    vlm = build(chat)
    rows = list(vlm.annotate([Image("bad", tmp_path / "bad.png"), Image("gone", None), images[0]]))
    assert rows[:2] == [
        Abstention("bad", vlm.name, "unreadable_image"),
        Abstention("gone", vlm.name, "missing_file"),
    ]
    assert told(rows[2:]) == SEEN
    assert len(chat.asked) == 1


class Book:
    """An account with a budget that keeps every entry."""

    def __init__(self, budget: float) -> None:
        self.left = budget
        self.entries: list[tuple[float, float]] = []
        self.lock = threading.Lock()
        self.open: dict[str, float] = {}

    def reserve(self, usd: float, part: str, item: str) -> str:
        with self.lock:
            if usd > self.left:
                raise BudgetError("the budget is spent")
            self.left -= usd
            ticket = f"{len(self.open) + len(self.entries)}"
            self.open[ticket] = usd
            return ticket

    def settle(self, ticket: str, usd: float) -> None:
        with self.lock:
            set_aside = self.open.pop(ticket)
            self.entries.append((set_aside, usd))
            self.left += set_aside - usd


def test_every_request_is_paid_for(chat: Chat, images: list[Image]) -> None:
    chat.script = [error(500), reply("no"), reply(GOOD)]
    vlm = build(chat, price=[2.0, 10.0], image_tokens=1000)
    vlm.account = book = Book(1.0)
    assert isinstance(vlm, Paid)
    assert told(list(vlm.annotate(images[:1]))) == SEEN
    length = max(vlm.questions.length(1), vlm.questions.length(2))
    most = ((length + 300 + 500 + 1000) * 2.0 + 300 * 10.0) / 1e6
    assert vlm.price("a photo of a nurse") == pytest.approx(most)
    cost = (1000 * 2.0 + 50 * 10.0) / 1e6
    assert [spent for _, spent in book.entries] == pytest.approx([0.0, cost, cost])
    assert [aside for aside, _ in book.entries] == pytest.approx([most] * 3)


def test_no_request_is_made_that_could_exceed_the_budget(chat: Chat, images: list[Image]) -> None:
    vlm = build(chat, price=[2.0, 10.0])
    vlm.account = Book((vlm.price("") or 0.0) * 0.99)
    with pytest.raises(BudgetError):
        list(vlm.annotate(images))
    assert chat.asked == []


def test_a_picture_that_is_dearer_than_expected_stops_the_stage(chat: Chat, images: list[Image]) -> None:
    def dear(body: Asked) -> Asked:
        return {**reply(GOOD), "usage": {"prompt_tokens": 90_000, "completion_tokens": 50}}

    chat.script = [dear]
    vlm = build(chat, price=[2.0, 10.0])
    vlm.account = book = Book(1.0)
    with pytest.raises(ConfigError) as caught:
        list(vlm.annotate(images))
    assert str(caught.value) == (
        "annotator 'vlm': a request had 90000 tokens, more than expected; set options.image_tokens = 90000"
    )
    assert len(chat.asked) == len(book.entries) == 1


def test_prices_are_known_set_or_unknown() -> None:
    def price(model: str, **options: Any) -> float | None:
        return Vlm(model, VlmOptions(**options)).price("")

    known, mini = price("gpt-4o"), price("gpt-4o-mini")
    assert known is not None
    assert mini is not None
    assert 0.005 < known < 0.05
    assert 48_169 * 0.15 / 1e6 < mini < 0.01
    assert price("unheard-of") is None
    assert price("qwen2.5vl:7b", base_url="http://localhost:11434/v1") == 0.0
    assert price("gpt-4o", base_url="https://api.example.org/v1", key_env="MY_KEY") is None
    assert price("gpt-4o", base_url="https://api.example.org/v1", key_env="MY_KEY", price=(1.0, 2.0)) is not None


@pytest.mark.slow
def test_many_threads_get_each_their_own_answer(chat: Chat, images: list[Image]) -> None:
    def by_size(body: Asked) -> Asked:
        """Tell by the picture who is asked about."""
        data = base64.b64decode(body["messages"][0]["content"][1]["image_url"]["url"].partition(",")[2])
        with Pillow.open(io.BytesIO(data)) as sent:
            red = sent.convert("RGB").getpixel((0, 0))
        person = {**NURSE, "occupation": f"worker {round(red[0] / 50)}" if isinstance(red, tuple) else ""}
        return reply(json.dumps({"people": "one", "person": person}))

    chat.script = [by_size]
    vlm = build(chat, concurrency=8)
    assert vlm.parallel == 8
    vlm.account = book = Book(1.0)
    wanted = images * 10
    with ThreadPoolExecutor(vlm.parallel) as pool:
        found = list(pool.map(lambda image: list(vlm.annotate([image])), wanted))
    assert [told(rows)[0, "occupation"] for rows in found] == [f"worker {image.id[1:]}" for image in wanted]
    assert book.entries == []  # one's own server is free


@pytest.mark.slow
def test_trouble_at_random_changes_no_answer_and_never_exceeds_the_budget(chat: Chat, images: list[Image]) -> None:
    luck = random.Random(7)
    billed: list[str] = []

    def troubled(body: Asked) -> Any:
        with chat.lock:
            way = luck.choice(["good", "good", "limit", "down", "malformed", "invalid"])
        if way in ("good", "malformed", "invalid"):
            billed.append(way)
        unusable: Any = (200, b"{", {}) if way == "malformed" else reply("no")
        others = {"limit": error(429, Retry_After="0"), "down": error(502), "good": reply(GOOD)}
        return others.get(way, unusable)

    chat.script = [troubled]
    vlm = build(chat, price=[2.0, 10.0], answers=10, tries=20, concurrency=8)
    vlm.account = book = Book(budget := 30 * (vlm.price("") or 0.0))
    wanted = [Image(f"j{number}", images[number % 4].path) for number in range(60)]

    def one(image: Image) -> list[Any]:
        try:
            return list(vlm.annotate([image]))
        except BudgetError:
            return []

    with ThreadPoolExecutor(vlm.parallel) as pool:
        found = list(pool.map(one, wanted))
    answered = [told(rows) for rows in found if rows]
    assert 10 < len(answered) < 60, "some are left for a greater budget"
    assert all(rows == SEEN for rows in answered)
    cost = (1000 * 2.0 + 50 * 10.0) / 1e6
    assert len(billed) * cost <= sum(spent for _, spent in book.entries) + 1e-9
    assert sum(spent for _, spent in book.entries) <= budget
    assert book.open == {}


def test_the_key_is_sent_and_shown_nowhere(
    chat: Chat, images: list[Image], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    loud = {**reply(f"{GOOD}"), "model": f"model {KEY}"}
    chat.script = [loud, reply(f"no {KEY}"), error(400, message=f"bad key {KEY}")]
    vlm = build(chat, key_env="MY_KEY", answers=1)
    caplog.set_level("DEBUG")
    rows = list(vlm.annotate(images))
    assert chat.headers[0]["authorization"] == f"Bearer {KEY}"
    assert next(row.text for row in rows if row.attribute == "model_version") == "model *** fp_abc"
    chat.script = [error(401, message=f"bad key {KEY}")]
    with pytest.raises(ServiceError) as caught:
        list(vlm.annotate(images))
    said = "".join((repr(rows), repr(vlm), str(caught.value), repr(caught.value.__context__), vlm.name))
    assert KEY not in said
    assert KEY.encode() not in pickle.dumps(vlm)
    assert KEY not in caplog.text


def test_the_usual_key_is_not_sent_to_another_server(
    chat: Chat, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    look(chat, images[0])
    assert KEY not in json.dumps(chat.headers)


def test_openai_itself_needs_a_key_and_knows_the_newer_limit(
    images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    from portrayal.annotators.vlm.request import parameters

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    vlm = Vlm("gpt-4o", VlmOptions())
    with pytest.raises(ConfigError, match="set the environment variable OPENAI_API_KEY"):
        list(vlm.annotate(images[:1]))
    asked = parameters(vlm.options, vlm.questions, 1, "data:")
    assert asked["max_completion_tokens"] == 300
    assert "max_tokens" not in asked


def test_the_name_tells_the_model_and_options_tell_what_is_asked(chat: Chat) -> None:
    assert Vlm("qwen2.5vl:7b", VlmOptions(base_url=chat.url)).name == "vlm@1:qwen2.5vl:7b"
    silent: dict[str, Any] = {
        "concurrency": 2,
        "timeout": 3.0,
        "price": (1.0, 2.0),
        "image_tokens": 7,
        "key_env": "K",
        "tries": 2,
    }
    assert VlmOptions(**silent).changed() == {}
    loud: dict[str, Any] = {
        "prompt": "Look.",
        "base_url": chat.url,
        "max_side": 512,
        "attributes": ("gender",),
        "seed": 1,
        "answers": 1,
    }
    assert set(VlmOptions(**loud).changed()) == set(loud)


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("", {}, "annotator 'vlm' needs a model, such as vlm:gpt-4o"),
        ("m", {"format": "xml"}, "study.toml: 'format': input should be 'json_schema', 'json_object' or 'text'"),
        ("m", {"leave_out": ["messages"]}, "study.toml: 'leave_out.1': input should be 'temperature' or 'seed'"),
        ("m", {"base_url": "ftp://x"}, "annotator 'vlm': give the address of the service as http://host:port"),
        ("m", {"key_env": "sk-123"}, "annotator 'vlm': key_env is no name of an environment variable"),
        ("m", {"attributes": ["gendr"]}, "annotator 'vlm' knows no attribute 'gendr'"),
    ],
)
def test_names_and_options_that_make_no_sense_are_named(model: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Vlm(model, parse_settings(VlmOptions, options, "study.toml"))
    assert str(caught.value).startswith(message)


@pytest.mark.slow
def test_it_travels_and_loads_nothing_before_it_is_used(chat: Chat, images: list[Image]) -> None:
    vlm: Annotator = build(chat)
    before = list(vlm.annotate(images[:1]))
    assert list(pickle.loads(pickle.dumps(vlm)).annotate(images[:1])) == before
    code = (
        "import sys; from portrayal.annotators.vlm import Vlm; Vlm('m', Vlm.Options()).price('');"
        "print([name for name in ('openai', 'httpx2', 'stamina') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_rows_are_of_the_annotator_as_the_study_calls_it(chat: Chat, images: list[Image]) -> None:
    vlm = build(chat)
    vlm.name += "#1234"
    assert {row.annotator for row in vlm.annotate(images[:1])} == {"vlm@1:tiny-vlm#1234"}
    assert isinstance(next(iter(vlm.annotate(images[:1]))), Observation)
