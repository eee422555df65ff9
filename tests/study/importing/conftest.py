"""What the tests of several kinds of import share."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def break_second_call(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], None]:
    """Let the second call of an object's method fail, as if the plug were pulled there."""

    def break_it(part: object, name: str) -> None:
        real, calls = getattr(part, name), iter((True, False))

        def call(*arguments: object) -> object:
            if not next(calls):
                raise RuntimeError("pulled the plug")
            return real(*arguments)

        monkeypatch.setattr(part, name, call)

    return break_it
