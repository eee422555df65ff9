"""The same numbers as the authors' packages, computed side by side; golden values stand beside where these lack."""

from __future__ import annotations

import numpy as np
import pytest

from portrayal.stats.annotation.misreading import Misreading
from portrayal.stats.annotation.prediction_powered import (
    LabelledImages,
    Unlabelled,
    best_tuning,
    prediction_powered,
)
from portrayal.stats.intervals import t_value

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("tuning", [None, 0.0, 0.5, 1.0])
def test_prediction_powered_as_by_ppi_python(tuning: float | None) -> None:
    ppi = pytest.importorskip("ppi_py", reason="ppi-python is of the dev extra")
    from scipy.special import ndtri

    rng = np.random.default_rng(0)
    for _ in range(20):
        labels, others = int(rng.integers(30, 200)), int(rng.integers(300, 2000))
        truth = (rng.random(labels) < rng.uniform(0.2, 0.8)).astype(float)
        read = np.where(rng.random(labels) < 0.8, truth, 1 - truth)
        rest = (rng.random(others) < rng.uniform(0.2, 0.8)).astype(float)
        low, high = ppi.ppi_mean_ci(truth, read, rest, alpha=0.05, lam=tuning)
        value = float(ppi.ppi_mean_pointestimate(truth, read, rest, lam=tuning)[0])
        labelled, unlabelled = LabelledImages.of(truth, read), Unlabelled(others, float(rest.mean()))
        # Theirs is by all labels at once, ours for each label by the others, which keeps few labels free of a bias.
        used = best_tuning(labelled, unlabelled) if tuning is None else tuning
        found = prediction_powered(labelled, unlabelled, used)
        reach = float(ndtri(0.975)) * found.error
        assert found.value == pytest.approx(value, abs=1e-8)
        assert (found.value - reach, found.value + reach) == pytest.approx((float(low[0]), float(high[0])), abs=1e-8)
    assert t_value(0.95) == pytest.approx(float(ndtri(0.975)))


def test_the_confusion_matrix_undone_as_by_quapy() -> None:
    quapy = pytest.importorskip("quapy.method.aggregative", reason="QuaPy is of the dev extra").ACC
    rng = np.random.default_rng(1)
    for groups in (2, 3, 5):
        for _ in range(10):
            counts = rng.integers(0, 12, (groups, groups)) + 60 * np.eye(groups)
            rates = counts / counts.sum(axis=1, keepdims=True)
            seen = rng.dirichlet(np.full(groups, 5.0)) @ rates
            theirs = quapy.solve_adjustment(rates.T, seen, method="inversion", solver="exact-raise")
            assert Misreading(counts.tolist()).shares(seen) == pytest.approx(theirs, abs=1e-8)
