"""TOML of any depth and with numbers of any length is read or refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import ConfigError
from portrayal.tomlfile import Keys, line_of, parse_toml, read_toml


def test_it_reads_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 0x0\n[b]\nc = [9223372036854775807, 1.5]\n")
    assert read_toml(tmp_path / "a.toml") == {"a": 0, "b": {"c": [2**63 - 1, 1.5]}}


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "[" * 60 + "]" * 60,
        pytest.param("a." * 20_000 + "a = 1", marks=pytest.mark.slow),
        "[" + "a." * 5_000 + "a]",
    ],
    ids=["endless lists", "lists", "dotted key", "table"],
)
def test_deep_nesting_is_one_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^a\.toml: not valid TOML: tables or lists lie more than 50 deep"):
        parse_toml(text, "a.toml")


@pytest.mark.parametrize(
    "number", ["9" * 5_000, "0x" + "f" * 5_000, "9223372036854775808", "[{b = -1" + "0" * 19 + "}]"]
)
def test_a_number_of_too_many_digits_is_one_line(number: str) -> None:
    with pytest.raises(ConfigError, match=r"^a\.toml: not valid TOML: a whole number needs more than 64 bits$"):
        parse_toml(f"a = {number}", "a.toml")


def test_what_is_no_toml_is_named_with_its_place() -> None:
    with pytest.raises(ConfigError, match=r"^a\.toml: not valid TOML: .*line 2"):
        parse_toml("a = 1\nb = = 2\n", "a.toml")


STUDY = """\
# images, imgaes
[study]
title = \"\"\"
imgaes = 3
\"\"\"
[[generators]]
use = "a"
images = 3
[[generators]]
use = "b"
options.terms = [
  "imgaes",
]
imgaes = [
  3,
]
[generators.options.deep]
"quoted key" = { imgaes = 1 }
"""


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["study", "title"], 3),
        (["study", "seed"], 2),
        (["generators", 0, "images"], 8),
        (["generators", 1, "imgaes"], 14),
        (["generators", 1, "images"], 9),
        (["generators", 1, "options", "deep", "quoted key", "imgaes"], 18),
        (["generators", 1, "options", "terms", 0], 11),
        (["nowhere"], None),
    ],
)
def test_the_line_of_a_key_is_found(keys: Keys, line: int | None) -> None:
    assert line_of(STUDY, keys) == line


def test_a_long_file_is_not_searched_for_ever() -> None:
    text = "".join(f"a{number} = 'key'\n" for number in range(2000))
    assert line_of(text + "key = 1\n", ["key"]) is None
