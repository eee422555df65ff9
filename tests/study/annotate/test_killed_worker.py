"""An image that kills the process which looks at it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.samples.deadly import Looker

import portrayal
from portrayal.engines.deaths import KILLED
from portrayal.study.parts.given_parts import annotator_config


def looker_table(looker: Looker) -> dict[str, object]:
    config = annotator_config(looker)
    return {"use": config.use, "options": dict(config.options)}


@pytest.mark.slow
def test_it_is_set_aside_with_a_reason_and_all_others_are_judged(
    make_study: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_study(annotators=[looker_table(Looker())], annotate={"batch": 2, "workers": 2})
    portrayal.Study(folder, annotator=Looker()).generate(progress=False)
    images = sorted(path.stem for path in (folder / "images").glob("*/*"))
    study = portrayal.Study(folder, annotator=Looker(victims=(images[2],)))
    study.annotate()
    rows = study.observations()
    assert sorted((row["image"], row["reason"]) for row in rows) == [
        (image, KILLED if image == images[2] else None) for image in images
    ]
    told = f"looker@1: images that killed the process which looked at them, set aside: 1; the first: {images[2]}"
    assert told in capsys.readouterr().err
    study.annotate()  # it is not asked about again
    assert len(study.observations()) == len(rows)
