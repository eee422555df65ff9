"""The section: what is said of each model, the matrix, cards with images, and graphs as files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from portrayal.graph.graphml import read_graphml
from portrayal.graph.turtle import read_rdf
from portrayal.methods.socialbiaskg.report.graph_tables import unique_table
from portrayal.methods.socialbiaskg.report.relation_words import edge_said, edge_title, findings, measured, moved_line
from portrayal.methods.socialbiaskg.report.relations import Relations, read_relations
from portrayal.methods.socialbiaskg.report.section import SocialBiasKGContent, SocialBiasKGSection
from portrayal.reports import ReportData, render_report
from portrayal.reports.figures.named_figures import NamedTable, exhibits
from portrayal.reports.findings.first_screen import first_screen
from portrayal.reports.page import report_files
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(planted: Path) -> ReportData:
    return gather(OpenStudy(planted))


@pytest.fixture(scope="module")
def page(data: ReportData) -> str:
    whole = render_report(data)
    start = whole.index('<section id="socialbiaskg"')
    return whole[start : whole.index("</section>", start)]


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)).replace("\N{NO-BREAK SPACE}", " ")


def changed(data: ReportData, wanted: Any, **values: Any) -> Relations:
    """Return the relations with other values in some rows of the tests."""
    name = "socialbiaskg.tests"
    rows = [{**row, **values} if wanted(row) else row for row in data.own_rows[name]]
    found = read_relations(replace(data, own_rows={**data.own_rows, name: rows}))
    assert found is not None
    return found


def said(found: Relations, number: int = 0) -> str:
    name = list(found.edges)[number]
    return words(" ".join(f"{own.sentence} {own.distance} {own.data}" for own in findings(found, name)))


def test_what_is_said_of_each_model(data: ReportData, page: str) -> None:
    found = read_relations(data)
    assert found is not None
    assert "7 of 12 relations that people see are in the images too (58 %)." in said(found)
    assert "Of these an even model would show 1 too." in said(found)
    assert "even model" not in said(found, 1)
    assert "No relation was found in the images that people did not name." in said(found)
    assert "interval 32–81 %\N{SUPERSCRIPT PLUS SIGN}, as if these relations were a sample of others" in said(found)
    assert "1 of 11 relations" in said(found, 1)
    assert "1 relation in the images that people did not name." in said(found, 1)
    assert "people with a contrary one in the images: 2; of these in the images too: 0." in said(found, 1)
    assert "People named 13 relations" in words(page)


def test_what_is_said_changes_with_what_was_found(data: ReportData) -> None:
    none = changed(data, lambda row: True, found=False, holds=False)
    assert "0 of 13 relations" in said(none)
    assert "of these in the images too: 1." in said(changed(data, lambda row: row["source"] == "nurse", found=True))
    unknown = changed(data, lambda row: True, found=None, decides=False, value=None)
    assert "None of the relations that people see could be tested." in said(unknown)
    some = changed(data, lambda row: row["target"] == "white", found=None, decides=False, value=None)
    assert "Could not be tested: 3." in said(some)
    sure = changed(data, lambda row: True, uncertain=False)
    assert "might say the opposite: 0." in said(sure)
    unsure = changed(data, lambda row: True, uncertain=True)
    assert "might say the opposite: 12." in said(unsure)
    assert "though none shows the group" not in said(sure)
    unseen = changed(data, lambda row: row["type"] == "associated_with", group_share=0.0)
    assert "In the images by their rule, though none shows the group: 1." in said(unseen)
    assert "No tested relation of people has a contrary one in the images." in said(replace(sure, contradictions=()), 1)
    untested = changed(data, lambda row: row["type"] == "underrepresented_in", found=None, decides=False)
    assert "No tested relation of people has a contrary one in the images." in said(untested, 1)


def test_thresholds_that_move(data: ReportData) -> None:
    found = changed(data, lambda row: row["source"] == "CEO", found=True, found_lower=True, found_higher=False)
    line = moved_line(found.edges[next(iter(found.edges))])
    assert "With all thresholds a tenth higher 0 more would count and 1 fewer." in line
    found = changed(data, lambda row: row["source"] == "CEO", found=False, found_lower=True, found_higher=False)
    line = moved_line(found.edges[next(iter(found.edges))])
    assert "With all thresholds a tenth lower 1 more would count and 0 fewer." in line


def test_the_matrix_marks_each_relation(page: str) -> None:
    first = page[page.index('class="plain kg-matrix"') : page.index("</table>", page.index("kg-matrix"))]
    row = first[first.index(">CEO</th>") :]
    row = row[: row.index("</tr>")]
    assert re.findall(r'class="m t-(\w+) s-(\w+) i(\d)', row) == [
        ("dominant_in", "both", "2"),
        ("dominant_in", "both", "3"),
    ]
    assert re.findall(r">(←?[SADU]\??)</a>", row) == ["D", "←D?"]  # ten images are few
    judge = first[first.index(">judge</th>") :]
    assert 's-people i0" title="judge → White: dominance"' in judge[: judge.index("</tr>")]
    assert "lawyer" not in first  # no relation: no row


def test_states_of_marks(page: str) -> None:
    second = page[page.rindex('class="plain kg-matrix"') :]
    scientist = second[second.index(">scientist</th>") :]
    scientist = scientist[: scientist.index("</tr>")]
    found = re.findall(r"t-(\w+) s-(\w+) i\d( contrary)?\"", scientist)
    assert found == [("underrepresented_in", "people", " contrary"), ("dominant_in", "model", "")]
    rapper = second[second.index(">rapper</th>") :]
    assert 't-underrepresented_in s-untold i0"' in rapper[: rapper.index("</tr>")]  # quality is not known


def card(found: Relations, title: str, number: int = 0) -> str:
    """Return what is said of an edge of one model."""
    name = list(found.edges)[number]
    (own,) = [edge for edge in found.edges[name] if edge_title(found, edge.triple) == title]
    return words(edge_said(found, own))


def test_what_is_said_of_one_edge(data: ReportData) -> None:
    title, against = (
        "nurse → Black: underrepresentation",
        "A contrary relation is in the images: nurse → Black: dominance.",
    )
    assert card(changed(data, lambda row: False), title) == f"People see it, and it is not in the images. {against}"
    both = changed(data, lambda row: row["source"] == "nurse", found=True)
    assert card(both, title).startswith("People see it, and it is in the images.")
    assert against in card(both, title)
    untold = changed(data, lambda row: row["source"] == "nurse", found=None, decides=False)
    assert card(untold, title).startswith("People see it; whether it is in the images could not be tested.")
    assert "contrary" not in card(replace(both, contradictions=()), title)


def test_a_relation_with_a_group_that_nobody_sees(data: ReportData) -> None:
    title = "sushi chef → East Asian: association"
    some = changed(data, lambda row: row["source"] == "sushi chef", group_share=0.25)
    assert "it is in the images. Its rule is about all images of the occupation; 25 % of them show" in card(some, title)
    none = changed(data, lambda row: row["source"] == "sushi chef", group_share=0.0)
    assert card(none, title).startswith("People see it, and its rule holds; but no image of the occupation shows the")
    assert "it is in the images" not in card(none, title)


def test_an_edge_without_an_interval_is_uncertain(data: ReportData) -> None:
    title = "CEO → White: dominance"
    assert "Uncertain" not in card(changed(data, lambda row: False), title)
    near = changed(data, lambda row: row["source"] == "CEO", uncertain=True)
    assert "Uncertain: the interval holds the threshold." in card(near, title)
    none = changed(data, lambda row: row["source"] == "CEO", uncertain=True, low=None, high=None)
    assert "Uncertain: there is no interval." in card(none, title)


def test_how_a_study_differs_from_the_published_one(data: ReportData) -> None:
    def differs(own: ReportData) -> str:
        shown = SocialBiasKGSection().show(own)
        assert shown is not None
        assert isinstance(shown.content, SocialBiasKGContent)
        return words("; ".join(shown.content.adjusted))

    assert "not 10" not in differs(data)
    assert "; 1 image of each prompt, not 10" in differs(replace(data, images_per_prompt=1, fewest_per_prompt=1))
    assert "; from 3 to 10 images of a prompt, not 10" in differs(replace(data, fewest_per_prompt=3))
    assert "failures are about groups alone" not in differs(data)
    name = "socialbiaskg.tests"
    rows = [{**row, "occupation_told": False, "untold": "too_few_groups"} for row in data.own_rows[name]]
    page = render_report(replace(data, own_rows={**data.own_rows, name: rows}))
    assert "failures are about groups alone, since no annotator reports occupations." in words(page)
    assert "how many of them are seen can speak for no stereotype." in words(page)
    assert "Share of images that show another group than the one asked for, or nobody:" in words(page)
    assert "fail to show what was asked for:" not in words(page)
    assert "so few groups can never lie below 0.2: it decides nothing" in words(page)
    assert differs(data).count("people’s edges from people.csv") == 1


def test_a_metric_of_too_few_images(data: ReportData) -> None:
    row = next(row for row in data.own_rows["socialbiaskg.tests"] if row["metric"] == "diversity")
    assert "it speaks for the relation below 0.2" in measured(row)
    assert "so few images can only lie below 0.2: it decides nothing" in measured({**row, "untold": "too_few_images"})


def test_every_mark_leads_to_a_card_with_images(page: str) -> None:
    tables = "".join(re.findall(r'<table class="plain kg-matrix">.*?</table>', page, re.S))
    anchors = re.findall(r'<a href="#(edge-[\d-]+)" class="m', tables)
    cards = dict(re.findall(r'<article class="kg-card" id="(edge-[\d-]+)">(.*?)</article>', page, re.S))
    assert len(anchors) == len(set(anchors)) == len(cards)
    assert set(anchors) == set(cards)
    ceo = next(card for card in cards.values() if "CEO → White: dominance" in card)
    assert len(re.findall(r'class="pic[ "]', ceo)) == 4
    assert "People see it, and it is in the images." in ceo
    assert "it speaks for the relation above 0.4" in words(ceo)
    assert "(40 images; asked for and not counted: 0)" in words(ceo)
    chef = next(card for card in cards.values() if "sushi chef → East Asian: association" in card)
    assert "(180 pairs of images; images asked for and not counted: 0)" in words(chef)
    scientist = [card for card in cards.values() if "scientist → Black: underrepresentation" in card]
    assert ["A contrary relation is in the images" in card for card in scientist] == [False, True]


def star(page: str, name: str, title: str) -> str:
    """Return the drawing of one vertex, of the first model."""
    own: list[str] = re.findall(rf'<details name="{name}">(.*?)</details>', page, re.S)
    (found,) = [text for text in own if f"<summary>{title} " in text]
    return found


def test_one_group_at_a_time(page: str) -> None:
    hispanic = star(page, "kg-group-1", "Hispanic")
    listed = words(hispanic[hispanic.index("<ul>") :])
    assert listed.split() == ["judge", "←U", "nurse", "S", "rapper", "←U", "gardener", "←D"]
    assert re.findall(r'class="l t-(\w+) s-(\w+)', hispanic) == [
        ("underrepresented_in", "both"),
        ("stereotyped_as", "people"),
        ("underrepresented_in", "untold"),
        ("dominant_in", "people"),
    ]
    assert "4 relations" in words(hispanic)
    assert "<summary>Mixed " not in page  # it has no relation


def test_one_occupation_at_a_time(page: str) -> None:
    ceo = star(page, "kg-job-1", "CEO")
    assert words(ceo[ceo.index("<ul>") :]).split() == ["White", "D", "←D?"]
    assert "<summary>lawyer " not in page


def test_filters_and_drawings_need_no_script(data: ReportData, browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(render_report(data), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(path.as_uri())
    drawn = page.locator('details[name="kg-group-1"]', has_text="Hispanic")
    expect(drawn.locator("svg")).to_be_hidden()
    page.get_by_text("One group at a time").first.click()
    drawn.locator("summary").click()
    line, mark = drawn.locator(".l.t-stereotyped_as path").first, drawn.locator("a.t-stereotyped_as")
    expect(line).to_be_visible()
    expect(mark).to_be_visible()
    page.locator("input.kg-stereotyped_as").uncheck()
    expect(line).to_be_hidden()
    expect(mark).to_be_hidden()
    expect(drawn.locator(".l.t-dominant_in path").first).to_be_visible()
    expect(drawn.get_by_text("nurse")).to_be_visible()  # the vertex stays
    rows = [box["y"] for row in drawn.locator("li").all() if (box := row.bounding_box())]
    dots = [box["y"] for dot in drawn.locator("circle").all()[1:] if (box := dot.bounding_box())]
    assert [round(dot - row) for row, dot in zip(rows, dots, strict=True)] == [10] * 4  # side by side
    context.close()


def test_comparison(page: str) -> None:
    text = words(page)
    assert "people simulated@1" in text
    assert "1 relation that people see and all models draw: dominance 1." in text
    assert re.search(r"Hispanic 2 2 100 %", text)  # of the judge and the rapper it cannot be told of both models
    assert re.search(r"people simulated@1#\w+ 12 1 7 5 0 1 0.58 5 ", text)
    assert "Strongest on" in text


def test_without_a_shared_relation_that_is_said(data: ReportData) -> None:
    rows = [{**row, "found": row["found"] and row["source"] != "nurse"} for row in data.own_rows["socialbiaskg.tests"]]
    own = {**data.own_rows, "socialbiaskg.tests": rows, "socialbiaskg.ranks": []}
    page = words(render_report(replace(data, own_rows=own)))
    assert "No relation that people see was found in the images of all models." in page
    assert "Strongest on" not in page


def test_graphs_as_files(data: ReportData) -> None:
    found, files = read_relations(data), report_files(data)
    assert found is not None
    name = next(iter(found.edges))
    folder = next(path.rpartition("/")[0] for path in files if path.startswith("socialbiaskg/simulated"))
    assert read_graphml(files[f"{folder}/graph.graphml"]) == found.graph(name).ordered()
    assert read_rdf(files[f"{folder}/graph.ttl"], "turtle") == found.graph(name).ordered()
    people = read_rdf(files["socialbiaskg/people/graph.jsonld"], "json-ld")
    assert len(people.edges) == 13
    assert len(people.vertices) == 111
    page = render_report(data)
    assert all(f'href="{path}"' in page for path in files if path.startswith("socialbiaskg") and "vertices" not in path)


def test_in_german(data: ReportData) -> None:
    page = render_report(replace(data, language="de"))
    text = words(page[page.index('<section id="socialbiaskg"') :])
    assert "7 von 12 Beziehungen, die Menschen sehen, sind auch in den Bildern (58 %)." in text
    assert "Führungskräfte" in text
    assert "Richter/in → Weiß: Dominanz" in text
    assert "judge →" not in text


def test_a_study_without_edges_has_no_section(data: ReportData) -> None:
    assert SocialBiasKGSection().show(replace(data, own_rows={})) is None
    assert SocialBiasKGSection().files(replace(data, own_rows={})) == {}


def test_the_first_screen_tells_the_strongest_relations_in_the_images_and_none_that_is_uncertain(
    data: ReportData,
) -> None:
    found = list(SocialBiasKGSection().deviations(data))
    tested = read_relations(data)
    assert tested
    by_subject = {own.subject: own for own in found}
    for generator, edges in tested.edges.items():
        for edge in edges:
            key = (generator, *edge.triple.source, edge.triple.type, *edge.triple.target)
            if key in by_subject and (not edge.found or edge.uncertain):
                assert by_subject[key].test.p > 0.05
    screen = first_screen(data, found, ())
    assert screen.selection.found
    told = [own for model in screen.models for own in (*model.first, *model.folded)]
    beginnings = {own.sentence.partition(",")[0] for own in told}
    assert beginnings <= {"People see it", "It is in the images; people did not name it"}
    assert any(own.pictures for own in told)
    for model in screen.models:
        known = {edge_title(tested, own.triple): own for own in tested.edges[model.generator]}
        assert all(known[own.about].found and not known[own.about].uncertain for own in (*model.first, *model.folded))


def test_the_share_of_people_s_relations_is_on_the_first_screen(data: ReportData) -> None:
    section = SocialBiasKGSection()
    screen = first_screen(data, (), section.rankings(data))
    shown = [text for model in screen.models for _, text, _ in model.scores] + [
        place.text for standing in screen.rankings for place in standing.places
    ]
    told = r"7 of 12 \(32–81.%\N{SUPERSCRIPT PLUS SIGN}; 1 of them an even model would show too\)"
    assert any(re.match(told, text) for text in shown)
    assert any(re.match(r"1 of 11 \([^;]*\)$", text) for text in shown)
    # One number, one interval: the first screen, the section and the table of numbers.
    (row,) = [
        own
        for own in data.measurements
        if (own.metric, own.level, own.generator) == ("reproduced", "overall", data.generators[0])
    ]
    assert (round(100 * (row.low or 0)), round(100 * (row.high or 0))) == (32, 81)


def test_relations_that_were_looked_for_in_vain_count_as_comparisons(data: ReportData) -> None:
    compared = {row.generator: round(row.value or 0) for row in data.measurements if row.metric == "compared"}
    tested = read_relations(data)
    assert tested
    assert compared
    for generator, number in compared.items():
        mine = [own for own in SocialBiasKGSection().deviations(data) if own.generator == generator]
        assert len(mine) == number
        assert number > sum(own.decides is not None for own in tested.edges[generator])


def test_relations_of_only_one_model_are_listed_on_the_page_and_as_a_table(data: ReportData, page: str) -> None:
    assert "Relations that only one of all models draws" in page
    alone = tables_of(data)["drawn by one model"]
    assert [row[1] for row in alone.rows if "stereotype" in row[1] or row[1].startswith("scientist → Black: d")] == [
        "rapper → Black: stereotype",
        "scientist → Black: dominance",
    ]
    drawn = {own.triple for rows in relations_of(data).edges.values() for own in rows if own.found}
    assert {row[1] for row in alone.rows} <= {edge_title(relations_of(data), own) for own in drawn}


def tables_of(data: ReportData) -> dict[str, NamedTable]:
    shown = SocialBiasKGSection().show(data)
    assert shown is not None
    return {own.name: own for own in exhibits(shown.content) if isinstance(own, NamedTable)}


def relations_of(data: ReportData) -> Relations:
    found = read_relations(data)
    assert found is not None
    return found


def test_what_is_known_of_other_models_is_said(data: ReportData) -> None:
    def others(**values: Any) -> str:
        known = relations_of(data)
        alone = unique_table(data, replace(known, unique=[{**known.unique[0], **values}]))
        assert alone is not None
        return words(alone.rows[0][3])

    assert others(untested=0, others=1, certain=True) == "not drawn by any other; no interval holds the threshold"
    assert "this may be chance" in others(untested=0, others=1, certain=False)
    assert others(untested=2, others=0) == "could not be tested for any other"
    assert others(untested=1, others=2) == "not drawn by 2 other models; could not be tested for 1"


def test_without_such_relations_the_page_says_so_and_of_one_model_nothing(data: ReportData) -> None:
    none = replace(data, own_rows={**data.own_rows, "socialbiaskg.unique": ()})
    assert "No relation is drawn by only one of the models." in render_report(none)
    assert "drawn by one model" not in tables_of(none)
    name = data.generators[0]
    rows = {key: [row for row in own if row.get("generator", name) == name] for key, own in none.own_rows.items()}
    assert "only one of" not in words(render_report(replace(none, generators=[name], own_rows=rows)))
