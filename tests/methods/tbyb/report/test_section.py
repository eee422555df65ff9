"""The section, from rows and tables that were written by hand."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.methods.tbyb.report.own_rows import LEFT, SOFA

from portrayal.methods.tbyb.report.caption_rows import pictures_with
from portrayal.methods.tbyb.report.section import TbybContent, TbybSection
from portrayal.records import Adjustment, Measurement, Note, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.charts.xy_chart import Plane
from portrayal.reports.data import FaceView, OwnTableFile, Perceived, Picture

JPEG = b"\xff\xd8\xff fake"


def row(metric: str, value: float | None, generator: str = "g", **more: Any) -> Measurement:
    values: dict[str, Any] = {"annotator": "blip", "attribute": "caption", "n": 300, "prompts": 100, **more}
    if value is not None:
        values = {"low": value - 0.1, "high": value + 0.1, **values}
    return Measurement("tbyb", metric, generator, value=value, **values)


def scores(generator: str = "g", misses: float | None = 0.1) -> list[Measurement]:
    return [
        row("log_bias", None if misses is None else 0.4, generator),
        row("distribution_bias", 3.5, generator),
        row("jaccard_hallucination", 0.4, generator),
        row("hallucination_by_addition", 0.3, generator),
        row("hallucination_by_omission", 0.1, generator),
        row("miss_rate", misses, generator, annotator="clip", attribute="prompt_match"),
        row("jaccard_hallucination", 0.9, generator, level="term", item="apple", n=3),
        row("jaccard_hallucination", 0.2, generator, level="term", item="cat", n=3),
    ]


def word(rank: int, name: str, images: int, generator: str = "g", **more: Any) -> dict[str, Any]:
    values = {"share": images / 300, "low": 0.0, "high": 0.5, "height": 1 / rank, "prompts": 1, "terms": 1}
    company = {"with": ["apple"], "with_images": [images]}
    return {
        "generator": generator,
        "annotator": "blip",
        "rank": rank,
        "word": name,
        "images": images,
        **values,
        **company,
        **more,
    }


def own(words: list[dict[str, Any]], objects: list[dict[str, Any]], counted: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the method's own tables, as files and as rows."""
    rows_of = (words, objects, counted, words)
    named = {f"tbyb.{name}": rows for name, rows in zip(TbybSection.tables, rows_of, strict=True)}
    files = [OwnTableFile(name, len(rows), f"tables/{name}.csv") for name, rows in named.items()]
    return {"own_tables": files, "own_rows": named}


SHOES = {"word": "shoe", "object": "sneaker", "why": "similar", "similarity": 0.86, "images": 2}


def data(rows: list[Measurement] | None = None, generators: tuple[str, ...] = ("g",), **more: Any) -> ReportData:
    attributes = {name: attribute_table()[name] for name in ("caption", "prompt_match")}
    tables = own([word(1, "tree", 60), word(2, "person", 30)], [LEFT], [SOFA, SHOES])
    values: dict[str, Any] = {
        **tables,
        "settings": {"tbyb": {"similarity": "0.75", "model": "minilm", "synonyms": "shipped", "people": "released"}},
        **more,
    }
    made = {name: {"made": 300} for name in generators}
    return ReportData(
        "T", generators, ["blip", "clip"], [], 3, attributes, scores() if rows is None else rows, made, {}, **values
    )


def said(given: ReportData) -> str:
    """Return what a reader sees of the section, in single spaces."""
    section = render_report(given).split('<section id="tbyb"')[1].split("</section>")[0]
    text = html.unescape(re.sub(r"<title>.*?</title>|<[^>]+>", " ", section, flags=re.DOTALL))
    return re.sub(r"\s+", " ", text)


def content(given: ReportData) -> TbybContent:
    shown = TbybSection().show(given)
    assert shown is not None
    assert isinstance(shown.content, TbybContent)
    return shown.content


