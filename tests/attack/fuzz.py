"""Fuzzing with coverage: atheris makes up files that reach code no file reached before, for every reader of files.

``python -m tests.attack.fuzz --seconds 60`` reads for a minute in each format, or only in those that are named. A file
that ends in anything but a :class:`PortrayalError`, or takes over a minute or 2 GB, is left in ``build/fuzz`` and ends
the run with exit code 1: mend the reader and put the file into ``tests/attack/samples/fuzzed/FORMAT/``, which
``test_fuzzed_files.py`` reads from then on. What atheris learns stays in ``build/fuzz`` for the next run.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

SAMPLES = Path(__file__).parent / "samples"
LEARNT = Path("build") / "fuzz"
LONGEST = 20_000
"""Bytes of a file."""


def main() -> int:
    """Fuzz every format in a process of its own."""
    known = formats()
    parser = argparse.ArgumentParser(description="Fuzz readers of files.")
    parser.add_argument("formats", nargs="*", choices=[[], *known], metavar="FORMAT")
    parser.add_argument("--seconds", type=int, default=60, help="for each format")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        fuzz(given.formats[0], given.seconds)
    failed = []
    for name in given.formats or known:
        words = ["-m", "tests.attack.fuzz", "--one", "--seconds", str(given.seconds), name]
        ran = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        last = [line for line in ran.stderr.splitlines() if line.startswith(("Done", "#"))][-1:]
        sys.stdout.write(f"{name}: {'failed' if ran.returncode else 'sound'} {' '.join(last)}\n")
        sys.stdout.flush()
        if ran.returncode:
            failed.append(name)
            sys.stdout.write(ran.stderr[-3000:])
    return 1 if failed else 0


def formats() -> Mapping[str, Callable[[Path], object]]:
    """Return the readers by the name of a file."""
    from tests.attack.formats import FORMATS

    return FORMATS


def fuzz(name: str, seconds: int) -> None:
    """Let atheris make up files of a format; ends the process."""
    from portrayal.errors import PortrayalError

    atheris = importlib.import_module("atheris")  # installed by make fuzz alone
    learnt = LEARNT / name
    learnt.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        (path.parent / "a.png").touch()
        (path.parent / "0.png").touch()
        with atheris.instrument_imports(include=["portrayal", "csv", "json", "tomllib"]):
            read = formats()[name]
            whole = [*(SAMPLES / "fuzzed" / name).glob("*"), *SAMPLES.glob(name)]
            for number, sample in enumerate(whole):
                (learnt / f"sample-{number}").write_bytes(sample.read_bytes())
                path.write_bytes(sample.read_bytes())
                with contextlib.suppress(PortrayalError):
                    read(path)  # imports what it needs, to be instrumented

        def one(data: bytes) -> None:
            path.write_bytes(data)
            with contextlib.suppress(PortrayalError):
                read(path)

        words = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=60", "-rss_limit_mb=2048"]
        atheris.Setup([sys.argv[0], str(learnt), *words, f"-artifact_prefix={learnt}-"], one)
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
