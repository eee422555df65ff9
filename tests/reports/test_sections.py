from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from portrayal.records import Measurement, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report
from portrayal.reports.figures.measurement_tables import measurement_tables
from portrayal.reports.gallery.embedded_pictures import image_source
from portrayal.reports.gallery.gallery_section import gallery
from portrayal.reports.gallery.picture_links import Back
from portrayal.reports.sections.missing_images import missing_images
from portrayal.reports.sections.planted_truth import truth_check

ATTRIBUTES = attribute_table()
NOWHERE = Back((), ())


def data(**more: Any) -> ReportData:
    base = ReportData(
        "T", ["g"], ["a"], [], 4, {"gender": ATTRIBUTES["gender"], "age3": ATTRIBUTES["age3"]}, [], {}, {}
    )
    return replace(base, **more)


def term(item: str, planted: float | None, low: float | None, high: float | None, group: str = "female") -> Measurement:
    middle = None if low is None or high is None else (low + high) / 2
    return Measurement("representation", "share", "g", "a", "gender", group, "term", item,
                       value=middle, low=low, high=high, planted=planted, n=40)  # fmt: skip


def test_truth_is_counted_once_per_cell() -> None:
    rows = [
        term("in", 0.5, 0.4, 0.6),
        term("edge", 0.6, 0.4, 0.6),
        term("out", 0.9, 0.4, 0.6),
        term("in", 0.5, 0.4, 0.6, group="male"),
        term("empty", 0.5, None, None),
        term("unknown", None, 0.1, 0.2),
    ]
    check = truth_check(data(), rows)
    assert check is not None
    assert (check.inside, check.total, check.no_data) == (2, 3, 1)
    assert [miss.term for miss in check.misses] == ["out"]
    miss = check.misses[0]
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in (miss.planted, miss.drawn)] == ["90 %", "unknown"]


def test_no_truth_no_check() -> None:
    assert truth_check(data(), [term("x", None, 0.1, 0.2)]) is None


def test_each_annotator_has_a_confusion_of_its_own() -> None:
    tables = {("a", "gender"): {("male", "male"): 8}, ("b", "gender"): {("male", "female"): 8}}
    check = truth_check(data(annotators=["a", "b"], confusion=tables), [])
    assert check is not None
    assert [(matrix.title, matrix.right) for matrix in check.matrices] == [
        ("Perceived gender (a)", 8),
        ("Perceived gender (b)", 0),
    ]


def test_confusion_keeps_reasons_beside_groups() -> None:
    table = {("male", "male"): 8, ("male", "no_face"): 2, ("female", "male"): 1, ("female", "female"): 9}
    check = truth_check(data(confusion={("a", "gender"): table}), [])
    assert check is not None
    matrix = check.matrices[0]
    assert matrix.columns == ["male", "female", "no face"]
    assert (matrix.right, matrix.total) == (17, 20)
    label, total, cells = matrix.rows[0]
    assert (label, total) == ("male", 10)
    assert [number for number, *_ in cells] == ["8", "0", "2"]


def test_every_outcome_and_abstention_is_listed() -> None:
    outcomes = {"g": {"pending": 1, "failed: timeout": 2, "made": 90, "refused: content_policy": 5, "refused: nsfw": 6}}
    missing = missing_images(data(outcomes=outcomes, abstentions={"a": {"no_face": 3, "several_faces": 9}}), [])
    assert missing.asked[0].planned == 104
    lines = [(status, reason, number) for status, reason, number, _ in missing.asked[0].lines]
    assert lines == [
        ("made", "", 90),
        ("refused", "nsfw", 6),
        ("refused", "content policy", 5),
        ("failed", "timeout", 2),
        ("pending", "", 1),
    ]
    assert missing.abstentions == [("a", "several faces", 9), ("a", "no face", 3)]


@pytest.mark.parametrize(("other", "uneven"), [(2, False), (16, True)])
def test_missing_by_term_is_shown_only_where_uneven(other: int, uneven: bool) -> None:
    rows = [lost("no_face", item, number) for item, number in (("nurse", 1), ("pilot", other), ("cook", 0))]
    study = data(measurements=rows, asked={"g": dict.fromkeys(("nurse", "pilot", "cook"), 40)})
    assert (missing_images(study, study.measurements).uneven is not None) is uneven
    assert ("Spread evenly" in render_report(study)) is not uneven


def lost(reason: str, item: str, number: int, n: int = 40, annotator: str = "a", generator: str = "g") -> Measurement:
    return Measurement("representation", "missing", generator, annotator, group=reason, level="term", item=item,
                       value=number / n, n=n, missing=number, prompts=1)  # fmt: skip


