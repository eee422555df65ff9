"""The German catalogue: every text of reports and sites is in it, and nothing on a page is left in English."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, nodes
from tests.samples.release_rows import history, share

import portrayal
import portrayal.reports
import portrayal.web
from portrayal.annotators import ANNOTATORS
from portrayal.apps.history.history_page import render_history
from portrayal.bundles import apps, bundles
from portrayal.generators import GENERATORS
from portrayal.language import translation
from portrayal.language.translation import PLACE, Catalogue, speaking
from portrayal.methods import METHODS as METHODS_BY_NAME
from portrayal.methods import bias_scores, by_language
from portrayal.records import BUILTIN_ATTRIBUTES, RATING_NOTES, Adjustment, Measurement, Note, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.data import Picture
from portrayal.reports.page import render_pages
from portrayal.reports.summary.plain_names import PlainNames
from portrayal.reports.text.notes import _texts
from portrayal.reports.text.words import human, titled
from portrayal.suites import REFERENCES, SUITES

Reports = Callable[..., ReportData]
GERMAN = translation.catalogue("de")
SHARED = tuple(Path(str(files(room))) for room in (portrayal.reports, portrayal.web, bias_scores, by_language))
METHODS = [Path(str(files(bundle.package))) for bundle in bundles().values()]
APPS = [Path(str(files(app.package))) / Path(app.texts).parent for app in apps().values() if app.texts]
ROOTS = (*SHARED, *METHODS, *APPS)
SAID = ("title", "alt", "aria-label", "placeholder")
NAMES = (
    "FAIntbench LaTeX CSV JSON Portrayal Python portrayal representation faintbench definition published released plain"
)


def key(called: str, words: Sequence[Any]) -> str:
    """Return the text that a call of ``t`` or ``plural`` looks up."""
    if called == "t":
        return str(words[0])
    return f"{{n|{words[0]}|{words[1] if len(words) > 1 else words[0] + 's'}}}"


def _python(path: Path) -> Iterator[tuple[str, list[Any] | None, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("t", "plural"):
            words = node.args[:1] if node.func.id == "t" else node.args[1:]
            known = all(isinstance(word, ast.Constant) for word in words)
            yield node.func.id, [getattr(word, "value", "") for word in words] if known else None, node.lineno


def _template(path: Path) -> Iterator[tuple[str, list[Any] | None, int]]:
    for node in Environment(autoescape=True).parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        if isinstance(node.node, nodes.Name) and node.node.name in ("t", "plural"):
            words = node.args[:1] if node.node.name == "t" else node.args[1:]
            known = all(isinstance(word, nodes.Const) for word in words)
            yield node.node.name, [getattr(word, "value", "") for word in words] if known else None, node.lineno


def calls() -> Iterator[tuple[Path, str | None, int]]:
    """Yield every place that asks for a text: its file, the text (None where it is not written there), its line."""
    for pattern, read in (("*.py", _python), ("*.j2", _template)):
        for path in sorted(path for root in ROOTS for path in root.rglob(pattern)):
            yield from ((path, None if words is None else key(name, words), line) for name, words, line in read(path))


def constants() -> set[str]:
    """Return every string in the code: a text may stand in a table before it is looked up."""
    paths = [path for root in ROOTS for path in root.rglob("*.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    found = (node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {value for value in found if isinstance(value, str)}


def literal(path: Path) -> list[str]:
    """Return the words that a template says by itself: they are the same in every language."""
    source = path.read_text(encoding="utf-8")
    for left_out in (r"\{% block kind %}.*?%\}", r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", r"<kbd>.*?</kbd>", r"&\w+;"):
        source = re.sub(left_out, "", source, flags=re.DOTALL)
    said = [value for name in SAID for value in re.findall(rf'\b{name}="([^"]*)"', source)]
    return re.findall(r"[^\W\d_]{2,}", " ".join([*said, re.sub(r"<[^>]*>", " ", source)]))


class Reader(HTMLParser):
    """Collects what a reader sees or hears outside the marks that a test puts around every translation."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.hidden = ""
        self.left: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden = tag if tag in ("style", "pre") else self.hidden
        self.left += [unmarked(value, 0)[0] for name, value in attrs if name in SAID and value]

    def handle_endtag(self, tag: str) -> None:
        self.hidden = "" if tag == self.hidden else self.hidden

    def handle_data(self, data: str) -> None:
        text, self.depth = unmarked(data, self.depth)
        self.left += [text] if not self.hidden else []


def unmarked(text: str, depth: int) -> tuple[str, int]:
    """Return what stands outside all marks, and how many marks are open behind it."""
    kept = []
    for letter in text:
        depth += (letter == "⟦") - (letter == "⟧")
        kept.append(letter if depth == 0 and letter != "⟧" else " ")
    return "".join(kept), depth