def test_what_counts_as_a_person_and_what_is_left_out_is_said_plainly() -> None:
    merged = {"tbyb": {"similarity": "0.75", "model": "minilm", "people": "merged"}}
    page = said(data(settings=merged))
    assert "a man where a woman was asked for is no hallucination here" in page
    assert "A prompt that names no object (an orange is a colour) is left out." in page
    german = said(data(language="de", settings=merged))
    assert "Ein Mann, wo eine Frau verlangt war, ist hier keine Halluzination." in german
    released = said(data())
    assert "somebody who was asked for as a man is never found" in released
    assert "no hallucination here" not in released


def test_numbers_of_an_earlier_version_are_marked_and_their_curve_is_drawn() -> None:
    given = data()
    older = {name: rows for name, rows in given.own_rows.items() if name != "tbyb.words"}
    files = [table for table in given.own_tables if table.name != "tbyb.words"]
    page = said(replace(given, own_rows=older, own_tables=files))
    assert "These numbers were measured by an earlier version of Portrayal" in page
    assert "How unevenly uninvited words come" in page
    assert "somebody who was asked for as a man" not in page
    assert "earlier version" not in said(given)


def test_a_generator_of_which_nothing_is_missing_is_nought_and_not_unmeasured() -> None:
    lost = row("missing", 0.1, attribute="", group="refused: policy", missing=30)
    page = html.unescape(render_report(data([*scores(), lost, *scores("h")], ("g", "h"))))
    assert "not measured" not in page.split('id="missing"')[1].split("</section>")[0]
    without = html.unescape(render_report(data([*scores(), lost], ("g", "h"))))
    assert "not measured" in without.split('id="missing"')[1].split("</section>")[0]


def test_the_curve_tells_its_last_rank() -> None:
    page = html.unescape(render_report(data()))
    assert "from the commonest down to rank 2" in page
    assert "2th" not in page
    assert "bis zu Rang 2" in html.unescape(render_report(data(language="de")))


def test_a_study_without_the_method_has_no_section() -> None:
    assert TbybSection().show(data([])) is None


def test_scores_stand_in_a_chart_each_and_words_in_tables() -> None:
    page = said(data())
    for text in ("Log bias (B_log)", "Distribution bias (B_D)", "Jaccard hallucination (H_J)", "Miss rate (M_G)"):
        assert text in page
    assert re.search(r"tree 60 20 % .* apple \(60\)", page)
    assert re.search(r"cat 2 3 67 % dog", page)
    assert re.search(r"sofa couch synonym 7", page)
    assert re.search(r"shoe sneaker similar 0.86 2", page)
    assert "reaches 0.75, by the sentence model minilm" in page


def test_without_misses_the_page_says_that_they_are_not_known() -> None:
    known, unknown = said(data()), said(data(scores(misses=None)))
    assert "is the share of images that a model takes for something else" in known
    assert "no annotator judged whether images show their prompt" not in known
    assert "no annotator judged whether images show their prompt" in unknown
    assert "is the share of images that a model takes for something else" not in unknown


def test_generators_of_different_size_are_to_be_compared_at_a_common_one() -> None:
    sentence = "The generators here have different numbers of captions"
    rarefied = row("distribution_bias_at_common_size", 3.0, notes=(Note.of("at_images", n=120),))
    assert sentence not in said(data())
    page = said(data([*scores(), rarefied]))
    assert sentence in page
    assert "at 120 images, the fewest of any generator" in page


def test_nothing_uninvited_and_nothing_left_out_is_said_and_only_then() -> None:
    nothing, all_named = (
        "No caption names anything beyond its prompt.",
        "Every caption names all that its prompt asks for.",
    )
    assert nothing not in said(data())
    assert all_named not in said(data())
    page = said(data(**own([], [], [])))
    assert nothing in page
    assert all_named in page
    assert "No word counted as another one." in page


def test_no_similarity_no_sentence_about_it() -> None:
    page = said(data(settings={"tbyb": {"similarity": "", "model": "", "synonyms": "shipped"}}))
    assert "by the sentence model" not in page


