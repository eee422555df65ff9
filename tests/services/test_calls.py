from __future__ import annotations

import logging
import pickle
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import stamina.instrumentation

from portrayal.errors import BudgetError, ConfigError, ServiceError
from portrayal.services import calls
from portrayal.services.calls import Again, Broken, Refusal, Service, ServiceOptions
from portrayal.services.secrets import Secret
from portrayal.settings import parse_settings

if TYPE_CHECKING:
    from tests.services.conftest import Clock

KEY = "sk-planted-0123456789"
Sent = tuple[str, float]


class Books:
    """An account that remembers: what was reserved and what it was settled at; at most ``budget`` may be under way."""

    def __init__(self, budget: float = 1e9) -> None:
        self.budget, self.rows = budget, list[list[float | None]]()
        self._lock = threading.Lock()

    def reserve(self, usd: float, part: str, item: str) -> str:
        with self._lock:
            if self.spent() + usd > self.budget:
                raise BudgetError("budget reached")
            self.rows.append([usd, None])
            return str(len(self.rows) - 1)

    def settle(self, ticket: str, usd: float) -> None:
        assert self.rows[int(ticket)][1] is None
        self.rows[int(ticket)][1] = usd

    def spent(self) -> float:
        return sum(float((held if paid is None else paid) or 0) for held, paid in self.rows)


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("MY_KEY", KEY)


def build(**options: Any) -> tuple[Service, Books]:
    service = Service(
        "generator 'x'", ServiceOptions(**options), Secret("generator 'x'", "MY_KEY", "http://127.0.0.1:8000")
    )
    service.account = books = Books()
    return service, books


def script(*steps: Exception | float) -> Callable[[], Sent]:
    """Return a ``send`` that does one thing after the other: raises, or answers at a cost."""
    left = list(steps)

    def send() -> Sent:
        step = left.pop(0)
        if isinstance(step, Exception):
            raise step
        return "answer", step

    return send


def test_an_answer_is_paid_for_at_its_cost_even_above_what_was_set_aside() -> None:
    service, books = build()
    assert service.call("a", 0.5, script(0.2)) == "answer"
    assert service.call("a", 0.5, script(0.9)) == "answer"
    assert service.call("a", 0.5, script(-1.0)) == "answer"
    assert books.rows == [[0.5, 0.2], [0.5, 0.9], [0.5, 0.0]]


def test_what_costs_nothing_reserves_nothing() -> None:
    service, books = build()
    service.call("a", 0.0, script(0.0))
    assert books.rows == []


def test_tries_are_paid_one_by_one() -> None:
    service, books = build(tries=4)
    steps = (Again("timeout", billed=True), Again("server_error"), Again("rate_limited", after=0.01), 0.1)
    assert service.call("a", 0.5, script(*steps)) == "answer"
    assert books.rows == [[0.5, 0.5], [0.5, 0.0], [0.5, 0.0], [0.5, 0.1]]


def test_after_the_last_try_the_item_is_broken_for_the_reason_of_the_last() -> None:
    service, books = build(tries=3)
    with pytest.raises(Broken) as caught:
        service.call("a", 0.5, script(Again("timeout"), Again("timeout"), Again("server_error", "503"), 0.1))
    assert (caught.value.reason, caught.value.detail) == ("server_error", "503")
    assert len(books.rows) == 3


@pytest.mark.parametrize(
    ("error", "cost"),
    [
        (Refusal("content_policy", "no", billed=True), 0.5),
        (Refusal("content_policy"), 0.0),
        (Broken("bad_request"), 0.0),
        (Broken("answer_too_large", billed=True), 0.5),
        (ServiceError("stop"), 0.0),
    ],
)
def test_final_answers_are_not_tried_again(error: Exception, cost: float) -> None:
    service, books = build()
    with pytest.raises(type(error)):
        service.call("a", 0.5, script(error, 0.1))
    assert books.rows == [[0.5, cost]]


def test_whatever_else_is_raised_counts_as_paid_and_is_broken() -> None:
    service, books = build()
    with pytest.raises(Broken) as caught:
        service.call("a", 0.5, script(KeyError("Bearer " + KEY)))
    assert (caught.value.reason, caught.value.detail) == ("unexpected_error", "KeyError: 'Bearer ***'")
    assert books.rows == [[0.5, 0.5]]


def test_nobody_answering_stops_everything() -> None:
    service, _ = build(tries=2)
    gone = Again("unreachable", "nobody answers at host", stop=True)
    with pytest.raises(ServiceError, match=r"^generator 'x': nobody answers at host; 2 tries; nothing is lost$"):
        service.call("a", 0.5, script(gone, gone))


@pytest.mark.parametrize(("after", "shown"), [(61.0, "61"), (float("inf"), "inf")])
def test_a_wait_that_is_too_long_stops_everything(after: float, shown: str) -> None:
    service, books = build(longest_wait=60)
    with pytest.raises(ServiceError, match=rf"asks to wait {shown} s, longer than .*; run again then, nothing is lost"):
        service.call("a", 0.5, script(Again("rate_limited", after=after)))
    assert books.rows == [[0.5, 0.0]]


