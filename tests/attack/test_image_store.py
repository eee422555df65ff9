"""A study with images in S3 ends with the tables of one on disk, whatever the store and the processes go through."""

from __future__ import annotations

import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from tests.samples.s3 import SECRET, S3Proxy

from portrayal.store.images.allowed_stores import allow_store

pytestmark = pytest.mark.slow

Start = Callable[..., ForkServerProcess]
Rows = Callable[[Path], dict[str, list[str]]]
KILLS = 4
ANSWERS = ("outcomes", "observations")
PROMPTS = """\
text,term,kind,edits
a portrait photo of a man,man,seed,
a portrait photo of a woman,woman,seed,
a photo of a nurse,nurse,word,seed
a photo of a CEO,CEO,word,seed
"""
TABLES = {
    "generators": [
        {"use": "simulated", "role": "draw", "images": 8, "options": {"size": 16, "failed": 0.1}},
        {"use": "simulated", "role": "edit", "images": 1, "options": {"size": 16}},
    ],
    "annotators": [{"use": "simulated"}, {"use": "brightness"}],
    "annotate": {"batch": 4, "workers": 1},
}
HASTE = "from portrayal.store.images import remote_files; remote_files._WAITS = (0.01, 0.02, 0.05, 0.1)"
"""Let a store that is in trouble be asked as often as ever, but sooner."""
PLUGIN = """
import numpy as np
from portrayal.records import Attribute, Observation
from portrayal.settings import Settings
from portrayal.vision.pictures import open_rgb

class Brightness:
    Options = Settings
    name = "brightness@1"
    attributes = (Attribute("shade", "perceived shade", ()),)
    citations = ()

    def __init__(self, argument, options):
        pass

    def annotate(self, images):
        for image in images:
            shade = np.mean([np.asarray(open_rgb(file)).mean() for file in (image.path, *image.sources)])
            yield Observation(image.id, self.name, 0, "shade", value=float(shade))
"""


@pytest.fixture(scope="module")
def brightness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An annotator that reads pixels, of the image and of what it was edited from."""
    info = tmp_path_factory.mktemp("plugin") / "brightness-1.dist-info"
    info.mkdir()
    (info.parent / "brightness.py").write_text(PLUGIN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brightness\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[portrayal.annotators]\nbrightness = brightness:Brightness\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(info.parent))
        yield


@pytest.fixture(scope="module")
def whole(
    tmp_path_factory: pytest.TempPathFactory, write_study: Callable[..., Path], start_loaded: Start, brightness: None
) -> Path:
    """A study that is done, with its images in its folder."""
    folder = write_study(tmp_path_factory.mktemp("whole") / "study", prompts=PROMPTS, **TABLES)
    assert ended(start_loaded("run", folder)) == 0
    return folder


@pytest.fixture
def far(tmp_path: Path, write_study: Callable[..., Path], s3: S3Proxy, brightness: None) -> Path:
    """The same study with nothing done yet, and its images to be in S3."""
    allow_store(s3.address)
    return write_study(tmp_path / "far", prompts=PROMPTS, storage={"images": s3.address}, **TABLES)


def ended(process: ForkServerProcess) -> int | None:
    process.join()
    return process.exitcode


def test_killed_and_disturbed_it_ends_with_the_tables_of_a_study_on_disk(
    whole: Path, far: Path, s3: S3Proxy, start_loaded: Start, rows: Rows, tmp_path: Path
) -> None:
    rng = random.Random(19)
    s3.often = 0.1
    killed = 0
    for _ in range(KILLS):
        process, asked = start_loaded("run", far, first=HASTE), len(s3.asked) + rng.randrange(1, 12)
        while process.is_alive() and len(s3.asked) < asked:
            time.sleep(0.002)
        process.kill()
        killed += ended(process) == -signal.SIGKILL
    assert killed == KILLS
    # A store that fails five times in a row ends the command with 2, and the same command goes on.
    codes: list[int | None] = []
    while 0 not in codes:
        codes.append(ended(start_loaded("run", far, err=str(tmp_path / f"said-{len(codes)}"), first=HASTE)))
        assert codes[-1] in (0, 2), (tmp_path / f"said-{len(codes) - 1}").read_text()
    assert rows(far) == rows(whole)
    assert any('"value": 1' in row for row in rows(far)["observations"])
    stored = {name.removeprefix("study/"): data for name, data in s3.objects().items()}
    here = whole / "images"
    assert stored == {path.relative_to(here).as_posix(): path.read_bytes() for path in here.rglob("*.png")}
    assert not (far / "images").exists()


def test_a_store_that_stops_answering_is_one_line_and_the_same_command_goes_on(
    whole: Path, far: Path, s3: S3Proxy, start_loaded: Start, rows: Rows, tmp_path: Path
) -> None:
    s3.always = "403"
    assert ended(start_loaded("generate", far)) == 2
    assert not (far / "tables").exists()  # told before anything is drawn, and perhaps paid for
    s3.always = ""
    for number, command in enumerate(("generate", "annotate")):
        s3.troubles.extend([""] * 5 + ["403"] * 1000)  # in the middle of the work
        said = tmp_path / f"said-{number}"
        assert ended(start_loaded(command, far, err=str(said))) == 2
        errors = [line for line in said.read_text().splitlines() if line.startswith("error:")]
        assert len(errors) == 1
        assert f"{s3.address}/" in errors[0]
        # That an image is there is asked without a body, so that the answer has none either.
        assert re.search(r"the store refuses \(PermissionError: (403, on purpose|Forbidden)\)", errors[0])
        assert "Traceback" not in said.read_text()
        assert SECRET not in said.read_text()
        s3.troubles.clear()
        assert ended(start_loaded(command, far)) == 0
    assert {name: rows(far)[name] for name in ANSWERS} == {name: rows(whole)[name] for name in ANSWERS}
    written = b"".join(path.read_bytes() for path in far.rglob("*") if path.is_file())
    assert SECRET.encode() not in written
