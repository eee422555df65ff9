"""A study's folder, full of Python by every name that anything here imports: none of it runs."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Command = Callable[..., subprocess.CompletedProcess[str]]
ENTRY_POINTS = "[portrayal.bundles]\nstranger = stranger\n[portrayal.apps]\nstranger = stranger\n"
START_UP = ("sitecustomize", "usercustomize", "conftest", "stranger", "__future__", "__main__", "setup", "portrayal")


def module_names() -> list[str]:
    """Return every name at the top of Python's own library, and of every package that is installed here."""
    names = {*sys.stdlib_module_names, *importlib.metadata.packages_distributions(), *START_UP}
    return sorted(name for name in names if name.isidentifier())


@pytest.fixture
def hostile(make_study: Callable[..., Path]) -> Path:
    """Return a study that is annotated by worker processes, with a file of every name in its folder."""
    folder = make_study(
        generators=[{"use": "simulated", "images": 3, "options": {"size": 32}}],
        annotators=[{"use": "simulated"}, {"use": "quality", "options": {"metrics": ["niqe"]}}],
        annotate={"batch": 2, "workers": 2},
    )
    note = f"open({str(folder / 'ran')!r}, 'a').write(__name__ + chr(10))\n"
    for name in module_names():
        (folder / f"{name}.py").write_text(note, encoding="utf-8")
    (folder / "stranger.pth").write_text("import stranger\n", encoding="utf-8")
    (folder / ".env").write_text(f"PYTHONPATH={folder}\nPYTHONSTARTUP={folder}/stranger.py\n", encoding="utf-8")
    plugin = folder / "stranger-1.0.dist-info"
    plugin.mkdir()
    (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n", encoding="utf-8")
    (plugin / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return folder


def ran(folder: Path) -> str:
    note = folder / "ran"
    return note.read_text(encoding="utf-8") if note.exists() else ""


def test_the_folder_would_run_code_if_it_were_on_the_path(hostile: Path) -> None:
    subprocess.run([sys.executable, "-c", "import stranger"], cwd=hostile, check=True)
    assert ran(hostile) == "stranger\n"


def test_no_command_runs_code_of_the_folder_it_is_started_in(hostile: Path, command: Command) -> None:
    for words in (["status", "."], ["run", "."], ["report", "."], ["verify", "."], ["doctor"]):
        done = command(*words, cwd=hostile)
        assert (ran(hostile), done.returncode) == ("", 0), (words, done.stderr)
    observations = hostile / "tables" / "observations"
    for file in observations.glob("*.parquet"):
        file.unlink()
    assert command("annotate", ".", cwd=hostile).returncode == 0
    assert ran(hostile) == ""


def test_nor_does_python_with_the_module_but_for_what_python_itself_imports(hostile: Path) -> None:
    """Python looks for these in the current folder before a line of Portrayal's runs; ``-P`` is against that."""
    loaded = [sys.executable, "-P", "-c", "import runpy, sys; print(*sys.modules)"]
    first = subprocess.run(loaded, capture_output=True, text=True, check=True).stdout.split()
    assert len(first) < 100
    for name in {*first, "portrayal"}:
        (hostile / f"{name}.py").unlink(missing_ok=True)
    for words in (["-m", "portrayal", "run"], ["-W", "ignore", "-mportrayal", "status"]):
        done = subprocess.run([sys.executable, *words, "."], cwd=hostile, capture_output=True, text=True, check=False)
        assert (ran(hostile), done.returncode) == ("", 0), (words, done.stderr)


def test_workers_of_a_program_see_its_path_and_no_more(hostile: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.mkdir()
    (program / "helper.py").write_text("def double(n):\n    return 2 * n\n", encoding="utf-8")
    (program / "work.py").write_text(
        "import helper\nfrom portrayal.processes import WorkerPool\n"
        "with WorkerPool(1) as pool:\n    print(pool.submit(helper.double, 4).result())\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(program / "work.py")], cwd=hostile, capture_output=True, text=True)
    assert (done.stdout, ran(hostile)) == ("8\n", ""), done.stderr
