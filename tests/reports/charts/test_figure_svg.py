"""A figure is one SVG picture: well-formed, escaped, with every value where the axis has it."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from portrayal.language.translation import speaking
from portrayal.records import Measurement, Note
from portrayal.reports.charts.figure_svg import WIDTH, figure_svg
from portrayal.reports.charts.rows_figure import rows_figure

SVG = "{http://www.w3.org/2000/svg}"
ROW = Measurement(
    method="m", metric="share", generator="a", annotator="x", attribute="gender", group="female", level="term",
    item="nurse", value=0.5, low=0.25, high=0.75, target=1.0, planted=0.0, n=16,
)  # fmt: skip


def drawn(rows: list[Measurement]) -> ElementTree.Element:
    return ElementTree.fromstring(figure_svg(rows_figure(rows, {})))


def texts(picture: ElementTree.Element) -> list[str]:
    return [(own.text or "").replace("\N{NO-BREAK SPACE}", " ") for own in picture.iter(f"{SVG}text")]


def numbers(own: ElementTree.Element, *names: str) -> list[float]:
    return [float(own.attrib[name]) for name in names]


def test_marks_stand_where_the_axis_has_their_values() -> None:
    picture = drawn([ROW])
    ticks = {
        own.text: float(own.attrib["x"]) for own in picture.iter(f"{SVG}text") if own.attrib["text-anchor"] == "middle"
    }
    zero, half, one = (ticks[name] for name in ("0", "50", "100\N{THIN SPACE}%"))
    (circle,) = picture.iter(f"{SVG}circle")
    assert float(circle.attrib["cx"]) == half
    lines = {tuple(numbers(own, "x1", "x2")) for own in picture.iter(f"{SVG}line")}
    assert ((zero + half) / 2, (half + one) / 2) in {(round(a, 1), round(b, 1)) for a, b in lines}
    assert (one, one) in lines  # the reference
    (planted,) = [own for own in picture.iter(f"{SVG}path") if own.attrib["fill"] == "#1c2127"]
    assert planted.attrib["d"].startswith(f"M{zero:.1f} ")


def test_it_says_what_the_page_says() -> None:
    said = texts(drawn([ROW]))
    assert "50 % (25–75 %\N{SUPERSCRIPT PLUS SIGN})" in said
    assert "n = 16" in said
    assert any("upright line: reference; black triangle: planted truth" in text for text in said)
    noted = texts(drawn([replace(ROW, notes=(Note.of("only_images", n=16),), planted=None)]))
    assert "n = 16 a" in noted
    assert any(text.startswith("a  only") for text in noted)
    assert not any("planted" in text for text in noted)


def test_each_generator_has_a_shape_of_its_own() -> None:
    picture = drawn([replace(ROW, generator=who, item=item) for who in "abcd" for item in ("x", "y")])
    assert len(list(picture.iter(f"{SVG}circle"))) == 3  # two marks, and one in the legend
    assert [text for text in texts(picture) if text in list("abcd")] == list("abcd")


def test_whatever_words_there_are_the_picture_is_well_formed_and_nothing_runs_over() -> None:
    items = ["<script>&\"'", "a photo of one very long prompt " * 5, ""]
    picture = drawn([replace(ROW, item=item) for item in items])
    assert "<script>&\"'" in texts(picture)
    height = float(picture.attrib["height"])
    for own in picture.iter(f"{SVG}text"):
        x, y = numbers(own, "x", "y")
        assert 0 < x <= WIDTH
        assert 0 < y < height


def test_rows_that_are_left_out_are_counted_in_the_language_of_the_study() -> None:
    rows = [replace(ROW, item=f"term {n}", value=n / 100) for n in range(60)]
    assert "40 terms in between are not drawn" in texts(drawn(rows))
    panel = replace(rows_figure(rows, {}).panels[0], header="Category")
    assert panel.between.replace("\u00a0", " ") == "40 categories"
    with speaking("de"):
        german = texts(drawn(rows))
    assert "40 Zeilen dazwischen sind nicht gezeichnet" in german
    assert any("senkrechte Linie: Referenz" in text for text in german)


def test_the_ends_of_an_axis_are_named_and_long_notes_go_on_in_a_new_line() -> None:
    chart = rows_figure([replace(ROW, notes=(Note.of("only_images", n=16),))], {})
    (panel,) = chart.panels
    panel = replace(panel, ends=("less often", "more often"), footnotes=[("a", "a note " * 40)])
    said = texts(ElementTree.fromstring(figure_svg(replace(chart, panels=[panel]))))
    assert [text for text in said if "often" in text and "truth" not in text] == ["← less often", "more often →"]
    assert max(map(len, said)) < 125
    assert sum("a note" in text for text in said) == 3


def test_wide_letters_are_broken_and_leave_the_track_its_place() -> None:
    picture = drawn(
        [replace(ROW, item=item) for item in ("パン職人の肖像画を描いている家庭教師の先生とその友人", "baker")]
    )
    labels = [own for own in picture.iter(f"{SVG}text") if set(own.text or "") & set("パン職人教師友")]
    assert len(labels) == 2
    for own in labels:
        assert 12 * len(own.text or "") < float(own.attrib["x"])  # a letter is as wide as high: none is cut at the left


def test_a_label_from_right_to_left_keeps_its_full_stop_behind_it() -> None:
    said = texts(drawn([replace(ROW, item=item) for item in ("لوحة خباز.", "пекарь")]))
    assert "\N{FIRST STRONG ISOLATE}لوحة خباز.\N{POP DIRECTIONAL ISOLATE}" in said
    assert any(text.casefold() == "пекарь" for text in said)
