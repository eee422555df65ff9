"""Asks one service of a hostile server, many hostilities at a time, in a process of its own.

``python ask_services.py SERVICE PORT FOLDER`` reads a list of steps and hostilities as JSON and prints what each came
to, how long it took, and the most memory that the process ever had.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from portrayal.annotators.vlm import Vlm, VlmOptions
from portrayal.errors import PortrayalError
from portrayal.generators.a1111 import A1111, A1111Options
from portrayal.generators.comfyui import Comfyui, ComfyuiOptions, queue
from portrayal.generators.openai import OpenAI, OpenAIOptions
from portrayal.records import Abstention, Failed, Image, Job, Made, Refused

THREADS, WAITING_THREADS = 8, 40
"""How many ask at a time; and of those who only wait for a timeout."""

PATIENCE, HASTE, DOUBT = 300.0, 1.0, 0.05
MOST_MEMORY = 3 * 2**30
"""Of addresses, so that what has no bound does not take down the machine."""

JOB = Job("a", "p", "g", 0, 1, "a photo of a nurse")


def _openai(url: str, common: dict[str, Any], _: Path) -> Any:
    return next(OpenAI("m", OpenAIOptions(base_url=f"{url}/v1", **common)).generate([JOB]))


def _vlm(url: str, common: dict[str, Any], folder: Path) -> Any:
    vlm = Vlm("m", VlmOptions(base_url=f"{url}/v1", answers=2, **common))
    return list(vlm.annotate([Image("i", folder / "picture.png", people=1, text="a nurse")]))[-1]


def _a1111(url: str, common: dict[str, Any], _: Path) -> Any:
    options = A1111Options(checkpoint="dream.safetensors [0123456789]", **common)
    return next(A1111(url, options).generate([JOB]))


def _comfyui(url: str, common: dict[str, Any], folder: Path) -> Any:
    return next(Comfyui(url, ComfyuiOptions(workflow=folder / "workflow.json", **common)).generate([JOB]))


ASK: dict[str, Callable[[str, dict[str, Any], Path], Any]] = {
    "openai": _openai,
    "vlm": _vlm,
    "a1111": _a1111,
    "comfyui": _comfyui,
}


def outcome(ask: Callable[[], Any]) -> tuple[str, str]:
    """Return the kind of what it came to, and the reason or message."""
    try:
        found = ask()
    except PortrayalError as error:
        return "stopped", str(error)
    except BaseException as error:  # what no user should ever see
        return "traceback", f"{type(error).__name__}: {error}"
    if isinstance(found, Made):
        return "made", found.revised_prompt or ""
    if isinstance(found, Failed | Refused):
        return "failed", f"{found.reason}: {found.detail}"
    return ("abstained", found.reason) if isinstance(found, Abstention) else ("told", repr(found))


def most_memory() -> int:
    """Return the most memory that this process ever had; what ``getrusage`` says begins with its parent's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def main() -> None:
    """Ask for everything on standard input."""
    cases: list[tuple[str, str, bool]] = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    service, port, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    queue._DOUBT = DOUBT  # by then a job that the server does not know is lost

    def one(case: tuple[str, str, bool]) -> tuple[str, str, str, str, float]:
        step, name, timed = case
        url = f"http://127.0.0.1:{port}/{service}/{step}/{name}"
        common = {"tries": 1, "timeout": HASTE if timed else PATIENCE, "longest_wait": 1.0}
        begin = time.monotonic()
        kind, said = outcome(lambda: ASK[service](url, common, folder))
        return step, name, kind, said, time.monotonic() - begin

    with ThreadPoolExecutor(THREADS) as busy, ThreadPoolExecutor(WAITING_THREADS) as waiting:
        asked = [(waiting if timed else busy).submit(one, (step, name, timed)) for step, name, timed in cases]
        rows = [question.result() for question in asked]
    json.dump({"rows": rows, "memory": most_memory()}, sys.stdout)


if __name__ == "__main__":
    main()
