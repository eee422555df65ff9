"""Bodies: small, soon, and forms; everything else is refused before a page sees it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from portrayal.web.security.request_body import MOST_BYTES, MOST_FIELDS, BodyLimits, read_form

FORM = "application/x-www-form-urlencoded"
CHUNKED = [(b"content-type", FORM.encode()), (b"transfer-encoding", b"chunked")]


async def echo(request: Request) -> Response:
    return JSONResponse(dict(await read_form(request)))


async def length(request: Request) -> Response:
    return JSONResponse(len(await request.body()))


def browser() -> TestClient:
    methods = ["GET", "POST", "PUT", "DELETE"]
    app = Starlette(routes=[Route("/", echo, methods=methods), Route("/length", length, methods=methods)])
    return TestClient(BodyLimits(app))


def post(content: Any, path: str = "/", **headers: str) -> Any:
    return browser().post(path, content=content, headers={"content-type": FORM, **headers})


def chunks(size: int, count: int) -> Iterator[bytes]:
    yield from (b"a" * size for _ in range(count))


def test_a_form_arrives() -> None:
    assert post(b"a=1&b=x+y%C3%A9&c=").json() == {"a": "1", "b": "x yé", "c": ""}


def test_the_largest_body_allowed() -> None:
    assert post(b"a" * MOST_BYTES, "/length").json() == MOST_BYTES
    assert post(chunks(1024, MOST_BYTES // 1024), "/length").json() == MOST_BYTES


@pytest.mark.parametrize("content", [b"a" * (MOST_BYTES + 1), chunks(1024, MOST_BYTES // 1024 + 1)])
def test_a_larger_one_is_refused_with_and_without_its_length(content: Any) -> None:
    answer = post(content, "/length")
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")


@pytest.mark.parametrize(
    ("said", "status"), [("16385", 413), ("99999999999999999999999", 413), ("-1", 400), ("0x10", 400), ("٣", 400)]
)
def test_a_length_is_believed_only_if_it_is_one(said: str, status: int) -> None:
    headers = [(b"content-type", FORM.encode()), (b"content-length", said.encode())]
    assert run(BodyLimits(never), headers, [])["status"] == status


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data; boundary=x",
        "application/json",
        "text/plain",
        "",
        f"{FORM}; charset=utf-16",
        f"{FORM}; charset=utf-8; boundary=x",
        f"multipart/mixed; a={FORM}",
        f"{FORM}, application/json",
    ],
)
def test_only_forms_are_understood(kind: str) -> None:
    assert browser().post("/", content=b"a=1", headers={"content-type": kind}).status_code == 415
    assert browser().request("DELETE", "/", content=b"a=1", headers={"content-type": kind}).status_code == 415


def test_a_form_needs_its_content_type_even_when_empty_and_only_one() -> None:
    assert browser().post("/").status_code == 415
    twice = [(b"content-type", FORM.encode()), (b"content-type", b"text/plain"), (b"content-length", b"1")]
    assert run(BodyLimits(never), twice, [])["status"] == 415


def test_a_packed_form_is_refused() -> None:
    assert post(b"a=1", **{"content-encoding": "gzip"}).status_code == 415


@pytest.mark.parametrize("kind", [FORM, FORM.upper(), f'{FORM}; charset="UTF-8"', f"{FORM};charset=utf-8"])
def test_browsers_ways_to_say_form(kind: str) -> None:
    assert browser().post("/", content=b"a=1", headers={"content-type": kind}).json() == {"a": "1"}


def test_a_get_needs_no_content_type() -> None:
    assert browser().get("/").json() == {}


@pytest.mark.parametrize(
    "body",
    [
        b"&".join(b"%d=1" % number for number in range(MOST_FIELDS + 1)),
        b"a=1&a=2",
        b"a=%00",
        b"%00=1",
        b"a=%ff",
        "a=é".encode(),
    ],
)
def test_forms_that_no_page_sends(body: bytes) -> None:
    assert post(body).status_code == 400


@pytest.mark.slow
@given(st.one_of(st.binary(max_size=300), st.from_regex(rb"(%[0-9a-f]{2}|[a-c&;=+%\x00])*", fullmatch=True)))
def test_any_bytes_are_fields_or_refused(body: bytes) -> None:
    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    async def read() -> Any:
        return await read_form(Request({"type": "http", "headers": []}, receive))

    try:
        fields = asyncio.run(read())
    except HTTPException as error:
        refused = error.status_code
        event(f"refused {refused}")
    else:
        refused = 400
        event("read")
        assert all("\0" not in name + value for name, value in fields.items())
    assert refused == 400


def test_two_lengths_are_one_too_many() -> None:
    headers = [*CHUNKED, (b"content-length", b"3")]
    assert run(BodyLimits(never), headers, [])["status"] == 400


def test_refusals_can_have_words_of_their_own() -> None:
    def refuse(scope: Any, status: int, words: str) -> Response:
        return JSONResponse({"path": scope["path"], "words": words}, status)

    browser = TestClient(BodyLimits(Starlette(), refuse))
    answer = browser.post("/vote", content=b"a=1", headers={"content-type": "text/plain"})
    assert answer.json() == {"path": "/vote", "words": f"Only {FORM} is understood."}
    assert (answer.status_code, answer.headers["connection"]) == (415, "close")


async def never(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("the application was asked")


def run(
    app: BodyLimits,
    headers: list[tuple[bytes, bytes]],
    messages: Iterable[Any],
    pause: float = 0.0,
    path: str = "/",
) -> dict[str, Any]:
    """Send a POST by hand; what comes after ``messages`` never comes."""
    sent: list[dict[str, Any]] = []
    waiting = iter(messages)

    async def receive() -> Any:
        await asyncio.sleep(pause)
        message = next(waiting, None)
        return message if message is not None else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app({"type": "http", "method": "POST", "path": path, "headers": headers}, receive, send))
    return sent[0] if sent else {}


def test_a_body_that_never_ends_is_given_up() -> None:
    part = {"type": "http.request", "body": b"a", "more_body": True}
    assert run(BodyLimits(never, seconds=0.2), CHUNKED, itertools.repeat(part), pause=0.02)["status"] == 408


def test_a_client_that_goes_away_gets_no_answer() -> None:
    part = {"type": "http.request", "body": b"a", "more_body": True}
    assert run(BodyLimits(never), CHUNKED, [part, {"type": "http.disconnect"}]) == {}


def test_after_the_body_the_application_hears_that_the_client_has_gone() -> None:
    heard: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        heard.extend([(await receive())["type"], (await receive())["type"]])

    run(BodyLimits(app), CHUNKED, [{"type": "http.request", "body": b"a"}, {"type": "http.disconnect"}])
    assert heard == ["http.request", "http.disconnect"]


FILES = [(b"content-type", b"multipart/form-data; boundary=x"), (b"transfer-encoding", b"chunked")]


async def reading(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads an upload as it comes, and answers what goes wrong as a site does."""
    status = 200
    try:
        async for _ in Request(scope, receive).stream():
            pass
    except HTTPException as error:
        status = error.status_code
    await PlainTextResponse("read", status)(scope, receive, send)


