"""Annotating in a browser from the command line: sheets of what was answered, and every mistake in one line."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.apps.graph.annotations.sheets import Pair
from portrayal.apps.graph.database.open_answers import read_answers
from portrayal.apps.graph.web.service import GraphService, version
from portrayal.graph.domain import DOMAINS
from portrayal.methods.socialbiaskg.vertices import read_vertices

Cli = Callable[..., Any]


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return answers of two people about the first occupation: both see a dominance, one a stereotype besides."""
    folder = tmp_path_factory.mktemp("answered")
    domain = DOMAINS.load(next(iter(DOMAINS.entries())))()

    async def answer() -> None:
        service = await GraphService.open(folder, domain)
        for name, seen in (("Ann", {"dominant_in"}), ("Bob B.", {"dominant_in", "stereotyped_as"})):
            await service.invite(name)
            who = service.annotators()[-1].id
            pairs = service.pairs(service.pages[0])
            first = {pair: frozenset(seen) if pair[1].name == "white" else frozenset[str]() for pair in pairs}
            unjudged: dict[Pair, frozenset[str] | None] = {pairs[0]: None} if name == "Ann" else {}
            await service.judge(who, service.pages[0], {**first, **unjudged}, version({}))
        await service.close()

    asyncio.run(answer())
    return folder


def test_sheets_go_on_to_agreement_and_consensus(cli: Cli, answered: Path, tmp_path: Path) -> None:
    ran = cli("graph", "sheets", answered, "--out", tmp_path / "sheets")
    assert ran.returncode == 0, ran.stderr
    paths = [tmp_path / "sheets" / name for name in ("Ann.csv", "Bob B..csv")]
    assert f"{paths[0]}: 21 pairs judged" in ran.stdout
    assert f"{paths[1]}: 22 pairs judged" in ran.stdout
    header, first, *_ = paths[0].read_text(encoding="utf-8").splitlines()
    assert header == "direction,occupation,race,relation,comment"
    assert first == "occupation_to_race,CEO,east_asian,,"  # the first pair was left unjudged
    agreed = cli("graph", "agreement", *paths).stdout
    assert "dominant_in\toccupation_to_race\t1.000\t10\t1" in agreed
    cli("graph", "consensus", *paths, "--out", tmp_path / "people.csv")
    (edge,) = read_vertices().edges(tmp_path / "people.csv")
    assert (edge.source.name, edge.type, edge.target.name) == ("CEO", "dominant_in", "white")
    assert edge.sources == ("Ann", "Bob B.")


def test_a_sheet_that_somebody_has_filled_in_since_is_never_overwritten(
    cli: Cli, answered: Path, tmp_path: Path
) -> None:
    filled = tmp_path / "Bob B..csv"
    filled.write_text("mine", encoding="utf-8")
    ran = cli("graph", "sheets", answered, "--out", tmp_path)
    assert (ran.returncode, ran.stderr) == (2, f"error: {filled}: is there already; choose another name\n")
    assert filled.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "Ann.csv").exists()  # all or none


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sheets", "nowhere", "--out", "s"), "start the annotation with: portrayal graph serve nowhere"),
        (("serve", "new", "--port", "0", "--annotator", "../x"), "--annotator '../x': a name has at most 60 letters"),
        (("serve", "new", "--annotator", "Ann", "--annotator", "ann"), "--annotator 'ann': is given twice"),
        (("serve", "new", "--root-url", "people"), "--root-url 'people' is not an address"),
        (("serve", "new", "--vertices", "none"), "holds neither occupations.csv nor groups.csv"),
        (("serve", "new", "--kind", "bees:hive"), "no graph domain named 'bees'"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("graph", *arguments)
    assert ran.returncode == 2
    assert told in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_who_has_not_answered_has_no_sheet(cli: Cli, answered: Path, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    shutil.copytree(answered, folder)
    domain = DOMAINS.load(next(iter(DOMAINS.entries())))()

    async def invite() -> None:
        service = await GraphService.open(folder, domain)
        await service.invite("Cem")
        await service.close()

    asyncio.run(invite())
    ran = cli("graph", "sheets", folder, "--out", tmp_path / "sheets")
    assert "Cem: has judged nothing yet, so there is no sheet" in ran.stderr
    assert sorted(path.name for path in (tmp_path / "sheets").glob("*.csv")) == ["Ann.csv", "Bob B..csv"]
    assert cli("graph", "agreement", *(tmp_path / "sheets").glob("*.csv")).returncode == 0


def test_a_wrong_name_ends_no_link(cli: Cli, answered: Path, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    shutil.copytree(answered, folder)
    domain = DOMAINS.load(next(iter(DOMAINS.entries())))()
    before = [own.token_hash for own in read_answers(folder, domain).annotators]
    ran = cli("graph", "serve", folder, "--port", "0", "--annotator", "Ann", "--annotator", "../x")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert [own.token_hash for own in read_answers(folder, domain).annotators] == before


def test_answers_about_other_vertices_make_no_sheets(cli: Cli, answered: Path, tmp_path: Path) -> None:
    (tmp_path / "groups.csv").write_text("name,title,terms\nsikh,Sikh,Sikh\n", encoding="utf-8")
    about = ("--vertices", tmp_path, "--kind", "religion")
    ran = cli("graph", "sheets", answered, "--out", tmp_path / "s", *about)
    assert (ran.returncode, "holds answers about race 'black'" in ran.stderr) == (2, True)
    assert not (tmp_path / "s").exists()


def test_what_is_missing_is_said_with_its_remedy(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from portrayal.registry import Entry

    monkeypatch.setattr(Entry, "missing", lambda _: ("no_such_module",))
    ran = cli("graph", "serve", tmp_path)
    assert ran.stderr == 'error: the annotation needs no_such_module: run pip install "portrayal[web]"\n'
