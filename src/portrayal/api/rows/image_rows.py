"""Images with what was perceived in them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from portrayal.api.rows.table_rows import Rows
from portrayal.errors import InputError
from portrayal.reports.text.display_names import named_picture
from portrayal.study.report.gallery_pictures import pictures_of
from portrayal.study.study import OpenStudy

__all__ = ["Gallery", "Images"]


class Images(Rows):
    """Rows of images; see :meth:`portrayal.Study.images`."""

    def __init__(self, table: pa.Table, study: OpenStudy) -> None:
        super().__init__(table)
        self._study = study

    def show(self, most: int = 24) -> Gallery:
        """Return the first pictures, ``most`` of them, with the people that the rows' annotators saw, and as what.

        Images without pixels, which the generator ``simulated`` makes with ``pixels = false``, are passed over.
        """
        from portrayal.reports.page import render_gallery

        if most < 0:
            raise InputError(f"most: {most} pictures cannot be shown; give how many, such as 24")
        table = self.to_arrow()
        drawn = table.filter(pc.not_equal(table["file"], ""))
        if table.num_rows and not drawn.num_rows:
            raise InputError("none of these images has pixels, so there is nothing to show")
        for column in ("model", "annotator"):
            drawn = drawn.set_column(drawn.column_names.index(column), column, drawn[f"{column}_id"])
        names = self._study.names
        pictures = [named_picture(picture, names) for picture in pictures_of(self._study, drawn, most)]
        page = render_gallery(pictures, self._study.attributes, self._study.config.report.language)
        return Gallery(page, len(pictures), table.num_rows > drawn.num_rows)


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