def loudest(rows: list[Measurement], asked: dict[str, int]) -> list[str]:
    study = data(measurements=rows, asked={"g": asked})
    lines = missing_images(study, study.measurements).loudest
    page = render_report(study)
    assert ("Spread evenly" in page) is not bool(lines)
    if lines:
        assert page.index("Missing unevenly:") < page.index("Images an annotator could not judge")
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def test_a_term_of_which_nothing_is_missing_is_compared_too() -> None:
    asked = {"pilot": 40, "cook": 40, "nurse": 40}
    (line,) = loudest([lost("unreadable", "nurse", 15)], asked)
    assert line == (
        "Unreadable (a), g: 15 of 40 images made of “nurse”, and 0 % of the images made of all other terms."
    )
    (line,) = loudest([lost("refused: content_policy", "nurse", 15)], asked)
    assert line == ("Refused: content policy, g: 15 of 40 images of “nurse”, and 0 % of the images of all other terms.")


def test_a_term_that_loses_a_little_for_each_of_many_reasons_is_told_by_its_total() -> None:
    reasons = ["failed: unreadable", "failed: truncated", "failed: dangling", "failed: extension", "no_face"]
    rows = [lost(reason, "nurse", 1, 20) for reason in reasons]
    assert loudest(rows, {"baker": 20, "judge": 20, "nurse": 20}) == [
        "Missing, whatever the reason (a), g: 5 of 20 images of “nurse”, and 0 % of the images of all other terms.",
        "No image, whatever the reason, g: 4 of 20 images of “nurse”, and 0 % of the images of all other terms.",
    ]
    assert loudest(rows[:1], {"baker": 20, "judge": 20, "nurse": 20}) == []


def test_an_annotator_that_judges_nothing_accuses_no_term() -> None:
    """Broken files never reach an annotator: what it abstains from is a share of the images there are."""
    rows = []
    for who, reason in (("simulated@1", "nothing_planted"), ("imported:humans", "not annotated")):
        rows += [lost("failed: unreadable", "nurse", 15, 42, who), lost(reason, "nurse", 27, 42, who)]
        rows += [lost(reason, "judge", 40, 40, who)]
    assert loudest(rows, {"nurse": 42, "judge": 40}) == [
        "Failed: unreadable, g: 15 of 42 images of “nurse”, and 0 % of the images of all other terms."
    ]


def test_several_failures_of_one_term_come_before_what_an_annotator_says_of_all() -> None:
    failures = ["unreadable", "truncated", "dangling", "extension"]
    rows = [lost(f"failed: {reason}", "nurse", 3) for reason in failures]
    rows += [lost("no_face", "nurse", 28), lost("no_face", "judge", 40), lost("no_face", "baker", 40)]
    assert loudest(rows, {"nurse": 40, "judge": 40, "baker": 40}) == [
        "No image, whatever the reason, g: 12 of 40 images of “nurse”, and 0 % of the images of all other terms."
    ]


def test_a_generator_that_misses_nothing_of_a_term_misses_none_of_its_images() -> None:
    rows = [lost("refused: policy", "nurse", 20), lost("refused: policy", "judge", 1)]
    asked = {"g": {"nurse": 40, "judge": 40}, "h": {"nurse": 24}}
    study = data(measurements=rows, asked=asked, generators=["g", "h"])
    figure = missing_images(study, study.measurements).uneven
    assert figure is not None
    (panel,) = figure.panels
    cells = [[(lane.value.replace("\N{NO-BREAK SPACE}", " "), lane.n) for lane in row.lanes] for row in panel.head]
    assert cells == [[("50 %", "40"), ("0 %", "24")], [("2 %", "40"), ("not measured", "")]]


def test_charts_of_uneven_terms_show_the_shares_of_their_sentences() -> None:
    rows = [lost("failed: timeout", "nurse", 20), lost("no_face", "nurse", 10), lost("no_face", "judge", 8)]
    study = data(measurements=rows, asked={"g": {"nurse": 40, "judge": 40}})
    figure = missing_images(study, study.measurements).uneven
    assert figure is not None
    drawn = {
        panel.title: [
            (row.label, row.lanes[0].value.replace("\N{NO-BREAK SPACE}", " "), row.lanes[0].n) for row in panel.head
        ]
        for panel in figure.panels
    }
    assert {title.replace("\N{NO-BREAK SPACE}", " "): own for title, own in drawn.items()} == {
        "Missing, whatever the reason (a)": [("nurse", "75 %", "40"), ("judge", "20 %", "40")],
        "Failed: timeout: highest 1 of 2 terms": [("nurse", "50 %", "40")],
        "No face (a)": [("nurse", "50 %", "20"), ("judge", "20 %", "40")],
    }


