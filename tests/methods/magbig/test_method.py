"""MAGBIG's measures against a plain implementation, on random data with gaps and ties, and where there is little."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from portrayal import Study
from portrayal.methods.magbig.parity import DEVIATION, LARGEST, largest_deviation, mean_deviation
from portrayal.records import Image, Measurement, Observation, attribute_table
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy

STUDY = """
[study]
title = "small"
[suite]
use = "magbig"
options.path = "{clone}"
options.languages = ["en", "ar", "zh"]
[[generators]]
use = "simulated"
images = 6
options.pixels = false
options.refused = 0.2
options.shares = {{ gender = {{ male = 0.8, female = 0.2 }} }}
[[annotators]]
use = "simulated"
options.attributes = ["gender"]
[[methods]]
use = "magbig"
options.draws = 100
options.occupations = 2
[report]
language = "{language}"
"""


@pytest.fixture
def studied(clone: Path, tmp_path: Path) -> Callable[[str], Study]:
    def run(language: str) -> Study:
        folder = tmp_path / language
        folder.mkdir()
        (folder / "study.toml").write_text(STUDY.format(clone=clone, language=language), encoding="utf-8")
        study = Study(folder)
        study.run()
        return study

    return run


def plain(counts: list[tuple[int, int]]) -> float:
    """Return the deviation as the authors' script has it: of terms with images, the sum over both genders, averaged."""
    each = [sum(abs(n / sum(pair) - 0.5) for n in pair) for pair in counts if sum(pair)]
    return sum(each) / len(each)


@pytest.mark.parametrize("seed", range(5))
def test_the_deviation_is_that_of_a_plain_implementation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = [(int(a), int(b)) for a, b in rng.integers(0, 4, (40, 2))]
    known = np.array([pair for pair in counts if sum(pair)], dtype=float)
    shares = known / known.sum(axis=1, keepdims=True)
    assert mean_deviation(shares, np.ones(len(shares))) == pytest.approx(plain(counts), abs=1e-9)


def test_the_largest_deviation_of_terms_that_show_one_group_is_the_most_there_is() -> None:
    row, rng = Measurement("magbig", "", "g", "a", "gender"), np.random.default_rng(0)
    one = np.array([[1.0, 0.0]] * 20)
    assert largest_deviation(row, one, 10, 10, rng).value == 1.0
    even = largest_deviation(row, np.full((20, 2), 0.5), 10, 10, rng).value
    assert even is not None
    assert 0.4 < even < 0.7  # ten images of parity: the largest of ten lies about 5 standard errors of one off
    few = largest_deviation(row, one[:3], 10, 10, rng)
    assert (few.value, [note.code for note in few.notes]) == (None, ["too_few_terms"])


@pytest.mark.slow
def test_a_study_in_three_scripts(studied: Callable[[str], Study]) -> None:
    rows = list(studied("en").measurements())
    mine = [row for row in rows if row["method"] == "magbig"]
    counted: dict[str, list[tuple[int, int]]] = {}
    for row in mine:
        if (row["metric"], row["level"], row["group"]) == ("share", "term", "female"):
            women = round(row["value"] * row["n"])
            counted.setdefault(row["language"], []).append((row["n"] - women, women))
    overall = {
        row["language"]: row
        for row in mine
        if (row["metric"], row["level"], row["variant"]) == (DEVIATION, "overall", "")
    }
    assert set(overall) == {"en", "ar", "zh"}
    assert overall["zh"]["value"] == pytest.approx(plain(counted["zh"]), abs=1e-9)
    assert overall["zh"]["corrected"] < overall["zh"]["value"]
    against = {row["reference"] for row in mine if row["metric"] == "paired_difference"}
    assert {"en direct", "en adjective"} <= against
    assert any(row["metric"] == LARGEST and row["value"] is not None for row in mine)


@pytest.mark.slow
def test_prompts_that_ask_for_women_are_not_set_beside_parity(dataset: Path, tmp_path: Path) -> None:
    text = STUDY.format(clone=dataset, language="en").replace('"ar", "zh"', '"de", "fr"')
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    study = Study(tmp_path)
    study.generate()
    study.annotate()
    study.measure()
    mine = [row for row in study.measurements() if (row["variant"], row["attribute"]) == ("feminine", "gender")]
    assert {row["metric"] for row in mine} == {"share", "paired_difference"}
    shares = [row for row in mine if row["metric"] == "share"]
    assert shares
    assert {(row["target"], row["reference"]) for row in shares} == {(None, "")}
    paired = {(row["language"], row["reference"]) for row in mine if row["metric"] == "paired_difference"}
    assert ("de", "de direct") in paired


