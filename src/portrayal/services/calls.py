"""One call of a service over HTTP: within its limits and the budget, tried again when that may help.

Several threads call at the same time. They share one rate limiter, so that all wait when the service asks one to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import Field

from portrayal.errors import PortrayalError, ServiceError
from portrayal.services.account import Account, UnlimitedAccount
from portrayal.services.addresses import check_url
from portrayal.services.no_result import Again, Broken, NoResult, Refusal
from portrayal.services.rate_limiter import RateLimiter, spread
from portrayal.services.secrets import Secret
from portrayal.services.transport.turn import answer_scope
from portrayal.settings import Settings

__all__ = ["Again", "Broken", "PaidPart", "Refusal", "Service", "ServiceOptions"]

T = TypeVar("T")

FIRST_WAIT = 0.5
"""Seconds before the second try, plus as many again at random; each further wait is twice as long."""

_LONGEST_BACKOFF = 60.0
_LONGEST_DETAIL = 500
_LONGEST_READ = 100_000
_LONGEST_KEY = 4_096


class ServiceOptions(Settings):
    """What every part behind HTTP can be told; of this only ``base_url`` makes another part."""

    base_url: str = ""
    key_env: str = ""
    concurrency: int = Field(default=8, ge=1, le=256)
    timeout: float = Field(default=120, gt=0)
    tries: int = Field(default=5, ge=1, le=20)
    longest_wait: float = Field(default=120, ge=0)
    requests_per_minute: float | None = Field(default=None, gt=0)

    def changed(self) -> dict[str, Any]:
        """Leave out what cannot change an answer: how, how often and at what price the service is asked."""
        silent = {*ServiceOptions.model_fields, "price"} - {"base_url"}
        return {name: value for name, value in super().changed().items() if name not in silent}


class Service:
    """Makes calls for ``part``, such as ``generator 'openai'``; may be used by several threads at a time."""

    def __init__(self, part: str, options: ServiceOptions, key: Secret) -> None:
        if options.base_url:
            check_url(part, options.base_url)
        self.part = part
        self.options = options
        self.key = key
        self.account: Account = UnlimitedAccount()
        spacing = 60 / options.requests_per_minute if options.requests_per_minute else 0.0
        self._limiter = RateLimiter(spacing, FIRST_WAIT)

    def call(self, item: str, price: float, send: Callable[[], tuple[T, float]]) -> T:
        """Return the answer of ``send``; one request for ``item`` costs ``price`` at most.

        ``send`` makes one request and returns its answer and what it cost in USD, or raises one of these:

        Raises
        ------
        Refusal
            The service declined.
        Broken
            It did not work, or did not work in all tries.
        ServiceError
            It will not work for any other item either.
        BudgetError
            One more request could exceed the budget.
        """
        try:
            answer: T = self._retrying()(_wait, self._send, item, price, send)
            return answer
        except Again as error:
            last = error
        if last.stop:
            raise ServiceError(f"{self.part}: {last.detail}; {self.options.tries} tries; nothing is lost")
        raise Broken(last.reason, last.detail)

    def clean(self, text: str) -> str:
        """Return ``text`` in one line of bounded length without the key, and without what a terminal would obey.

        Where a text is cut, half a key may stay, and is a secret too: so the end of what was read is left out.
        """
        kept = self.kept(text[:_LONGEST_READ])
        if len(text) > _LONGEST_READ:
            kept = kept[:-_LONGEST_KEY]
        line = "".join(mark if mark.isprintable() else "�" for mark in " ".join(kept.split()))
        return line if len(line) <= _LONGEST_DETAIL else line[: _LONGEST_DETAIL - 1] + "…"

    def kept(self, text: str) -> str:
        """Return ``text`` without the key and without halves of characters, which JSON can spell and no table hold."""
        return self.key.clean(text.encode("utf-8", "replace").decode())

    def _retrying(self) -> Any:
        import stamina
        from stamina.instrumentation import get_on_retry_hooks, set_on_retry_hooks

        # Its own hooks report every retry as a warning on the screen; hooks that a program set are left in place.
        hooks = get_on_retry_hooks()
        theirs = tuple(hook for hook in hooks if not hook.__module__.startswith("stamina."))
        if theirs != hooks:
            set_on_retry_hooks(theirs)
        return stamina.RetryingCaller(
            attempts=self.options.tries,
            timeout=None,
            wait_initial=FIRST_WAIT,
            wait_jitter=FIRST_WAIT,
            wait_max=min(_LONGEST_BACKOFF, self.options.longest_wait),
        )

    def _send(self, item: str, price: float, send: Callable[[], tuple[T, float]]) -> T:
        """Make one try; what is large about its answer is held until it is clear what it comes to."""
        with answer_scope():
            return self._try(item, price, send)

    def _try(self, item: str, price: float, send: Callable[[], tuple[T, float]]) -> T:
        """What leaves here holds no key, not in the chain of causes either."""
        self.key.reveal()  # one that is missing is told before money is set aside
        since = self._limiter.wait()
        ticket = self.account.reserve(price, self.part, item) if price else None
        cost = price  # when it is not known whether a request was billed, it was
        try:
            answer, cost = send()
            self._limiter.speed_up()
            return answer
        except NoResult as error:
            cost = price if error.billed else 0.0
            if isinstance(error, Again):
                self._heed(error, since)
            raise self._cleaned(error) from None
        except PortrayalError as error:
            cost = 0.0
            raise type(error)(self.clean(str(error))) from None
        except Exception as error:  # whatever a library raises may quote the request, with the key in its headers
            raise Broken("unexpected_error", self.clean(f"{type(error).__name__}: {error}")) from None
        finally:
            if ticket is not None:
                self.account.settle(ticket, max(cost, 0.0))

    def _heed(self, error: Again, since: float) -> None:
        after = error.after or 0.0
        if after > self.options.longest_wait:
            raise ServiceError(
                f"{self.part}: the service asks to wait {after:.0f} s, longer than options.longest_wait; "
                "run again then, nothing is lost"
            ) from None
        if error.limited:
            self._limiter.slow_down(since, error.after)
        else:
            self._limiter.pause(after)

    def _cleaned(self, error: NoResult) -> NoResult:
        error.detail = self.clean(error.detail)
        error.args = (error.reason, error.detail)
        # Nor do the frames it came through stay with it, whose variables some tools print.
        error.__context__ = None
        return error.with_traceback(None)


class PaidPart:
    """A generator or annotator whose requests are paid from the account of its ``service``."""

    service: Service

    def require_ready(self) -> None:
        """Refuse to begin without the key that the service wants."""
        self.service.key.reveal()

    @property
    def account(self) -> Account:
        """Where the money for the requests comes from."""
        return self.service.account

    @account.setter
    def account(self, account: Account) -> None:
        self.service.account = account


def _wait(error: Exception) -> bool | float:
    """Tell the library whether to try again: as soon as the service allows, or after its own growing wait."""
    if not isinstance(error, Again):
        return False
    return spread(error.after) if error.after else True
