from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import ConfigError, InputError, PortrayalError
from portrayal.records import Prompt
from portrayal.suites import SUITES, Suite
from portrayal.suites.custom import FileOptions, prompt_file


def load(folder: Path, name: str, content: str) -> Suite:
    (folder / name).write_text(content, encoding="utf-8")
    return prompt_file(FileOptions(path=Path(name)), folder)


def test_the_registry_gives_this_suite() -> None:
    found: object = SUITES.load("file")
    assert found is prompt_file


def test_csv_with_every_column(tmp_path: Path) -> None:
    content = "text,term,category,variant,language,weight\nein Arzt,Arzt,health,2,de,2.5\na judge,,,,,\n"
    assert load(tmp_path, "mine.csv", content) == Suite(
        "mine",
        [Prompt("ein Arzt", "Arzt", "mine", "health", "2", "de", 2.5), Prompt("a judge", "a judge", "mine")],
    )


def test_toml_crosses_templates_and_terms(tmp_path: Path) -> None:
    content = """
        templates = ["a photo of {a_term}", "one {term}"]
        language = "en-GB"
        citation = "Me (2025)"
        terms = [{ term = "Muslim engineer", category = "work", weight = 2 }, { term = "judge" }]
    """
    assert load(tmp_path, "mine.toml", content) == Suite(
        "mine",
        [
            Prompt("a photo of a Muslim engineer", "Muslim engineer", "mine", "work", "1", "en-GB", 2.0),
            Prompt("one Muslim engineer", "Muslim engineer", "mine", "work", "2", "en-GB", 2.0),
            Prompt("a photo of a judge", "judge", "mine", "", "1", "en-GB"),
            Prompt("one judge", "judge", "mine", "", "2", "en-GB"),
        ],
        ("Me (2025)",),
    )


def test_one_template_needs_no_variants(tmp_path: Path) -> None:
    suite = load(tmp_path, "mine.toml", 'templates = ["{a_term}"]\nterms = [{ term = "judge" }]')
    assert suite == Suite("mine", [Prompt("a judge", "judge", "mine")])


def test_an_absolute_path_stays_absolute(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("text\na judge\n")
    assert len(prompt_file(FileOptions(path=path), Path("/elsewhere")).prompts) == 1


TERMS = "terms = [{ term = 'judge' }]"


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("p.csv", "text,term\n,nurse\n", InputError, "{path}:2: empty prompt; give every row a text or remove it"),
        ("p.csv", "text\nx\ny\nx\n", InputError, "{path}:4: prompt 'x' stands already at {path}:2; keep one"),
        ("p.csv", "text,trem\nx,y\n", InputError, "{path}: unknown column 'trem'; did you mean 'term'?"),
        ("p.csv", "term\nx\n", InputError, "{path}: column 'text' is missing; the file has term"),
        ("p.csv", "text,weight\nx,0\n", InputError, "{path}:2: weight must lie between 0.000001 and 1,000,000, got 0"),
        ("p.csv", "text,weight\nx,-1.5\n", InputError,
         "{path}:2: weight must lie between 0.000001 and 1,000,000, got -1.5"),
        ("p.csv", "text,weight\nx,1e308\n", InputError,
         "{path}:2: weight must lie between 0.000001 and 1,000,000, got 1e+308"),
        ("p.csv", "text,weight\nx,1e-300\n", InputError,
         "{path}:2: weight must lie between 0.000001 and 1,000,000, got 1e-300"),
        ("p.csv", "text,weight\nx,nan\n", InputError, "{path}:2: column 'weight' must be a number, got 'nan'"),
        ("p.csv", "text,weight\nx,inf\n", InputError, "{path}:2: column 'weight' must be a number, got 'inf'"),
        ("p.csv", "text,weight\nx,two\n", InputError, "{path}:2: column 'weight' must be a number, got 'two'"),
        ("p.csv", "text\n", InputError, "{path}: the file has a header but no rows"),
        ("p.toml", "templates = [", ConfigError, "{path}: not valid TOML: Invalid value (at end of document)"),
        ("p.toml", TERMS, ConfigError, "{path}: 'templates' is required"),
        ("p.toml", "templates = ['{term}']", ConfigError, "{path}: 'terms' is required"),
        ("p.toml", f"templates = []\n{TERMS}", ConfigError, "{path}: 'templates': tuple should have at least 1 item"),
        ("p.toml", "templates = ['x']\nterms = []", ConfigError, "{path}: 'terms': tuple should have at least 1 item"),
        ("p.toml", f"template = 'x'\ntemplates = ['x']\n{TERMS}", ConfigError,
         "{path}: unknown key 'template'; did you mean 'templates'?"),
        ("p.toml", "templates = ['x']\nterms = [{ term = 'a' }, { trem = 'b', term = 'b' }]", ConfigError,
         "{path}: unknown key 'terms.2.trem' (entries are counted from 1); did you mean 'term'?"),
        ("p.toml", "templates = ['x']\nterms = [{ term = '' }]", ConfigError, "{path}: 'terms.1.term': string should"),
        ("p.toml", "templates = ['x']\nterms = [{ term = 'a', weight = 0 }]", ConfigError,
         "{path}: 'terms.1.weight': input should be greater than or equal to 0.000001 (got 0)"),
        ("p.toml", "templates = ['x']\nterms = [{ term = 'a', weight = 1e308 }]", ConfigError,
         "{path}: 'terms.1.weight': input should be less than or equal to 1000000 (got 1e+308)"),
        ("p.toml", "templates = ['x']\nterms = [{ term = 'a', weight = inf }]", ConfigError,
         "{path}: 'terms.1.weight': input should be a finite number (got inf)"),
        ("p.toml", "templates = ['x']\nterms = [{ term = 'a', weight = nan }]", ConfigError,
         "{path}: 'terms.1.weight': input should be a finite number (got nan)"),
        ("p.toml", f"templates = ['']\n{TERMS}", InputError, "{path} term 1: empty prompt;"),
        ("p.toml", "templates = ['same']\nterms = [{ term = 'a' }, { term = 'b' }]", InputError,
         "{path} term 2: prompt 'same' stands already at {path} term 1; keep one"),
        ("p.txt", "x", InputError, "{path}: prompts are read from .csv or .toml files, not .txt"),
        ("prompts", "x", InputError, "{path}: prompts are read from .csv or .toml files, not a file without ending"),
    ],
)  # fmt: skip
def test_mistakes_are_named(tmp_path: Path, name: str, content: str, error: type[PortrayalError], message: str) -> None:
    with pytest.raises(error) as caught:
        load(tmp_path, name, content)
    assert str(caught.value).startswith(message.format(path=tmp_path / name))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["gone.csv", "gone.toml"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"{name}: no such file; check the path$"):
        prompt_file(FileOptions(path=Path(name)), tmp_path)
