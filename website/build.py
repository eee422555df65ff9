"""Builds the documentation site from ``docs/``: ``python -m website.build [--without-samples]``.

It needs no network. The pages are those that GitHub shows; added are the files beside ``docs/``, a reference of the
Python API made from the docstrings, and sample reports of every method. Any warning of Sphinx, such as a link or an
anchor that leads nowhere, ends it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main
from website.samples import SAMPLES, write_samples

import portrayal

STRICT = ("-W", "--keep-going", "-q")
ROOT = Path(__file__).parents[1]
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md")


def main(arguments: list[str] | None = None) -> int:
    """Build the site and return Sphinx's exit code."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "website", help="the folder that is written anew")
    parser.add_argument("--without-samples", action="store_true", help="leave the sample reports out")
    options = parser.parse_args(arguments)
    shutil.rmtree(options.to, ignore_errors=True)
    source = options.to / "source"
    gather(source)
    if not options.without_samples:
        write_samples(source / "samples", options.to / "studies")
    (source / "gallery.md").write_text(gallery(with_links=not options.without_samples), encoding="utf-8")
    code = build_main([*STRICT, "-b", "html", str(source), str(options.to / "html")])
    for page in source.rglob("*.md"):
        make_accessible((options.to / "html" / page.relative_to(source)).with_suffix(".html"))
    return code


def make_accessible(page: Path) -> None:
    """Mend what the theme leaves out: captions are headings of a level, and keys reach blocks that scroll."""
    if page.exists():
        text = page.read_text(encoding="utf-8").replace('role="heading">', 'role="heading" aria-level="2">')
        page.write_text(text.replace("<pre>", '<pre tabindex="0">'), encoding="utf-8")


def gather(source: Path) -> None:
    """Put the pages together as Sphinx wants them: all below one folder, and links between them as they then are."""
    shutil.copytree(ROOT / "docs", source)
    for name in BESIDE:
        shutil.copy(ROOT / name, source / name)
    for page in source.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for name in BESIDE:
            text = text.replace(f"../{name}", name)
        page.write_text(text.replace("(docs/", "(").replace("README.md#", "index.md#"), encoding="utf-8")
    (source / "README.md").rename(source / "index.md")
    here = Path(__file__).parent
    shutil.copy(here / "conf.py", source / "conf.py")
    shutil.copy(here / "toc.yml", source / "toc.yml")
    (source / "samples").mkdir()
    (source / "api.md").write_text(api_reference(), encoding="utf-8")


def api_reference() -> str:
    """Return the page that lists what ``import portrayal`` offers, from its docstrings."""
    lines = ["# Python API", "", "What `portrayal.__all__` names. It is stable; everything else may change.", ""]
    for name in (name for name in portrayal.__all__ if not name.startswith("__")):
        thing = getattr(portrayal, name)
        kind = "module" if isinstance(thing, type(portrayal)) else "class" if isinstance(thing, type) else "function"
        lines += [f"## portrayal.{name}", "", "```{eval-rst}", f".. auto{kind}:: portrayal.{name}"]
        lines += ["   :members:", "   :inherited-members: BaseException"] if kind != "function" else []
        lines += ["```", ""]
    return "\n".join(lines)


def gallery(*, with_links: bool) -> str:
    """Return the page that lists the sample reports."""
    lines = [
        "# Sample reports",
        "",
        "Whole reports, as `portrayal run` writes them, from small studies that this site's build made.",
        "",
    ]
    lines += ["| report | what it is |", "| --- | --- |"]
    for sample in SAMPLES:
        name = f'<a href="{sample.name}/report/index.html">{sample.title}</a>' if with_links else sample.title
        lines.append(f"| {name} | {sample.about} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
