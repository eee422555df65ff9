"""Real sites with raters on loopback: a study of planted pictures, a real server, and clients of its pages.

What must hold of any such site is tested over all of them, see ``tests/web/raters``.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import shutil
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import httpx2
import pytest
from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.web.picture_cache import PictureCache
from portrayal.web.security.passwords import ScryptCost, hash_password
from portrayal.web.server import build_server, listen
from portrayal.web.site_settings import SiteSettings

T = TypeVar("T")

__all__ = [
    "ARENA",
    "LABELS",
    "MODELS",
    "PASSWORD",
    "PROMPTS",
    "PageClient",
    "Planted",
    "RunningSite",
    "SiteKind",
    "copied_study",
    "draw_portrait",
    "planted",
    "start",
    "starting",
]

MODELS = ("secretmodelalpha", "secretmodelbeta", "secretmodelgamma")
PASSWORD = "correct horse battery"
PROMPTS = {
    "A photo of the face of a nurse.": ("nurse", "en"),
    'A photo of a <b onclick="alert(1)">chef</b> & <script>alert(2)</script>.': ("chef", "en"),
    "Ein Foto vom Gesicht eines Bäckers.": ("baker", "de"),
    "Ein Foto vom Gesicht einer Ärztin.": ("doctor", "de"),
    "A photo of the faces of a group of engineers.": ("engineer", "en"),
    "A photo of the face of a plumber.": ("plumber", "en"),
}


@dataclass(frozen=True)
class SiteKind:
    """One kind of site: its table of study.toml, where raters answer, the field that names the task, and its export.

    ``answers`` are by question what the first, the second and the last answer are called: left, right and skip.
    """

    name: str
    config: Mapping[str, Any]
    path: str
    field: str
    picture: str
    export: str
    answers: Mapping[str, Mapping[str, str]]
    app: str
    heading: Mapping[str, str]
    desk: str

    def number(self, number: int, language: str = "en") -> str:
        """Return what stands over a task."""
        return self.heading[language].format(n=number)

    def said(self, task: Any) -> set[str]:
        """Return what a rater said of a task, the same of every question if :meth:`choices` made the form."""
        by_answer = {question: {named[one]: one for one in named} for question, named in self.answers.items()}
        return {
            by_answer[question].get(said, "skip") for question, said in task.choices.items() if question in self.answers
        }

    def stored(self, root: Path) -> list[Any]:
        """Return the tasks that the database holds, also while a server runs."""
        if self.name == "arena":
            return list(import_module("portrayal.apps.arena.database.open_arena").read_arena("", root).battles)
        return list(import_module("portrayal.apps.labels.database.open_labels").read_labels("", root).tasks)

    def choices(self, choice: str) -> dict[str, str]:
        """Return the fields of a form in which every question has this answer."""
        return {question: named.get(choice, named["skip"]) for question, named in self.answers.items()}

    def create(self, *given: Any) -> Any:
        return import_module(f"{self.app}.app").create_app(*given)

    async def open(self, study: OpenStudy, database: str = "") -> Any:
        module = import_module(f"{self.app}.service")
        kind = {"arena": "ArenaService", "labels": "LabelsService"}[self.name]
        service = await getattr(module, kind).open(study, database)
        if self.name == "labels":
            await service.draw()
        return service

    async def answer(self, service: Any, rater: str, task: str, choices: Mapping[str, str]) -> bool:
        """Answer a task; whether that counts."""
        kept: bool = await (service.vote if self.name == "arena" else service.label)(rater, task, choices)
        return kept

    def answered(self, service: Any) -> list[Any]:
        """Return every answered task."""
        return list(service.answered_battles() if self.name == "arena" else service.state.answered_tasks())


_SIDES = {"left": "left", "right": "right", "draw": "draw", "skip": "skip"}
ARENA = SiteKind(
    "arena",
    {"quota": 4, "checks": 0.25, "contact": "team@example.org"},
    "/battle",
    "battle",
    "/image/{task}/left",
    "/admin/votes.csv",
    {"bias": _SIDES, "quality": _SIDES, "alignment": _SIDES},
    "portrayal.apps.arena.web",
    {"en": "Comparison {n} of 5", "de": "Vergleich {n} von 5"},
    "Arena desk",
)
LABELS = SiteKind(
    "labels",
    {"quota": 5, "contact": "team@example.org"},
    "/label",
    "task",
    "/picture/{task}",
    "/admin/labels.csv",
    {
        "gender": {"left": "male", "right": "female", "skip": "unsure"},
        "race5": {"left": "european", "right": "african", "skip": "unsure"},
        "age3": {"left": "young", "right": "elderly", "skip": "unsure"},
    },
    "portrayal.apps.labels.web",
    {"en": "Picture {n} of 5", "de": "Bild {n} von 5"},
    "Labels so far",
)


def draw_portrait(seed: int, model: int, size: tuple[int, int] = (320, 320)) -> Image.Image:
    """Draw something like a face that differs from picture to picture."""
    width, height = size
    picture = Image.new("RGB", size, (40 + seed * 29 % 180, 90 + model * 50, 200 - seed * 23 % 150))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((width * 0.25, height * 0.15, width * 0.75, height * 0.85), fill=(224 - 40 * model, 180, 150 - seed))
    for x in (0.4, 0.6):
        draw.ellipse((width * x - 14, height * 0.42, width * x + 14, height * 0.5), fill="black")
    draw.arc((width * 0.38, height * 0.5, width * 0.62, height * 0.72), 20, 160, fill="darkred", width=6)
    return picture


@dataclass(frozen=True)
class Planted:
    """A study with pictures whose origin must not be seen, and every text that would give it away."""

    root: Path
    secrets: frozenset[str]


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    """Import pictures by three models, with names and metadata that tell whose they are."""
    folder = tmp_path_factory.mktemp("planted")
    root, pictures = folder / "study", folder / "pictures"
    root.mkdir()
    pictures.mkdir()
    (root / "study.toml").write_text('[study]\ntitle = "Faces at work"\n', encoding="utf-8")
    secrets, lines = {*MODELS}, ["path,model,prompt,term,language"]
    for number, (text, (term, language)) in enumerate(PROMPTS.items()):
        for place, model in enumerate(MODELS):
            name = f"hiddenfile-{place}-{number}.png"
            about = PngInfo()
            about.add_text("parameters", f"plantedmetadata {model}")
            draw_portrait(number, place).save(pictures / name, pnginfo=about)
            quoted = text.replace('"', '""')
            lines.append(f'{name},{model},"{quoted}",{term},{language}')
            digest = hashlib.sha256((pictures / name).read_bytes()).hexdigest()
            secrets |= {name.removesuffix(".png"), digest, digest[:16]}
    (pictures / "manifest.csv").write_text("\n".join(lines), encoding="utf-8")
    study = OpenStudy(root)
    with study.workspace.writing():
        import_images(study, read_layout("manifest", pictures), RunControl())
    return Planted(root, frozenset({*secrets, "plantedmetadata", "hiddenfile"}))


class PageClient:
    """A browser without scripts: keeps cookies, follows what a person would follow, and remembers every answer."""

    def __init__(self, address: str, language: str = "en", kind: SiteKind = ARENA) -> None:
        self.kind = kind
        self.http = httpx2.Client(base_url=address, headers={"Accept-Language": language}, timeout=None)
        self.answers: list[httpx2.Response] = []

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self._keep(self.http.get(path, **options))

    def post(self, path: str, data: Mapping[str, str], **options: Any) -> httpx2.Response:
        headers = {"Content-Type": "application/x-www-form-urlencoded", **options.pop("headers", {})}
        return self._keep(self.http.post(path, content=urlencode(data), headers=headers, **options))

    def send(self, path: str, page: httpx2.Response, **fields: str) -> httpx2.Response:
        """Send a form of a page, with the page's token."""
        return self.post(path, {"csrf": self.csrf(page), **fields})

    def follow(self, answer: httpx2.Response) -> httpx2.Response:
        while answer.status_code == 303:
            answer = self.get(answer.headers["location"])
        return answer

    def begin(self, token: str) -> httpx2.Response:
        """Come with a link, agree, leave the questions out, and see the first task."""
        page = self.follow(self.get(f"/r/{token}"))
        page = self.follow(self.send("/consent", page))
        return self.follow(self.send("/questions", page, skip="1"))

    def vote(self, page: httpx2.Response, choice: str = "left", task: str = "") -> httpx2.Response:
        """Answer a task, or another one than the page shows, and return the first answer."""
        named = {self.kind.field: task or self.task_of(page)}
        return self.send(self.kind.path, page, **named, **self.kind.choices(choice))

    def picture_of(self, page: httpx2.Response) -> str:
        """Return the address of a picture of the task that a page shows."""
        return self.kind.picture.format(task=self.task_of(page))

    def log_in(self, password: str = PASSWORD) -> httpx2.Response:
        return self.follow(self.send("/admin/login", self.get("/admin/login"), password=password))

    def take_cookies(self, other: PageClient) -> None:
        """Use another client's cookies, as whoever planted or stole them would."""
        for cookie in other.http.cookies.jar:
            self.http.cookies.jar.set_cookie(cookie)

    def csrf(self, page: httpx2.Response) -> str:
        return self._find(r'name="csrf" value="([0-9a-f]+)"', page)

    def task_of(self, page: httpx2.Response) -> str:
        return self._find(rf'name="{self.kind.field}" value="([^"]+)"', page)

    def _find(self, pattern: str, page: httpx2.Response) -> str:
        found = re.search(pattern, page.text)
        assert found, page.text
        return found[1]

    def _keep(self, answer: httpx2.Response) -> httpx2.Response:
        self.answers.append(answer)
        return answer


