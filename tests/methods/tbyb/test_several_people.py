"""Pictures of several people: each has a caption, and no picture is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from portrayal import Study

Make = Callable[..., Path]


def test_more_captions_than_pictures_are_no_missing_pictures(make_study: Make) -> None:
    captions = {"caption": {"a {term}": 0.5, "a {term} on a table": 0.5}}
    folder = make_study(
        suite={"use": "tbyb", "options": {"terms": ["apple", "chair"]}},
        generators=[
            {"use": "simulated", "images": 4, "options": {"pixels": False, "several": 1.0, "shares": captions}}
        ],
        annotators=[{"use": "simulated", "options": {"attributes": ["caption"]}}],
        methods=[{"use": "tbyb"}],
    )
    study = Study(folder)
    study.run(progress=False)
    rows = list(study.measurements(method="tbyb", level="overall", metric="distribution_bias"))
    assert [row["missing"] for row in rows] == [0]
    assert rows[0]["n"] > 8
