"""What pages of the studio take: a hundred studies, and a run watched: python benchmarks/studio_pages.py."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import list_studies
from portrayal.study.create.create_study import create_study

STUDIES, LOOKS, SECONDS_BETWEEN = 100, 30, 2.0
"""Looks at a run that goes on, as often as the page's script looks."""


def main() -> None:
    """Print processor time of the server, and the time by the clock."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for number in range(STUDIES):
            study(root / f"study-{number:03}", 2)
        study(root / "long", 100_000)
        command = [sys.executable, "-P", "-m", "portrayal", "studio", name, "--no-browser", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            link = server.stdout.readline().split()[-1]
            address, browser = link.partition("/r/")[0], build_opener(HTTPCookieProcessor())
            try:
                browser.open(link).read()
                timed("studies listed", server.pid, lambda: get(browser, f"{address}/"), 20)
                live(server.pid, address, browser, root)
            finally:
                server.terminate()


def live(pid: int, address: str, browser: OpenerDirector, root: Path) -> None:
    """Print what a page takes that looks every two seconds how far a run is."""
    key = next(each.key for each in list_studies(root) if each.name == "long")
    page = get(browser, f"{address}/s/{key}")
    token = page.partition('name="csrf" value="')[2].partition('"')[0]
    browser.open(f"{address}/s/{key}/run", f"csrf={token}&budget=".encode()).read()
    look = f"{address}/s/{key}/live"
    while '"total":0' in get(browser, look).replace(" ", ""):
        time.sleep(0.2)
    began, used, answered = time.perf_counter(), processor(pid), 0.0
    for _ in range(LOOKS):
        asked = time.perf_counter()
        get(browser, look)
        answered += time.perf_counter() - asked
        time.sleep(SECONDS_BETWEEN)
    share = (processor(pid) - used) / (time.perf_counter() - began)
    print(f"a page with live progress: {100 * share:.2f} % of a core, an answer takes {1000 * answered / LOOKS:.0f} ms")
    page = get(browser, f"{address}/s/{key}")
    token = page.partition('name="csrf" value="')[2].partition('"')[0]
    browser.open(f"{address}/s/{key}/stop", f"csrf={token}".encode()).read()
    while '"active":true' in get(browser, look).replace(" ", ""):
        time.sleep(0.2)


def study(folder: Path, images: int) -> None:
    """Create a study that draws nobody; small ones are run."""
    drawn = {"use": "simulated", "options": {"pixels": False}}
    create_study(folder, generator=drawn, annotator="simulated", prompts=["a nurse", "a CEO"], images=images)
    if images < LOOKS and folder.name.endswith("0"):
        Study(folder).run(progress=False)


def get(browser: OpenerDirector, address: str) -> str:
    """Return a page."""
    with browser.open(address) as answer:
        return str(answer.read().decode())


def processor(pid: int) -> float:
    """Return how many seconds of a processor a process has used, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def timed(what: str, pid: int, work: Callable[[], object], times: int) -> None:
    """Print the median by the clock and the mean of the server's processor time."""
    work()
    used, walls = processor(pid), []
    for _ in range(times):
        began = time.perf_counter()
        work()
        walls.append(time.perf_counter() - began)
    each = (processor(pid) - used) / times
    best, median = 1000 * min(walls), 1000 * sorted(walls)[times // 2]
    print(f"{what}: best {best:.0f} ms, median {median:.0f} ms, processor {1000 * each:.0f} ms")


if __name__ == "__main__":
    main()
