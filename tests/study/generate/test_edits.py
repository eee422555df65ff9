"""Edits go through the ordinary stages: planned, pending once their source is there, answered, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from portrayal.evidence import GroupCounts, Missing, Rule
from portrayal.generators import simulated
from portrayal.generators.simulated import Simulated
from portrayal.records import FoundImage, Job, Prompt
from portrayal.services.account import Account, UnlimitedAccount
from portrayal.study.generate.generate_images import generate
from portrayal.study.generate.pending_jobs import PendingJobs, SourceImages
from portrayal.study.importing.import_images import import_images
from portrayal.study.measure.collect import collect
from portrayal.study.plan.costs import estimate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
PROMPTS = """text,term,kind,edits
a portrait of a man,man,seed,
a portrait of a woman,woman,seed,
a photo of a nurse,nurse,word,seed
a photo of a CEO,CEO,word,seed
"""
SEEDS = {"use": "simulated", "images": 3, "role": "draw"}
MOVES = {"nurse": {"gender": {"female": 1.0}}, "CEO": {"gender": {"male": 0.5}}}
EDITOR = {"use": "simulated", "images": 2, "role": "edit", "options": {"moves": MOVES}}
JOBS = "SELECT jobs.*, text, term, kind FROM jobs JOIN prompts ON prompt = prompts.id"


@pytest.fixture
def make(make_study: Make) -> Make:
    def write(name: str = "study", **changes: Any) -> Path:
        usual = {"prompts": PROMPTS, "generators": [SEEDS, EDITOR], "generate": {"batch": 6}}
        return make_study(name, **{**usual, **changes})

    return write


class Sold(Simulated):
    """Costs money, and more for an edit."""

    account: Account = UnlimitedAccount()

    def price(self, text: str) -> float:
        return 1.0

    def edit_price(self, text: str) -> float:
        return 3.0


def rows(study: OpenStudy, sql: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = study.workspace.query(sql).to_pylist(maps_as_pydicts="strict")
    return found


def draw_the_seeds(study: OpenStudy) -> None:
    """Draw one batch, that is all six seeds, and stop."""
    asked = iter((False, True))
    generate(study, RunControl(stopped=lambda: next(asked, True)))


def test_every_source_is_edited_by_every_prompt(make: Make) -> None:
    study = OpenStudy(make())
    plan(study, RunControl())
    jobs = rows(study, JOBS)
    seeds = {job["id"] for job in jobs if job["source_job"] is None}
    edits = [job for job in jobs if job["source_job"] is not None]
    assert len(seeds) == 2 * 3
    assert {job["kind"] for job in jobs if job["id"] in seeds} == {"seed"}
    assert {job["kind"] for job in edits} == {"word"}
    # Six sources, two prompts, two edits of each by each.
    assert Counter((job["source_job"], job["term"]) for job in edits) == {
        (seed, term): 2 for seed in seeds for term in ("nurse", "CEO")
    }
    assert len({job["id"] for job in jobs}) == len(jobs) == 6 + 24
    for term in ("nurse", "CEO"):
        assert sorted(job["index"] for job in edits if job["term"] == term) == list(range(12))
    assert {job["generator"] for job in edits} == {name for name, own in study.generators.items() if own.edits}


def test_a_plan_with_edits_made_twice_changes_nothing(make: Make) -> None:
    root = make()
    assert plan(OpenStudy(root), RunControl())
    assert not plan(OpenStudy(root), RunControl())


def test_further_sources_keep_the_edits_there_are(make: Make) -> None:
    root = make()
    plan(OpenStudy(root), RunControl())
    before = set(OpenStudy(root).workspace.query("SELECT id FROM jobs")["id"].to_pylist())
    text = (root / "study.toml").read_text()
    (root / "study.toml").write_text(text.replace('"images" = 3', '"images" = 4'))
    assert plan(OpenStudy(root), RunControl())
    after = set(OpenStudy(root).workspace.query("SELECT id FROM jobs")["id"].to_pylist())
    assert before < after
    assert len(after) == 8 + 32


def test_nothing_is_planted_for_edits_beforehand(make: Make) -> None:
    study = OpenStudy(make())
    plan(study, RunControl())
    sql = "SELECT DISTINCT kind FROM truths JOIN prompts ON prompt = id"
    assert rows(study, sql) == [{"kind": "seed"}]


@pytest.mark.slow
def test_an_edit_is_pending_once_its_source_is_there(make: Make) -> None:
    study = OpenStudy(make())
    plan(study, RunControl())
    drawer, editor = study.generators
    assert PendingJobs(study, editor).count() == PendingJobs(study, drawer, SourceImages(study)).count() == 0
    assert PendingJobs(study, editor, SourceImages(study)).count() == 0
    draw_the_seeds(study)
    assert read_status(study).outcomes == {drawer: {"made": 6}, editor: {"pending": 24}}
    pending = list(PendingJobs(study, editor, SourceImages(study)))
    assert len(pending) == 24
    assert all(job.source_job and not job.source for job in pending)


@pytest.mark.slow
def test_one_run_draws_and_edits(make: Make) -> None:
    study = OpenStudy(make())
    run_stages(study, RunControl())
    drawer, editor = study.generators
    assert read_status(study).outcomes == {drawer: {"made": 6}, editor: {"made": 24}}
    sql = """
        SELECT term, source.planted AS before, edited.planted AS after, edited.image <> source.image AS changed
        FROM jobs JOIN prompts ON prompt = prompts.id JOIN outcomes AS edited ON edited.job = jobs.id
        JOIN outcomes AS source ON source.job = source_job
    """
    edits = rows(study, sql)
    assert len(edits) == 24
    assert all(edit["changed"] for edit in edits)
    for edit in edits:
        (before,), (after,) = edit["before"], edit["after"]
        assert {**before, "gender": ""} == {**after, "gender": ""}
        assert after["gender"] == "female" if edit["term"] == "nurse" else after["gender"] in ("male", before["gender"])
    assert (study.root / "report" / "index.html").exists()


@pytest.mark.slow
def test_a_second_run_does_nothing(make: Make) -> None:
    study = OpenStudy(make())
    run_stages(study, RunControl())
    before = study.workspace.tables["outcomes"].count()
    generate(OpenStudy(study.root), RunControl())
    assert study.workspace.tables["outcomes"].count() == before


@pytest.mark.slow
def test_editors_get_the_source_and_all_that_the_prompt_says(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Job] = []
    edit = Simulated.edit

    def spy(self: Simulated, jobs: Sequence[Job]) -> Iterator[Any]:
        seen.extend(jobs)
        yield from edit(self, jobs)

    monkeypatch.setattr(Simulated, "edit", spy)
    study = OpenStudy(make(generate={"batch": 5}))
    plan(study, RunControl())
    generate(study, RunControl())
    images = {row["job"]: row for row in rows(study, "SELECT * FROM outcomes")}
    assert len(seen) == 24
    for job in seen:
        assert job.source_job is not None
        source = images[job.source_job]
        assert job.source == study.workspace.images.path(source["image"], "png").read_bytes()
        assert job.planted == source["planted"]
        assert (job.text, job.people, job.attempt) == (f"a photo of a {job.term}", 1, 1)


@pytest.mark.slow
def test_edits_without_pixels_start_from_the_planted_people(make: Make) -> None:
    options = {"pixels": False}
    seeds, editor = {**SEEDS, "options": options}, {**EDITOR, "options": {**options, "moves": MOVES}}
    study = OpenStudy(make(generators=[seeds, editor]))
    run_stages(study, RunControl())
    sql = f"SELECT planted FROM ({JOBS}) AS jobs JOIN outcomes ON job = jobs.id WHERE term = 'nurse'"
    assert [row["planted"][0]["gender"] for row in rows(study, sql)] == ["female"] * 12


@pytest.mark.slow
def test_edits_of_a_source_that_there_is_not_are_missing_and_never_asked_for(make: Make) -> None:
    seeds = {**SEEDS, "images": 20, "options": {"refused": 0.3, "failed": 0.4}}
    editor = {**EDITOR, "images": 1, "options": {"moves": MOVES, "refused": 0.2}}
    study = OpenStudy(make(generators=[seeds, editor], generate={"attempts": 1}))
    run_stages(study, RunControl())
    drawer, changer = study.generators
    drawn, edited = (read_status(study).outcomes[name] for name in (drawer, changer))
    lost = drawn["refused: simulated_refusal"] + drawn["failed: simulated_failure"]
    assert lost > 10
    assert edited["failed: source_missing"] == 2 * lost
    assert edited["made"] + edited["refused: simulated_refusal"] == 2 * drawn["made"]
    assert PendingJobs(study, changer, SourceImages(study)).count() == 0
    assert set(edited) == {"made", "refused: simulated_refusal", "failed: source_missing"}
    attempted = study.workspace.tables["outcomes"].count()
    assert attempted == 40 + 2 * drawn["made"]

    rule = Rule("one")
    evidence = collect(study, [GroupCounts(rule), Missing(rule)], RunControl())
    missing = evidence[Missing(rule)]
    shown = evidence[GroupCounts(rule)]["simulated@1", "gender"].sum(axis=-1)
    gone = sum(counts for key, counts in missing.counts.items() if not key[1])
    assert (shown + gone == evidence.plan.planned).all()
    assert missing.of("", "")["failed: source_missing"].sum() == 2 * lost
    per_image = rows(study, "SELECT * FROM measurements WHERE metric = 'missing' AND level = 'overall'")
    assert {row["group"] for row in per_image} >= {"failed: source_missing"}
    assert "source missing" in (study.root / "report" / "index.html").read_text()


@pytest.mark.slow
def test_a_source_that_fails_may_come_yet_and_then_its_edits_do(make: Make) -> None:
    seeds = {**SEEDS, "images": 10, "options": {"failed": 0.6}}
    root = make(generators=[seeds, {**EDITOR, "images": 1}], generate={"attempts": 1})
    study = OpenStudy(root)
    run_stages(study, RunControl(), ("plan", "generate"))
    drawer, editor = study.generators
    first = read_status(study).outcomes
    assert first[editor]["failed: source_missing"] == 2 * first[drawer]["failed: simulated_failure"] > 0
    (root / "study.toml").write_text((root / "study.toml").read_text().replace('"attempts" = 1', '"attempts" = 30'))
    study = OpenStudy(root)
    then = read_status(study).outcomes[editor]
    assert then["pending"] == first[editor]["failed: source_missing"]  # they may come yet
    assert "failed: source_missing" not in then
    run_stages(study, RunControl(), ("plan", "generate"))
    assert read_status(study).outcomes == {drawer: {"made": 20}, editor: {"made": 40}}


@pytest.mark.slow
def test_a_failed_edit_is_tried_again(make: Make) -> None:
    editor = {**EDITOR, "options": {"moves": MOVES, "failed": 0.6}}
    study = OpenStudy(make(generators=[SEEDS, editor], generate={"attempts": 40}))
    run_stages(study, RunControl(), ("plan", "generate"))
    assert [own.get("made") for own in read_status(study).outcomes.values()] == [6, 24]
    attempts = Counter(row["attempt"] for row in rows(study, "SELECT attempt FROM outcomes WHERE status = 'failed'"))
    assert attempts[1] > attempts[2] > 0


@pytest.mark.slow
def test_a_picture_that_is_gone_fails_its_edits_alone(make: Make) -> None:
    study = OpenStudy(make(generate={"batch": 6, "attempts": 1}))
    plan(study, RunControl())
    draw_the_seeds(study)
    gone = sorted((study.root / "images").rglob("*.png"))[0]
    gone.unlink()
    generate(study, RunControl())
    _, editor = study.generators
    assert read_status(study).outcomes[editor] == {"failed: unreadable_source": 4, "made": 20}


@pytest.mark.slow
def test_imported_photos_are_edited(make: Make, tmp_path: Path) -> None:
    for number in range(3):
        Pillow.new("RGB", (8, 8), (number, 0, 0)).save(tmp_path / f"{number}.png")
    study = OpenStudy(make(generators=[{**EDITOR, "images": 1}]))
    portrait = Prompt("a portrait of a man", "man")
    elsewhere = Prompt("my neighbour", "neighbour", kind="seed")
    found = [FoundImage(tmp_path / f"{n}.png", "photos", portrait if n else elsewhere) for n in range(3)]
    import_images(study, found, RunControl())
    generate(study, RunControl())
    (editor,) = study.generators
    assert read_status(study).outcomes == {"photos": {"made": 3}, editor: {"made": 6}}
    sources = rows(study, "SELECT DISTINCT source_job FROM jobs WHERE source_job IS NOT NULL")
    assert len(sources) == 3


@pytest.mark.slow
def test_what_edits_cost_is_told_before_their_sources_are_drawn(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "Simulated", Sold)
    study = OpenStudy(make())
    plan(study, RunControl())
    drawn, edited, looked = estimate(study)
    assert (drawn.images, drawn.usd) == (6, 6.0)
    assert (edited.images, edited.usd) == (24, 72.0)
    assert looked.images == 30


@pytest.mark.slow
def test_the_arena_compares_no_edits(make: Make) -> None:
    from portrayal.apps.arena.database.image_pool import read_image_pool
    from portrayal.errors import StudyError

    other = {**EDITOR, "options": {"refused": 0.01}}
    study = OpenStudy(make(generators=[SEEDS, EDITOR, other]))
    run_stages(study, RunControl(), ("plan", "generate"))
    with pytest.raises(StudyError, match="only simulated@1 has pictures"):
        read_image_pool(study)
