"""What many tests need: a small study of simulated parts, the command line, pictures, and what a folder holds."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import lru_cache
from http.server import HTTPServer
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest_plugins = ["tests.samples.rater_sites", "samples.report_data", "samples.s3"]

# Tests run side by side: threads that wait for each other would take the processors from them.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# An example may take as long as it takes, and so may making one up.
settings.register_profile("any speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any speed")
settings.register_profile("quick", settings.get_profile("any speed"), max_examples=25)

Ran = subprocess.CompletedProcess[str]
Server = TypeVar("Server", bound=HTTPServer)
PORTRAYAL = Path(sys.executable).with_name("portrayal")
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSER_PATIENCE = 120_000
"""Milliseconds: what a page is expected to show it shows by then, however busy the machine is."""

COMMAND = """
import os, sys
for stream, path in ((1, out), (2, err)):
    os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), stream)
os.chdir(folder)
os.environ.clear()
os.environ.update(environment)
sys.argv = ["portrayal", *words]
from portrayal.cli.main import main
exec(first, {})
main()
"""
LOADED = (
    "duckdb",
    "jinja2",
    "pandas",  # which Arrow and DuckDB load where it is installed
    "PIL.PngImagePlugin",
    "portrayal.annotators.simulated",
    "portrayal.api.study",
    "portrayal.cli.command_line",
    "portrayal.generators.simulated",
    "portrayal.methods.faintbench.suite",
    "portrayal.methods.representation.method",
    "portrayal.study.run",
    "s3fs",
    "scipy.stats",
    *(
        f"portrayal.methods.{name}.report.section"
        for name in ("bafis", "biaspainter", "faintbench", "representation", "socialbiaskg", "tbyb")
    ),
)
"""What a study of simulated parts loads on its way to a report."""
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


SLOW_FILE = "\npytestmark = pytest.mark.slow\n"
"""What a file of slow tests says."""

KEYS = ("OPENAI_API_KEY", "MY_KEY", "PLANTED", "LOGIN", "DEMO_LOGIN", "WEBUI_LOGIN")
"""Variables that tests put made-up keys into."""


def pytest_configure(config: pytest.Config) -> None:
    """Let ``make quick`` try fewer examples, where a test does not say how many."""
    if _quick(config):
        settings.load_profile("quick")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Let ``make quick`` not even import files of slow tests: what they import takes longer than all that it runs."""
    quick = _quick(config) and collection_path.name.startswith("test_")
    return True if quick and SLOW_FILE in collection_path.read_text(encoding="utf-8") else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected: each search goes through all there is, and all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Keep what was collected out of every later search for garbage: it is most of what there is, and stays."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let the interpreter clear up when it ends, or DuckDB complains of what is left."""
    gc.unfreeze()


def _quick(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "not slow")


@pytest.fixture(scope="session", autouse=True)
def _no_power_cuts() -> Iterator[None]:
    """Let this process not wait for the disk: that is against power cuts, which no test makes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _settings_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Leave the user's own settings alone; in those of the tests, made-up keys may go to this machine."""
    from portrayal.services.key_hosts import allow

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
        patch.setenv("PORTRAYAL_TRUST", "/")  # most tests write their studies' study.toml themselves
        for variable in KEYS:
            allow(variable, "127.0.0.1")
        yield


