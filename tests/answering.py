"""Servers of tests: how they answer."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from typing import Any

__all__ = ["AnswerHandler"]


class AnswerHandler(BaseHTTPRequestHandler):
    """Sends whole answers, and writes no log."""

    def say(self, status: int, body: Any, **headers: str) -> None:
        """Send JSON; bytes are sent as they are, as what only claims to be JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send(status, data, content_type="application/json", **headers)

    def send(self, status: int, data: bytes, **headers: str) -> None:
        """Send bytes; in names of headers ``_`` stands for a dash."""
        self.send_response(status)
        for name, value in {"content_length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
