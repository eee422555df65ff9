"""The commands: a sheet without a word, serving in a process of its own, and every mistake in one line."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def drawn(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    annotators = [{"use": "simulated"}, {"use": "imported:people"}]
    about = {"questionnaire": False}
    folder = write_study(tmp_path_factory.mktemp("drawn") / "study", annotators=annotators, labels=about)
    run_stages(OpenStudy(folder), RunControl(), ("plan", "generate"))
    return folder


@pytest.fixture
def study(drawn: Path, tmp_path: Path) -> Path:
    return shutil.copytree(drawn, tmp_path / "study")


def test_without_a_command_a_sheet_is_written(study: Path, cli: Any) -> None:
    to = study.parent / "sheet.csv"
    assert "to label; filled in, import it with --labels" in cli("labels", study, "--to", to).stdout
    other = study.parent / "other.csv"
    cli("labels", "sheet", "--to", other, study)
    assert to.read_text(encoding="utf-8") == other.read_text(encoding="utf-8")


def test_serve_from_the_first_link_to_the_end(
    study: Path, start_command: Callable[..., subprocess.Popen[str]], cli: Any
) -> None:
    told = {**os.environ, "PORTRAYAL_LABELS_PASSWORD": "a password of length"}
    for again in (False, True):
        server = start_command("labels", "serve", study, "--all", "--port", "0", env=told)
        assert server.stdout
        front, watch, *link = [server.stdout.readline().strip() for _ in range(2 if again else 3)]
        root = re.search(r"http://[\d.]+:\d+", front)
        assert root
        assert (front, watch) == (f"labels: {root[0]}/", f"watch: {root[0]}/admin")
        if not again:
            with httpx2.Client(base_url=root[0], follow_redirects=True, timeout=None) as http:
                page = http.get(link[0].removeprefix("a first rater's link to try: "))
                assert "Before you begin" in page.text
        server.send_signal(signal.SIGINT)
        _, said = server.communicate()
        assert server.returncode == 130
        assert "every answer that was acknowledged is stored" in said
        assert ("0 pictures drawn" if again else "pictures drawn to label") in said
    assert "answers still needed" in cli("labels", "status", study).stdout
    links = cli("labels", "invite", study, "--count", "2", "--root-url", "https://labels.example.org").stdout
    assert len(re.findall(r"https://labels\.example\.org/r/[\w-]+", links)) == 2
    assert "0 pictures brought in" in cli("labels", "collect", study).stdout
    assert cli("labels", "export", study).stdout.startswith("image,prompt,side,probability,rater,person,gender")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("serve", "--next", "3", "--all"), "give one of the two"),
        (("serve", "--next", "0"), "--next': Input should be greater than or equal to 1"),
        (("sheet", "--to", "sheet.csv", "--next", "0"), "--next': Input should be greater than or equal to 1"),
        (("status",), "start the labelling with: portrayal labels serve"),
        (("collect",), "start the labelling with: portrayal labels serve"),
        (("serve", "--database", "mysql://x"), "--database: must be like"),
    ],
)
def test_a_mistake_is_one_line(study: Path, cli: Any, words: tuple[str, ...], said: str) -> None:
    done = cli("labels", *words[:1], study, *words[1:])
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2


def test_a_study_without_pictures_is_not_edited(make_study: Callable[..., Path], cli: Any) -> None:
    root = make_study(annotators=[])
    before = (root / "study.toml").read_bytes()
    done = cli("labels", "serve", root)
    assert (done.returncode, "no pictures to label yet" in done.stderr) == (2, True)
    assert (root / "study.toml").read_bytes() == before


def test_an_attribute_that_the_annotator_does_not_have_is_refused(study: Path, cli: Any) -> None:
    path = study / "study.toml"
    text = path.read_text(encoding="utf-8").replace("labels = {", 'labels = { attributes = ["gendre"],')
    path.write_text(text, encoding="utf-8")
    assert "did you mean" in cli("labels", "serve", study).stderr