def test_a_rate_limit_is_found_and_kept_without_losing_an_item(clock: Clock) -> None:
    """One request in 40 ms is allowed, eight threads ask, and nobody says how long to wait."""
    service, _ = build()
    lock, free, refused = threading.Lock(), [0.0], list[str]()

    def send(item: str) -> Sent:
        with lock:
            now = clock.monotonic()
            if now < free[0]:
                refused.append(item)
                raise Again("rate_limited", limited=True)
            free[0] = now + 0.04
        return item, 0.0

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda item: service.call(str(item), 0.0, lambda: send(str(item))), range(40)))
    assert answers == [str(item) for item in range(40)]
    assert 0 < len(refused) < 40


def test_a_wait_of_no_time_is_no_invitation_to_hurry() -> None:
    service, _ = build(tries=3)
    start = time.monotonic()
    with pytest.raises(Broken):
        service.call("a", 0.0, script(*[Again("rate_limited", after=0.0)] * 3))
    assert time.monotonic() - start >= 0.03  # 0.01 and 0.02


def test_a_key_that_is_missing_is_told_before_money_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    service, books = build()
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(ConfigError, match="set the environment variable MY_KEY"):
        service.call("a", 0.5, script(0.1))
    assert books.rows == []


def test_what_is_kept_can_be_written_to_a_table() -> None:
    service, _ = build()
    assert service.kept(f"half \ud83d of {KEY}\nand more") == "half ? of ***\nand more"
    assert service.clean("a \ud800\n b").encode() == b"a ? b"


@pytest.mark.parametrize("after", [float("nan"), -3.0, None])
def test_a_wait_that_is_none_is_left_out(after: float | None) -> None:
    assert Again("x", after=after).after is None


def test_a_pause_holds_the_other_threads_too(clock: Clock) -> None:
    service, _ = build(tries=2)
    times = dict[str, float]()
    start = clock.monotonic()

    def send(name: str, first: list[Exception]) -> Sent:
        if first:
            raise first.pop()
        times[name] = clock.monotonic() - start
        return name, 0.0

    limited: list[Exception] = [Again("rate_limited", after=0.3)]
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(service.call, "a", 0.0, lambda: send("a", limited))
        while not service._limiter._free_at:
            time.sleep(0.001)
        second = pool.submit(service.call, "b", 0.0, lambda: send("b", []))
        first.result(), second.result()
    assert min(times.values()) >= 0.3
    assert max(times.values()) < 0.7


def test_requests_per_minute() -> None:
    service, _ = build(requests_per_minute=1200)
    start = time.monotonic()
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda item: service.call(str(item), 0.0, script(0.0)), range(5)))
    assert time.monotonic() - start >= 0.2


def test_the_budget_ends_the_tries() -> None:
    service, books = build(tries=9)
    books.budget = 1.0
    with pytest.raises(BudgetError):
        service.call("a", 0.4, script(*[Again("timeout", billed=True)] * 9))
    assert len(books.rows) == 2


def test_what_leaves_holds_no_key_not_even_half_of_one() -> None:
    service, _ = build(tries=2)
    long = "x" * 480 + f"\n\tBearer {KEY} and more"
    for error in (Broken("a", long), Refusal("a", long), ServiceError(long), Again("a", long), ValueError(long)):
        with pytest.raises((Broken, Refusal, ServiceError)) as caught:
            service.call("a", 0.0, script(error, error))
        text = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
        assert "sk-" not in text
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 600


def test_retries_are_not_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    service, _ = build()
    with caplog.at_level(logging.DEBUG):
        service.call("a", 0.0, script(Again("timeout"), 0.0))
    assert caplog.records == []


def test_hooks_of_the_program_are_left_in_place() -> None:
    service, _ = build()
    seen = list[str]()

    def hook(details: stamina.instrumentation.RetryDetails) -> None:
        seen.append(repr(details.caused_by))

    before = stamina.instrumentation.get_on_retry_hooks()
    stamina.instrumentation.set_on_retry_hooks([hook])
    try:
        service.call("a", 0.0, script(Again("timeout", KEY), 0.0))
    finally:
        stamina.instrumentation.set_on_retry_hooks(before)
    assert seen == ["Again('timeout', '***')"]


def test_the_address_is_checked_and_the_service_travels() -> None:
    with pytest.raises(ConfigError):
        build(base_url="http://me:secret@host")
    service, _ = build(base_url="http://127.0.0.1:1", requests_per_minute=600)
    del service.account
    copy = pickle.loads(pickle.dumps(service))
    assert copy.options == service.options
    assert KEY not in repr(pickle.dumps(service))


def test_only_the_address_makes_another_part() -> None:
    options = {
        "base_url": "http://host",
        "key_env": "A",
        "concurrency": 2,
        "timeout": 3,
        "tries": 4,
        "longest_wait": 5,
        "requests_per_minute": 6,
    }
    assert set(options) == set(ServiceOptions.model_fields)
    assert parse_settings(ServiceOptions, options, "x").changed() == {"base_url": "http://host"}