def own_words(data: ReportData) -> set[str]:
    """Return everything on a page that is the user's or a name, and so the same in every language."""
    rows = data.measurements
    own: set[str] = {data.title, *data.generators, *data.annotators, *NAMES.split()}
    own |= {text for prompt in data.prompts for text in prompt}
    own |= {text.replace(term, "…") for term, _, text in data.prompts if term}
    own |= {
        text
        for row in rows
        if row.level not in ("kind",)
        for text in (row.item, row.reference, row.generator, row.annotator)
    }
    own |= {text for pair in data.provenance for text in pair}
    own |= {text for picture in data.pictures for text in (picture.term, picture.image[:8], picture.image)}
    own |= {picture.revised for picture in data.pictures}
    own |= {part.strip() for source in data.reference_sources.values() for part in re.split(r"(https?://\S+)", source)}
    own |= {*data.citations, *data.notes}
    return {text for text in own if text} | {text[0].upper() + text[1:] for text in own if text}


def untranslated(page: str, own: Iterable[str]) -> list[str]:
    """Return the words of a page that are neither translated nor anyone's own."""
    reader = Reader()
    reader.feed(page)
    names = "|".join(re.escape(text) for text in sorted(own, key=len, reverse=True))
    left = [re.sub(rf"(?<!\w)(?:{names})(?!\w)", " ", text) for text in reader.left]
    return sorted({text.strip() for text in left if re.search(r"[^\W\d_]{2,}", text)})


def places(text: str) -> list[str]:
    return sorted(found[1] for found in PLACE.finditer(text))


def tables(root: Path) -> list[dict[str, dict[str, str]]]:
    """Return the German files of reports, of sites, of one method or of one application."""
    found = [*root.glob("texts/de/*.toml"), *root.glob("texts/de.toml")]
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in found]


def around(said: str) -> str:
    """Return a translation in marks, outside of which stands what is put into its places."""
    return f"⟦{PLACE.sub(_outside, said)}⟧"