@dataclass
class RunningSite:
    """A running server, its service, and the clients of its pages."""

    address: str
    service: Any
    loop: asyncio.AbstractEventLoop
    root: Path
    thread: _ServerThread
    kind: SiteKind
    clients: list[PageClient] = field(default_factory=list)

    def call(self, work: Awaitable[T]) -> T:
        """Await something of the service, in the server's own loop."""

        async def run() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result()

    def token(self, label: str = "") -> str:
        [token] = self.call(self.service.invite(1, label))
        return str(token)

    def client(self, language: str = "en") -> PageClient:
        self.clients.append(PageClient(self.address, language, self.kind))
        return self.clients[-1]

    def cast(self, token: str) -> list[Any]:
        """Return a rater's answered tasks."""
        rater = self.service.rater_by_token(token)
        assert rater is not None
        return [task for task in self.answered() if task.rater == rater.id]

    def answered(self) -> list[Any]:
        """Return every answered task."""
        return self.kind.answered(self.service)

    def state(self) -> Any:
        """Return all that can be changed through the pages."""
        raters = self.service.raters()
        return [(rater, self.service.progress(rater.id)) for rater in raters], self.answered()

    def stop(self) -> None:
        for client in self.clients:
            client.http.close()
        self.thread.stop()


class _ServerThread(threading.Thread):
    def __init__(self, kind: SiteKind, root: Path, settings: Mapping[str, Any]) -> None:
        super().__init__()
        self.kind, self.root, self.extra = kind, root, settings
        self.ready = threading.Event()
        self.arena: RunningSite | None = None
        self.problem: BaseException | None = None

    def run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as problem:
            self.problem = problem
        finally:
            self.ready.set()

    async def _serve(self) -> None:
        study = OpenStudy(self.root)
        service = await self.kind.open(study)
        with listen("127.0.0.1", 0) as sock:
            address = f"http://127.0.0.1:{sock.getsockname()[1]}"
            password_hash = hash_password(PASSWORD, ScryptCost(16, 8, 1))
            settings = SiteSettings(**{"address": address, "title": study.config.study.title, **self.extra})
            pictures = PictureCache(study.workspace.images, self.root / self.kind.name / "cache")
            self.server = build_server(self.kind.create(service, settings, password_hash, pictures))
            self.arena = RunningSite(address, service, asyncio.get_running_loop(), self.root, self, self.kind)
            self.ready.set()
            try:
                await self.server.serve([sock])
            finally:
                await service.close()

    def stop(self) -> None:
        self.server.should_exit = True
        self.join()


