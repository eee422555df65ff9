"""Sites where people judge: real ones, started, known to a new studio, and closed."""

from __future__ import annotations

import time
from pathlib import Path

import httpx2
import pytest

from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import STATE, list_studies
from portrayal.apps.studio.people.people_sites import PeopleSite, PeopleSites, people_apps
from portrayal.errors import InputError
from portrayal.study.create.create_study import create_study


def test_every_application_that_serves_a_study_can_be_started() -> None:
    assert {"arena", "labels", "graph"} <= people_apps().keys()
    assert "studio" not in people_apps()


@pytest.mark.slow
def test_a_site_is_started_and_closed(tmp_path: Path) -> None:
    drawn = [{"use": "simulated", "name": name, "options": {"size": size}} for name, size in (("A", 24), ("B", 25))]
    create_study(tmp_path / "one", generator=drawn, annotator="simulated", prompts=["a nurse"], images=6)
    Study(tmp_path / "one").run(progress=False)
    (study,) = list_studies(tmp_path)
    sites = PeopleSites(tmp_path)

    def arena() -> PeopleSite:
        return next(site for site in sites.of(study) if site.name == "arena")

    sites.start(study, "arena")
    try:
        while not arena().lines.links:  # the last of its lines that is asked for below
            assert arena().running
            time.sleep(0.05)
        sites.start(study, "arena")  # it runs already
        ((who, address),) = arena().lines.links
        assert (arena().state, who, arena().lines.desk.endswith("/admin")) == ("running", "", True)
        assert arena().lines.password
        assert httpx2.get(address, timeout=None, follow_redirects=True).status_code == 200
        assert next(site for site in PeopleSites(tmp_path).of(study) if site.name == "arena").running
        assert (tmp_path / STATE / study.key / "people-arena" / "log.txt").stat().st_mode & 0o077 == 0
    finally:
        sites.close(study, "arena")
        while arena().running or sites._children:  # threads of a process may outlive its first one for a moment
            time.sleep(0.05)
        assert arena().state == "closed"


@pytest.mark.parametrize("name", ["studio", "../x", "check", "graph; rm", ""])
def test_what_is_no_site_is_not_started(tmp_path: Path, name: str) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "study.toml").write_text('[study]\ntitle = "x"\n')
    (study,) = list_studies(tmp_path)
    with pytest.raises(InputError, match="cannot be chosen"):
        PeopleSites(tmp_path).start(study, name)
    assert not (tmp_path / STATE).exists()


@pytest.mark.parametrize("people", ["", " , ", "Ann, --host=0.0.0.0", "../x", "a" * 61])
def test_annotators_are_named_by_names_alone(tmp_path: Path, people: str) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "study.toml").write_text('[study]\ntitle = "x"\n')
    (study,) = list_studies(tmp_path)
    with pytest.raises(InputError, match=r"name"):
        PeopleSites(tmp_path).start(study, "graph", {"people": people})
    assert not (tmp_path / STATE).exists()


@pytest.mark.slow
def test_annotators_of_relations_get_links_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "study.toml").write_text('[study]\ntitle = "x"\n')
    (study,) = list_studies(tmp_path)
    sites = PeopleSites(tmp_path)

    def graph() -> PeopleSite:
        return next(site for site in sites.of(study) if site.name == "graph")

    sites.start(study, "graph", {"people": "Ann, Ben"})
    try:
        while "Ben" not in dict(graph().lines.links):
            assert graph().running, graph().lines
            time.sleep(0.05)
        assert "Ann" in dict(graph().lines.links)
    finally:
        sites.close(study, "graph")
        while graph().running or sites._children:
            time.sleep(0.05)
