"""``portrayal report --summary``: the sheet lies beside the page, and its path is what is printed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_sheet_lies_beside_the_page(
    finished_copy: Path, cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    sheet = finished_copy / "report" / "summary.html"
    sheet.unlink()
    ran = cli("report", finished_copy)
    assert ran.stdout.strip().endswith("index.html")
    assert sheet.is_file()
    ran = cli("report", finished_copy, "--summary")
    assert ran.returncode == 0
    assert ran.stdout.strip().endswith("summary.html")
    assert "A small study" in sheet.read_text(encoding="utf-8")
