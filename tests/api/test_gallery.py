"""Pictures are shown with what was perceived in them, each once, in a style that leaves the notebook's own alone."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from portrayal import Study
from portrayal.errors import InputError

Make = Callable[..., Path]


@pytest.fixture(scope="module")
def looked(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of six pictures that two annotators have looked at."""
    folder = write_study(
        tmp_path_factory.mktemp("gallery") / "study",
        generators=[{"use": "simulated", "images": 3, "options": {"size": 8}}],
        annotators=[{"use": "simulated"}, {"use": "simulated", "options": {"accuracy": 0.5}}],
    )
    study = Study(folder)
    study.generate(progress=False)
    study.annotate(progress=False)
    return study


@pytest.mark.slow
def test_each_picture_is_shown_once_with_what_both_saw(looked: Study) -> None:
    gallery = looked.images(term="nurse").show()
    assert repr(gallery) == "3 pictures; a notebook shows them"
    assert gallery.html.count("<img ") == 3
    assert gallery.html.count("a photo of a CEO") == 0
    assert gallery.html.count("<dt>gender</dt>") == 6
    pictures = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', gallery._repr_html_())
    assert all(base64.b64decode(picture).startswith(b"\xff\xd8") for picture in pictures)


@pytest.mark.slow
def test_only_what_the_annotators_of_the_rows_saw_is_shown(looked: Study) -> None:
    name = looked.images()[0]["annotator"]
    gallery = looked.images(term="nurse", annotator=[name]).show()
    assert gallery.html.count("<img ") == 3
    assert gallery.html.count("<dt>gender</dt>") == 3


@pytest.mark.slow
def test_as_many_are_shown_as_are_asked_for(looked: Study) -> None:
    assert looked.images().show(most=2).html.count("<img ") == 2
    assert looked.images()[:2].show().html.count("<img ") == 2
    assert looked.images().show(most=0).html.count("<img ") == 0
    with pytest.raises(InputError, match="most: -1 pictures cannot be shown"):
        looked.images().show(most=-1)
    assert repr(looked.images().show(most=1)) == "1 picture; a notebook shows them"


@pytest.mark.slow
def test_images_without_pixels_are_passed_over(write_study: Make, tmp_path: Path) -> None:
    bare, drawn = ({"use": "simulated", "images": 1, "options": {"pixels": own}} for own in (False, True))
    study = Study(write_study(tmp_path / "study", generators=[bare, drawn], annotators=[{"use": "simulated"}]))
    study.generate(progress=False)
    both = study.images()
    assert repr(both.show()) == "2 pictures; a notebook shows them; images without pixels are passed over"
    assert both.show(most=1).html.count("<img ") == 1
    with pytest.raises(InputError, match=r"^none of these images has pixels, so there is nothing to show$"):
        study.images(model=next(name for name in study.status.outcomes if name != "simulated@1")).show()


@pytest.mark.slow
def test_a_picture_that_is_gone_says_so(looked: Study) -> None:
    images = looked.images()
    file = looked.folder / images[0]["file"]
    data = file.read_bytes()
    file.unlink()
    try:
        assert "no picture on disk" in images.show().html
    finally:
        file.write_bytes(data)


@pytest.mark.slow
def test_a_damaged_picture_says_so_and_the_others_are_shown(looked: Study) -> None:
    images = looked.images()
    file = looked.folder / images[0]["file"]
    data = file.read_bytes()
    file.write_bytes(data[:-1])
    try:
        html = images.show().html
    finally:
        file.write_bytes(data)
    assert "damaged picture on disk" in html
    assert html.count("<img ") == 5


@pytest.mark.slow
def test_a_browser_shows_it_and_the_page_around_keeps_its_style(looked: Study, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 900, "height": 700})
    page.set_content(f"<h3 id=mine>Mine</h3><p id=text>text</p>{looked.images().show().html}")
    assert page.locator(".portrayal figure img").count() == 6
    box = page.locator(".portrayal figure img").first.bounding_box()
    assert box is not None
    assert 80 < box["width"] < 400
    assert page.locator("#mine").evaluate("own => getComputedStyle(own).display") == "block"
    assert page.locator("#text").evaluate("own => getComputedStyle(own).marginTop") != "0px"
    page.close()
