"""Runs files of tests, each in a fork of a process in which what they import from others is loaded: half of their time.

Reads lines of JSON, ``["tests/test_x.py", seconds, whether compiled files may be written]``, and answers each with the
exit code, or -1 after the limit. Nothing of the package is loaded here: each fork imports it as it is on disk.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
import time
from pathlib import Path

LOADED = (
    "_pytest.doctest",
    "duckdb",
    "hypothesis.extra.numpy",
    "jinja2",
    "numpy",
    "pandas",
    "PIL.Image",
    "pyarrow.dataset",
    "pydantic",
    "pytest",
    "scipy.stats",
    "sqlalchemy",
    "xdist.plugin",
)
BETWEEN_LOOKS = 0.02
# The one warning that comes from all this: assertions of plugins, which are loaded, are not explained.
ALLOWED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
STUCK = -1


def main() -> None:
    """Answer lines until there are no more."""
    sys.path[0] = str(Path.cwd())
    for name in LOADED:
        importlib.import_module(name)
    gc.freeze()
    for line in sys.stdin:
        test, limit, writes = json.loads(line)
        child = os.fork()
        if not child:
            _run(test, writes)
        print(_wait(child, limit), flush=True)
    os._exit(0)  # without DuckDB's list of what it has not let go


def _run(test: str, writes: bool) -> None:
    """Run the tests in a session of their own, so that all that they start can be ended with them."""
    import pytest

    os.setsid()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silence, stream)
    sys.dont_write_bytecode = not writes
    if not writes:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    code = 1
    try:
        code = int(pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", *ALLOWED, test]))
    finally:
        os._exit(code)


def _wait(child: int, limit: float) -> int:
    end = time.monotonic() + limit
    done, status = os.waitpid(child, os.WNOHANG)
    while not done and time.monotonic() < end:
        time.sleep(BETWEEN_LOOKS)
        done, status = os.waitpid(child, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not done:
        os.waitpid(child, 0)
        return STUCK
    return abs(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
