from __future__ import annotations

import pytest

from portrayal.errors import ConfigError, ServiceError
from portrayal.generators.a1111.checkpoint import Checkpoint

PART = "generator 'a1111'"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a.safetensors", "a.safetensors", True),
        ("a", "a.safetensors", True),
        ("sd/a.safetensors", "a", True),
        ("sd\\a.safetensors", "sd/a.safetensors", True),
        ("sd/a.safetensors", "xl/a.safetensors", False),
        ("a.ckpt", "a.safetensors", False),
        ("a.v2", "a.safetensors", False),
        ("model v1.5", "model v1.6", False),
        ("odd [x].safetensors", "odd [x]", True),
    ],
)
def test_names_of_files_are_compared_as_far_as_both_go(one: str, other: str, same: bool) -> None:
    mine = Checkpoint.parse(PART, one)
    found = [{"title": other}]
    if same:
        assert mine.find(PART, found) == other
    else:
        with pytest.raises(ServiceError, match="has no checkpoint"):
            mine.find(PART, found)


def test_a_checkpoint_is_read_as_the_web_ui_writes_it() -> None:
    assert Checkpoint.parse(PART, " a b.ckpt [ABCDEF0123] ") == Checkpoint("a b.ckpt", "abcdef0123")
    assert Checkpoint.parse(PART, "a [v2].ckpt") == Checkpoint("a [v2].ckpt")
    with pytest.raises(ConfigError, match="is no name"):
        Checkpoint.parse(PART, "  ")