def test_gallery_cuts_boxes_to_the_picture_and_numbers_several() -> None:
    faces = [
        FaceView((-0.1, 0.5, 0.3, 0.7), [Perceived("gender", "female", 0.97)]),
        FaceView(None, [], [("", "too_small")]),
    ]
    pictures = [
        Picture("nurse", "p", "g", 1, "ab", b"\x89PNG\r\n\x1a\n..", 8, 4, faces, planted=[["middle_aged"]]),
        Picture("nurse", "q", "g", 2, reasons=["refused: content_policy"]),
    ]
    (group,) = gallery(pictures, data().attributes, NOWHERE).groups
    made, missing = group.cards
    assert made.faces[0].style == "left:0.00%;top:50.00%;width:20.00%;height:50.00%"
    assert (made.faces[0].lead, made.faces[0].findings) == ("Face 1, perceived", [("gender", "female 97 %", "")])
    assert (made.ratio, made.planted, made.prompt) == ("8 / 4", ["middle aged"], "p")
    assert made.faces[1].reasons == ["too small"]
    assert (missing.thumb, missing.reasons) == (None, ["refused: content policy"])


def test_gallery_numbers_only_the_people_of_an_annotator_that_sees_several() -> None:
    seen = [Perceived("gender", "female", 1.0)]
    faces = [
        FaceView(None, [Perceived("caption", text="a_b in a hat")], who="caption@1:blip@0123#ab"),
        FaceView((0, 0, 1, 1), seen, who="faces@1"),
        FaceView((0, 0, 1, 1), seen, who="faces@1"),
        FaceView(None, seen, who="imported:us#12345678"),
        FaceView(None, [Perceived("niqe", value=4.331)], who="quality@1:niqe@0123"),
        FaceView(None, seen, who="clip@1:one"),
        FaceView(None, seen, who="clip@1:other"),
    ]
    pictures = [Picture("nurse", "p", "g", 1, faces=faces)]
    ((card,),) = (group.cards for group in gallery(pictures, ATTRIBUTES, NOWHERE).groups)
    assert [(face.lead, face.number) for face in card.faces] == [
        ("", ""),
        ("Faces, Face 1, perceived", "1"),
        ("Faces, Face 2, perceived", "2"),
        ("Imported:us, perceived", ""),
        ("Quality", ""),
        ("Clip@1:one, perceived", ""),
        ("Clip@1:other, perceived", ""),
    ]
    assert card.faces[0].findings == [("caption", "a_b in a hat", "")]


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (Perceived("gender", "female", 1.0), "female"),
        (Perceived("gender", "female", 0.996), "female > 99 %"),
        (Perceived("gender", "male", 0.6), "male 60 %"),
        (Perceived("age", value=34.4), "34 years"),
        (Perceived("age", value=9.5), "9.50 years"),
        (Perceived("caption", text="34 years"), "34 years"),
    ],
)
def test_a_chance_is_told_where_there_is_one(seen: Perceived, told: str) -> None:
    study = data(attributes=ATTRIBUTES, pictures=[Picture("nurse", "p", "g", 1, faces=[FaceView(None, [seen])])])
    ((card,),) = (group.cards for group in gallery(study.pictures, study.attributes, NOWHERE).groups)
    assert [text for _, text, _ in card.faces[0].findings] == [told]


PNG = b"\x89PNG\r\n\x1a\n.."


def gallery_words(made: int, *pictures: Picture) -> str:
    page = render_report(data(pictures=pictures, outcomes={"g": {"made": made}}))
    return page[page.index('<section id="gallery">') :].replace("\N{NO-BREAK SPACE}", " ")


def test_the_gallery_counts_pictures_that_it_shows_and_no_others() -> None:
    shown, gone = Picture("nurse", "p", "g", 1, "ab", PNG, 4, 4), Picture("nurse", "p", "g", 2, reasons=["pending"])
    only_some = gallery_words(1200, shown, gone)
    assert "This page shows 1 of 1,200 images made;" in only_some
    assert "1 card has no picture and says why." in only_some
    assert "1 image, 1 without a picture" in only_some
    everything = gallery_words(2, shown, shown)
    assert '<p class="prose">2 images. A box' in everything
    assert "without a picture" not in everything
    unseen = gallery_words(1, Picture("nurse", "p", "g", 1, "ab", reasons=["no picture on disk"]))
    assert "This page shows 0 of 1 image made;" in unseen


