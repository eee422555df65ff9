from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.methods.socialbiaskg.suite import SuiteOptions, socialbiaskg
from portrayal.methods.socialbiaskg.vertices import read_vertices
from portrayal.records import Prompt, attribute_table
from portrayal.settings import parse_settings
from portrayal.suites import Suite
from portrayal.suites.isco import isco_parents, isco_title

NAMED = (
    "fashion model", "president", "rapper", "sushi chef", "CEO", "scientist", "software engineer", "surgeon", "judge",
    "professor", "doctor", "TV news anchor", "street cleaner", "restaurant kitchen helper", "bus driver",
    "garbage truck driver", "chief of police", "university dean", "tea plantation worker", "carpenter", "tourist guide",
    "nurse",
)  # fmt: skip


def suite(folder: Path = Path(), **options: Any) -> Suite:
    return socialbiaskg(parse_settings(SuiteOptions, options, "study.toml"), folder)


def texts(found: Suite, **fields: str) -> list[str]:
    return [p.text for p in found.prompts if all(getattr(p, name) == value for name, value in fields.items())]


def edges(folder: Path, pairs: int) -> str:
    """Write a table of edges between so many pairs."""
    vertices = read_vertices()
    ends = [(own.name, group.name) for own in vertices.occupations for group in vertices.groups][:pairs]
    rows = [f"occupation:{own},underrepresented_in,race:{group}" for own, group in ends]
    (folder / "edges.csv").write_text("\n".join(["source,type,target", *rows, ""]), encoding="utf-8")
    return "edges.csv"


def test_the_numbers_of_table_3(tmp_path: Path) -> None:
    found = suite(tmp_path, edges=edges(tmp_path, 292))
    counts = Counter((prompt.kind, prompt.variant.partition(" ")[0]) for prompt in found.prompts)
    assert counts == {
        ("occupation", "simple"): 100,
        ("occupation", "contextual"): 300,
        ("race", "simple"): 11,
        ("pair", "simple"): 292,
        ("pair", "contextual"): 876,
    }
    assert len(found.prompts) == len({prompt.text.casefold() for prompt in found.prompts}) == 1579


def test_without_a_table_the_printed_edges_are_asked_for() -> None:
    found = suite()
    assert found.adjusted == ()
    pairs = {(p.requested["occupation"], p.requested["race11"]) for p in found.prompts if p.kind == "pair"}
    assert pairs == {
        ("rapper", "black"),
        ("sushi chef", "east_asian"),
        ("CEO", "white"),
        ("software engineer", "east_asian"),
        ("surgeon", "white"),
        ("judge", "hispanic"),
        ("professor", "black"),
    }
    assert len(found.prompts) == 411 + 4 * len(pairs)


def test_texts() -> None:
    found = suite(pairs="all", terms=["president", "air traffic controller"], words="all")
    assert texts(found, term="president")[:2] == ["A president", "A president signing a law at a large wooden desk"]
    assert texts(found, term="air traffic controller", variant="simple") == ["An air traffic controller"]
    assert texts(found, term="Southeast Asian president")[:2] == [
        "A Southeast Asian president",
        "A Southeast Asian president signing a law at a large wooden desk",
    ]
    assert texts(found, term="Indigenous Australian president", variant="simple") == [
        "An Indigenous Australian president"
    ]
    assert texts(found, term="Hispanic / Latino") == ["A Hispanic person", "A Latino person", "A Latina person"]


def test_prompts_that_differ_only_in_the_group_share_their_seeds() -> None:
    found = suite(pairs="all", terms=["judge"])
    by_seeds: dict[str, set[str]] = {}
    for prompt in found.prompts:
        if prompt.kind != "race":
            by_seeds.setdefault(prompt.seeds, set()).add(prompt.requested.get("race11", ""))
    assert len(by_seeds) == 4
    assert all(len(groups) == 12 for groups in by_seeds.values())
    assert {prompt.seeds for prompt in found.prompts if prompt.kind == "race"} == {""}