@pytest.fixture(scope="session", autouse=True)
def _commands_built_once() -> Iterator[None]:
    """Let ``cli`` build the commands once, and anew when packages come or go: it takes longer than most of them."""
    import typer.main

    from portrayal.registry import installed_now

    build = lru_cache(maxsize=64)(lambda app, installed, get=typer.main.get_command: get(app))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", lambda app: build(app, installed_now()))
        yield


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
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Copy to a folder what ``make(folder, *what)`` makes, which is called once for the same values in a process."""
    made: dict[str, Path] = {}

    def copied(folder: Path, make: Callable[..., object], *what: Any) -> Path:
        key = repr((make.__module__, make.__qualname__, folder.name, what))
        if key not in made:
            whole = tmp_path_factory.mktemp("made") / folder.name
            make(whole, *what)
            made[key] = whole
        return shutil.copytree(made[key], folder)

    return copied


@pytest.fixture
def make_measured(
    write_study: Callable[..., Path], made_once: Callable[..., Path], tmp_path: Path
) -> Callable[..., Path]:
    """Write a study to the test's own folder as ``make_study`` does, run to its report."""

    def run(folder: Path, changes: Mapping[str, Any]) -> None:
        from portrayal.study.run import run_stages
        from portrayal.study.run_control import RunControl
        from portrayal.study.study import OpenStudy

        run_stages(OpenStudy(write_study(folder, **changes)), RunControl())

    def make(name: str = "study", **changes: Any) -> Path:
        return made_once(tmp_path / name, run, changes)

    return make


@pytest.fixture(scope="session")
def finished(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study with refusals, failures and abstentions that was run to its report; only to be read."""
    from portrayal.study.run import run_stages
    from portrayal.study.run_control import RunControl
    from portrayal.study.study import OpenStudy

    folder = write_study(tmp_path_factory.mktemp("finished") / "study", **TROUBLED)
    run_stages(OpenStudy(folder), RunControl())
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
        monkeypatch.setenv("PYTHONSAFEPATH", "1")  # the command sets it, for itself alone
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
        return subprocess.run(words, capture_output=True, text=True, check=False, **options)

    return run


@pytest.fixture(scope="session")
def smaller_demo() -> Callable[..., Ran]:
    """Run ``portrayal demo`` in a process of its own on less than its study.toml asks for; the whole takes minutes.

    ``smaller_demo({"images = 24": "images = 6"}, "folder")``: what the file says and what it says instead.
    """

    def run(changes: Mapping[str, str], *arguments: object) -> Ran:
        words = [sys.executable, "-c", _SMALLER_DEMO, json.dumps(changes), *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    return run


_SMALLER_DEMO = """
import json, sys
from portrayal.cli.main import main
from portrayal.study.create import create_study as create

shipped, changes = create.shipped, json.loads(sys.argv[1])

def changed(bundle, name):
    text = shipped(bundle, name)
    for before, after in changes.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text

create.shipped = changed
sys.argv = ["portrayal", "demo", *sys.argv[2:]]
if __name__ == "__main__":
    main()
"""


@pytest.fixture
def start_command() -> Callable[..., subprocess.Popen[str]]:
    """Start the installed command and leave it running."""

    def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([str(PORTRAYAL), *map(str, arguments)], **{**pipes, **options})

    return start


@pytest.fixture(scope="session")
def start_loaded() -> Callable[..., ForkServerProcess]:
    """Start the command in a process in which all it needs is loaded: that takes longer than what it does.

    ``first`` is Python that runs before it, such as what makes it wait less long.
    """
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(list(LOADED))

    def start(
        *arguments: object, folder: Path = Path(), out: str = os.devnull, err: str = os.devnull, first: str = ""
    ) -> Any:
        names = {"words": [str(word) for word in arguments], "folder": str(folder.absolute()), "first": first}
        names |= {"out": out, "err": err}
        process = processes.Process(target=exec, args=(COMMAND, {**names, "environment": dict(os.environ)}))
        process.start()
        return process

    return start


@pytest.fixture(scope="session")
def loaded_command(start_loaded: Callable[..., ForkServerProcess]) -> Callable[..., Ran]:
    """Run the command in such a process, in a folder: ``loaded_command(folder, "status", "study")``."""

    def run(folder: Path, *arguments: str) -> Ran:
        with tempfile.TemporaryDirectory() as said:
            out, err = Path(said, "out"), Path(said, "err")
            process = start_loaded(*arguments, folder=folder, out=str(out), err=str(err))
            process.join()
            return Ran([*arguments], process.exitcode or 0, out.read_text(), err.read_text())

    return run


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
def problem_told(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Return what is set once an error in one of the engine's threads is before the results that come later."""
    from portrayal.engines import threads

    told = threading.Event()

    class WatchedQueue(SimpleQueue[Any]):
        def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
            super().put(item, block, timeout)
            if isinstance(item, threads._Problem):
                told.set()

    monkeypatch.setattr(threads, "SimpleQueue", WatchedQueue)
    return told


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop | None]]:
    """Start a real Chromium, once for all files: that takes longer than most tests. With it comes its event loop."""
    if not CHROMIUM.exists():
        pytest.skip("no /usr/bin/chromium on this machine")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=BROWSER_PATIENCE)
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS, timeout=BROWSER_PATIENCE)
        started.on("context", lambda context: context.set_default_timeout(BROWSER_PATIENCE))
        loop = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        yield started, loop
        asyncio._set_running_loop(loop)
        started.close()