def test_long_lists_are_cut_and_the_files_named() -> None:
    words = [word(rank, f"word{rank}", 90 - rank) for rank in range(1, 21)]
    objects = [{**LEFT, "object": f"thing{number}"} for number in range(15)]
    page = said(data(**own(words, objects, [SOFA] * 40)))
    assert "word12" in page
    assert "word13" not in page
    assert "8 words more in tables/tbyb.uninvited.csv" in page.replace("\xa0", " ")
    assert "3 objects more in tables/tbyb.left_out.csv" in page.replace("\xa0", " ")
    assert "4 rows more in tables/tbyb.counted_as.csv" in page.replace("\xa0", " ")


def test_the_curve_has_a_line_for_each_of_a_few_generators() -> None:
    both = [word(rank, f"word{rank}", 50 - rank, generator) for generator in ("g", "h") for rank in (1, 2, 3)]
    given = data([*scores("g"), *scores("h")], ("g", "h"), **own(both, [], []))
    (view,) = content(given).views
    assert view.curve is not None
    assert isinstance(view.curve.drawing, Plane)
    assert [(series.name, len(series.points)) for series in view.curve.drawing.series] == [("g", 3), ("h", 3)]
    many = tuple("abcde")
    rows = [own_row for name in many for own_row in scores(name)]
    assert content(data(rows, many)).views[0].curve is None
    assert content(data(**own([word(1, "tree", 3)], [], []))).views[0].curve is None


def test_how_a_study_differs_from_the_published_one_is_said() -> None:
    note = "This study differs from the published protocol"
    assert note not in said(data())
    page = said(data(adjusted={"tbyb": [Adjustment(Note("no_similarity"))]}))
    assert note in page
    assert "the similarity of words plays no part" in page


def picture(caption: str, generator: str = "g", thumbnail: bytes = JPEG) -> Picture:
    face = FaceView(None, [Perceived("caption", text=caption)])
    return Picture("apple", "a picture of an apple", generator, 0, "ab", thumbnail, 8, 8, [face])


def test_pictures_are_those_whose_caption_names_the_word() -> None:
    pictures = [
        picture("an apple"),
        picture("two Trees"),
        picture("a woman"),
        picture("a tree", "h"),
        picture("a tree", thumbnail=b""),
        picture("a street"),
    ]
    assert pictures_with(pictures, "tree", "g", 3) == [pictures[1]]
    assert pictures_with(pictures, "person", "g", 3) == [pictures[2]]
    page = render_report(data(pictures=pictures))
    part = page.split('<section id="tbyb"')[1].split("</section>")[0]
    assert len(re.findall(r'class="pic[ "]', part)) == 2


@pytest.mark.parametrize("text", ["<b>bold</b>", "a & b"])
def test_words_are_escaped(text: str) -> None:
    page = render_report(data(**own([word(1, text, 3), word(2, "x", 1)], [], [])))
    assert text not in page
    assert html.escape(text) in page


def test_it_is_there_in_german() -> None:
    page = said(data(language="de"))
    assert "Gegenstände in Bildbeschreibungen" in page
    assert "Logarithmische Verzerrung (B_log)" in page
    assert "0,75" in page


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_overflows_even_with_every_detail_open(browser: Browser, tmp_path: Path, language: str) -> None:
    long = "diffusers@1:organisation/a-model-with-a-long-name@0123456789ab"
    words = [word(rank, f"word{rank}" * 3, 90 - rank, long) for rank in range(1, 20)]
    given = data(scores(long), (long,), **own(words, [], []), pictures=[picture("word1", long)], language=language)
    path = tmp_path / "index.html"
    path.write_text(render_report(given), encoding="utf-8")
    page = browser.new_context().new_page()
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true })")
    wide = "[...document.querySelectorAll('.panel')].filter(item => item.scrollWidth > item.clientWidth + 1).length"
    for width in (390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0, width
        assert page.evaluate(wide) == 0, width
