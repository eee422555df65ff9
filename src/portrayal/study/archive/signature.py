"""Signatures by an SSH key, as git makes them: by ``ssh-keygen``, which most machines have."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from portrayal.errors import InputError

__all__ = ["sign", "signed_by"]

_SPACE = "portrayal-archive"
_GOOD = re.compile(r"\bwith (\S+) key (SHA256:\S+)")
_PROGRAM = "ssh-keygen"


def sign(data: bytes, key: Path) -> bytes:
    """Return a signature of ``data``; a key that has a passphrase is asked for at the terminal, or of an agent."""
    if not key.is_file():
        raise InputError(f"{key}: no such file; give the private file of an SSH key")
    try:
        ran = _run("sign", ["-f", str(key)], data)
    except FileNotFoundError:
        raise InputError(f"{key}: signing needs {_PROGRAM}, which is not installed; or publish without a key") from None
    if ran.returncode or not ran.stdout:
        said = (ran.stderr.decode(errors="replace").strip().splitlines() or ["no key"])[-1]
        raise InputError(f"{key}: cannot sign with it: {said}; give the private file of an SSH key")
    return ran.stdout


def signed_by(data: bytes, signature: bytes) -> str | None:
    """Return which key signed ``data``, "" where the signature is of something else, and None where nobody can say."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(signature)
        file.flush()
        try:
            ran = _run("check-novalidate", ["-s", file.name], data)
        except FileNotFoundError:
            return None
    found = _GOOD.search(ran.stdout.decode(errors="replace"))
    return f"{found[1]} {found[2]}" if found and not ran.returncode else ""


def _run(deed: str, options: list[str], data: bytes) -> subprocess.CompletedProcess[bytes]:
    # Its own name on the PATH, and no shell.
    command = [_PROGRAM, "-Y", deed, "-n", _SPACE, *options]
    return subprocess.run(command, input=data, capture_output=True, check=False)  # noqa: S603
