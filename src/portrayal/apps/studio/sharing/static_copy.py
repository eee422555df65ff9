"""A page of the studio as it can be opened without a server: no scripts, forms or addresses, pictures beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

__all__ = ["PICTURES", "STYLE", "StaticCopy", "page_name", "static_copy"]

PICTURES, STYLE = "pictures", "style.css"
_GONE = frozenset({"script", "noscript", "nav", "header", "button", "select", "textarea", "label", "footer"})
"""With all that is in them: only a server could do something with it."""
_UNWRAPPED = frozenset({"form", "fieldset"})
_VOID = frozenset({"input", "link", "meta", "img", "br", "rect"})
_DROPPED = frozenset({"input", "link"})
_ONLY_LIVE = "only-live"
"""The class of what makes sense on the studio alone."""
_CSP = "default-src 'none'; img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'"


@dataclass
class StaticCopy:
    """The page as text, and the pictures that it shows: the name of each file by its address."""

    text: str = ""
    pictures: dict[str, str] = field(default_factory=dict)


def static_copy(page: str, number: int, pages: int) -> StaticCopy:
    """Return a page of several as a static one; the others lie beside it."""
    reader = _Reader(_links(number, pages))
    reader.feed(page)
    reader.close()
    reader.copy.text = "".join(reader.said)
    return reader.copy


def page_name(number: int) -> str:
    """Return the file of a page."""
    return "index.html" if number == 1 else f"page-{number}.html"


def _links(number: int, pages: int) -> str:
    if pages == 1:
        return ""
    each = (
        f"<b>{place}</b>" if place == number else f'<a href="{page_name(place)}">{place}</a>'
        for place in range(1, pages + 1)
    )
    return f'<p class="row">{" ".join(each)}</p>'


class _Reader(HTMLParser):
    """Copies what may stay; ``end`` is put before the end of the content."""

    def __init__(self, end: str) -> None:
        super().__init__(convert_charrefs=False)
        self.copy = StaticCopy()
        self.said: list[str] = ["<!doctype html>\n"]
        self._end = end
        self._gone: list[str] = []
        self._open_links: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._gone:
            if tag not in _VOID:
                self._gone.append(tag)
            return
        values = dict(attrs)
        if tag in _GONE or _ONLY_LIVE in (values.get("class") or "").split():
            self._gone.append(tag)
            return
        if tag in _DROPPED or tag in _UNWRAPPED:
            return
        if tag == "a":
            stays = (values.get("href") or "").startswith(("https://", "http://"))
            self._open_links.append(stays)
            if not stays:
                return
        if tag == "img":
            values["src"] = self._picture(values.get("src") or "")
        if tag == "details":
            values["open"] = None
        said = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in values.items())
        self.said.append(f"<{tag}{said}>")
        if tag == "head":
            self.said.append(
                f'<meta http-equiv="Content-Security-Policy" content="{_CSP}"><link rel="stylesheet" href="{STYLE}">'
            )

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._gone:
            if tag in self._gone:
                while self._gone.pop() != tag:
                    pass
            return
        if tag in _UNWRAPPED or tag in _VOID or (tag == "a" and not (self._open_links and self._open_links.pop())):
            return
        if tag == "main":
            self.said.append(self._end)
        self.said.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._gone:
            self.said.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def _picture(self, address: str) -> str:
        plain = address.partition("?")[0].rpartition("/")[2]
        ending = ".svg" if plain.endswith(".svg") else ".jpg"
        return self.copy.pictures.setdefault(
            address, f"{PICTURES}/{len(self.copy.pictures) + 1}-{plain.rpartition('.')[0][:16]}{ending}"
        )
