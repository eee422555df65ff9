from __future__ import annotations

import html
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from portrayal.errors import PortrayalError
from portrayal.methods.representation.report.section import RepresentationSection
from portrayal.records import Adjustment, Attribute, Measurement, Note, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report
from portrayal.reports.figures.named_figures import NamedChart, NamedTable
from portrayal.reports.section import Shown

GENDER = attribute_table()["gender"]
VOID = {"meta", "link", "img", "br", "input"}


def plain(page: str) -> str:
    """Return what a reader sees, in single spaces."""
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(text))


def share(**more: Any) -> Measurement:
    values: dict[str, Any] = {
        "method": "representation", "metric": "share", "generator": "g", "annotator": "a", "attribute": "gender",
        "group": "female", "value": 0.31, "low": 0.24, "high": 0.39, "target": 0.52, "n": 187,
    }  # fmt: skip
    return Measurement(**{**values, **more})


def small(*rows: Measurement, **more: Any) -> ReportData:
    base = ReportData(
        "T", ["g"], ["a"], [("nurse", "health", "a nurse")], 4, {"gender": GENDER}, rows, {"g": {"made": 4}}, {}
    )
    return replace(base, **more)


class Outline(HTMLParser):
    """Checks that tags close in order, and collects headings and ids."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.headings: list[int] = []
        self.ids: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.loads += [values[key] or "" for key in ("src", "srcset", "data", "poster") if key in values]
        self.loads += [values.get("href") or ""] if tag in ("link", "use", "image") else []
        self.ids += [values["id"] or ""] if "id" in values else []
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag


def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    assert not parser.stack
    return parser


def test_the_page_is_well_formed_and_self_contained(sample: ReportData) -> None:
    page = render_report(sample)
    found = outline(page)
    assert found.headings[0] == 1
    assert found.headings.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(found.headings, found.headings[1:], strict=False))
    assert len(found.ids) == len(set(found.ids))
    assert all(address.startswith(("data:", "#")) for address in found.loads)
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"url\((?!data:image/)|@import", page)
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= set(found.ids)


def test_the_same_data_gives_the_same_bytes(simulated: Callable[..., ReportData]) -> None:
    assert render_report(simulated()) == render_report(simulated())


def test_sections_come_in_order(sample: ReportData) -> None:
    titles = re.findall(r"<h2>(.*?)</h2>", render_report(sample))
    assert titles == ["What was found", "Models compared", "What was asked", "Headline numbers", "Term by term",
                      "Planted truth", "Missing images", "Gallery", "All measurements", "Provenance", "How to cite",
                      "Limits"]  # fmt: skip


def test_texts_are_escaped() -> None:
    evil = "<script>alert(1)</script> & \"quotes\" <img src='http://x.test/a.png'>"
    picture = Picture(
        "nurse",
        evil,
        evil,
        1,
        "ab",
        b"\xff\xd8\xff",
        4,
        4,
        [FaceView((0, 0, 1, 1), [Perceived("gender", evil)], [(evil, evil)])],
    )
    notes = (Note.of(evil, name=evil),)
    rows = [share(generator=evil, item=evil, level="term", notes=notes), share(generator=evil, notes=notes)]
    page = render_report(
        small(*rows, title=evil, generators=[evil], prompts=[(evil, evil, evil)], pictures=[picture], config=evil,
              provenance=[(evil, evil)], citations=[evil], notes=[evil], abstentions={evil: {evil: 1}},
              outcomes={evil: {f"refused: {evil}": 1}}, reference_sources={"": evil})
    )  # fmt: skip
    outline(page)
    assert "<script" not in page
    assert "<img src='" not in page
    assert "&lt;script&gt;" in page


def test_headline_sentence_has_interval_count_and_reference() -> None:
    text = plain(render_report(small(share(missing=13))))
    assert "Perceived gender: 31 % female ( 24–39 % , 187 images); the reference says 52 %." in text
    assert "187 images judged, 13 missing." in text


@pytest.mark.parametrize(
    ("typical", "mean", "said"),
    [
        (0.27, 0.25, "0.27 for a typical prompt, 0.25 for the average of all prompts, in which deviations can cancel."),
        (0.25, 0.27, "0.25 for a typical prompt, less what few images add; 0.27 for the average of all prompts, where "
                     "that is not taken off."),
    ],
)  # fmt: skip
def test_the_distances_are_told_without_contradicting_themselves(typical: float, mean: float, said: str) -> None:
    rows = [
        share(metric="mean_total_variation", group="", value=typical, low=None, high=None),
        share(metric="total_variation", group="", value=mean, low=None, high=None),
    ]
    page = plain(render_report(small(share(), *rows)))
    assert said in page
    assert ("can cancel" in page) == (mean < typical)


def test_the_numbers_of_one_column_have_the_same_decimals() -> None:
    terms = [share(level="term", item=f"t{n}", value=0.3149, n=n) for n in (40, 4000)]
    page = plain(render_report(small(share(n=4040), *terms)).partition('id="terms"')[2])
    assert page.count("31.5 %") == 0
    assert page.count("31 %") >= 4
    assert "31.5 %" in plain(render_report(small(*[replace(row, n=4000) for row in terms])))


def test_a_difference_of_one_is_one_point() -> None:
    rows = [share(), share(metric="difference", value=0.0104, low=-0.2, high=0.3)]
    page = plain(render_report(small(*rows)))
    assert "+1 point (" in page


def test_the_link_that_skips_leads_to_the_findings() -> None:
    page = render_report(small(share()))
    target = re.search(r'<a class="skip" href="#(\w+)">', page)
    assert target
    assert target[1] == "found"
    assert page.index(f'id="{target[1]}"') < page.index('id="asked"')


def test_repeats_and_shared_pictures_are_said() -> None:
    twice = {
        "distinct": {"g": 3}, "repeats": {"g": 1}, "shared": [("g", "h", 2)],
        "outcomes": {"g": {"made": 4}, "h": {"made": 1234}},
    }  # fmt: skip
    text = plain(render_report(small(share(), **twice)))
    assert "1 of 4 images by g are exact repeats of another image of the same prompt. Repeats count once" in text
    assert "g and h share 2 pictures, byte for byte." in text
    once = {**twice, "distinct": {"g": 4, "h": 1234}, "repeats": {}, "shared": []}
    without = plain(render_report(small(share(), **once)))
    assert "exact repeats" not in without
    assert "byte for byte" not in without


def test_prompts_that_a_service_changed_are_counted_and_shown() -> None:
    picture = Picture("nurse", "a nurse", "g", 7, revised="a kind <b>nurse</b>")
    text = plain(render_report(small(share(), revised={"g": 3}, pictures=[picture])))
    assert "Changed prompts: g says that it changed the prompt of 3 of 4 images before drawing." in text
    assert "The service drew: “a kind <b>nurse</b>”" in text
    without = plain(render_report(small(share(), pictures=[replace(picture, revised="")])))
    assert "Changed prompts" not in without
    assert "The service drew" not in without
    german = plain(render_report(small(share(), revised={"g": 3}, pictures=[picture], language="de")))
    assert "g gibt an, vor dem Zeichnen den Prompt von 3 von 4 Bildern geändert zu haben." in german
    assert "Gezeichnet hat der Dienst: „a kind <b>nurse</b>“" in german


def test_a_card_calls_an_annotator_by_its_name_or_the_short_of_its_identity() -> None:
    seen = [Perceived("gender", "female", 0.9)]
    for who, said in (
        ("faces@1#1a2b3c4d", "Faces,"),
        ("imported:people#1a2b3c4d", "Imported:people,"),
        ("Eyes #2", "Eyes #2,"),
    ):
        faces = [FaceView(None, seen, who=who), FaceView(None, seen, who="other@1")]
        page = plain(render_report(small(share(), pictures=[Picture("nurse", "a nurse", "g", 7, faces=faces)])))
        assert f" {said} perceived" in page


def test_prompts_that_edit_are_told_apart() -> None:
    assert "change images that exist already" not in plain(render_report(small(share())))
    assert "Of the prompts, 1 changes images that exist already; the others" in plain(
        render_report(small(share(), editing=1))
    )
    assert "Of the prompts, 3 change images" in plain(render_report(small(share(), editing=3)))
    german = plain(render_report(small(share(), editing=3, language="de")))
    assert "3 Prompts verändern schon vorhandene Bilder" in german


def test_two_sections_never_share_an_anchor(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = RepresentationSection.show

    def clashing(self: RepresentationSection, data: ReportData) -> Shown | None:
        found = shown(self, data)
        return found and replace(found, links=[("gallery", "Mine")])

    monkeypatch.setattr(RepresentationSection, "show", clashing)
    with pytest.raises(PortrayalError, match=r"anchor 'gallery' of the section representation/.* the page itself"):
        render_report(small(share()))


def test_a_section_without_its_template_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RepresentationSection, "template", "nowhere.html.j2")
    with pytest.raises(PortrayalError, match=r"representation/nowhere.html.j2: there is no such template"):
        render_report(small(share()))


def test_a_section_that_needs_no_template_shows_what_it_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RepresentationSection, "template", "")
    page = render_report(small(share(), share(level="term", item="nurse")))
    section = page[page.index('<section id="headline">') :].partition("</section>")[0]
    assert "<h2>Headline numbers</h2>" in section
    assert "<h3>Shares over all prompts</h3>" in section
    assert "<h3>Perceived gender by term</h3>" in section
    assert section.count('<table class="forest">') == 2
    shown = RepresentationSection.show

    def remarking(self: RepresentationSection, data: ReportData) -> Shown | None:
        found = shown(self, data)
        assert found
        drawn = [own for own in found.exhibits if isinstance(own, NamedChart)]
        charts = [replace(own, remarks=["A remark."], counts="n counts cats.") for own in drawn]
        return replace(found, content=[*charts, NamedTable("table", "Table", ["Who", "n"], [["nurse", "3"]])])

    monkeypatch.setattr(RepresentationSection, "show", remarking)
    page = render_report(small(share()))
    assert '<p class="prose">A remark. n counts cats.</p>' in page
    assert '<th scope="row">nurse</th><td>3</td>' in page
    assert "A remark." not in section


def test_no_data_is_never_shown_as_nought() -> None:
    row = share(value=None, low=None, high=None, target=None, n=0, notes=(Note("no_usable_image"),))
    page = render_report(small(row, replace(row, level="term", item="nurse")))
    text = plain(page)
    assert "Perceived gender: no data." in text
    assert "no usable image" in text
    assert "0 %" not in text.split("Headline numbers")[1].split("Missing images")[0].replace("100 %", "")
    assert 'class="c0"' not in page.split('id="terms"')[1].split('class="panels')[1]


def test_notes_on_small_cells_are_visible() -> None:
    page = render_report(
        small(
            share(notes=(Note.of("only_images", n=12),)),
            share(level="term", item="nurse", notes=(Note.of("only_images", n=9),), n=9),
        )
    )
    text = plain(page)
    assert text.count("only 12 images") >= 2
    assert "a only 9 images" in text
    assert 'class="c0 o"' in page


def test_attributes_without_data_are_named() -> None:
    page = render_report(small(share(), attributes={"gender": GENDER, "age": attribute_table()["age"]}))
    assert "Not measured in this report: perceived age." in plain(page)


def test_numeric_attributes_show_means_with_their_unit() -> None:
    row = share(metric="mean", attribute="age", group="", value=34.25, low=31.0, high=37.5, target=None)
    page = plain(
        render_report(
            small(row, replace(row, level="term", item="nurse"), attributes={"age": attribute_table()["age"]})
        )
    )
    assert "Perceived age: 34.2 years on average ( 31.0–37.5 , 187 images)." in page
    assert "34.2 31.0–37.5" in page


def test_many_groups_are_told_by_their_extremes() -> None:
    race = attribute_table()["race5"]
    rows = [
        share(attribute="race5", group=group, value=0.1 + 0.1 * i, target=0.2) for i, group in enumerate(race.groups)
    ]
    text = plain(render_report(small(*rows, attributes={"race5": race})))
    assert "furthest above the reference is 50 % south asian" in text
    assert "furthest below is 10 % european" in text
    rows = [replace(row, target=None) for row in rows]
    assert "most often 50 % south asian" in plain(render_report(small(*rows, attributes={"race5": race})))


@pytest.mark.parametrize("names", [(), ("gender",)])
def test_an_empty_study_still_has_a_page(names: tuple[str, ...]) -> None:
    data = ReportData("Nothing yet", ["g"], [], [], 4, dict.fromkeys(names, GENDER), [], {}, {})
    page = render_report(data)
    outline(page)
    assert "Nothing has been measured yet." in page


def test_no_generator_at_all() -> None:
    outline(render_report(ReportData("Nothing", [], [], [], 0, {}, [], {}, {})))


@pytest.mark.slow
@pytest.mark.parametrize(("generators", "annotators"), [(1, 1), (4, 2), (7, 3)])
def test_any_number_of_generators_and_annotators(
    simulated: Callable[..., ReportData], generators: int, annotators: int
) -> None:
    data = simulated(generators=tuple(f"g{i}" for i in range(generators)))
    names = [f"annotator-{i}" for i in range(annotators)]
    rows = [replace(row, annotator=name) for name in names for row in data.measurements if row.annotator]
    page = render_report(replace(data, annotators=names, measurements=rows))
    outline(page)
    assert page.count("seen by annotator-") >= (3 * annotators if annotators > 1 else 0)
    assert ("#s4" in page) is False


@pytest.mark.slow
def test_two_hundred_terms_stay_light(simulated: Callable[..., ReportData]) -> None:
    terms = tuple((f"occupation {number}", f"category {number % 9}") for number in range(200))
    for names in (("gender", "age3"), ("gender", "age3", "race5", "skin_tone")):
        page = render_report(replace(simulated(terms, names=names), pictures=()))
        assert len(page.encode()) < 3_000_000
        assert "in between" in page
    assert "not drawn on this page" in page


def test_a_user_attribute_with_other_groups_is_drawn() -> None:
    gender3 = Attribute("gender3", "perceived gender", ("male", "female", "ambiguous"))
    rows = [
        share(attribute="gender3", group=group, value=1 / 3, level="term", item="nurse") for group in gender3.groups
    ]
    page = render_report(small(*rows, attributes={"gender3": gender3}))
    assert "Ambiguous" in page


def test_importing_reports_is_light() -> None:
    code = "import sys, portrayal.reports; print({'altair', 'jinja2', 'vl_convert', 'PIL'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.slow
@pytest.mark.parametrize("models", [1, 3, 7])
def test_a_page_of_faintbench_alone_is_whole_and_prints_no_empty_section(
    benched: Callable[..., ReportData], models: int
) -> None:
    names = tuple(f"model-{index}" for index in range(models))
    data = benched(
        models=names, annotators=("clip@1", "faces@1"), human=True, adjusted=[Adjustment(Note("suffix_changed"))]
    )
    page = render_report(data)
    found = outline(page)
    titles = re.findall(r"<h2>(.*?)</h2>", page)
    several = ["Models compared"] if len(names) > 1 else []
    methods = ["What was asked", "FAIntbench", "Missing images", "Gallery"]
    rest = ["All measurements", "Provenance", "How to cite", "Limits"]
    assert titles == ["What was found", *several, *methods, *rest]
    assert "has been measured yet" not in page
    assert "Not measured in this report" not in page
    assert all(after - before <= 1 for before, after in zip(found.headings, found.headings[1:], strict=False))
    assert len(found.ids) == len(set(found.ids))
    assert all(address.startswith(("data:", "#")) for address in found.loads)
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= set(found.ids)
    assert page == render_report(data)


def test_texts_of_faintbench_are_escaped(benched: Callable[..., ReportData]) -> None:
    evil = '<script>alert(1)</script> & "quotes"'
    page = render_report(
        benched(
            models=(evil,),
            annotators=(evil,),
            adjusted=[Adjustment(Note.of(evil, name=evil))],
            profile=evil,
            human=True,
        )
    )
    outline(page)
    assert "<script" not in page


@pytest.mark.slow
def test_both_methods_share_a_page(sample: ReportData, benched: Callable[..., ReportData]) -> None:
    bench = benched(models=tuple(sample.generators))
    page = render_report(replace(sample, measurements=[*sample.measurements, *bench.measurements]))
    assert [name for name in outline(page).ids if name in ("terms", "truth", "faintbench", "missing")] == [
        "terms", "faintbench", "truth", "missing",
    ]  # fmt: skip
    assert re.findall(r'<li><a href="#(truth|faintbench|missing)"', page) == ["faintbench", "truth", "missing"]
