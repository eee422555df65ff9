"""A row of a sheet is about an image that counts, not about one that was made and rejected."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.csvfile import read_csv
from portrayal.errors import InputError
from portrayal.study.importing.labels.find_image import Target, find_images
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow
COLUMNS = ("image", "model", "prompt", "index")
MADE = """
    SELECT jobs.generator AS model, text, "index", arg_max(image, attempt) AS image
    FROM outcomes JOIN jobs ON jobs.id = job JOIN prompts ON prompts.id = prompt
    WHERE source_job IS NOT NULL AND status = 'made' GROUP BY ALL HAVING count(*) > 1 ORDER BY "index"
"""


def find(study: OpenStudy, folder: Path, *rows: tuple[object, ...]) -> list[Target]:
    sheet = folder / "sheet.csv"
    sheet.write_text("\n".join(",".join(map(str, row)) for row in (COLUMNS, *rows)) + "\n")
    return find_images(study, list(read_csv(sheet, [], COLUMNS)))


def test_an_edit_that_was_made_anew_is_its_last_image(redrawn: tuple[OpenStudy, set[str]], tmp_path: Path) -> None:
    study, rejected = redrawn
    made = study.workspace.query(MADE).to_pylist()
    found = find(study, tmp_path, *(("", row["model"], row["text"], row["index"]) for row in made))
    assert [target.image for target in found] == [row["image"] for row in made]
    assert not rejected & {target.image for target in found}


def test_a_rejected_image_is_not_in_the_study(redrawn: tuple[OpenStudy, set[str]], tmp_path: Path) -> None:
    study, rejected = redrawn
    with pytest.raises(InputError, match=r"no image '.*' in this study"):
        find(study, tmp_path, (sorted(rejected)[0], "", "", ""))