def _outside(place: re.Match[str]) -> str:
    name, one, many = place.groups()
    return f"⟧{{{name}}}⟦" if one is None else f"⟧{{{name}|⟦{one}⟧|⟦{many}⟧}}⟦"


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put marks around everything that comes from the catalogue."""

    tables = (GERMAN.texts, GERMAN.words)
    fake = Catalogue(*({text: around(said) for text, said in table.items()} for table in tables))
    monkeypatch.setattr(translation, "catalogue", lambda _: fake)


@pytest.mark.slow
def test_every_text_of_the_code_is_in_the_catalogue_and_none_is_left_over() -> None:
    asked = {text for _, text, _ in calls() if text is not None} | set(_texts().values()) | set(RATING_NOTES.values())
    asked |= {
        entry.words
        for registry in (METHODS_BY_NAME, GENERATORS, ANNOTATORS, REFERENCES, SUITES)
        for entry in registry.entries().values()
        if entry.words
    }
    assert sorted(asked - set(GERMAN.texts)) == []
    assert sorted(set(GERMAN.texts) - asked - constants()) == []


@pytest.mark.slow
@pytest.mark.parametrize("method", [*METHODS, *APPS], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_method_or_application_finds_its_texts_in_its_own_files_or_those_that_all_share(method: Path) -> None:
    said = {text for root in (*SHARED, method) for file in tables(root) for text in file.get("texts", {})}
    asked = {text for path, text, _ in calls() if text is not None and path.is_relative_to(method)}
    assert sorted(asked - said) == []


@pytest.mark.slow
def test_templates_ask_only_for_texts_written_in_them() -> None:
    # The text of a template may hold markup, so a value must never get there.
    assert [(path.name, line) for path, text, line in calls() if text is None and path.suffix == ".j2"] == []


def test_templates_say_nothing_themselves_but_names() -> None:
    names = {*NAMES.split(), "BiasIG", "BiasPainter", "Elo", "MAGBIG", "Kendall", "Spearman"}
    templates = (path for root in ROOTS for path in root.rglob("*.html.j2"))
    assert [(path.name, word) for path in templates for word in literal(path) if word not in names] == []


def test_translations_have_the_places_of_the_text_they_translate() -> None:
    wrong = [text for text, said in GERMAN.texts.items() if places(text) != places(said)]
    assert wrong == []
    for text, said in GERMAN.texts.items():
        assert Counter(re.findall(r"</?\w+", text)) == Counter(re.findall(r"</?\w+", said)), text


def test_no_two_files_say_different_things() -> None:
    found: dict[tuple[str, str], set[str]] = {}
    for file in [file for root in ROOTS for file in tables(root)]:
        for table, entries in file.items():
            for text, said in entries.items():
                found.setdefault((table, text), set()).add(said)
    assert [place for place, said in found.items() if len(said) > 1] == []


def reports(simulated: Reports, benched: Reports) -> Iterator[ReportData]:
    """Yield pages that between them show every part of a report."""
    sample = simulated()
    yield sample
    yield simulated(generators=tuple(f"model {index}" for index in range(6)), names=("gender", "race5", "skin_tone"))
    yield simulated(terms=tuple((f"job {index}", f"field {index % 5}") for index in range(40)), per_prompt=6)
    bench = benched(
        annotators=("clip@1", "faces@1"),
        human=True,
        profile="plain",
        adjusted=[Adjustment(Note.of("chosen_prompts", n=10, m=20))],
    )
    yield bench
    yield replace(bench, measurements=[*sample.measurements, *bench.measurements])
    some = Note.of("some_pairs", n=3, m=4)
    for notes in ((Note.of("variant", name="published"),), (Note.of("variant", name="released"), some)):
        rows = benched(models=("one",)).measurements
        told = [replace(row, notes=notes) if row.metric == "manifestation" else row for row in rows]
        yield replace(benched(models=("one",)), measurements=told)
    yield numeric()
    pictures = [Picture("nurse", "a nurse", "a", 7, revised="a kind nurse")]
    yield replace(numeric(), revised={"a": 1}, pictures=pictures)
    yield ReportData("T", [], [], [], 0, {}, [], {}, {})


def numeric() -> ReportData:
    names = ("age", "gender", "caption", "niqe")
    rows = [
        Measurement("representation", metric, generator, "faces@1", **more)
        for generator in ("a", "b")
        for metric, more in (
            ("mean", {"attribute": "age", "value": 34.5, "low": -1.0, "high": 40.0, "n": 1234, "target": 30.0}),
            ("share", {"attribute": "gender", "group": "female", "value": 0.123, "low": 0.1, "high": 0.2, "n": 4000}),
            ("total_variation", {"attribute": "gender", "value": 0.2, "low": 0.1, "high": 0.3, "n": 9}),
            ("mean_total_variation", {"attribute": "gender", "value": 0.2, "low": 0.1, "high": 0.3, "n": 9}),
            ("kl_divergence", {"attribute": "gender", "value": None, "notes": (Note.of("only_prompts", n=3),)}),
            ("chi_square_p", {"attribute": "gender", "value": 0.01, "n": 9}),
        )
    ]
    attributes = {name: attribute_table()[name] for name in names}
    prompts = [("nurse", "care", "a nurse")]
    outcomes = {"a": {"made": 1, "pending": 1, "failed: out_of_memory": 2}}
    return ReportData("T", ["a", "b"], ["faces@1"], prompts, 1, attributes, rows, outcomes, {}, judged={"faces@1": 1})


@pytest.mark.slow
@pytest.mark.usefixtures("marked")
def test_nothing_on_a_page_is_left_in_english(simulated: Reports, benched: Reports) -> None:
    for data in reports(simulated, benched):
        own = own_words(data) | set(PlainNames.of(data).plain.values())
        for page in render_pages(replace(data, language="de")).values():
            assert untranslated(page, own) == []


@pytest.mark.slow
@pytest.mark.usefixtures("marked")
def test_nothing_on_the_page_of_a_history_is_left_in_english() -> None:
    rows = [[share("nurse", women), share("cook", 50, missing=90)] for women in (98, 56, 57, 20)]
    rows[2] = [replace(rows[2][0], prompt_set="others")]
    page = render_history(history(*rows), "de")
    assert untranslated(page, {"nurse", "Nurse", "cook", "Cook", "Model", "v1", "v2", "v3", "v4", "faces"}) == []


@pytest.mark.slow
@pytest.mark.usefixtures("marked")
def test_a_text_that_nobody_translated_would_be_found(sample: ReportData, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portrayal.reports.charts.interval_chart.t", lambda text: text)
    rows = [replace(row, value=None) for row in sample.measurements]
    page = render_report(replace(sample, measurements=rows, language="de"))
    assert "no data" in untranslated(page, own_words(sample))


def test_every_built_in_attribute_has_german_words() -> None:
    same = {"Monk"}
    with speaking("de"):
        for attribute in BUILTIN_ATTRIBUTES:
            assert titled(attribute.title) != attribute.title
            for text in (attribute.note, attribute.caution, attribute.unit, *attribute.groups):
                assert not text or human(text) != text.replace("_", " ") or text in same, text
        assert titled("perceived hat") == "hat (wahrgenommen)"
        assert titled("hat") == "hat"


def reasons() -> set[str]:
    """Return the reasons that annotators, generators and imports give, as they are written in the code."""
    found: set[str] = set()
    for room in ("annotators", "generators", "study", "vision"):
        for path in Path(portrayal.__file__).parent.joinpath(room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Abstention", "Failed", "Refused"):
                    given_here = [value.value for value in node.args[1:3] if isinstance(value, ast.Constant)]
                    found |= {str(value) for value in given_here[:1]}
    return found


def test_every_reason_has_german_words() -> None:
    found = reasons()
    assert {"tiny_face", "simulated_refusal", "missing_file"} <= found
    assert sorted(reason for reason in found if reason.replace("_", " ") not in GERMAN.words) == []
