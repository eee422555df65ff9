"""With a model so small that what is measured takes no time."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from portrayal.errors import ConfigError
from portrayal.vision.bench import BenchResult, BenchSettings, bench, main, models, pictures
from portrayal.vision.bench.models import MODELS, TEXTS, random_network
from portrayal.vision.bench.pictures import draw_pictures

pytestmark = pytest.mark.slow

SIZES = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
SMALL = ({**SIZES, "patch_size": 32}, SIZES, 8)
RATES = ("end_to_end", "model_alone", "decode_alone", "one_at_a_time", "published_loop")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a small model, and draw few pictures."""
    monkeypatch.setattr(models, "MODELS", {**MODELS, "small": SMALL})
    monkeypatch.setattr(pictures, "_DIFFERENT", 5)


@pytest.fixture(scope="module")
def result() -> BenchResult:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "MODELS", {**MODELS, "small": SMALL})
        patch.setattr(pictures, "_DIFFERENT", 5)
        return bench(BenchSettings(model="small", size=64, images=24, batch=8, workers=2, loop=2))


def test_everything_is_measured(result: BenchResult) -> None:
    found = json.loads(json.dumps(result.as_json()))
    assert found["settings"] == {
        "model": "small",
        "format": "jpeg",
        "size": 64,
        "images": 24,
        "device": "auto",
        "workers": 2,
        "batch": 8,
        "exact": False,
        "loop": 2,
        "precision": "bf16",
    }
    assert all(found[rate] > 0 for rate in RATES)
    assert found["ratio"] == pytest.approx(found["end_to_end"] / min(found["model_alone"], found["decode_alone"]))
    assert found["gain"] == pytest.approx(found["end_to_end"] / found["one_at_a_time"])
    assert found["device"] == "cpu"
    assert 0 < found["kilobytes"] < 20
    assert not multiprocessing.active_children()


def test_the_result_in_words() -> None:
    settings = {"images": 96, "format": "png", "size": 1024, "model": "vit-b-32", "precision": "exact", "batch": 32}
    lines = BenchResult({**settings, "workers": 2}, "cpu", 1234.5, 3.25, 30.0, 40.0, 60.0, 10.0, 2.5).lines()
    assert lines[0].startswith(
        "96 png files of 1024 x 1024 pixels, 1234 kB each; vit-b-32 with random weights, exact, batches of 32; cpu, 2 "
    )
    assert lines[0].endswith("cores; prepared in 3.2 s")
    assert lines[1:] == [
        "end to end            30.0 images/s",
        "model alone           40.0 images/s",
        "decode alone          60.0 images/s",
        "ratio                 0.75 of the slower of the two",
        "one at a time         10.0 images/s, texts encoded once",
        "published loop         2.5 images/s: the same, but all texts encoded for each image",
        "gain                   3.0 times one at a time, 12.0 times the published loop",
    ]


def test_as_a_program_of_its_own(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portrayal.vision.bench.measure.MODELS", {"small": SMALL})
    words = ["--model", "small", "--size", "32", "--images", "6", "--loop", "1", "--batch", "4", "--workers", "1"]
    main([*words, "--format", "png", "--exact", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["settings"]["exact"], found["settings"]["format"]) == (True, "png")
    assert found["published_loop"] > 0


def test_a_device_that_is_not_there_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawn(*_: object) -> None:
        raise AssertionError("nothing is drawn for nothing")

    monkeypatch.setattr("portrayal.vision.bench.measure.draw_pictures", drawn)
    for device in ("cuda:77", "nonsense", "meta"):
        with pytest.raises(ConfigError, match=rf"^device '{device}' cannot be used here: [^\n]+$"):
            bench(BenchSettings(device=device))
    with pytest.raises(SystemExit) as end:
        main(["--device", "nonsense"])
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("error: device 'nonsense' cannot be used here: ")


def test_pictures_are_the_same_each_time_and_as_large_as_those_of_faces(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    first, second = (draw_pictures(tmp_path / name, "png", 64) for name in ("a", "b"))
    assert len({path.read_bytes() for path in first}) == len(first) == 5
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    pictures._draw(tmp_path / "large.jpg", 0, 1024)
    with Image.open(tmp_path / "large.jpg") as picture:
        assert (picture.size, picture.mode) == ((1024, 1024), "RGB")
    assert 150_000 < (tmp_path / "large.jpg").stat().st_size < 300_000


def test_weights_are_the_same_each_time() -> None:
    import torch

    pixels = torch.arange(2 * 3 * 224 * 224).view(2, 3, 224, 224) % 256
    scores = []
    for _ in range(2):
        network = random_network("small", "cpu", fast=False)
        network.encode_texts(TEXTS)
        scores.append(network.score(pixels))
    assert scores[0].shape == (2, 34)
    assert len(set(scores[0][0].tolist())) > 10  # texts differ for the stand-in of a tokenizer
    assert torch.equal(*scores)


ABSENT = ("pydantic", "pyarrow", "duckdb", "typer", "rich", "scipy", "cv2", "torchvision")
PROGRAM = f"""
import sys
sys.modules |= dict.fromkeys({ABSENT!r})  # as if they were not installed
from portrayal.vision import bench
from portrayal.vision.bench import measure, models, pictures
models.MODELS = measure.MODELS = {{"small": {SMALL!r}}}
pictures._DIFFERENT = 2
bench.main("--model small --size 32 --images 4 --loop 1 --batch 2 --workers 1 --json".split())
print("loaded:", *(name for name in sys.modules if name.partition(".")[0] == "portrayal"))
"""


def test_it_runs_where_nothing_else_is_installed() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    result, _, loaded = ran.stdout.partition("loaded: ")
    assert json.loads(result)["end_to_end"] > 0
    # They need Python alone, and Pillow.
    allowed = {"portrayal", "portrayal.vision"}
    allowed |= {f"portrayal.{name}" for name in ("errors", "inputfile", "picturefile", "registry")}
    allowed |= {f"portrayal.processes{name}" for name in ("", ".pool", ".resources", ".waiting", ".worker")}
    images = ("", ".image_name", ".image_store", ".read_ahead", ".remote_files", ".remote_images")
    allowed |= {"portrayal.store"} | {f"portrayal.store.images{name}" for name in images}
    assert {name for name in loaded.split() if not name.startswith("portrayal.vision.")} == allowed
