"""Tables as a notebook shows them: plain HTML that follows the notebook's own style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["html_table"]


def html_table(header: Sequence[str], rows: Iterable[Sequence[str]], above: str = "", below: str = "") -> str:
    """Return rows under a header, with a line above and one below; all of it is escaped.

    >>> html_table(["term"], [["<nurse>"]])
    '<table><thead><tr><th>term</th></tr></thead><tbody><tr><td>&lt;nurse&gt;</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    lines = [f"<p>{escape(text)}</p>" if text else "" for text in (above, below)]
    return f"{lines[0]}{table}{lines[1]}"