def start(kind: SiteKind, root: Path, settings: Mapping[str, Any]) -> RunningSite:
    """Start a server in a thread and return it when it answers."""
    thread = _ServerThread(kind, root, settings)
    thread.start()
    thread.ready.wait()
    if thread.problem:
        raise thread.problem
    assert thread.arena is not None
    return thread.arena


def copied_study(kind: SiteKind, planted: Planted, folder: Path, **config: Any) -> Path:
    """Copy the planted study, with the table of a site: ``copied_study(ARENA, planted, folder, quota=8)``."""
    root = shutil.copytree(planted.root, folder)
    _write_config(root, kind.name, {**kind.config, **config})
    return root


def starting(kind: SiteKind, planted: Planted, folder: Path) -> Iterator[Callable[..., RunningSite]]:
    """Yield what starts a server for a study of its own, or for one that is there: ``root=...``."""
    with ExitStack() as stack:

        def started(root: Path | None = None, settings: Mapping[str, Any] | None = None, **config: Any) -> RunningSite:
            number = len(list(folder.iterdir()))
            site = start(
                kind, root or copied_study(kind, planted, folder / f"study-{number}", **config), settings or {}
            )
            stack.callback(site.stop)
            return site

        yield started


def _write_config(root: Path, table: str, config: Mapping[str, Any]) -> None:
    plain = {key: value for key, value in config.items() if not isinstance(value, dict)}
    lines = [f"[{table}]", *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in plain.items())]
    for key in config.keys() - plain.keys():
        lines += [f"[{table}.{key}]", *(f"{name} = {json.dumps(text)}" for name, text in config[key].items())]
    path = root / "study.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n".join(lines) + "\n", encoding="utf-8")
