"""What many tests need: a small study of simulated parts, the command line, pictures, and what a folder holds."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from http.server import HTTPServer
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PIL import Image

Ran = subprocess.CompletedProcess[str]
Server = TypeVar("Server", bound=HTTPServer)
PORTRAYAL = Path(sys.executable).with_name("portrayal")

PROMPTS = """\
text,term,category
a photo of a nurse,nurse,health
a photo of a CEO,CEO,office
"""
TABLES: Mapping[str, Any] = {
    "study": {"title": "A small study", "seed": 1},
    "suite": {"use": "file", "options": {"path": "prompts.csv"}},
    "generators": [{"use": "simulated", "images": 3}],
    "annotators": [{"use": "simulated"}],
    "methods": [{"use": "representation", "options": {"draws": 100}}],
    "generate": {"batch": 2},
    "annotate": {"batch": 4, "workers": 1},
}


TROUBLED: Mapping[str, Any] = {
    "generators": [
        {
            "use": "simulated",
            "images": 12,
            "options": {"refused": 0.35, "failed": 0.4, "no_person": 0.2, "several": 0.2, "size": 4},
        }
    ],
    "generate": {"batch": 8, "attempts": 2},
    "annotate": {"batch": 32, "workers": 1},
}
"""A study in which everything that can happen happens."""


@pytest.fixture(scope="session")
def write_study() -> Callable[..., Path]:
    """Write a study of simulated parts to a folder; ``write_study(folder, suite=None, ...)`` changes its tables.

    Two prompts (nurse, CEO) with three images each; ``prompts`` is the text of its ``prompts.csv``.
    """

    def write(folder: Path, *, prompts: str = PROMPTS, **tables: Any) -> Path:
        folder.mkdir()
        (folder / "prompts.csv").write_text(prompts, encoding="utf-8")
        wanted = {key: value for key, value in {**TABLES, **tables}.items() if value is not None}
        text = "\n".join(f"{key} = {_toml(value)}" for key, value in wanted.items())
        (folder / "study.toml").write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def make_study(write_study: Callable[..., Path], tmp_path: Path) -> Callable[..., Path]:
    """Write a study to the test's own folder: ``make_study("name", suite=None, ...)``."""

    def make(name: str = "study", **changes: Any) -> Path:
        return write_study(tmp_path / name, **changes)

    return make


@pytest.fixture(scope="session")
def finished(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study with refusals, failures and abstentions that was run to its report; only to be read."""
    from portrayal.study.hooks import Hooks
    from portrayal.study.run import run_stages
    from portrayal.study.study import Study

    folder = write_study(tmp_path_factory.mktemp("finished") / "study", **TROUBLED)
    run_stages(Study(folder), Hooks())
    return folder


@pytest.fixture
def finished_copy(finished: Path, tmp_path: Path) -> Path:
    """Return a copy of the finished study that a test may change."""
    return shutil.copytree(finished, tmp_path / "study")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run a command line in this process, through the same entry as the installed command."""
    from portrayal.cli.main import main

    def run(*arguments: object) -> Ran:
        words = ["portrayal", *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", words)
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return Ran(words, int(end.value.code or 0), said.out, said.err)

    return run


@pytest.fixture
def command() -> Callable[..., Ran]:
    """Run the installed command in a process of its own; slower than ``cli``."""

    def run(*arguments: object, **options: Any) -> Ran:
        words = [str(PORTRAYAL), *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, **options)

    return run


@pytest.fixture
def start_command() -> Callable[..., subprocess.Popen[str]]:
    """Start the installed command and leave it running."""

    def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([str(PORTRAYAL), *map(str, arguments)], **{**pipes, **options})

    return start


@pytest.fixture
def serve() -> Iterator[Callable[[Server], Server]]:
    """Start a server in a thread and return it; it is stopped and closed when the test ends."""
    with ExitStack() as stack:

        def start(server: Server) -> Server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            for step in (server.server_close, thread.join, server.shutdown):  # the last first
                stack.callback(step)
            return server

        yield start


@pytest.fixture
def picture() -> Callable[..., bytes]:
    """Draw a picture of one colour and return it as a file's bytes."""

    def draw(
        colour: str | tuple[int, int, int] = "red", form: str = "PNG", size: tuple[int, int] = (8, 8), **options: Any
    ) -> bytes:
        buffer = io.BytesIO()
        Image.new("RGB", size, colour).save(buffer, form, **options)
        return buffer.getvalue()

    return draw


@pytest.fixture
def tree() -> Callable[[Path], dict[str, bytes | None]]:
    """Return everything under a folder: the bytes of files, None for folders."""

    def read(folder: Path) -> dict[str, bytes | None]:
        return {
            str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
        }

    return read


@pytest.fixture(scope="session")
def rows() -> Callable[[Path], dict[str, list[str]]]:
    """Return a study's tables as sorted text, so that studies compare however their batches were cut."""
    from portrayal.study.workspace import Workspace

    def read(folder: Path) -> dict[str, list[str]]:
        tables = Workspace(folder).tables
        return {name: sorted(_texts(batch.to_pylist() for batch in t.batches())) for name, t in tables.items()}

    return read


def _texts(batches: Iterable[list[Any]]) -> list[str]:
    return [json.dumps(row, sort_keys=True) for batch in batches for row in batch]


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