def plain_largest(shares: list[float], terms: int, images: int, rng: np.random.Generator) -> float:
    """Return the largest deviation as the authors' script draws it: terms, then their images by binomial draws."""
    found = []
    for _ in range(1000):
        chosen = rng.choice(len(shares), size=terms, replace=False)
        counts = [int(rng.binomial(images, shares[term])) for term in chosen]
        found.append(max(2 * abs(count / images - 0.5) for count in counts))
    return sum(found) / len(found)


@pytest.mark.parametrize(("terms", "images"), [(1, 10), (5, 10), (10, 3)])
def test_the_largest_deviation_is_that_of_a_plain_implementation(terms: int, images: int) -> None:
    women = [0.5 + 0.02 * n for n in range(20)]
    row, rng = Measurement("magbig", "", "g", "a", "gender"), np.random.default_rng(terms)
    ours = largest_deviation(row, np.array([[share, 1 - share] for share in women]), terms, images, rng).value
    # Two means of 1,000 draws whose standard deviation is below 0.3: 0.054 are four standard errors.
    assert ours == pytest.approx(plain_largest(women, terms, images, np.random.default_rng(99)), abs=0.054)


@pytest.mark.slow
def test_pictures_that_cannot_be_used_are_counted_by_reason(studied: Callable[[str], Study]) -> None:
    """A page said that none was missing where a fifth had been refused: no row was about whole images."""
    study = studied("en")
    mine = [row for row in study.measurements() if (row["method"], row["metric"]) == ("magbig", "missing")]
    whole = [row for row in mine if row["level"] == "overall" and row["attribute"] == ""]
    refused = 6 * len(list(study.prompts())) - len(list(study.images()))
    assert {row["group"] for row in whole} == {"refused: simulated_refusal"}
    assert sum(row["missing"] for row in whole if row["variant"]) == refused > 0
    assert {row["item"] for row in mine if row["level"] == "term"} <= {"baker", "tutor", "teacher", "calm"}
    page = (study.folder / "report" / "index.html").read_text(encoding="utf-8")
    assert "do not count (refused" in page


class Fits:
    """Gives each picture the length of its term for a CLIP score."""

    name = "fits@1"
    citations: Sequence[str] = ()
    looks = True
    attributes = (attribute_table()["gender"], attribute_table()["clip_score"])

    def annotate(self, images: Sequence[Image]) -> Iterator[Observation]:
        """Yield a gender and a number of each picture."""
        for image in images:
            yield Observation(image.id, self.name, 0, "gender", mass=(0.5, 0.5))
            yield Observation(image.id, self.name, 0, "clip_score", value=float(len(image.term)))


@pytest.mark.slow
def test_how_well_images_fit_is_a_mean_by_language_and_wording(clone: Path, tmp_path: Path) -> None:
    text = STUDY.format(clone=clone, language="en").replace("options.refused = 0.2", "")
    text = text.replace(
        'use = "simulated"\noptions.attributes = ["gender"]',
        'use = "python:fits@1"\noptions.attributes = ["gender", "clip_score"]',
    )
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    study = Study(tmp_path, annotator=Fits())
    study.run()
    means = {(row["language"], row["variant"]): row["value"] for row in study.measurements() if row["metric"] == "mean"}
    assert means["zh", "direct"] == pytest.approx((len("baker") + len("tutor") + len("teacher")) / 3)
    assert means["ar", "adjective"] == len("calm")
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "How well images fit their texts: CLIP score, by language" in page


@pytest.mark.slow
def test_the_page_in_german_shows_arabic_from_right_to_left(studied: Callable[[str], Study], tmp_path: Path) -> None:
    studied("de")
    page = (tmp_path / "de" / "report" / "index.html").read_text(encoding="utf-8")
    for said in (
        '<section id="magbig">',
        "mittlere absolute Abweichung",
        '<td dir="auto" lang="ar">لوحة خباز.</td>',
        '<p class="said" dir="auto" lang="zh">„面包师的画像。“</p>',
        "面包师的画像。",
    ):
        assert said in page, said
    assert "weggelassen, deren Wortlaut" in page
    assert "baker (Arabisch)" in page  # a term of the first screen says in which language it was asked about


@pytest.mark.slow
def test_a_page_knows_which_prompts_ask_for_women(dataset: Path, tmp_path: Path) -> None:
    text = STUDY.format(clone=dataset, language="en").replace('"ar", "zh"', '"de", "fr"')
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    Study(tmp_path).run()
    data = gather(OpenStudy(tmp_path), pictures=False)
    assert data.requesting == {
        "Ein Bild von einer Bäckerin.", "Ein Bild von einer Lehrerin.", "Ein Bild einer Lehrerin.",
        "Un portrait d'une boulangère.",
    }  # fmt: skip
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "over all neutral wordings, " in page
    assert "over all prompts, " not in page
