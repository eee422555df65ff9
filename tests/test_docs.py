"""The documentation is true: its examples run, its links lead somewhere, and it leaves nothing out.

A page's blocks are worked through in order in one temporary folder. A block with ``file=NAME`` after its language is
written to that file, ``python`` is executed unless it is a module in a folder, and of ``console`` the lines
``$ portrayal ...`` are run and must print what follows them, if anything; ``$ portrayal arena serve`` is served until a
rater has answered all comparisons. ``no-test`` after the language leaves a block alone.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image
from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from typer.main import get_command

from portrayal.annotators import ANNOTATORS
from portrayal.cli.command_line import app as cli
from portrayal.generators import GENERATORS
from portrayal.methods import METHODS
from portrayal.records import Measurement, attribute_table
from portrayal.registry import Registry
from portrayal.reports import ReportData
from portrayal.reports.text.words import NBSP
from portrayal.settings import Settings
from portrayal.study.config import config_kind
from portrayal.suites import SUITES

Loaded = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [path for path in (ROOT / "README.md", *sorted(DOCS.rglob("*.md"))) if path.exists()]
MARKDOWN = sorted({*ROOT.glob("*.md"), *PAGES, *(ROOT / "src").rglob("*.md")})
COMMAND = Path(sys.executable).with_name("portrayal")
REGISTRIES: list[Registry[Any]] = [GENERATORS, ANNOTATORS, SUITES, METHODS]
PARTS = [(registry, name) for registry in REGISTRIES for name in registry.entries()]

_FENCE = re.compile(r"^(`{3,}|~{3,})([^\n`]*)\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words after it, its text, and the line it begins at."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int

    @property
    def file(self) -> str:
        return next((word.removeprefix("file=") for word in self.words if word.startswith("file=")), "")


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        language, *words = match[2].split() or [""]
        if "no-test" not in words:
            yield Block(language, tuple(words), match[3], text.count("\n", 0, match.start(3)))


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def needs_faces(found: list[Block]) -> bool:
    text = "".join(block.text for block in found if block.language in ("python", "console"))
    return re.search(r"\bfacegan\b|\bannotators\.faces\b|^\$ portrayal demo\b", text, re.MULTILINE) is not None


def examples(page: Path) -> list[Block]:
    return [block for block in blocks(page) if block.file or block.language in ("python", "console")]


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if examples(page)], ids=name_of)
def test_examples_run(page: Path, loaded_command: Loaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = examples(page)
    if needs_faces(found) and (GENERATORS.entries()["facegan"].missing() or ANNOTATORS.entries()["faces"].missing()):
        pytest.skip("the examples need the extra 'faces'")
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("example")  # registered, as dataclasses and pydantic look their own module up
    monkeypatch.setitem(sys.modules, "example", module)
    for block in found:
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        if block.language == "python" and "/" not in block.file:
            execute(page, block, module.__dict__)
        elif block.language == "console":
            for words, printed in commands(block):
                if words[:2] == ["arena", "serve"]:
                    serve_until_answered(words, tmp_path)
                    continue
                done = loaded_command(tmp_path, *words)
                said = checked(f"{name_of(page)}:{block.line}", done)
                if not prints(printed, said):
                    pytest.fail(f"{name_of(page)}:{block.line}: portrayal {shlex.join(words)} prints now:\n{said}")


def execute(page: Path, block: Block, names: dict[str, Any]) -> None:
    code = compile("\n" * block.line + block.text, str(page), "exec")  # so that a traceback shows the page's line
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(code, names)


def commands(block: Block) -> Iterator[tuple[list[str], str]]:
    """Yield each command's words and what the page says that it prints."""
    for text in re.split(r"^\$ ", block.text.replace("\\\n", " "), flags=re.MULTILINE):
        line, _, printed = text.partition("\n")
        if line.startswith("portrayal "):
            yield shlex.split(line, comments=True)[1:], printed.rstrip("\n")


def prints(printed: str, said: str) -> bool:
    """Return whether a page's output is the command's: it may be left out, or some of it (…), but not made up."""
    return not printed or bool(re.fullmatch(re.escape(printed).replace("…", "(?s:.*)"), said.rstrip("\n")))