def test_vertices() -> None:
    vertices = read_vertices()
    names = [own.name for own in vertices.occupations]
    assert set(NAMED) <= set(names)
    assert Counter(own.isco[0] for own in vertices.occupations) == dict.fromkeys("1234567890", 10)
    assert all(isco_title(code) for own in vertices.occupations for code in (own.isco, *isco_parents(own.isco)))
    assert tuple(group.name for group in vertices.groups) == attribute_table()["race11"].groups
    assert all(2 <= len(group.terms) <= 3 for group in vertices.groups)


def test_situations_tell_no_perceived_gender_and_go_on_after_the_name() -> None:
    said = [text for own in read_vertices().occupations for text in own.situations]
    assert len(said) == len(set(said)) == 300
    assert all(re.match(r"[a-z-]+ing\b", text) for text in said)
    gendered = re.compile(r"\b(he|she|his|her|him|man|men|woman|women|boy|girl|male|female)\b")
    assert not [text for text in said if gendered.search(text)]


def test_only_printed_edges_are_shipped_each_with_where() -> None:
    found = read_vertices().edges(None)
    assert len(found) == 8
    assert all(re.match(r"(section 3\.1|Table 2): .+ → .+", source) for edge in found for source in edge.sources)
    assert all(edge.sources for edge in found)


def test_a_part_and_a_sample() -> None:
    assert {p.kind for p in suite(kinds=["race"]).prompts} == {"race"}
    assert {p.variant for p in suite(wordings=["simple"]).prompts} == {"simple"}
    assert {p.category for p in suite(categories=["managers"], kinds=["occupation"]).prompts} == {"Managers"}
    sampled = suite(sample=20, kinds=["occupation"])
    assert Counter(p.category for p in sampled.prompts) == dict.fromkeys({p.category for p in sampled.prompts}, 8)
    assert sampled.adjusted
    with pytest.raises(ConfigError, match="has no occupation 'juge'; did you mean 'judge'"):
        suite(terms=["juge"])
    with pytest.raises(ConfigError, match="'sample' asks for 200 of 100"):
        suite(sample=200)


def test_vertices_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("name,group,context_1\nimam,Clergy,leading a prayer\n", encoding="utf-8")
    (tmp_path / "faiths.csv").write_text("name,title,terms\nmuslim,Muslim,Muslim\nsikh,Sikh,Sikh\n", encoding="utf-8")
    own = {"occupations": "jobs.csv", "groups": "faiths.csv", "group_kind": "religion", "attribute": "religion2"}
    found = suite(tmp_path, **own, pairs="all")
    assert texts(found) == [
        "An imam", "An imam leading a prayer", "A Muslim person", "A Sikh person", "A Muslim imam",
        "A Muslim imam leading a prayer", "A Sikh imam", "A Sikh imam leading a prayer",
    ]  # fmt: skip
    last: Prompt = found.prompts[-1]
    assert (last.requested, last.category) == ({"occupation": "imam", "religion2": "sikh"}, "Clergy")
    with pytest.raises(InputError, match="no edges between occupations and religion are known"):
        suite(tmp_path, **own)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("name,group\nimam,\n", r"jobs\.csv:2: no wider group"),
        ("name,group\nimam,Clergy\nImam,Clergy\n", r"jobs\.csv:3: 'Imam' stands already at .*jobs\.csv:2"),
        ("name,group\na:b,Clergy\n", r"jobs\.csv:2: column 'name' needs a name without a colon"),
    ],
)
def test_a_wrong_vertex_is_named(tmp_path: Path, table: str, told: str) -> None:
    (tmp_path / "jobs.csv").write_text(table, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        suite(tmp_path, occupations="jobs.csv", pairs="all")


def test_an_edge_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,type,target\nrace:black,stereotyped_as,occupation:judge\n")
    with pytest.raises(InputError, match=r"edges\.csv:2: .*stereotyped_as leads only from occupation to race"):
        suite(tmp_path, edges="edges.csv")
