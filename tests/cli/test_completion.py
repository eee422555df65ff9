"""The shell completes commands, options and what can be chosen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PORTRAYAL = Path(sys.executable).with_name("portrayal")
FOUND_BY = f"{PORTRAYAL.parent}{os.pathsep}{os.environ['PATH']}"


def completed(*words: str, folder: Path) -> set[str]:
    """Return what the shell is offered for the last of these words."""
    asked = {"_PORTRAYAL_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    ran = subprocess.run(
        [str(PORTRAYAL)], cwd=folder, env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    return set(ran.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("portrayal", "pub"), {"publish"}),
        (("portrayal", "arena", "se"), {"serve"}),
        (("portrayal", "publish", "x", "--as", "b"), {"bundle"}),
        (("portrayal", "run", "x", "--dr"), {"--dry-run"}),
    ],
)
def test_commands_options_and_choices_are_completed(words: tuple[str, ...], offered: set[str], tmp_path: Path) -> None:
    assert completed(*words, folder=tmp_path) == offered


@pytest.mark.slow
def test_what_is_installed_makes_bash_complete(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash
    script = """
    portrayal --install-completion >/dev/null
    source .bashrc
    COMP_WORDS=(portrayal hist) COMP_CWORD=1
    complete -p portrayal | grep -q -- "-F _portrayal_completion"
    _portrayal_completion portrayal
    echo "${COMPREPLY[@]}"
    """
    home = {**os.environ, "HOME": str(tmp_path), "PATH": FOUND_BY, "SHELL": bash}
    ran = subprocess.run([bash, "-ec", script], cwd=tmp_path, env=home, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout.split()) == (0, ["history"]), ran.stderr