def run(where: str, words: list[str], folder: Path, *installed: str) -> str:
    """Run a command in a folder, with plugins from further folders, and return what it prints."""
    paths = [*installed, os.environ.get("PYTHONPATH")]
    done = subprocess.run(
        [str(COMMAND), *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        check=False,
    )
    return checked(where, done)


def checked(where: str, done: subprocess.CompletedProcess[str]) -> str:
    """Return what a command printed, if it went well."""
    assert done.returncode == 0, f"{where}: {shlex.join(done.args)}: exit {done.returncode}\n{done.stderr}"
    return done.stdout


def serve_until_answered(words: list[str], folder: Path) -> None:
    """Serve an arena on a free port, answer every comparison of the link it prints, and press Ctrl-C."""
    httpx2 = pytest.importorskip("httpx2")
    command = [str(COMMAND), *words, "--port", "0"]  # as 8000 may be in use
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        link = next((line for line in server.stdout if "link to try: " in line), "")
        assert link, server.communicate()
        address = link.partition("link to try: ")[2].strip()
        with httpx2.Client(base_url=address.partition("/r/")[0], follow_redirects=True, timeout=None) as http:
            page = http.get(address)
            for _ in range(200):
                if "Thank you!" in page.text:
                    break
                page = answer(http, page)
            assert "Thank you!" in page.text
        server.send_signal(signal.SIGINT)
        server.communicate()
        assert server.returncode == 130
    finally:
        server.kill()
        server.communicate()


def answer(http: Any, page: Any) -> Any:
    """Send the form of a page: agree, leave the questions out, or say that the left picture is better."""
    fields = dict(re.findall(r'name="(csrf|battle)" value="(\w+)"', page.text))
    if "battle" in fields:
        path, fields = "/battle", fields | dict.fromkeys(("bias", "quality", "alignment"), "left")
    else:
        path = "/questions" if page.url.path == "/questions" else "/consent"
        fields["skip"] = "1"
    return http.post(path, content=urlencode(fields), headers={"Content-Type": "application/x-www-form-urlencoded"})


@pytest.mark.slow
def test_the_benchmark_of_the_first_page_ends_with_totals(tmp_path: Path) -> None:
    """Run the study that the line writes, but with few of its prompts and images: all take minutes."""
    lines = [
        words for block in blocks(ROOT / "README.md") for words, _ in commands(block) if block.language == "console"
    ]
    (words,) = [words for words in lines if words[0] == "init" and "faintbench" in words]
    assert "to do:" not in run("README.md", words, tmp_path)
    config = tmp_path / words[1] / "study.toml"
    text = config.read_text(encoding="utf-8")
    small = text.replace("sample = 0 ", "sample = 150 ").replace("images = 10\n", "images = 2\n")
    config.write_text(small.replace("draws = 1000", "draws = 100"), encoding="utf-8")
    run("README.md", ["run", words[1]], tmp_path)
    rows = json.loads(run("README.md", ["measure", words[1], "--method", "faintbench", "--json"], tmp_path))
    totals = {row["metric"]: row["value"] for row in rows if row["level"] == "overall" and not row["attribute"]}
    assert {"implicit_score", "explicit_score", "explicit_score_hard", "manifestation"} <= totals.keys()
    assert None not in totals.values()


def test_no_line_of_the_first_page_goes_untested_but_those_of_make() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    left_out = [match[3].split("\n") for match in _FENCE.finditer(page) if "no-test" in match[2].split()]
    assert [line for lines in left_out for line in lines if line] == [
        "$ make demo",
        "$ make test",
    ]


def test_contributing_installs_what_make_installs() -> None:
    installed = re.findall(r'-e "\.\[(.+)\]"', (ROOT / "Makefile").read_text(encoding="utf-8"))
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f'pip install -e ".[{installed[-1]}]"' in text
    assert [extra for extra in installed[-1].split(",") if f"`{extra}`" not in text] == []


def test_every_benchmark_is_run_by_make() -> None:
    run = re.findall(r"benchmarks[/.](\w+)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    folder = ROOT / "benchmarks"
    folders = [path.parent for path in folder.glob("*/__main__.py")]
    assert sorted(run) == sorted(path.stem for path in (*folder.glob("*.py"), *folders))


@pytest.mark.slow
def test_the_plugin_of_the_page_is_found_and_runs(tmp_path: Path) -> None:
    """Install the page's package by hand, as pip would, and run a study of its parts."""
    found = {block.file: block.text for block in blocks(DOCS / "plugins.md") if block.file}
    project = tomllib.loads(found["pyproject.toml"])["project"]
    info = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(about)
    groups = project["entry-points"]
    points = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in names.items()) for group, names in groups.items()]
    (info / "entry_points.txt").write_text("\n".join(points))
    for module in ("portrayal_mine.py", "portrayal_counts.py"):
        (tmp_path / module).write_text(found[module])
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "study.toml").write_text(found["study/study.toml"])
    assert set(groups) == {f"portrayal.{registry.kind}s" for registry in REGISTRIES}
    parts = json.loads(run("plugins.md", ["doctor", "--json"], tmp_path, str(tmp_path)))["parts"]
    mine = {part["kind"] for part in parts if part["summary"] == f"plugin from {project['name']}"}
    assert mine == {registry.kind for registry in REGISTRIES}
    run("plugins.md", ["run", "study"], tmp_path, str(tmp_path))
    rows = json.loads(run("plugins.md", ["measure", "study", "--method", "counts", "--json"], tmp_path, str(tmp_path)))
    assert [(row["item"], row["value"], row["n"]) for row in rows] == [("warm", 10, 10), ("cold", 10, 10)]


