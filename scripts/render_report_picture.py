"""Makes the picture of a report in the README: the first screen of a finished study's page.

python scripts/render_report_picture.py STUDY docs/images/report.png
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SIZE = {"width": 1100, "height": 664}


def main(study: str, picture: str) -> None:
    """Write the picture; Chromium is the system's."""
    page_file = (Path(study) / "report" / "index.html").resolve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:3])
