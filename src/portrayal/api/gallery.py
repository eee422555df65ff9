"""Pictures that a notebook shows."""

from __future__ import annotations

__all__ = ["Gallery"]


class Gallery:
    """Pictures with what was perceived in them, as the report's gallery has them; a notebook shows it."""

    def __init__(self, html: str, count: int, passed_over: bool = False) -> None:
        self.html = html
        self._count = count
        self._passed_over = passed_over

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        without = "; images without pixels are passed over" if self._passed_over else ""
        return f"{self._count} picture{'' if self._count == 1 else 's'}; a notebook shows them{without}"