def test_the_first_method_of_the_page_is_short() -> None:
    (text,) = [block.text for block in blocks(DOCS / "plugins.md") if block.file == "portrayal_counts.py"]
    assert text.count("\n") < 15


MORE = ("first_screen.py", "evidence.py")
"""What the page adds to its whole method."""


@pytest.fixture(scope="module")
def roles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the whole method of the page with pip, and return the folder it is installed in."""
    source, site = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    found = {block.file: block.text for block in blocks(DOCS / "plugins.md") if block.file.startswith("roles/")}
    for name, text in found.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lines = {name: text.count("\n") for name, text in found.items() if "roles/" in name and not name.endswith(MORE)}
    assert sum(lines.values()) - lines["roles/pyproject.toml"] < 126
    offline = ("--no-index", "--no-build-isolation", "--no-deps", "--quiet", "--target", str(site))
    subprocess.run([sys.executable, "-m", "pip", "install", *offline, str(source / "roles")], check=True)
    return site


@pytest.mark.slow
def test_the_whole_method_of_the_page_is_found_by_every_command(roles: Path, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        return run("plugins.md", list(words), tmp_path, str(roles))

    parts = json.loads(said("doctor", "--json"))["parts"]
    kinds = {part["kind"] for part in parts if part["name"] == "roles"}
    assert kinds >= {"suite", "method", "layout", "reproduction"}
    assert "leaders and assistants in five places" in said("suites")
    assert "model/role/place/image.png" in said("import", "--help").replace("\n", " ")
    assert "2 of 2 totals agree" in said("reproduce", "roles")
    assert "roles" in said("init", "--help")


@pytest.mark.slow
def test_the_whole_method_of_the_page_runs(roles: Path, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        return run("plugins.md", list(words), tmp_path, str(roles))

    said("init", "study", "--method", "roles", "--generator", "simulated", "--annotator", "simulated")
    (tmp_path / "made" / "elsewhere" / "leader" / "office").mkdir(parents=True)
    Image.new("RGB", (8, 8)).save(tmp_path / "made" / "elsewhere" / "leader" / "office" / "0.png")
    said("import", "study", "--images", "made", "--layout", "roles")
    said("run", "study")
    rows = json.loads(said("measure", "study", "--method", "roles", "--json"))
    assert {row["metric"] for row in rows} == {"role_difference"}
    assert {row["n"] for row in rows if row["value"] is not None} == {5}
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows if row["value"] is not None)
    assert shown_section(tmp_path, "Leaders and assistants").count('<table class="forest">') == 3
    with (tmp_path / "study" / "study.toml").open("a") as config:
        config.write('\n[report]\nlanguage = "de"\n')
    said("report", "study")
    assert shown_section(tmp_path, "Leitung und Assistenz").count('<table class="forest">') == 3


@pytest.mark.slow
def test_the_section_that_says_more_of_the_page_does(roles: Path, tmp_path: Path) -> None:
    site = shutil.copytree(roles, tmp_path / "site")
    bundle = site / "portrayal_roles" / "__init__.py"
    text = bundle.read_text(encoding="utf-8")
    bundle.write_text(text.replace(".section:RolesSection", ".first_screen:RolesFirst"), encoding="utf-8")
    method = site / "portrayal_roles" / "method.py"
    text = method.read_text(encoding="utf-8")
    own = text.replace('GroupCounts(Rule("one"))', "GroupsSeen()").replace(
        "from portrayal", "from .evidence import GroupsSeen\nfrom portrayal", 1
    )
    method.write_text(own, encoding="utf-8")

    def said(*words: str) -> str:
        return run("plugins.md", list(words), tmp_path, str(site))

    said("init", "study", "--method", "roles", "--generator", "simulated", "--annotator", "simulated")
    said("run", "study")
    page = (tmp_path / "study" / "report" / "index.html").read_text(encoding="utf-8")
    assert "Women among leaders less those among assistants" in page
    said("figures", "study", "--to", "written")
    assert [path.name for path in (tmp_path / "written").rglob("*.svg") if "differences" in path.name]


@pytest.mark.slow
def test_the_section_that_says_more_of_the_page_says_who_is_drawn_where(
    roles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(roles))
    section = importlib.import_module("portrayal_roles.first_screen").RolesFirst()
    row = Measurement("roles", "role_difference", "g", "x", "gender", "female", value=-0.2, low=-0.3, high=-0.1, n=5)
    rows = [row, replace(row, group="male", value=0.2, low=0.1, high=0.3), replace(row, value=None, n=1)]
    data = ReportData("Roles", ["g"], ["x"], [], 10, attribute_table(), rows, {}, {})
    found = list(section.deviations(data))
    assert [(own.word().about, own.word().sentence.replace(NBSP, " ")) for own in found] == [
        ("Female", "20 points more often among assistants than among leaders"),
        ("Male", "20 points more often among leaders than among assistants"),
    ]
    assert [round(own.test.p, 3) for own in found] == [0.005, 0.005], "with as many degrees of freedom as 5 places have"
    (ranking,) = section.rankings(data)
    assert [(own.generator, own.value) for own in ranking.models] == [("g", -0.2)]
    chart = section.show(replace(data, measurements=rows[:2])).content
    assert [lane.value for panel in chart.drawing.panels for lane in panel.lanes] == ["−0.200", "0.200"]


def shown_section(folder: Path, title: str) -> str:
    """Return the section of the page's method, which is linked to and has a title."""
    page = (folder / "study" / "report" / "index.html").read_text(encoding="utf-8")
    assert f"<h2>{title}</h2>" in page
    assert f"{title}</a>" in page
    return page[page.index('<section id="roles">') :].partition("</section>")[0]


