from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal import Study


@pytest.fixture(scope="module")
def two_models(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measured study of two models, one of which refuses at times; only to be read."""
    models = [
        {"use": "simulated", "name": name, "images": 20, "options": {"size": 4, "refused": refused, **women}}
        for name, refused, women in (
            ("Model A", 0.0, {"shares": {"gender": {"female": 0.1, "male": 0.9}}}),
            ("Model B, “neu”", 0.2, {"shares": {"gender": {"female": 0.9, "male": 0.1}}}),
        )
    ]
    methods = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]
    annotators = [{"use": "simulated", "options": {"attributes": ["gender"]}}]
    folder = write_study(
        tmp_path_factory.mktemp("two") / "careers", generators=models, methods=methods, annotators=annotators
    )
    study = Study(folder)
    study.generate(progress=False)
    study.annotate(progress=False)
    study.measure(progress=False)
    return folder
