from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from portrayal.errors import ConfigError
from portrayal.study.config import AnnotatorConfig
from portrayal.study.parts import devices
from portrayal.study.parts.devices import chosen_devices, on_each, spread_over
from portrayal.study.parts.specs import AnnotatorSpec
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow
Make = Callable[..., Path]
PART = SimpleNamespace(name="clip@1", options=SimpleNamespace(device="auto", workers=0))


def spec(*named: str) -> AnnotatorSpec:
    return AnnotatorSpec(AnnotatorConfig(use="clip:x", devices=named), Path(), devices=named)


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the machine have so many graphics cards."""
    torch = pytest.importorskip("torch")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(devices, "_CARDS", tmp_path)

    def put(count: int) -> None:
        for number in range(count):
            (tmp_path / str(number)).mkdir()
        monkeypatch.setattr(torch.cuda, "device_count", lambda: count)

    return put


def test_without_several_cards_a_part_works_as_one(cards: Callable[[int], None]) -> None:
    assert chosen_devices(spec(), PART) == ()
    cards(1)
    assert chosen_devices(spec(), PART) == ()


def test_all_cards_are_used_where_nothing_else_is_said(
    cards: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cards(3)
    assert chosen_devices(spec(), PART) == ("cuda:0", "cuda:1", "cuda:2")
    for options in (SimpleNamespace(device="cuda:1"), SimpleNamespace(device="cpu"), SimpleNamespace(), None):
        assert chosen_devices(spec(), SimpleNamespace(options=options)) == ()
    assert chosen_devices(spec("cpu", "cuda:2"), PART) == ("cpu", "cuda:2")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert chosen_devices(spec(), PART) == ()


@pytest.mark.parametrize(("workers", "expected"), [(1, ["a", "b"]), (2, ["a", "b"]), (5, ["a", "b", "a", "b", "a"])])
def test_processes_are_spread_over_devices(workers: int, expected: list[str]) -> None:
    assert spread_over(("a", "b"), workers) == tuple(expected)
    assert spread_over((), workers) == ()


def test_processes_that_open_files_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "cpu_count", lambda: 9)
    found = on_each(spec(), PART, ["cuda:0", "cuda:1"])
    assert [own.config.options for own in found] == [{"device": f"cuda:{n}", "workers": 4} for n in range(2)]
    set_by_hand = SimpleNamespace(options=SimpleNamespace(device="auto", workers=3))
    assert [own.config.options for own in on_each(spec(), set_by_hand, ["cpu"])] == [{"device": "cpu"}]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"annotators": [{"use": "simulated", "devices": ["cpu", "cpu"]}]},
            "simulated@1: devices are for parts with an option device, and it has none; leave them out",
        ),
        (
            {"generators": [{"use": "simulated", "devices": ["cpu", "cpu"]}]},
            "simulated@1: devices are for parts with an option device, and it has none; leave them out",
        ),
    ],
)
def test_devices_of_a_part_that_has_no_say_are_refused(
    make_study: Make, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        OpenStudy(make_study(**changes)).check()
    assert str(caught.value) == message


def test_a_device_that_is_none_is_refused(make_study: Make) -> None:
    with pytest.raises(ConfigError, match="devices"):
        OpenStudy(make_study(annotators=[{"use": "simulated", "devices": ["tpu"]}]))
