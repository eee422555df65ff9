"""What the Ray engine costs: efficiency by the number of actors, overhead of a batch, memory and commits of the driver.

    python benchmarks/ray_engine.py [--address HOST:PORT] [--quick]

Without an address a Ray node is started on this machine that says it had 20 cores: sleeping needs none.
The part sleeps 50 ms an image, as one would that waits for a graphics card, eight images to a batch. Time is counted
from the moment at which every actor has answered once: starting Python so often on few cores takes longer than the
work. Prints Markdown.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import ray

from portrayal.engines import LocalEngine
from portrayal.engines.ray import RayCluster, RayEngine, connect
from portrayal.processes import Resources
from portrayal.records import OBSERVATION_SCHEMA, Observation, to_table
from portrayal.store.workspace import Workspace

SECONDS = 0.05
BATCH = 8


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--address", default="")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    given = parser.parse_args()
    share = 10 if given.quick else 1
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    if not given.address:
        ray.init("local", num_cpus=20, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    with connect(given.address) as cluster:
        print("| actors | batches | seconds | images/s | of the ideal |\n| --- | --- | --- | --- | --- |")
        for actors in (1, 2, 4, 8, 16):
            print(efficiency(cluster, actors, 40 * actors // share + actors), flush=True)
        print(f"\n{overhead(cluster, 4000 // share)}", flush=True)
        print(f"\n{memory(cluster, 1_000_000 // share)}", flush=True)
    print(f"\n{commits(2000 // share)}\n\nload at the end {os.getloadavg()[0]:.1f}")


def sleeper() -> Callable[[int], int]:
    """Build a function that sleeps for a number of images and returns its process."""
    return _sleep


def _sleep(images: int) -> int:
    time.sleep(images * SECONDS)
    return os.getpid()


def efficiency(cluster: RayCluster, actors: int, batches: int) -> str:
    """Return a row: how much faster than one actor that never waits."""
    seen: set[int] = set()
    began = [0.0]

    def given() -> Iterator[int]:
        while len(seen) < actors:  # single images, until every actor is there
            yield 1
        began[0] = time.monotonic()
        for _ in range(batches):
            yield BATCH

    for ready in RayEngine(cluster, Resources(cpus=1), actors).map(sleeper, given()):
        seen.update(ready)
    took = time.monotonic() - began[0]
    ideal = batches * BATCH * SECONDS / actors
    return f"| {actors} | {batches} | {took:.1f} | {batches * BATCH / took:.0f} | {ideal / took:.1%} |"


def overhead(cluster: RayCluster, batches: int) -> str:
    """Return what a batch costs on which there is nothing to do, with two workers each."""
    nothing = partial(partial, len)

    def batches_after(began: list[float]) -> Iterator[list[int]]:
        for _ in range(200):
            yield [1]
        began.append(time.monotonic())
        for _ in range(batches):
            yield [1]

    found = []
    for engine in (RayEngine(cluster, Resources(cpus=1), 2), LocalEngine(2)):
        began: list[float] = []
        for _ in engine.map(nothing, batches_after(began)):
            pass
        found.append((time.monotonic() - began[0]) / batches * 1000)
    ray, local = found
    return f"A batch with nothing to do, 2 workers: Ray {ray:.2f} ms, local processes {local:.2f} ms."


def memory(cluster: RayCluster, jobs: int) -> str:
    """Return the driver's memory while so many jobs pass through, a hundred to a batch."""
    marks = {jobs * part // 100: 0.0 for part in (10, 40, 70, 100)}
    done = 0
    work = partial(partial, list)
    began = time.monotonic()
    for ready in RayEngine(cluster, Resources(cpus=1), 2).map(work, (range(n, n + 100) for n in range(0, jobs, 100))):
        done += sum(map(len, ready))
        for mark, known in marks.items():
            if done >= mark and not known:
                marks[mark] = _resident()
    told = ", ".join(f"{known:.1f} MiB at {mark:,}" for mark, known in marks.items())
    return f"{jobs:,} jobs in {time.monotonic() - began:.0f} s; the driver's memory: {told}."


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def commits(count: int) -> str:
    """Return how many rows a second the driver commits, a thousand at a time."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        table = Workspace(Path(folder)).tables["observations"]
        rows = [Observation(f"{n:064x}", "bench@1", 0, "gender", mass=(0.5, 0.5)) for n in range(1000)]
        batch = to_table(rows, OBSERVATION_SCHEMA)
        began = time.monotonic()
        for _ in range(count // 10):
            table.append(batch)
        took = time.monotonic() - began
    return f"Commits of 1,000 rows, each synced to disk: {count // 10 * 1000 / took:,.0f} rows/s."


if __name__ == "__main__":
    main()
