"""Ways to look: as a stream that reads ahead, or through a service, many at a time and for money."""

from __future__ import annotations

import math
import shutil
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from portrayal.annotators import simulated
from portrayal.annotators.simulated import Simulated
from portrayal.errors import BudgetError, ConfigError, PortrayalError
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.records import Abstention, Image, Job, Made, Observation
from portrayal.services.account import UnlimitedAccount
from portrayal.store.images.read_ahead import ReadAhead
from portrayal.store.ledger import spent_by_part
from portrayal.store.tables.table import Table
from portrayal.study.annotate import ask_annotator, run_annotator
from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Seen = Observation | Abstention
Batches = Iterator[Sequence[Image]]
Stream = Callable[[Simulated, Batches], Iterator[tuple[Sequence[Image], Sequence[Seen]]]]
LOOK = Simulated.annotate


@pytest.fixture(scope="module")
def drawn_once(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Draw six images that nobody has looked at, two to a batch."""
    root = write_study(tmp_path_factory.mktemp("drawn") / "study", annotate={"batch": 2, "workers": 1})
    plan(OpenStudy(root), RunControl())
    generate(OpenStudy(root), RunControl())
    return root


@pytest.fixture
def drawn(drawn_once: Path, tmp_path: Path) -> OpenStudy:
    return OpenStudy(shutil.copytree(drawn_once, tmp_path / "study"))


@pytest.fixture
def expected(drawn: OpenStudy) -> list[str]:
    """Return what an annotator that looks at one batch after the other sees in them."""
    annotator: Any = drawn.annotators["simulated@1"][1]
    rows = [row for table in tables(drawn) for row in LOOK(annotator, table)]
    return sorted(f"{row.image} {row.subject} {row.attribute} {row.reason}" for row in rows)


def tables(study: OpenStudy) -> Iterator[list[Image]]:
    rows = study.workspace.query("SELECT DISTINCT image, planted FROM outcomes").to_pylist(maps_as_pydicts="strict")
    yield [Image(row["image"], None, row["planted"]) for row in rows]


def found(study: OpenStudy) -> list[str]:
    rows = study.workspace.query("SELECT image, subject, attribute, reason FROM observations").to_pylist()
    return sorted(f"{row['image']} {row['subject']} {row['attribute']} {row['reason']}" for row in rows)


def ahead(self: Simulated, batches: Batches) -> Iterator[tuple[Sequence[Image], Sequence[Seen]]]:
    """Take two batches before the first is looked at."""
    waiting: deque[Sequence[Image]] = deque()
    for batch in batches:
        waiting.append(batch)
        if len(waiting) > 2:
            yield waiting[0], list(LOOK(self, waiting.popleft()))
    for batch in waiting:
        yield batch, list(LOOK(self, batch))


def in_a_thread(self: Simulated, batches: Batches) -> Iterator[tuple[Sequence[Image], Sequence[Seen]]]:
    """Take the batches in a thread of its own, and give the images back one by one."""
    taken: SimpleQueue[Sequence[Image] | None] = SimpleQueue()

    def take() -> None:
        for batch in batches:
            taken.put(batch)
        taken.put(None)

    threading.Thread(target=take, daemon=True).start()
    while (batch := taken.get()) is not None:
        for image in batch:
            yield [image], list(LOOK(self, [image]))


def streaming(monkeypatch: pytest.MonkeyPatch, stream: Stream) -> None:
    """Put an annotator that streams in place of the simulated one; a class of its own, since ABCs remember classes."""
    monkeypatch.setattr(simulated, "Simulated", type("Streamer", (Simulated,), {"stream": stream}))


@pytest.mark.parametrize("stream", [ahead, in_a_thread])
def test_a_stream_sees_what_a_loop_sees(
    drawn: OpenStudy, expected: list[str], monkeypatch: pytest.MonkeyPatch, stream: Stream
) -> None:
    streaming(monkeypatch, stream)
    monkeypatch.setattr(Simulated, "annotate", lambda self, images: pytest.fail("asked besides"))
    annotate(drawn, RunControl())
    assert found(drawn) == expected


def test_what_comes_fast_is_committed_together(drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    streaming(monkeypatch, in_a_thread)
    monkeypatch.setattr(run_annotator, "COMMIT_EVERY", math.inf)
    annotate(drawn, RunControl())
    assert len(drawn.workspace.tables["observations"].segments()) == 1


def test_what_comes_slowly_is_committed_at_once(drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    streaming(monkeypatch, in_a_thread)
    monkeypatch.setattr(run_annotator, "COMMIT_EVERY", 0.0)
    annotate(drawn, RunControl())
    assert len(drawn.workspace.tables["observations"].segments()) == 6


def test_groups_are_cut_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.4, 0.9, 1.1, 1.1, 1.2, 2.2, 2.2, 2.5])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    letters: Any = iter("abcdef")
    groups = run_annotator._grouped(letters, 1.0)
    assert ["".join(map(str, group)) for group in groups] == ["abc", "de", "f"]


def test_a_stopped_stream_keeps_what_it_holds(drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    streaming(monkeypatch, ahead)
    asked = iter((False, False, True))
    annotate(drawn, RunControl(stopped=lambda: next(asked, True)))
    assert drawn.workspace.query("SELECT DISTINCT image FROM observations").num_rows == 4


def test_a_stream_with_nothing_to_see_is_not_begun(drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    annotate(drawn, RunControl())
    streaming(monkeypatch, lambda self, batches: pytest.fail("would load its model"))
    annotate(drawn, RunControl())


def test_a_stream_that_breaks_on_an_image_loses_only_that(drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = min(image.id for images in tables(drawn) for image in images)
    begun = Counter[str]()

    def fragile(self: Simulated, images: Sequence[Image]) -> Iterator[Seen]:
        if victim in {image.id for image in images}:
            raise OSError("cannot decode")
        return LOOK(self, images)

    def stream(self: Simulated, batches: Batches) -> Iterator[tuple[Sequence[Image], Sequence[Seen]]]:
        begun["streams"] += 1
        for batch in batches:
            yield batch, list(self.annotate(batch))

    streaming(monkeypatch, stream)
    monkeypatch.setattr(Simulated, "annotate", fragile)
    annotate(drawn, RunControl())
    rows = drawn.workspace.query("SELECT image, reason FROM observations WHERE reason IS NOT NULL").to_pylist()
    assert rows == [{"image": victim, "reason": "annotator_error: OSError"}]
    assert drawn.workspace.query("SELECT DISTINCT image FROM observations").num_rows == 6
    assert begun["streams"] == 2


def test_a_stream_that_can_see_nothing_stops_and_blames_no_image(
    drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Simulated, *_: Any) -> Iterator[Any]:
        raise RuntimeError("out of memory\nand a long story")

    def stream(self: Simulated, batches: Batches) -> Iterator[tuple[Sequence[Image], Sequence[Seen]]]:
        first = next(batches)
        yield first, list(LOOK(self, first))
        next(batches)
        raise RuntimeError("out of memory\nand a long story")

    monkeypatch.setattr(run_annotator, "COMMIT_EVERY", 0.0)
    monkeypatch.setattr(Simulated, "annotate", broken)
    streaming(monkeypatch, stream)
    with pytest.raises(PortrayalError) as stopped:
        annotate(drawn, RunControl())
    assert str(stopped.value) == (
        "annotator simulated@1 fails on every image (RuntimeError: out of memory); what was done is kept"
    )
    assert drawn.workspace.query("SELECT DISTINCT image FROM observations").num_rows == 2
    assert drawn.workspace.query("SELECT 1 FROM observations WHERE reason IS NOT NULL").num_rows == 0


@pytest.mark.parametrize("error", [RuntimeError("no such model"), ConfigError("no such model")])
def test_a_stream_that_cannot_begin_stops(drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def stream(self: Simulated, batches: Batches) -> Iterator[tuple[Sequence[Image], Sequence[Seen]]]:
        raise error

    streaming(monkeypatch, stream)
    with pytest.raises(type(error), match="no such model"):
        annotate(drawn, RunControl())
    assert drawn.workspace.tables["observations"].count() == 0


def test_an_image_a_stream_says_nothing_about_is_on_record(drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(self: Simulated, batches: Batches) -> Iterator[tuple[Sequence[Image], Sequence[Seen]]]:
        for batch in batches:
            yield batch[:1], []

    streaming(monkeypatch, silent)
    annotate(drawn, RunControl())
    reasons = drawn.workspace.query("SELECT reason FROM observations")["reason"].to_pylist()
    assert reasons == ["annotator_said_nothing"] * 6


def test_trouble_with_the_tables_is_not_taken_for_the_streams(
    drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def batches() -> Iterator[list[Image]]:
        yield from tables(drawn)
        raise ValueError("a table is broken")

    spec, _ = drawn.annotators["simulated@1"]
    streaming(monkeypatch, ahead)
    with pytest.raises(ValueError, match="a table is broken"):
        list(ask_annotator.ask_stream(spec.build(), batches()))


def test_a_closed_stream_takes_no_more(drawn: OpenStudy) -> None:
    shown = ask_annotator._BatchesInFlight(iter([[Image("a", None)], [Image("b", None)]]))
    assert [image.id for image in next(shown)] == ["a"]
    assert [image.id for image in shown.close()] == ["a"]
    assert list(shown) == []


def sell(monkeypatch: pytest.MonkeyPatch, parallel: int | None = None, price: float | None = 0.25) -> Counter[str]:
    """Let the simulated annotator cost money; return how often it was asked about each image."""
    asked, lock = Counter[str](), threading.Lock()

    def paid(self: Any, images: Sequence[Image]) -> Iterator[Seen]:
        (image,) = images
        with lock:
            asked[image.id] += 1
        ticket = self.account.reserve(price, "annotator 'simulated'", image.id) if price else None
        time.sleep(0.005)
        if ticket:
            self.account.settle(ticket, price / 2 if price else 0.0)
        yield from LOOK(self, images)

    monkeypatch.setattr(Simulated, "annotate", paid)
    monkeypatch.setattr(Simulated, "account", UnlimitedAccount(), raising=False)
    monkeypatch.setattr(Simulated, "price", lambda self, text: price, raising=False)
    if parallel is not None:
        monkeypatch.setattr(Simulated, "parallel", parallel, raising=False)
    return asked


@pytest.mark.parametrize(("parallel", "price"), [(None, 0.25), (4, 0.25), (50, 0.0), (4, None)])
def test_a_service_is_asked_once_about_each_image(
    drawn: OpenStudy, expected: list[str], monkeypatch: pytest.MonkeyPatch, parallel: int | None, price: float | None
) -> None:
    asked = sell(monkeypatch, parallel, price)
    annotate(drawn, RunControl())
    annotate(drawn, RunControl())
    assert found(drawn) == expected
    assert len(asked) == asked.total() == 6
    assert spent_by_part(drawn.workspace) == ({"simulated@1": 0.75} if price else {})


def test_a_budget_stops_and_a_larger_one_goes_on(
    drawn: OpenStudy, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = sell(monkeypatch, 3)
    with pytest.raises(BudgetError, match=r"budget of 0\.5000 USD reached: 0\.3750 USD"):
        annotate(drawn, RunControl(budget=0.5))
    assert spent_by_part(drawn.workspace) == {"simulated@1": 0.375}
    assert drawn.workspace.query("SELECT DISTINCT image FROM observations").num_rows == 3
    annotate(drawn, RunControl(budget=0.875))
    assert found(drawn) == expected
    assert asked.total() <= 3 + 3 + 3  # those that the budget stopped were asked again


def test_without_a_price_a_budget_is_refused_before_anyone_is_asked(
    drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = sell(monkeypatch, 3, None)
    with pytest.raises(ConfigError, match="a budget needs prices"):
        annotate(drawn, RunControl(budget=100.0))
    assert not asked


def test_drawing_and_looking_are_paid_from_one_budget(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def generate_for_money(self: Any, jobs: Sequence[Job]) -> Iterator[Made]:
        for job in jobs:
            self.account.settle(self.account.reserve(1.0, "generator 'simulated'", job.id), 1.0)
            yield Made(job.id, job.id.encode(), "png", 1, 1, planted=[])

    monkeypatch.setattr(Drawer, "generate", generate_for_money)
    monkeypatch.setattr(Drawer, "account", UnlimitedAccount(), raising=False)
    monkeypatch.setattr(Drawer, "price", lambda self, text: 1.0, raising=False)
    monkeypatch.setattr(Drawer, "name", "drawer@1")
    sell(monkeypatch, 2)
    study = OpenStudy(make_study())
    plan(study, RunControl())
    generate(study, RunControl(budget=6.5))
    with pytest.raises(BudgetError, match=r"budget of 6\.5000 USD reached: 6\.3750 USD"):
        annotate(study, RunControl(budget=6.5))
    assert spent_by_part(study.workspace) == {"drawer@1": 6.0, "simulated@1": 0.375}


@pytest.mark.parametrize("parallel", [None, 2])
def test_a_picture_of_two_chunks_is_shown_once(
    make_study: Make, monkeypatch: pytest.MonkeyPatch, parallel: int | None
) -> None:
    """It is in flight when the second chunk is begun, and committed before its turn comes there."""
    shared = [0, 3, 7]  # of chunks of four

    def draw(self: Drawer, jobs: Sequence[Job]) -> Iterator[Made]:
        for job in jobs:
            number = jobs_by_id[job.id]
            # Named so that the shared picture is the last of its chunk.
            yield Made(job.id, b"", "", 0, 0, planted=[], fingerprint=b"same" if number in shared else job.id.encode())

    monkeypatch.setattr(Drawer, "generate", draw)
    batches = Table.batches
    monkeypatch.setattr(Table, "batches", lambda self, size=4: batches(self, size))
    monkeypatch.setattr(Made, "image", property(lambda self: "z" if self.fingerprint == b"same" else self.job))
    study = OpenStudy(make_study(generators=[{"use": "simulated", "images": 6}], annotate={"batch": 1, "workers": 1}))
    plan(study, RunControl())
    rows = study.workspace.query("SELECT id FROM jobs").to_pylist()
    jobs_by_id = {row["id"]: number for number, row in enumerate(rows)}
    generate(study, RunControl())
    asked = sell(monkeypatch, parallel, 0.0)
    annotate(study, RunControl())
    assert asked["z"] == 1
    assert asked.total() == len(asked) == 10
    rows = study.workspace.query("SELECT image, count(*) AS n FROM observations GROUP BY image").to_pylist()
    assert {row["n"] for row in rows} == {1}


def test_an_annotator_that_breaks_for_money_is_on_record_and_counted(
    drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    sell(monkeypatch, 2)

    def forgetful(self: Any, images: Sequence[Image]) -> Iterator[Seen]:
        self.account.reserve(0.25, "annotator 'simulated'", images[0].id)
        raise ZeroDivisionError

    monkeypatch.setattr(Simulated, "annotate", forgetful)
    with pytest.raises(BudgetError):
        annotate(drawn, RunControl(budget=1.0))
    reasons = drawn.workspace.query("SELECT reason FROM observations")["reason"].to_pylist()
    assert reasons == ["annotator_error: ZeroDivisionError"] * 4
    assert spent_by_part(drawn.workspace) == {"simulated@1": 1.0}


@pytest.mark.parametrize("pixels", [True, False])
def test_pictures_are_fetched_only_for_who_looks_at_them(
    drawn: OpenStudy, monkeypatch: pytest.MonkeyPatch, pixels: bool
) -> None:
    fetched: list[object] = []

    class Noted(ReadAhead):
        def __init__(self, files: Iterable[Any]) -> None:
            wanted = list(files)
            fetched.extend(wanted)
            super().__init__(wanted)

    monkeypatch.setattr(ask_annotator, "ReadAhead", Noted)
    monkeypatch.setattr(Simulated, "sees_pixels", pixels)
    annotate(drawn, RunControl())
    assert len(fetched) == 6 * pixels