@pytest.fixture(scope="module")
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop | None]) -> Iterator[Browser]:
    """Return a real Chromium without any page. Its event loop runs in this thread only while a file uses it."""
    started, loop = chromium
    asyncio._set_running_loop(loop)
    yield started
    for context in started.contexts:
        context.close()
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def check_axe() -> Callable[[Page], list[tuple[str, str]]]:
    """Return what finds the serious problems of accessibility on an open page: the rule, and where it is broken."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine")
    command = [node, "-p", "require.resolve('axe-core/axe.min.js')"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip("axe-core is not installed: npm install axe-core, or NODE_PATH to where it is")
    script = Path(found.stdout.strip()).read_text(encoding="utf-8")

    def check(page: Page) -> list[tuple[str, str]]:
        page.evaluate(script)
        told = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        grave = [own for own in told if own["impact"] in ("serious", "critical")]
        return [(own["id"], own["nodes"][0]["html"][:200]) for own in grave]

    return check


class Postgres:
    """A real PostgreSQL server in a folder of its own. It refuses to run as root, so root runs it as another user."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._data = folder, folder / "data"
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        self._run("initdb", "-D", self._data, "-U", "portrayal", "-A", "trust", "-E", "UTF8", "--no-sync")

    def start(self) -> None:
        # Without -F it would sync for seconds after each stop, against power cuts that no test makes.
        options = f"-F -h 127.0.0.1 -p {self._port} -k {self._folder}"
        self._run("pg_ctl", "-D", self._data, "-w", "-t", "1800", "-l", self._folder / "log", "-o", options, "start")

    def stop(self) -> None:
        """Stop it at once, as a crash would: no connection is let go in order."""
        self._run("pg_ctl", "-D", self._data, "-w", "-t", "1800", "-m", "immediate", "stop")

    def new_database(self) -> str:
        """Return the URL of what is as good as an empty database, and made in no time: a schema of its own."""
        import psycopg

        url, name = f"postgresql://portrayal:hidden-word@127.0.0.1:{self._port}/postgres", f"test_{uuid.uuid4().hex}"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{url}?options=-csearch_path%3D{name}"

    def _run(self, *words: object) -> None:
        # Neither input nor output of ours: the server would hold on to them.
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        options: Any = {**quiet, "cwd": self._folder, "user": self._user, "check": True}
        subprocess.run([str(word) for word in words], **options)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Start a PostgreSQL server; a test may stop and start it."""
    if not shutil.which("initdb"):
        pytest.skip("PostgreSQL's initdb is not on this machine")
    # Not in pytest's own folder, which no other user may enter.
    with tempfile.TemporaryDirectory(prefix="portrayal-postgres-") as folder:
        server = Postgres(Path(folder))
        server.start()
        yield server
        server.stop()


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """Return the URL of an empty database of a real PostgreSQL server."""
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """Return what ``--database`` would say: nothing for the study's SQLite file, or the URL of an empty database."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))


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
    from portrayal.store.workspace import Workspace

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
