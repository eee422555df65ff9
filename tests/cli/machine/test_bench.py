"""``portrayal bench annotate`` with a model so small that what is measured takes no time."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Callable
from functools import partial
from typing import get_args

import pytest

from portrayal.cli.machine.bench import Format, Model
from portrayal.vision import bench
from portrayal.vision.bench import models, pictures

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
SIZES = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a published name stand for a small model, and draw few and small pictures."""
    monkeypatch.setattr(models, "MODELS", {"vit-b-32": ({**SIZES, "patch_size": 32}, SIZES, 8)})
    monkeypatch.setattr(pictures, "_DIFFERENT", 2)
    monkeypatch.setattr(bench, "BenchSettings", partial(bench.BenchSettings, size=64, batch=4, loop=1))


def test_it_prints_what_was_measured(cli: Run) -> None:
    ran = cli("bench", "annotate", "--model", "vit-b-32", "--images", 8, "--workers", 1)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("8 jpeg files of 64 x 64 pixels, ")
    names = ("end to end", "model alone", "decode alone", "ratio", "one at a time", "published loop", "gain")
    assert [line[:14].strip() for line in lines[1:]] == list(names)
    values = {line[:14].strip(): float(line[14:].split()[0]) for line in lines[1:]}
    # Of eight pictures nearly all the time goes into starting, and on a busy machine numbers may be printed as 0.0.
    assert all(value >= 0 for value in values.values())


def test_it_prints_json(cli: Run) -> None:
    ran = cli(
        *("bench", "annotate", "--model", "vit-b-32", "--images", 4, "--workers", 1),
        *("--format", "png", "--exact", "--device", "cpu", "--json"),
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert {name: found["settings"][name] for name in ("format", "exact", "images", "device")} == {
        "format": "png",
        "exact": True,
        "images": 4,
        "device": "cpu",
    }
    for name in ("end_to_end", "model_alone", "decode_alone", "ratio", "one_at_a_time", "gain", "published_loop"):
        assert found[name] > 0


def test_the_choices_are_those_of_the_measurement(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert sorted(get_args(Model)) == sorted(models.MODELS)
    assert sorted(get_args(Format)) == sorted(pictures._ENDINGS)
    assert bench.BenchSettings().size == 1024


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "vit-x"], "error: Invalid value for '--model': 'vit-x' is not one of 'vit-b-32', 'vit-l-14'"),
        (["--format", "gif"], "error: Invalid value for '--format': 'gif' is not one of 'jpeg', 'png'"),
        (["--images", "-1"], "error: Invalid value for '--images'"),
        (["--workers", "-1"], "error: Invalid value for '--workers'"),
        (["--device", "cuda:77"], "error: device 'cuda:77' cannot be used here: "),
        (["--device", "nonsense"], "error: device 'nonsense' cannot be used here: "),
    ],
)
def test_what_makes_no_sense_is_one_line(cli: Run, words: list[str], message: str) -> None:
    ran = cli("bench", "annotate", *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(message)
    assert ran.stderr.count("\n") == 1


def test_without_the_libraries_it_says_what_to_install(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    ran = cli("bench", "annotate")
    assert ran.returncode == 2
    assert ran.stderr == "error: annotator 'clip' needs torch, transformers: run pip install \"portrayal[torch]\"\n"


def test_alone_it_says_what_can_be_measured(cli: Run) -> None:
    ran = cli("bench")
    assert ran.returncode == 0
    assert "annotate" in ran.stdout


def test_the_arena_is_measured(cli: Run) -> None:
    ran = cli("arena", "bench", "--raters", 1, "--votes", 1)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.endswith(" 1 votes, 0 acknowledged ones lost, 0 counted twice\n")
