"""What is released works where nothing else of this folder is. ``scripts/try_wheel.sh`` tries more, with a network."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import numpy
import pytest

from portrayal import __version__

ROOT = Path(__file__).parents[2]
BUILD = "import sys, hatchling.build as b; print(getattr(b, 'build_' + sys.argv[1])(sys.argv[2]))"
pytestmark = pytest.mark.slow


def run(*words: str | Path, cwd: Path) -> str:
    ran = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that is built from it, as pip does where there is no wheel."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-c", BUILD, "sdist", folder, cwd=ROOT)
    with tarfile.open(folder / f"portrayal-{__version__}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    run(sys.executable, "-c", BUILD, "wheel", folder, cwd=folder / f"portrayal-{__version__}")
    return folder


@pytest.fixture(scope="module")
def clean(built: Path) -> Path:
    """The commands of an environment with that wheel in it, and beside it no more than what Portrayal requires."""
    venv = built / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=built)
    [packages] = venv.glob("lib/*/site-packages")
    # As a plain path: what is installed there to be edited, this folder's own source, stays out.
    (packages / "required.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n")
    wheel = next(built.glob("*.whl"))
    words = ("-m", "pip", "--python", venv / "bin" / "python", "install", "--quiet", "--no-deps", "--no-index", wheel)
    run(sys.executable, *words, cwd=built)
    return venv / "bin"


def test_the_sdist_makes_the_same_wheel_as_the_folder(built: Path, tmp_path: Path) -> None:
    run(sys.executable, "-c", BUILD, "wheel", tmp_path, cwd=ROOT)

    def files(folder: Path) -> dict[str, str]:
        with ZipFile(next(folder.glob("*.whl"))) as archive:
            return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}

    assert files(built) == files(tmp_path)


def test_a_study_is_run_and_a_bundle_opened_from_the_wheel_alone(clean: Path, tmp_path: Path) -> None:
    where = run(clean / "python", "-c", "import portrayal; print(portrayal.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(clean.parent)
    command = clean / "portrayal"
    assert run(command, "--version", cwd=tmp_path) == f"portrayal {__version__}\n"
    (tmp_path / "prompts.csv").write_text("text,term\na photo of one nurse,nurse\n")
    parts = ("--generator", "simulated", "--annotator", "simulated", "--suite", "prompts.csv")
    run(command, "init", "study", *parts, cwd=tmp_path)
    run(command, "run", "study", "--quiet", cwd=tmp_path)
    run(command, "publish", "study", "--as", "bundle", cwd=tmp_path)
    run(command, "open", "study.portrayal", "--into", "theirs", cwd=tmp_path)
    run(command, "report", "theirs", "--quiet", cwd=tmp_path)
    page, theirs = (tmp_path / name / "report" / "index.html" for name in ("study", "theirs"))
    assert page.read_bytes() == theirs.read_bytes()
