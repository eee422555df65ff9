"""Answers that are proper HTTP and say what nobody should say: for each service and step, by name."""

from __future__ import annotations

import base64
import functools
import io
import json
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from PIL import Image

__all__ = ["answers"]

MILLION = 1_000_000


@functools.cache
def answers(service: str, step: str, port: int) -> Mapping[str, bytes]:
    """Return what one step of a service can be answered with."""
    specific: Mapping[str, Callable[[], Mapping[str, Any]]] = {
        "openai-draw": lambda: _openai(port),
        "openai-address": _pictures,
        "vlm-chat": _vlm,
        "a1111-draw": _a1111,
        "a1111-models": _models,
        "comfyui-view": _pictures,
        "comfyui-prompt": _prompt,
        "comfyui-history": _history,
    }
    found = specific.get(f"{service}-{step}", dict)()
    said = {name: body if isinstance(body, bytes) else json.dumps(body).encode() for name, body in found.items()}
    return said if found is _pictures() else {**_json(), **said}


@functools.cache
def _json() -> Mapping[str, bytes]:
    return {
        "json-nothing": b"",
        "json-null": b"null",
        "json-list": b"[]",
        "json-number": b"3",
        "json-text": b'"text"',
        "json-empty": b"{}",
        "json-cut": b'{"data": [',
        "json-and-more": b'{"data": []} <html>',
        "json-nan": b'{"data": NaN, "choices": NaN, "images": NaN}',
        "json-deep-lists": b"[" * MILLION,
        "json-deep-objects": b'{"a":' * MILLION,
        "json-long-number": b'{"data": ' + b"9" * MILLION + b"}",
        "json-many-values": b'{"data": [{}' + b",{}" * (10 * MILLION) + b"]}",
        "json-many-numbers": b"[1.5" + b",1.5" * (9 * MILLION) + b"]",
        "json-many-names": b"{" + b",".join(b'"%d":[]' % n for n in range(600_000)) + b"}",
        "json-long-text": b'{"data": "' + b"x" * (40 * MILLION) + b'"}',
        "json-wide-text": b'{"data": "' + "😀".encode() * (10 * MILLION) + b'"}',
        "json-no-utf-8": b'{"data": "\xff\xfe"}',
        "json-utf-16": '{"data": []}'.encode("utf-16"),
        "json-with-a-zero": b'{"data": "\0"}',
        "json-halves": b'{"data": "\\ud800", "choices": [{"message": {"content": "\\udfff"}}]}',
        "json-error": b'{"error": {"message": {"a": [1, 2]}, "code": ["x"], "type": 3}}',
        "json-long-error": b'{"error": "' + b"e\\u001b[31m" * MILLION + b'"}',
    }


def _file(form: str, size: tuple[int, int] = (8, 8), progressive: bool = False) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size).save(buffer, form, progressive=progressive)
    return buffer.getvalue()