@pytest.mark.parametrize(("bytes_each", "status"), [(1_000, 200), (1_001, 413)])
def test_an_upload_is_read_as_it_comes_up_to_its_limit(bytes_each: int, status: int) -> None:
    limits = BodyLimits(reading, most_bytes=10, uploads={"/": 3_000})
    part = {"type": "http.request", "body": b"x" * bytes_each, "more_body": True}
    assert run(limits, FILES, [part, part, {**part, "more_body": False}])["status"] == status


def test_an_upload_that_stops_coming_ends() -> None:
    limits = BodyLimits(reading, seconds=0.05, uploads={"/": 3_000})
    part = {"type": "http.request", "body": b"x", "more_body": True}
    assert run(limits, FILES, itertools.repeat(part), pause=60)["status"] == 408


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/other", FILES, 415),
        ("/", [(b"content-type", FORM.encode()), (b"content-length", b"5")], 415),
        ("/", [FILES[0], (b"content-length", b"3001")], 413),
        ("/", [*FILES, (b"content-length", b"5")], 400),
        ("/", [FILES[0], (b"content-encoding", b"gzip"), (b"content-length", b"5")], 415),
    ],
)
def test_only_a_form_with_files_comes_to_where_files_are_taken(
    path: str, headers: list[tuple[bytes, bytes]], status: int
) -> None:
    assert run(BodyLimits(never, uploads={"/": 3_000}), headers, [], path=path)["status"] == status
