"""Neither who drew a picture nor what an annotator said of it is anywhere to be found by raters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.samples.rater_sites import LABELS, Planted, RunningSite, starting


@pytest.fixture
def start_labels(planted: Planted, tmp_path: Path) -> Iterator[Callable[..., RunningSite]]:
    yield from starting(LABELS, planted, tmp_path)


@pytest.mark.slow
def test_nothing_that_a_rater_receives_says_whose_picture_it_is(
    start_labels: Callable[..., RunningSite], planted: Planted
) -> None:
    site = start_labels(quota=12)
    client = site.client()
    page = client.begin(site.token())
    heads = set()
    while "/done" not in str(page.url):
        headers = dict(client.get(client.picture_of(page)).headers)
        heads.add(
            tuple(sorted((name, said) for name, said in headers.items() if name not in ("date", "content-length")))
        )
        page = client.follow(client.vote(page))
    client.send("/undo", page)
    assert len(heads) == 1
    for answer in client.answers:
        told = answer.content + repr(answer.headers.raw).encode() + str(answer.url).encode()
        assert [secret for secret in planted.secrets if secret.lower().encode() in told.lower()] == [], answer.url
    assert not any("A photo of the face" in answer.text for answer in client.answers), "the prompt says what to expect"


@pytest.mark.slow
def test_raters_read_the_prompt_only_where_the_study_says_so(start_labels: Callable[..., RunningSite]) -> None:
    site = start_labels(show_prompt=True)
    client = site.client()
    assert 'class="prompt"' in client.begin(site.token()).text


@pytest.mark.slow
def test_nobody_to_be_seen_is_an_answer_and_the_team_can_bring_labels_in(
    start_labels: Callable[..., RunningSite],
) -> None:
    site = start_labels(raters=1, quota=20)
    client, token, team = site.client(), site.token(), site.client()
    page = client.begin(token)
    page = client.follow(client.send("/label", page, task=client.task_of(page), nobody="1"))
    [task] = site.cast(token)
    assert task.choices == {"gender": "", "race5": "", "age3": "", "person": "not_person"}
    while "/done" not in str(page.url):
        page = client.follow(client.vote(page))
    desk = team.log_in()
    assert "Each picture is labelled by 1 person" in desk.text.replace("\N{NO-BREAK SPACE}", " ")
    answer = team.send("/admin/collect", desk)
    assert "18 pictures are new in the study" in answer.text.replace("\N{NO-BREAK SPACE}", " ")
    assert client.send("/admin/collect", page).status_code == 403
    assert team.get("/admin/labels.csv").text.count("\n") == 19