def _png(width: int, height: int, data: bytes, kind: int = 2, depth: int = 8, text: bytes = b"") -> bytes:
    """Return a PNG file that says it is so large, whatever is in it."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    said = chunk(b"zTXt", b"a\0\0" + text) if text else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + said + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@functools.cache
def _pictures() -> Mapping[str, bytes]:
    return {
        "picture-nothing": b"",
        "picture-html": b"<html>",
        "picture-gif": _file("GIF"),
        "picture-tiff": _file("TIFF"),
        "picture-svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
        "picture-cut": _file("PNG", (64, 64))[:-40],
        "picture-jpeg-cut": _file("JPEG", (640, 640))[:-400],
        "picture-of-2-billion": _png(46_000, 46_000, zlib.compress(bytes(MILLION))),
        "picture-of-41-million": _png(6_400, 6_400, zlib.compress(bytes(6_400 * (6_400 * 3 + 1)))),
        "picture-of-41-million-grey": _png(6_400, 6_400, zlib.compress(bytes(6_400 * (6_400 * 2 + 1))), 0, 16),
        "picture-with-long-text": _png(8, 8, b"", text=zlib.compress(bytes(50 * MILLION))),
        "picture-without-pixels": _png(0, 0, b""),
        "picture-of-a-line": _png(1, 2**31 - 1, zlib.compress(b"")),
        "picture-wrong-sum": _file("PNG")[:-20] + b"x" * 20,
        "picture-large-jpeg": _file("JPEG", (4_000, 4_000), progressive=True),
        "picture-large-webp": _file("WEBP", (3_200, 3_200)),
        "picture-webp-cut": _file("WEBP", (64, 64))[:30],
    }


def _in_base64() -> dict[str, str]:
    texts = {name: base64.b64encode(data).decode() for name, data in _pictures().items()}
    return {**texts, "base64-cut": texts["picture-gif"][:-3], "base64-words": "no base64 at all", "base64-accent": "é"}


def _openai(port: int) -> dict[str, Any]:
    here = f"http://127.0.0.1:{port}/openai/draw/json-empty/nowhere"
    addresses = [
        "file:///etc/passwd", "ftp://elsewhere.invalid/a", "javascript:alert(1)", "data:image/png;base64,AA==",
        "//host/a", "http://169.254.169.254/latest/meta-data", "https://10.0.0.1/a", "http://[fe80::1]/", "http://0/",
        "https://localhost.local/", f"http://me:word@127.0.0.1:{port}/", "http://[::1", "http://" + "a" * 70_000,
        "https://a\r\nb/", here,
    ]  # fmt: skip
    found: dict[str, Any] = {
        "data-null": {"data": None},
        "data-of-lists": {"data": [[]]},
        "data-of-numbers": {"data": [{"b64_json": 3, "url": ["x"]}]},
        "usage-nonsense": {"data": [], "usage": {"input_tokens": 10**400, "output_tokens": "x"}},
        **{name: {"data": [{"b64_json": text, "revised_prompt": [text]}]} for name, text in _in_base64().items()},
        **{f"address-{n}": {"data": [{"url": url}]} for n, url in enumerate(addresses)},
    }
    picture = base64.b64encode(_file("PNG")).decode()
    found["long-revised-prompt"] = {"data": [{"b64_json": picture, "revised_prompt": "x" * (30 * MILLION)}]}
    return found


def _vlm() -> dict[str, Any]:
    def said(content: Any, **more: Any) -> dict[str, Any]:
        return {"model": "m", "choices": [{"message": {"content": content}, "finish_reason": "stop"}], **more}

    return {
        "choices-null": {"choices": None},
        "choices-of-numbers": {"choices": [3]},
        "message-list": {"choices": [{"message": []}]},
        "content-list": said([{"type": "text", "text": "{}"}]),
        "content-number": said(3),
        "content-long": said("x" * (40 * MILLION)),
        "content-of-braces": said("{" * MILLION),
        "content-of-objects": said('{"a": {}} ' * 5_000),
        "content-of-quotes": said('{"a":"}' * 14_000),
        "content-thinking": said("<think>" * MILLION),
        "content-of-escapes": said("\x1b[31m\x00\x07" * 100),
        "content-of-surrogates": said("\ud800" * 1000),
        "model-long": {**said("{}"), "model": "m" * (20 * MILLION)},
        "model-of-lists": {**said("{}"), "model": [["m"]], "system_fingerprint": {"a": 1}},
        "usage-beyond-numbers": said("{}", usage={"prompt_tokens": 10**4000, "completion_tokens": 1}),
        "usage-negative": said("{}", usage={"prompt_tokens": -5, "completion_tokens": -5}),
        "usage-of-words": said("{}", usage="many"),
        "refusal-object": {"choices": [{"message": {"refusal": {"a": 1}, "content": None}}]},
        "people-nonsense": said('{"people": ["one"], "person": 3}'),
    }


def _a1111() -> dict[str, Any]:
    info = json.dumps({"sd_model_name": "dream", "sd_model_hash": "0123456789"})
    return {
        "images-null": {"images": None, "info": info},
        "images-empty": {"images": [], "info": info},
        "images-of-numbers": {"images": [3], "info": info},
        "info-missing": {"images": ["AAAA"]},
        "info-no-json": {"images": ["AAAA"], "info": "words"},
        "info-deep": {"images": ["AAAA"], "info": "[" * MILLION},
        "info-list": {"images": ["AAAA"], "info": "[]"},
        "info-of-lists": {"images": ["AAAA"], "info": json.dumps({"sd_model_name": ["x"], "sd_model_hash": {"a": 1}})},
        "info-long": {"images": ["AAAA"], "info": json.dumps({"sd_model_name": "x" * (10 * MILLION)})},
        "info-another-model": {"images": ["AAAA"], "info": json.dumps({"sd_model_hash": "ffffffffff\x1b[31m"})},
        **{name: {"images": [text], "info": info} for name, text in _in_base64().items()},
    }


def _models() -> dict[str, Any]:
    return {
        "models-of-numbers": [1, None, [], "x"],
        "titles-of-numbers": [{"title": 3}, {"title": ["x"]}, {"title": {"a": 1}}],
        "titles-long": [{"title": "dream " * MILLION}, {"title": "d" * (10 * MILLION)}],
        "titles-many": [{"title": f"dreamer{n}.safetensors"} for n in range(100_000)],
        "title-of-brackets": [{"title": "dream [" * 60}],
        "title-of-escapes": [{"title": "dream\x1b[31m [ffffffffff]"}],
    }


def _prompt() -> dict[str, Any]:
    return {
        "ticket-number": {"prompt_id": 3},
        "ticket-long": {"prompt_id": "x" * MILLION},
        "ticket-path": {"prompt_id": "../../queue"},
        "ticket-lines": {"prompt_id": "a\r\nx: y"},
        "errors-list": {"prompt_id": "a", "node_errors": [1]},
        "errors-of-numbers": {"prompt_id": "a", "node_errors": {"9": 3}},
        "outputs-number": {"prompt_id": "a", "node_errors": {"9": {"dependent_outputs": 3}}},
        "outputs-of-lists": {"prompt_id": "a", "node_errors": {"9": {"dependent_outputs": [["9"]]}}},
        "errors-of-escapes": {
            "node_errors": {"\x1b[31m": {"dependent_outputs": ["9"], "errors": [{"message": "\n\x07"}]}}
        },
    }


def _history() -> dict[str, Any]:
    def entry(**members: Any) -> dict[str, Any]:
        return {"f3a1": members}

    def images(found: Any) -> dict[str, Any]:
        return entry(outputs={"9": {"images": found}})

    return {
        "entry-list": {"f3a1": []},
        "entry-number": {"f3a1": 3},
        "status-list": entry(status=[1]),
        "messages-number": entry(status={"status_str": "error", "messages": 3}),
        "messages-of-lists": entry(status={"status_str": "error", "messages": [[[], {}], 3, ["execution_error", 3]]}),
        "outputs-number": entry(outputs=3),
        "output-list": entry(outputs={"9": [1]}),
        "images-number": images(3),
        "images-of-numbers": images([3]),
        "images-many": images([{}] * 9000),
        "name-long": images([{"filename": "x" * MILLION}]),
        "name-path": images([{"filename": "../../../etc/passwd", "subfolder": "..", "type": ["output"]}]),
        "name-of-lines": images([{"filename": "a\r\nb\x00\x1b[31m"}]),
    }
