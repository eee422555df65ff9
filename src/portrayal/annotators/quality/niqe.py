"""NIQE: how far an image's local statistics lie from those of undistorted photographs (Mittal et al. 2013).

Brightness is put relative to its surroundings; in each patch of 96 x 96 pixels, at two scales, generalised Gaussians
are fitted to these coefficients and to products of neighbours, which gives 36 numbers. NIQE is the distance between
the Gaussian over the image's patches and the one over the sharp patches of pristine photographs: the model.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from portrayal.annotators.quality.niqe_model import FEATURES, NiqeModel
from portrayal.errors import InputError
from portrayal.vision.pictures import Unreadable, open_rgb

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["PATCH", "SHARP", "fit_niqe", "niqe", "patch_features"]

PATCH = 96
SHARP = 0.75
"""Of each pristine photograph only patches count that are this sharp, compared with its sharpest one."""

_TAPS = 7
_NOISE = 1e-9
"""Coefficients this small are rounding: the surroundings are flat."""

_SHAPES = np.arange(200, 10_001) / 1000
_NEIGHBOURS = ((0, 1), (1, 0), (1, 1), (1, -1))


def niqe(grey: NDArray[np.uint8], model: NiqeModel) -> float | str:
    """Return the score of a grey picture, lower is better; or the reason why there is none.

    ``too_small`` with fewer than two patches, ``flat_image`` with fewer than two that hold any structure.
    """
    if (grey.shape[0] // PATCH) * (grey.shape[1] // PATCH) < 2:
        return "too_small"
    features, _ = patch_features(grey)
    whole = features[~np.isnan(features).any(axis=1)]
    if len(whole) < 2:
        return "flat_image"
    away = np.nanmean(features, axis=0) - model.mean
    together = (model.covariance + np.cov(whole, rowvar=False)) / 2
    return float(np.sqrt(away @ np.linalg.pinv(together, hermitian=True) @ away))


def fit_niqe(photographs: Iterable[Path], file: Path) -> NiqeModel:
    """Fit a model to undistorted photographs, and write it to ``file`` (.npz) for the option ``niqe_model``."""
    if file.suffix != ".npz":
        raise InputError(f"{file}: a NIQE model is written as .npz; choose such a name")
    patches = [_sharp_patches(path) for path in photographs]
    features = np.concatenate(patches) if patches else np.empty((0, FEATURES))
    if len(features) <= FEATURES:
        raise InputError(
            f"{len(features)} sharp patches in {len(patches)} photographs make no NIQE model; "
            f"more than {FEATURES} are needed, thousands are better"
        )
    model = NiqeModel(features.mean(axis=0), np.cov(features, rowvar=False))
    model.save(file)
    return model


def patch_features(grey: NDArray[np.uint8]) -> tuple[Array, Array]:
    """Return 36 features of each whole patch, nan where it is flat, and how sharp each patch is."""
    height, width = (side // PATCH * PATCH for side in grey.shape)
    image = grey[:height, :width].astype(np.float64)
    coefficients, spread = _normalised(image)
    smaller, _ = _normalised(_halved(image))
    columns = [*_features(_patches(coefficients, PATCH)), *_features(_patches(smaller, PATCH // 2))]
    return np.stack(columns, axis=1), _patches(spread, PATCH).mean(axis=(1, 2))


def _sharp_patches(path: Path) -> Array:
    try:
        grey = np.asarray(open_rgb(path).convert("L"))
    except Unreadable as error:
        raise InputError(f"{path}: {error.reason.replace('_', ' ')}; take it out of the photographs") from None
    if min(grey.shape) < PATCH:
        return np.empty((0, FEATURES))
    features, sharpness = patch_features(grey)
    kept = features[sharpness > SHARP * sharpness.max()]
    return np.asarray(kept[~np.isnan(kept).any(axis=1)])


def _normalised(image: Array) -> tuple[Array, Array]:
    """Return each pixel relative to the mean and the spread of its surroundings, and that spread."""
    mean = _blurred(image)
    spread = np.sqrt(np.abs(_blurred(image * image) - mean * mean))
    coefficients = (image - mean) / (spread + 1)
    # Else the signs of rounding errors, which differ between machines, would decide about flat areas.
    return np.where(np.abs(coefficients) < _NOISE, 0.0, coefficients), spread


def _blurred(image: Array) -> Array:
    from scipy.ndimage import correlate1d

    across = correlate1d(image, _window(), axis=1, mode="nearest")
    return np.asarray(correlate1d(across, _window(), axis=0, mode="nearest"))


@functools.cache
def _window() -> Array:
    offsets = np.arange(_TAPS) - _TAPS // 2
    weights = np.exp(-((offsets * 6 / _TAPS) ** 2) / 2)  # a standard deviation of a sixth of the window
    return np.asarray(weights / weights.sum())


def _halved(image: Array) -> Array:
    """Return the image at half its size, by a cubic that is widened so that nothing aliases."""
    from scipy.ndimage import correlate1d

    far = np.abs(np.arange(-3.5, 4) / 2)
    near = 1.5 * far**3 - 2.5 * far**2 + 1
    weights = np.where(far <= 1, near, -0.5 * far**3 + 2.5 * far**2 - 4 * far + 2) / 2
    # Every second row is enough for what comes next.
    down = correlate1d(image, weights, axis=0, mode="reflect", origin=-1)[::2]
    return np.asarray(correlate1d(down, weights, axis=1, mode="reflect", origin=-1)[:, ::2])


def _patches(image: Array, size: int) -> Array:
    rows, columns = image.shape[0] // size, image.shape[1] // size
    return image.reshape(rows, size, columns, size).swapaxes(1, 2).reshape(-1, size, size)


def _features(patches: Array) -> Iterator[Array]:
    from scipy.special import gamma

    shape, left, right = _fitted(patches)
    yield from (shape, (left + right) / 2)
    for shift in _NEIGHBOURS:
        shape, left, right = _fitted(patches * np.roll(patches, shift, axis=(1, 2)))
        yield from (shape, (right - left) * gamma(2 / shape) / gamma(1 / shape), left, right)


def _fitted(patches: Array) -> tuple[Array, Array, Array]:
    """Return shape, left and right scale of the asymmetric generalised Gaussian of each patch, by its moments."""
    from scipy.special import gamma

    values = patches.reshape(len(patches), -1)
    squares = values * values
    with np.errstate(divide="ignore", invalid="ignore"):
        left = np.sqrt((squares * (values < 0)).sum(axis=1) / (values < 0).sum(axis=1))
        right = np.sqrt((squares * (values > 0)).sum(axis=1) / (values > 0).sum(axis=1))
        skew = left / right
        peak = np.abs(values).mean(axis=1) ** 2 / squares.mean(axis=1)
        shape = _shape(peak * (skew**3 + 1) * (skew + 1) / (skew**2 + 1) ** 2)
    scale = np.sqrt(gamma(1 / shape) / gamma(3 / shape))
    return shape, left * scale, right * scale


def _shape(ratios: Array) -> Array:
    """Return the shape, in steps of 0.001, at which the distribution has the ratio of moments; nan for nan."""
    known = _ratios()
    after = np.clip(np.searchsorted(known, ratios), 1, len(known) - 1)
    nearer = after - (ratios - known[after - 1] <= known[after] - ratios)
    return np.where(np.isnan(ratios), np.nan, _SHAPES[nearer])


@functools.cache
def _ratios() -> Array:
    from scipy.special import gamma

    return np.asarray(gamma(2 / _SHAPES) ** 2 / (gamma(1 / _SHAPES) * gamma(3 / _SHAPES)))
