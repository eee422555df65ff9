"""Files in, scores out, with a small model of random weights."""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from portrayal.errors import PortrayalError
from portrayal.vision.decoding import decode_files, files_of
from portrayal.vision.network import Network
from portrayal.vision.scoring import BatchScores, Scorer

pytestmark = pytest.mark.slow

Build = Callable[..., Network]


def batches(files: list[Path], size: int) -> Iterator[list[Path]]:
    return iter([files[start : start + size] for start in range(0, len(files), size)])


def joined(scores: list[BatchScores]) -> tuple[Any, list[str]]:
    return np.concatenate([one.logits for one in scores]), [reason for one in scores for reason in one.reasons]


def readable(reasons: list[str]) -> list[bool]:
    return [not reason for reason in reasons]


def test_scores_are_those_of_the_model_called_picture_by_picture(network: Build, files: list[Path]) -> None:
    model = network()
    logits, reasons = joined(list(Scorer(model, fast=False, batch=4).run(batches(files, 4), 0)))
    assert [number for number, reason in enumerate(reasons) if reason] == [5, 6]
    assert logits.shape == (23, 5)
    assert logits.dtype == np.float32
    for path, found, reason in zip(files, logits, reasons, strict=True):
        (file,) = files_of(decode_files([path], model.preprocessing, "exact"))
        assert file.reason == reason
        if not reason:
            assert file.pixels is not None
            (alone,) = model.score(torch.tensor(file.pixels[None]).permute(0, 3, 1, 2))
            np.testing.assert_allclose(found, alone, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_workers_change_nothing(network: Build, files: list[Path], workers: int) -> None:
    many, scorer = files * 2, Scorer(network(), fast=False, batch=6)
    ours = joined(list(scorer.run(batches(many, 6), workers)))
    plain = joined([score for paths in batches(many, 6) for score in scorer.run(iter([paths]), 0)])
    np.testing.assert_array_equal(ours[0], plain[0])
    assert ours[1] == plain[1]
    assert not multiprocessing.active_children()


def test_the_fast_way_sees_almost_the_same(network: Build, files: list[Path]) -> None:
    found = {}
    for fast in (False, True):
        logits, reasons = joined(list(Scorer(network(fast=fast), fast=fast, batch=8).run(batches(files, 8), 0)))
        masses = torch.from_numpy(logits).softmax(dim=1)
        found[fast] = masses[readable(reasons)]
    assert found[True].shape == (21, 5)
    assert (found[True] - found[False]).abs().max() < 0.02


def test_a_batch_of_unreadable_files_is_scored_all_the_same(network: Build, files: list[Path]) -> None:
    (scores,) = Scorer(network(), fast=False, batch=2).run(iter([[files[5], files[6], None]]), 0)
    assert scores.reasons == ["unreadable_image", "missing_file", "missing_file"]
    assert scores.logits.shape == (3, 5)


def test_closing_early_leaves_no_process(network: Build, files: list[Path]) -> None:
    found: Any = Scorer(network(), fast=False, batch=4).run(itertools.repeat(files[:4]), 2)
    next(found)
    assert multiprocessing.active_children()
    found.close()
    assert not multiprocessing.active_children()


def test_a_model_that_breaks_leaves_no_process(
    network: Build, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise PortrayalError("out of memory")

    model = network()
    monkeypatch.setattr(model, "score", broken)
    with pytest.raises(PortrayalError, match="out of memory"):
        list(Scorer(model, fast=False, batch=4).run(itertools.repeat(files[:4]), 1))
    assert not multiprocessing.active_children()


def test_few_batches_are_under_way(network: Build, files: list[Path]) -> None:
    begun = 0

    def endless() -> Iterator[list[Path]]:
        nonlocal begun
        while True:
            begun += 1
            yield files[:2]

    for number, _ in zip(range(1, 12), Scorer(network(), fast=False, batch=2).run(endless(), 0), strict=False):
        assert begun <= number + 2
