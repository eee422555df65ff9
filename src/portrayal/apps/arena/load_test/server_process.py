"""The arena's server as a process of its own, to be put under load and to be killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from portrayal.errors import StudyError

__all__ = ["ServerProcess"]


class ServerProcess:
    """The server's process; after a kill it comes back at the same address."""

    def __init__(self, root: Path, database: str) -> None:
        self._root, self._port = root, 0
        self._environment = {**os.environ, "PORTRAYAL_ARENA_DATABASE": database}
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._port}"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve while the block runs."""
        self.start()
        try:
            yield
        finally:
            if self._process:
                self._process.terminate()
                self._process.communicate(timeout=30)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        words = ["arena", "serve", str(self._root), "--port", str(self._port)]
        command = [sys.executable, "-P", "-m", "portrayal", *words]  # -P: nothing of the current folder is imported
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command, env=self._environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if "http://" not in said:
            raise StudyError(f"the arena's server did not start: {self._process.communicate()[1].strip() or said}")
        self._port = int(said.split("http://", 1)[1].split()[0].rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """End the process as a power cut would end it, and start another."""
        assert self._process is not None
        self._process.kill()
        self._process.communicate()
        self.start()
