"""TOML of any depth and with numbers of any length is read or refused in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.inputfile import DEEPEST
from portrayal.tomlfile import LARGEST_TOML, MOST_NAMES, Keys, line_of, parse_toml, read_toml


def test_it_reads_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 0x0\n[b]\nc = [9223372036854775807, 1.5]\n")
    assert read_toml(tmp_path / "a.toml") == {"a": 0, "b": {"c": [2**63 - 1, 1.5]}}


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "[" * 60 + "]" * 60,
        "a." * 500_000 + "a = 1",
        "b = {x = [{" + "'a' . " * DEEPEST + "a = 1}]}",
        'b = """""""" # "\n' + "a." * DEEPEST + "a = 1",
        "[" + "a." * 5_000 + "a]",
    ],
    ids=["endless lists", "lists", "dotted key", "dotted key inside", "after quotes", "table"],
)
def test_deep_nesting_is_one_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^a\.toml: not valid TOML: tables or lists lie more than 50 deep"):
        parse_toml(text, "a.toml")


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * DEEPEST) + " = 1",
        "[" + ".".join("a" * (DEEPEST - 1)) + "]\nb = 1.5",
        "a = " + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1),
        'a = "' + "a." * 1000 + '" # ' + "[" * 1000 + "\nb = '''" + "[." * 1000 + "'''\n",
        "a = [" + ", ".join(["1.5"] * 1000) + "]",
        "[[a]]\n" * 1000,
    ],
    ids=["key", "table", "lists", "texts", "numbers", "tables"],
)
def test_what_is_as_deep_as_allowed_is_read(text: str) -> None:
    assert parse_toml(text, "a.toml") == tomllib.loads(text)


@pytest.mark.slow
def test_names_are_counted_before_the_file_is_read() -> None:
    lines = [f"[t{n}.b]\nc.d = 1.5\n" for n in range(MOST_NAMES // 4)]
    assert len(parse_toml("".join(lines), "a.toml")) == MOST_NAMES // 4
    with pytest.raises(ConfigError, match=r"^a\.toml: has more than 100,000 keys and parts of keys; use a CSV file"):
        parse_toml("".join([*lines, "e = 1"]), "a.toml")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"a = 1\n".ljust(LARGEST_TOML, b"#"))
    assert read_toml(path) == {"a": 1}
    path.write_bytes(b"a = 1\n".ljust(LARGEST_TOML + 1, b"#"))
    with pytest.raises(InputError, match=r"a\.toml: has 4,194,305 bytes, more than the 4,194,304 that are read$"):
        read_toml(path)
    with pytest.raises(ConfigError, match=r"^a\.toml: has 4,194,305 characters"):
        parse_toml("#" * (LARGEST_TOML + 1), "a.toml")


@pytest.mark.slow
def test_lines_of_a_long_file_are_searched_for_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    loads = tomllib.loads

    def counted(text: str) -> dict[str, Any]:
        read.append(len(text))
        return loads(text)

    monkeypatch.setattr(tomllib, "loads", counted)
    text = "\n".join(f"[t{n}]\nnames = {n}" for n in range(20_000))
    assert line_of(text, ["t3", "names"]) == 8
    assert line_of(text, ["t19999", "names"]) == 39_999  # of the table: the key was looked for long enough
    assert sum(read) < 3_000_000


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