@pytest.mark.parametrize("page", MARKDOWN, ids=name_of)
def test_relative_links_lead_to_files(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", _FENCE.sub("", page.read_text(encoding="utf-8")))
    targets = [inline or defined for inline, defined in _LINK.findall(text)]
    relative = [target.partition("#")[0] for target in targets if not re.match(r"[a-z][a-z0-9+.-]*:|#|//", target)]
    assert [target for target in relative if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", MARKDOWN, ids=name_of)
def test_anchors_lead_to_headings(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", _FENCE.sub("", page.read_text(encoding="utf-8")))
    targets = [(inline or defined).partition("#")[::2] for inline, defined in _LINK.findall(text)]
    places = [(page.parent / path if path else page, anchor) for path, anchor in targets if anchor and ":" not in path]
    assert [anchor for place, anchor in places if anchor not in _anchors(place.resolve())] == []


@cache
def _anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as the usual viewers make them."""
    titles = re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles)


def test_the_index_lists_every_page() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    linked = {(DOCS / (inline or defined).partition("#")[0]).resolve() for inline, defined in _LINK.findall(index)}
    assert [name_of(page) for page in DOCS.rglob("*.md") if page.name != "README.md" and page not in linked] == []


@pytest.mark.parametrize("page", MARKDOWN, ids=name_of)
def test_no_private_paths(page: Path) -> None:
    assert str(ROOT) not in page.read_text(encoding="utf-8")


def test_no_page_says_that_reports_correct_for_an_annotators_errors() -> None:
    said = re.compile(r"(\S+\s+\S+)\s+corrects?\s+for\s+(?:them|it|(?:an )?annotator)")
    found = {match[1].split()[-1] for page in PAGES for match in said.finditer(page.read_text(encoding="utf-8"))}
    assert found == {"not"}


def test_studies_page_lists_every_key_with_its_default() -> None:
    assert _documented_keys() == dict(_config_keys())


def _documented_keys() -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    table = ""
    for line in (DOCS / "studies.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            title = re.match(r"#+ `\[{1,2}(\w+)\]{1,2}`", line)
            table = title[1] if title else ""
        elif table and (row := re.match(r"\| `(\w+)` \| ([^|]*) \|", line)):
            found[table, row[1]] = row[2].strip().strip("`")
    return found


def _config_keys() -> Iterator[tuple[tuple[str, str], str]]:
    for table, field in config_kind().model_fields.items():
        for key, inner in _model(field.annotation).model_fields.items():
            default = inner.default
            shown = default.changed() if isinstance(default, Settings) else default
            yield (table, key), "required" if default is PydanticUndefined else json.dumps(shown)


def _model(annotation: Any) -> type[BaseModel]:
    """Return the model in ``Model``, ``Model | None`` or ``tuple[Model, ...]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(_model(part) for part in annotation.__args__ if part not in (type(None), Ellipsis))


@cache
def _pages_of(kind: str) -> tuple[str, ...]:
    pages = [page for page in DOCS.rglob("*.md") if f"{kind}s" in page.relative_to(DOCS).with_suffix("").parts]
    return tuple(page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize(("registry", "name"), PARTS, ids=[f"{part[0].kind}-{part[1]}" for part in PARTS])
def test_every_part_and_its_options_are_described(registry: Registry[Any], name: str) -> None:
    """In docs/<kind>s.md or docs/<kind>s/, under a heading with its name."""
    heading = re.compile(rf"^#+ .*\b{re.escape(name)}\b", re.MULTILINE)
    page = next((text for text in _pages_of(registry.kind) if heading.search(text)), "")
    assert page, f"no docs page describes the {registry.kind} {name!r}"
    if not registry.entries()[name].missing():
        options = registry.load(name).Options.model_fields
        assert [key for key in options if f"`{key}`" not in page] == []


def test_every_command_is_described() -> None:
    text = (DOCS / "studies.md").read_text(encoding="utf-8")
    names = [name for name, command in _commands(get_command(cli))]
    assert len(names) > 5
    assert [name for name in names if f"`{name}" not in text] == []


def test_every_option_of_a_command_is_described() -> None:
    """On a page that also names the command."""
    pages = [page.read_text(encoding="utf-8") for page in PAGES]
    missing = [
        f"{name} {option}"
        for name, command in _commands(get_command(cli))
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--") and option != "--help"
        if not any(name in text and option in text for text in pages)
    ]
    assert missing == []


def _commands(group: Any, path: str = "portrayal") -> Iterator[tuple[str, Any]]:
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield f"{path} {name}", command
        if hasattr(command, "list_commands"):
            yield from _commands(command, f"{path} {name}")


def test_the_rooms_are_those_of_the_import_rule() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    layers = tools["importlinter"]["contracts"][0]["layers"]
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert "```\n" + "\n".join(layers) + "\n```" in text
    rooms = {room for layer in layers for room in layer.split(" | ")}
    assert [room for room in rooms if not re.search(rf"^(.* )?{room}(/|\.py) ", text, re.MULTILINE)] == []


@pytest.mark.parametrize("registry", [GENERATORS, ANNOTATORS], ids=["generators", "annotators"])
def test_the_first_page_and_the_changelog_name_who_draws_and_looks(registry: Registry[Any]) -> None:
    for page in ("README.md", "CHANGELOG.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert [name for name in registry.entries() if not re.search(rf"[`\"/]{name}\b", text)] == []


def test_dependencies_page_names_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(entry for entries in extras.values() for entry in entries)]
    names = {re.split(r"[^A-Za-z0-9._-]", entry)[0] for entry in wanted} - {"portrayal"}
    text = (DOCS / "dependencies.md").read_text(encoding="utf-8")
    assert sorted(name for name in {*names, *extras} if f"`{name}`" not in text) == []
