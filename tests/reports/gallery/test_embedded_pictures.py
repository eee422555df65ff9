from __future__ import annotations

from portrayal.reports.gallery.embedded_pictures import PictureBook, image_source, picture_class

ONE, TWO = (b"\x89PNG\r\n\x1a\n" + bytes([number]) * 30 for number in (1, 2))


def test_a_picture_that_is_shown_twice_is_a_rule_and_one_that_is_shown_once_is_not() -> None:
    book = PictureBook.of([ONE, TWO, ONE])
    assert (book.name(ONE), book.name(TWO)) == (picture_class(ONE), "")
    assert book.css == f".{picture_class(ONE)}{{background-image:url({image_source(ONE)})}}"
    assert book.source(TWO) == image_source(TWO)


def test_what_is_no_picture_never_gets_into_the_style_sheet() -> None:
    assert PictureBook.of([b"</style><script>"] * 2).css == ""
