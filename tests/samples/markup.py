"""What a page could run: looked for in the markup that a site sends."""

from __future__ import annotations

import re
from html.parser import HTMLParser

__all__ = ["dangers"]


class Markup(HTMLParser):
    """Collects what a page could run: scripts, handlers, styles, and addresses elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        self.inside = tag
        if (tag == "script" and not (about.get("src") or "").startswith("/static/")) or tag in (
            "style",
            "iframe",
            "base",
        ):
            self.bad.append(f"<{tag}>")
        for name, value in attrs:
            elsewhere = name in ("src", "href", "action", "formaction") and not re.match(r"[/#](?!/)", value or "")
            if name.startswith("on") or name == "style" or elsewhere:
                self.bad.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        if self.inside == "script" and data.strip():
            self.bad.append(f"inline script {data}")
        self.inside = ""


def dangers(text: str) -> list[str]:
    """Return inline scripts, handlers, styles, and addresses elsewhere."""
    markup = Markup()
    markup.feed(text)
    return markup.bad