def test_a_reason_that_never_came_up_with_a_generator_is_nought_and_not_unmeasured() -> None:
    share = Measurement("representation", "share", "h", "a", "gender", "female", value=0.5, n=5)
    refused = Measurement("representation", "missing", "g", "a", group="refused", value=0.5, n=10, missing=5)
    outcomes = {"g": {"made": 5, "refused": 5}, "h": {"made": 5}, "new": {"pending": 5}}
    study = data(generators=["g", "h", "new"], outcomes=outcomes, prompts=[("nurse", "", "a nurse")])
    figure = missing_images(study, [share, refused]).overall
    assert figure is not None
    lanes = figure.panels[0].head[0].lanes
    told = [(lane.value.replace("\N{NO-BREAK SPACE}", " "), lane.n) for lane in lanes]
    assert told == [("50 %", "10"), ("0 %", "5"), ("not measured", "")]


def test_unknown_bytes_are_never_put_into_an_address() -> None:
    assert image_source(b"<svg onload=alert(1)>") == ""
    assert image_source(b"RIFF....WAVE") == ""
    assert image_source(b"RIFF....WEBP").startswith("data:image/webp;base64,")


def test_differences_and_ratios_stand_in_the_row_of_their_share() -> None:
    share = term("nurse", 0.5, 0.4, 0.6)
    rows = [
        share,
        replace(share, metric="difference", value=-0.1, low=-0.2, high=0.01),
        replace(share, metric="kl_divergence"),
    ]
    (table,) = measurement_tables(data(measurements=rows))
    assert [row.metric for row in table.rows] == ["share", "kl divergence"]
    assert table.rows[0].difference.replace("\N{NO-BREAK SPACE}", " ") == "−10 points (−20 to +1)"
    (alone,) = measurement_tables(data(measurements=rows[1:2]))
    assert [row.metric for row in alone.rows] == ["difference"]


def test_a_method_without_a_section_is_in_the_table_but_has_no_charts() -> None:
    study = data(measurements=[replace(term("nurse", None, 0.1, 0.2), method="somebodys")])
    page = render_report(study)
    assert "(somebodys)" in page
    assert "No attribute has been measured yet." in page
    assert 'class="forest' not in page


def test_two_references_do_not_overwrite_each_other() -> None:
    first = replace(term("nurse", None, 0.1, 0.2), reference="census", target=0.5)
    study = data(measurements=[first, replace(first, reference="equal", target=0.1)])
    page = render_report(study)
    assert "census" in page
    assert "equal" in page
    assert len(measurement_tables(study)[0].rows) == 2


def test_a_share_stands_beside_the_difference_of_its_own_language_and_variant() -> None:
    german = replace(term("nurse", None, 0.4, 0.6), method="bafis", language="de", variant="direct")
    rows = [german, replace(german, language="en")]
    rows += [replace(row, metric="difference", value=value) for row, value in zip(rows, (0.3, -0.1), strict=True)]
    rows.append(replace(german, metric="paired_difference", reference="en direct"))
    (table,) = measurement_tables(data(measurements=rows))
    told = [(row.item, row.difference.partition(" ")[0].partition("\N{NO-BREAK SPACE}")[0]) for row in table.rows]
    assert told == [
        ("nurse (German: generic masculine)", "+30"),
        ("nurse (English: job named)", "−10"),
        ("nurse (German (generic masculine) minus English (job named))", ""),
    ]


def test_one_image_is_one() -> None:
    """ "1 images made" stood on the page of a first try."""
    for asked, said in ((1, "image made"), (2, "images made")):
        page = render_report(
            data(prompts=[("CEO", "", "a CEO")], images_per_prompt=asked, outcomes={"g": {"made": asked}})
        )
        assert f"<b>{asked}</b> {said}" in page
        assert f"<b>{asked}</b> {said.replace('made', 'asked for in all')}" in page


def test_a_p_value_is_never_nought() -> None:
    """The p-value of chi-square, 4e-9, was printed as 0.00."""
    row = Measurement("representation", "chi_square_p", "g", "a", "gender", value=4e-9, n=40)
    [table] = measurement_tables(data(measurements=[row, replace(row, generator="h", value=0.0312)]))[:1]
    assert table.rows[0].value == "below 0.001"
    [other] = measurement_tables(data(measurements=[replace(row, value=0.0312)]))
    assert other.rows[0].value == "0.031"
