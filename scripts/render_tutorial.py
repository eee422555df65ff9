"""Run the notebooks of the tutorial from top to bottom, and write each as a page with its pictures beside it.

    python scripts/render_tutorial.py [--check] [--images N] [NOTEBOOK ...]

Notebooks lie in ``docs/tutorial`` without outputs; they run in an empty folder. ``--check`` writes nothing and tells
where a page is not what the notebook gives today. Numbers may differ there: other processors draw other pixels.
With ``--images`` as well it draws only so many of each prompt.
"""

from __future__ import annotations

import argparse
import base64
import difflib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial"
_EMBEDDED = re.compile(r'src="data:image/\w+;base64,([^"]+)"')
_IMAGES = re.compile(r"\bimages=\d+")
_NUMBER = re.compile(r"-?\d[\d.,]*")
_EDGE, _ACROSS, _GAP = 112, 8, 4
"""Pixels of a picture's edge, pictures in a row, and pixels between them."""


@dataclass
class Page:
    """A notebook as Markdown, and the files that it shows."""

    name: str
    lines: list[str] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)

    def add(self, *lines: str) -> None:
        """Add a paragraph."""
        self.lines += [*lines, ""]

    def show(self, data: bytes, ending: str, alt: str) -> None:
        """Add a picture."""
        name = f"{self.name}-{len(self.pictures) + 1}.{ending}"
        self.pictures[name] = data
        self.add(f"![{alt}]({name})")

    def text(self) -> str:
        """Return the Markdown."""
        return "\n".join(self.lines)


def main() -> int:
    """Run and write, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(TUTORIAL.glob("*.ipynb")))
    parser.add_argument("--check", action="store_true", help="write nothing; tell what would change")
    parser.add_argument("--images", type=int, help="of each prompt, to check sooner; not for pages that are written")
    given = parser.parse_args()
    if given.images and not given.check:
        parser.error("--images is for --check")
    pages = [render(path, given.images) for path in given.notebooks]
    if given.check:
        changes = [line for page in pages for line in changed(page)]
        print("\n".join(changes))
        return 1 if changes else 0
    for page in pages:
        for old in TUTORIAL.glob(f"{page.name}-[0-9]*"):
            old.unlink()
        (TUTORIAL / f"{page.name}.md").write_text(page.text(), encoding="utf-8")
        for name, data in page.pictures.items():
            (TUTORIAL / name).write_bytes(data)
    return 0


def render(path: Path, images: int | None = None) -> Page:
    """Run a notebook in an empty folder, with so many images of each prompt, and return its page."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # it has no types
    for cell in notebook.cells if images else ():
        cell.source = _IMAGES.sub(f"images={images}", cell.source)
    with tempfile.TemporaryDirectory(prefix="portrayal-tutorial-") as folder:
        # What notebooks remember of the user must not change the page, nor the page what they remember.
        os.environ |= {"IPYTHONDIR": f"{folder}/.ipython", "JUPYTER_CONFIG_DIR": f"{folder}/.jupyter"}
        work = Path(folder) / "work"
        work.mkdir()
        NotebookClient(notebook, timeout=None, kernel_name="python3", resources={"metadata": {"path": work}}).execute()
    page = Page(path.stem)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            page.add(cell.source)
        else:
            page.add("```python no-test", cell.source, "```")
            for output in cell.outputs:
                add_output(page, output)
    page.add(f"*This page was made from [{path.name}]({path.name}), which you can run.*")
    return page


def add_output(page: Page, output: Mapping[str, Any]) -> None:
    """Add what a cell gave: pictures as files, everything else as text."""
    if output["output_type"] == "stream":
        add_text(page, output["text"])
        return
    data: Mapping[str, str] = output["data"]
    html, plain = data.get("text/html", ""), data.get("text/plain", "")
    if "<progress" in html or plain.endswith(": nothing to do"):
        return
    if "image/svg+xml" in data:
        page.show(data["image/svg+xml"].encode(), "svg", "chart")
    elif "image/png" in data:
        page.show(base64.b64decode(data["image/png"]), "png", "chart")
    elif embedded := _EMBEDDED.findall(html):
        page.show(contact_sheet([base64.b64decode(own) for own in embedded]), "jpg", "pictures")
    else:
        add_text(page, plain)


def add_text(page: Page, text: str) -> None:
    """Add lines that were printed."""
    page.add("```text", *(line.rstrip() for line in text.rstrip().splitlines()), "```")


def contact_sheet(files: Sequence[bytes]) -> bytes:
    """Return pictures side by side, as one small file."""
    pictures = [Image.open(io.BytesIO(data)).convert("RGB") for data in files]
    step, across = _EDGE + _GAP, min(_ACROSS, len(pictures))
    sheet = Image.new("RGB", (across * step - _GAP, -(-len(pictures) // across) * step - _GAP), "white")
    for number, picture in enumerate(pictures):
        picture.thumbnail((_EDGE, _EDGE))
        sheet.paste(picture, (number % across * step, number // across * step))
    file = io.BytesIO()
    sheet.save(file, "JPEG", quality=80, optimize=True)
    return file.getvalue()


def changed(page: Page) -> Iterator[str]:
    """Yield how a page differs from the one on disk, but for numbers and what is in pictures."""
    path = TUTORIAL / f"{page.name}.md"
    known = path.read_text(encoding="utf-8") if path.exists() else ""
    yield from difflib.unified_diff(
        plain_lines(known), plain_lines(page.text()), str(path), "what the notebook gives", lineterm="", n=0
    )
    yield from (f"{TUTORIAL / name}: missing" for name in page.pictures if not (TUTORIAL / name).exists())


def plain_lines(text: str) -> list[str]:
    """Return lines without numbers, and without the blanks that line up columns of them."""
    return [" ".join(_NUMBER.sub("0", line).split()) for line in text.splitlines()]


if __name__ == "__main__":
    sys.exit(main())
