"""A real S3 server on loopback, and a proxy before it that answers as networks and busy services do."""

from __future__ import annotations

import contextlib
import http.client
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

BUCKET = "pictures"
SECRET = "not-to-be-seen-anywhere"
ERRORS = {"500": "InternalError", "503": "SlowDown", "403": "AccessDenied"}
PASSING = ("500", "503", "reset", "cut", "lost", "slow")
"""Troubles that are over when one asks again."""


@pytest.fixture(scope="session")
def s3_server() -> Iterator[int]:
    """The port of a server that knows no bucket yet."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-W", "ignore", "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not _answers(port):
            assert process.poll() is None, "the S3 server did not start"
            time.sleep(0.05)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _answers(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/moto-api/")
        connection.getresponse().read()
    except OSError:
        return False
    return True


@pytest.fixture
def s3(s3_server: int) -> Iterator[S3Proxy]:
    """The server as this process and those it starts see it, through a proxy, with an empty bucket."""
    with s3_proxy(s3_server) as proxy:
        yield proxy


@contextlib.contextmanager
def s3_proxy(port: int) -> Iterator[S3Proxy]:
    """Let this process, and those it starts, see a server through a proxy of their own, with an empty bucket."""
    from portrayal.store.images.remote_files import _file_system

    proxy = S3Proxy(port, f"{BUCKET}-{uuid.uuid4().hex}")
    thread = threading.Thread(target=proxy.serve_forever, args=(0.01,))
    thread.start()
    _file_system.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in proxy.environment.items():
            patch.setenv(name, value)
        try:
            proxy.request("PUT", f"/{proxy.bucket}")
            yield proxy
        finally:
            _file_system.cache_clear()
            proxy.shutdown()
            thread.join()
            proxy.server_close()


class S3Proxy(ThreadingHTTPServer):
    """Passes requests on. ``troubles`` happen to the next ones instead, ``always`` to all, and ``often`` to a part.

    ``500``, ``503`` and ``403`` are answers of S3; ``reset`` ends the connection, ``cut`` in the middle of an answer,
    ``lost`` when the server has done what it was asked; ``slow`` waits. ``redirect`` leads to ``elsewhere``, and
    ``swallow`` says that it has stored what it has not.
    """

    daemon_threads = True

    def __init__(self, port: int, bucket: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.port, self.bucket = port, bucket
        self.troubles: deque[str] = deque()
        self.always, self.often, self.elsewhere = "", 0.0, ""
        self._random = random.Random(19)
        self.asked: list[str] = []

    @property
    def environment(self) -> dict[str, str]:
        """What tells S3's own tools where the server is, and who asks."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.server_address[1]}",
            "AWS_ACCESS_KEY_ID": "tester",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        }

    @property
    def address(self) -> str:
        return f"s3://{self.bucket}/study"

    def next_trouble(self) -> str:
        """What happens to the request that has come."""
        if self.troubles:
            return self.troubles.popleft()
        often = self._random.choice(PASSING) if self._random.random() < self.often else ""
        return self.always or often

    def objects(self) -> dict[str, bytes]:
        """What is in the bucket, asked of the server itself."""
        listed = self.request("GET", f"/{self.bucket}?list-type=2&max-keys=100000")[1].decode()
        names = [part.partition("</Key>")[0] for part in listed.split("<Key>")[1:]]
        return {name: self.request("GET", f"/{self.bucket}/{name}")[1] for name in names}

    def request(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Ask the server itself."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            # The server looks at no signature, but gives objects only to whoever has an account.
            account = {"Authorization": "AWS4-HMAC-SHA256 Credential=tester/20260101/us-east-1/s3/aws4_request"}
            connection.request(method, path, body, account if headers is None else headers)
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: whoever asked may be gone."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: S3Proxy

    def _pass_on(self) -> None:
        self.server.asked.append(f"{self.command} {self.path}")
        trouble = self.server.next_trouble()
        if trouble == "slow":
            time.sleep(0.2)
        if trouble in ("", "slow"):
            self._answer(*self._asked())
        else:
            self._misbehave(trouble)

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _pass_on  # noqa: N815 - as http.server names them

    def _asked(self) -> tuple[http.client.HTTPResponse, bytes]:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name: value for name, value in self.headers.items() if name.lower() != "expect"}
        return self.server.request(self.command, self.path, body, headers)

    def _answer(self, answer: http.client.HTTPResponse, data: bytes, cut: int = 0) -> None:
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length", "server", "date"):
                self.send_header(name, value)
        length = answer.getheader("Content-Length", "0") if self.command == "HEAD" else str(len(data))
        self.send_header("Content-Length", length)
        self.end_headers()
        self.wfile.write(data[: len(data) // cut] if cut else data)

    def _misbehave(self, trouble: str) -> None:
        if trouble in ERRORS:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            body = f"<Error><Code>{ERRORS[trouble]}</Code><Message>{trouble}, on purpose</Message></Error>".encode()
            self.send_response(int(trouble))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(b"" if self.command == "HEAD" else body)
            return
        if trouble in ("redirect", "swallow") and (trouble == "redirect" or self.command == "PUT"):
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_response(307 if trouble == "redirect" else 200)
            if trouble == "redirect":
                self.send_header("Location", f"{self.server.elsewhere}{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if trouble == "swallow":
            self._answer(*self._asked())
            return
        if trouble == "lost":
            self._asked()
        elif trouble == "cut":
            self._answer(*self._asked(), cut=2)
            self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""
