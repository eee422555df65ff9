"""How much the tests notice: changes one place of the code after another, and runs the tests that should fail.

python -m benchmarks.mutants [--sample 300] [--seed 27] [--jobs 1] [--rooms store stats …] [--again]

Each mutant lives in a copy of the tree in memory. First the tests that import its module, then those that import what
imports it, until one fails, in ``--tests`` files at most. What was tried is in a log, which a later run
goes on with; ``--again`` tries survivors once more, after tests were added. Prints tables of docs/reliability.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from benchmarks.mutants.sample import Mutant, draw
from benchmarks.mutants.selection import Selection

ROOT = Path(__file__).parents[2]
ROOMS = ("store", "stats", "metrics", "evidence", "study")
EQUIVALENT: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8"))
MEMORY = Path("/dev/shm")
"""Tests of the store wait for disks most of the time."""
LONGEST = 120
"""Seconds: a file of tests that takes longer is left out."""
SLOWER, SPARE = 5, 20
"""A mutant that takes so many times as long as the code, and so many seconds more, is stuck."""
Row = dict[str, Any]


class Tree:
    """A copy of the tree in which modules are changed, with the times that its tests take unchanged."""

    def __init__(self, folder: Path, python: Path, times: dict[str, float | None]) -> None:
        self._folder, self._times = folder, times
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines():
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        (folder / "tmp").mkdir()
        kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        paths = {"PYTHONPATH": str(folder / "src"), "TMPDIR": str(folder / "tmp"), "OMP_NUM_THREADS": "1"}
        subprocess.run([str(python), "-m", "compileall", "-q", "src"], cwd=folder, env=kept, check=True)
        words, pipe = [str(python), "benchmarks/mutants/warm.py"], subprocess.PIPE
        self._warm = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=folder, env=kept | paths)

    def try_mutant(self, mutant: Mutant, tests: list[Path]) -> Row:
        """Run files of tests until one fails, and return what happened."""
        names = [str(test.relative_to(ROOT)) for test in tests]
        for name in names:
            usual = self._usual(name)
            code = 0 if usual is None else self._run_changed(mutant, name, SLOWER * usual + SPARE)
            if code:
                return {"outcome": "timed out" if code < 0 else "killed", "by": name}
        if names and not any(map(self._usual, names)):
            raise RuntimeError(f"{', '.join(names)}: these tests fail, or take too long, without any change")
        return {"outcome": "survived", "by": len(names)}

    def _usual(self, test: str) -> float | None:
        """Return the seconds that a file of tests takes, or None where it takes too long or fails unchanged."""
        if test not in self._times:
            start = time.monotonic()
            code = self._pytest(test, LONGEST, writes=True)
            self._times[test] = time.monotonic() - start if code == 0 else None
        return self._times[test]

    def _run_changed(self, mutant: Mutant, test: str, limit: float) -> int:
        path = self._folder / mutant.path.relative_to(ROOT)
        code, times = path.read_bytes(), path.stat()
        path.write_text(mutant.code, encoding="utf-8")
        # Compiled files are told by time and size: those of the code stay valid, and none is ever made of a mutant.
        os.utime(path, (times.st_atime, times.st_mtime + 1000))
        try:
            return self._pytest(test, limit, writes=False)
        finally:
            path.write_bytes(code)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _pytest(self, test: str, limit: float, *, writes: bool) -> int:
        """Run a file of tests; return how it ended, or -1 after the limit."""
        assert self._warm.stdin
        assert self._warm.stdout
        print(json.dumps([test, limit, writes]), file=self._warm.stdin, flush=True)
        code = int(self._warm.stdout.readline())
        for left in (self._folder / "tmp").iterdir():
            shutil.rmtree(left, ignore_errors=True)
        return code


def main() -> None:
    """Try what has not been tried, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=27)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", default=ROOMS)
    parser.add_argument("--tests", type=int, default=20)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--python", type=Path, default=ROOT / ".venv/bin/python")
    parser.add_argument("--log", type=Path, default=ROOT / "build/mutants.jsonl")
    options = parser.parse_args()
    paths = [path for room in options.rooms for path in sorted((ROOT / "src/portrayal" / room).rglob("*.py"))]
    mutants = draw(paths, options.seed, options.sample)
    rows = _read(options.log)
    done = {name for name, row in rows.items() if not (options.again and row["outcome"] == "survived")}
    rows |= _try([mutant for mutant in mutants if mutant.name not in {*done, *EQUIVALENT}], options)
    _print([rows.get(mutant.name, _describe(mutant)) for mutant in mutants])


def _try(mutants: list[Mutant], options: argparse.Namespace) -> Mapping[str, Row]:
    options.log.parent.mkdir(parents=True, exist_ok=True)
    selection, trees, rows = Selection(ROOT), SimpleQueue[Tree](), {}
    times: dict[str, float | None] = {}

    def attempt(mutant: Mutant) -> Row:
        tree = trees.get()
        try:
            return _describe(mutant) | tree.try_mutant(mutant, selection.tests(mutant.path, options.tests))
        finally:
            trees.put(tree)

    memory = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="mutants-", dir=memory) as folder, options.log.open("a") as log:
        Path(folder).chmod(0o755)  # PostgreSQL's tests run as another user
        for job in range(options.jobs):
            trees.put(Tree(Path(folder, str(job)), options.python, times))
        with ThreadPoolExecutor(options.jobs) as pool, contextlib.ExitStack() as stack:
            stack.callback(pool.shutdown, wait=False, cancel_futures=True)  # after Ctrl-C, only what runs is waited for
            for row in (future.result() for future in as_completed([pool.submit(attempt, m) for m in mutants])):
                rows[row["name"]] = row
                print(json.dumps(row), file=log, flush=True)
                print(row["outcome"], row["path"], row["line"], row["diff"], sep="\t", file=sys.stderr)
    return rows


def _describe(mutant: Mutant) -> Row:
    path = str(mutant.path.relative_to(ROOT))
    room = mutant.path.relative_to(ROOT / "src/portrayal").parts[0]
    facts = {"name": mutant.name, "room": room, "path": path, "line": mutant.line, "diff": mutant.diff}
    return {**facts, "outcome": "equivalent"}


def _read(log: Path) -> dict[str, Row]:
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return {row["name"]: row for row in map(json.loads, lines)}


def _print(rows: Iterable[Row]) -> None:
    rows = [row | ({"outcome": "equivalent"} if row["name"] in EQUIVALENT else {}) for row in rows]
    outcomes = ("killed", "timed out", "survived", "equivalent")
    print("| room | mutants |", " | ".join(outcomes), "| noticed |")
    for room in (*dict.fromkeys(row["room"] for row in rows), "all"):
        counts = Counter(row["outcome"] for row in rows if room in (row["room"], "all"))
        noticed = 100 * (counts["killed"] + counts["timed out"]) / max(1, counts.total() - counts["equivalent"])
        print(f"| {room} | {counts.total()} |", " | ".join(str(counts[n]) for n in outcomes), f"| {noticed:.0f} % |")
    for row in rows:
        if row["outcome"] in ("survived", "equivalent"):
            reason = EQUIVALENT.get(row["name"], "")
            print(f"\n{row['name']} {row['outcome']} {row['path']}:{row['line']} {reason}\n{row['diff']}")


if __name__ == "__main__":
    main()
