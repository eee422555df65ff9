"""Importing is cheap: what is heavy is loaded by the part that needs it, when it needs it."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

HEAVY = (
    "fsspec", "s3fs", "botocore",
    "torch", "cv2", "dlib", "openvino", "ray", "altair", "transformers", "diffusers", "onnxruntime", "skimage",
    "tomlkit",
)  # fmt: skip
WEB = ("fastapi", "starlette", "uvicorn", "sqlalchemy", "psycopg", "evalica", "pandas")
"""What only the arena's server needs; its own modules may load it when they are imported."""
WALK = """
import importlib, json, pkgutil, sys
import portrayal
names = ["portrayal", *(found.name for found in pkgutil.walk_packages(portrayal.__path__, "portrayal."))]
modules = [importlib.import_module(name) for name in names]
def own(module):  # a package that is only a docstring offers nothing but its submodules
    return [name for name, thing in vars(module).items() if name[0] != "_" and not isinstance(thing, type(sys))]
undeclared = [module.__name__ for module in modules if not hasattr(module, "__all__") and own(module)]
dangling = [f"{m.__name__}.{name}" for m in modules for name in getattr(m, "__all__", ()) if not hasattr(m, name)]
doubled = [m.__name__ for m in modules if len(set(getattr(m, "__all__", ()))) != len(getattr(m, "__all__", ()))]
json.dump({"names": names, "undeclared": undeclared, "dangling": dangling, "doubled": doubled,
           "loaded": list(sys.modules)}, sys.stdout)
"""


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def heavy_after(statement: str) -> list[str]:
    loaded = run("-c", f"{statement}\nimport sys; print(*sys.modules)").split()
    return sorted({*HEAVY, *WEB} & set(loaded))


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["portrayal", "portrayal.cli.command_line", "portrayal.study.study", "portrayal.apps.arena.ratings"]
)
def test_importing_loads_nothing_heavy(module: str) -> None:
    assert heavy_after(f"import {module}") == []


@pytest.mark.slow
def test_commands_and_worker_processes_start_without_scipy() -> None:
    """It is for measuring, and takes longer to load than all of Portrayal's own modules."""
    loaded = run(
        "-c", "import portrayal.api.study, portrayal.study.annotate.run_annotator, sys; print(*sys.modules)"
    ).split()
    assert "numpy" in loaded
    assert "scipy" not in loaded


def test_help_loads_nothing_heavy_and_succeeds() -> None:
    asked = "import sys; sys.argv = ['portrayal', '--help']; from portrayal.cli.main import main"
    assert heavy_after(f"{asked}\ntry: main()\nexcept SystemExit as end: assert end.code == 0, end.code") == []


@pytest.mark.slow
def test_a_status_loads_no_page_and_nothing_that_compares(finished: Path) -> None:
    """It is asked again and again while a study runs."""
    asked = f"import sys; sys.argv = ['portrayal', 'status', {str(finished)!r}]; from portrayal.cli.main import main"
    *said, loaded = run("-c", f"{asked}\ntry: main()\nfinally: print(*sys.modules)").splitlines()
    assert "made" in " ".join(said)
    assert "portrayal.study.status" in loaded.split()
    unwanted = ("portrayal.reports.page", "portrayal.reports.comparisons.models_compared", "portrayal.study.agreement")
    assert [name for name in loaded.split() if name.startswith(unwanted)] == []


def test_listing_what_methods_bring_imports_no_method() -> None:
    loaded = run("-c", "from portrayal.bundles import bundles\nbundles()\nimport sys; print(*sys.modules)").split()
    assert {"numpy", "pyarrow", "pydantic"} & set(loaded) == set()


@pytest.mark.slow
def test_the_local_engine_needs_no_ray() -> None:
    work = "list(LocalEngine(2).map(partial(partial, sum), [[1], [2]]))"
    names = "from functools import partial; from portrayal.engines import LocalEngine; import portrayal.engines.ray"
    assert heavy_after(f"{names}\nassert {work} == [1, 2]") == []


def test_the_command_answers() -> None:
    command = Path(sysconfig.get_path("scripts")) / "portrayal"
    assert "Measure how image generators portray people." in run(str(command), "--help")


@pytest.fixture(scope="module")
def walked() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(run("-c", WALK))
    assert {"portrayal.registry", "portrayal.generators.facegan", "portrayal.annotators.faces"} <= set(found["names"])
    return found


@pytest.mark.slow
def test_every_module_imports_without_loading_anything_heavy(walked: dict[str, list[str]]) -> None:
    assert sorted(set(HEAVY) & set(walked["loaded"])) == []


@pytest.mark.slow
def test_every_module_says_what_it_offers(walked: dict[str, list[str]]) -> None:
    assert walked["undeclared"] == []


@pytest.mark.slow
def test_every_name_offered_exists_once(walked: dict[str, list[str]]) -> None:
    assert walked["dangling"] == []
    assert walked["doubled"] == []
