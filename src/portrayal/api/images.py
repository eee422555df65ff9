"""Images with what was perceived in them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from portrayal.api.gallery import Gallery
from portrayal.api.rows import Rows
from portrayal.errors import InputError
from portrayal.reports.page import render_gallery
from portrayal.reports.part_names import named_picture
from portrayal.study.gallery import pictures_of
from portrayal.study.study import OpenStudy

__all__ = ["Images"]


class Images(Rows):
    """Rows of images; see :meth:`portrayal.Study.images`."""

    def __init__(self, table: pa.Table, study: OpenStudy) -> None:
        super().__init__(table)
        self._study = study

    def show(self, most: int = 24) -> Gallery:
        """Return the first pictures, ``most`` of them, with the people that the rows' annotators saw, and as what.

        Images without pixels, which the generator ``simulated`` makes with ``pixels = false``, are passed over.
        """
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
