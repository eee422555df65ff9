"""The service behind the pages: names, other vertices, and two servers on the same answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from portrayal.apps.graph.web.service import GraphService, version
from portrayal.errors import ConfigError, StudyError, StudyLockedError
from portrayal.graph.domain import DOMAINS, Domain

T = TypeVar("T")


def with_service(folder: Path, domain: Domain, work: Callable[[GraphService], Awaitable[T]]) -> T:
    async def run() -> T:
        service = await GraphService.open(folder, domain)
        try:
            return await work(service)
        finally:
            await service.close()

    return asyncio.run(run())


@pytest.mark.parametrize("name", ["", " Ann", "../Ann", "A;B", "a\nb", "_a", "x" * 61])
def test_a_name_must_do_as_the_name_of_a_file(tmp_path: Path, domain: Domain, name: str) -> None:
    with pytest.raises(ConfigError, match="a name has at most 60"):
        with_service(tmp_path, domain, lambda service: service.invite(name))


def test_answers_about_other_vertices_are_refused(tmp_path: Path, domain: Domain) -> None:
    async def judge(service: GraphService) -> None:
        await service.invite("Ann")
        vertex = service.pages[0]
        seen = dict.fromkeys(service.pairs(vertex), frozenset[str]())
        await service.judge(service.annotators()[0].id, vertex, seen, version({}))

    with_service(tmp_path, domain, judge)
    shipped = DOMAINS.load(next(iter(DOMAINS.entries())))()
    with pytest.raises(StudyError, match="holds answers about team 'red', which is not asked for; give --vertices"):
        with_service(tmp_path, shipped, judge)


def test_a_second_server_is_refused(tmp_path: Path, domain: Domain) -> None:
    async def open_again(service: GraphService) -> None:
        with pytest.raises(StudyLockedError, match=r"another annotation server is using it; stop that one first$"):
            await GraphService.open(tmp_path, domain)

    with_service(tmp_path, domain, open_again)


def test_what_cannot_be_written_does_not_count(tmp_path: Path, domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    async def judge(service: GraphService) -> None:
        await service.invite("Ann")
        (ann,) = service.annotators()

        def full(changes: object) -> None:
            raise OSError("no space left")

        monkeypatch.setattr(service._writer, "_write", full)
        vertex = service.pages[0]
        with pytest.raises(OSError, match="no space left"):
            await service.judge(ann.id, vertex, dict.fromkeys(service.pairs(vertex)), version({}))
        assert service.done(ann.id) == 0
        assert service.next_page(ann.id) == 1

    with_service(tmp_path, domain, judge)
