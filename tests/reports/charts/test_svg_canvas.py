"""A picture stands alone: white below it, a title and a caption that are read aloud, and no text can break it."""

from __future__ import annotations

from xml.etree import ElementTree

from portrayal.reports.charts.svg_canvas import WIDTH, Pen, picture

SVG = "{http://www.w3.org/2000/svg}"


def drawn(title: str, caption: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture(title, caption, lambda pen: pen.legend([(0, "one"), (1, "two")])))


def test_title_and_caption_are_shown_and_read_aloud() -> None:
    found = drawn("Shares", "What was seen. " * 20)
    assert found.attrib["role"] == "img"
    assert found.findtext(f"{SVG}title") == "Shares"
    assert (found.findtext(f"{SVG}desc") or "").startswith("What was seen.")
    background = found.find(f"{SVG}rect")
    assert background is not None
    assert background.attrib["fill"] == "#fff"
    shown = [own.text or "" for own in found.iter(f"{SVG}text")]
    assert shown[:3] == ["Shares", "one", "two"]
    assert " ".join(shown[3:]) == ("What was seen. " * 20).strip()
    assert len(shown[3:]) == 3


def test_text_that_no_xml_file_may_hold_is_replaced() -> None:
    found = drawn("<b>&\x00\x0b\ud800", "]]>\ufffe")
    assert found.findtext(f"{SVG}title") == "<b>&" + 3 * "\N{REPLACEMENT CHARACTER}"
    assert found.findtext(f"{SVG}desc") == "]]>\N{REPLACEMENT CHARACTER}"


def test_what_is_below_the_last_line_still_belongs_to_the_picture() -> None:
    pen = Pen()
    pen.paragraph("word " * 60)
    found = ElementTree.fromstring(picture("", "word " * 60, lambda _: None))
    assert float(found.attrib["height"]) > pen.y
    assert found.attrib["width"] == str(WIDTH)
