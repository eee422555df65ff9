"""How many images a second a study gets from a service, by how many are asked for at a time, with books kept.

    python benchmarks/services.py [--images 200] [--latency 0.5]

A server on this machine answers each request after a fixed time. Prints Markdown.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from PIL import Image as Pillow

from portrayal.store.ledger import spent_by_part
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

STUDY = """
[study]
title = "services"

[suite]
use = "file"
options.path = "prompts.csv"

[[generators]]
use = "openai:bench"
images = 1
options = {{ base_url = "{url}", price = 0.01, concurrency = {concurrency} }}
"""


class Server(ThreadingHTTPServer):
    """Answers with an image after ``latency`` seconds."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, latency: float) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.latency = latency
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    """One image of 64 x 64 pixels, whatever is asked."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        """Read the request, wait, answer."""
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(self.server.latency)
        body = json.dumps({"created": 0, "data": [{"b64_json": PICTURE}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def picture() -> str:
    """Return the answer's image."""
    buffer = io.BytesIO()
    Pillow.new("RGB", (64, 64), "grey").save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


PICTURE = picture()


def main() -> None:
    """Draw the same study with more and more requests at a time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.5)
    given = parser.parse_args()
    server = Server(given.latency)
    print(f"## {given.images} images, {given.latency:g} s a request; ratio to one at a time\n")
    print("| at a time | seconds | images/s | ratio | of the ideal | booked USD |")
    print("| --- | --- | --- | --- | --- | --- |")
    first = 0.0
    for concurrency in (1, 8, 32, 128):
        images = min(given.images, 20) if concurrency == 1 else given.images
        seconds, spent = draw(server, images, concurrency)
        rate = images / seconds
        first = first or rate
        ideal = concurrency / given.latency
        print(f"| {concurrency} | {seconds:.1f} | {rate:.1f} | {rate / first:.1f} | {rate / ideal:.2f} | {spent:.2f} |")


def draw(server: Server, images: int, concurrency: int) -> tuple[float, float]:
    """Return the seconds that the generate stage takes, and what the study's books say it cost."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = "".join(f"a photo of person {number},t{number}\n" for number in range(images))
        (folder / "prompts.csv").write_text(f"text,term\n{lines}")
        (folder / "study.toml").write_text(STUDY.format(url=server.url, concurrency=concurrency))
        study = OpenStudy(folder)
        with study.workspace.writing():
            plan(study, RunControl())
            began = time.perf_counter()
            generate(study, RunControl(budget=1_000.0))
            seconds = time.perf_counter() - began
        return seconds, sum(spent_by_part(study.workspace).values())


if __name__ == "__main__":
    main()
