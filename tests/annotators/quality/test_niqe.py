"""Against the published algorithm written out slowly, patch by patch, on photographs that scikit-image carries."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import skimage
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageFilter
from scipy.special import gamma

from portrayal.annotators.quality.niqe import fit_niqe, niqe, patch_features
from portrayal.annotators.quality.niqe_model import NiqeModel, load_niqe, published_niqe
from portrayal.errors import InputError, MissingExtraError

Array = NDArray[np.float64]
PHOTOGRAPHS = Path(skimage.__file__).parent / "data"
FITTED_ON = (
    "astronaut",
    "coffee",
    "grass",
    "gravel",
    "motorcycle_left",
    "motorcycle_right",
    "chelsea",
    "ihc",
    "camera",
)
PUBLISHED = {"chelsea": 2.5720840430, "coffee": 4.0576896711, "brick": 9.4801424883, "grass": 6.4929247978}
"""With the published parameters; mmagic's own code, which rounds to 32 bits on its way, gives the same six digits."""


def photograph(name: str) -> NDArray[np.uint8]:
    with Pillow.open(PHOTOGRAPHS / f"{name}.png") as picture:
        return np.asarray(picture.convert("RGB").convert("L"))


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> NiqeModel:
    file = tmp_path_factory.mktemp("niqe") / "mine.npz"
    return fit_niqe([PHOTOGRAPHS / f"{name}.png" for name in FITTED_ON], file)


def slowly(grey: NDArray[np.uint8], mean: Array, covariance: Array) -> tuple[float, Array]:
    """Return NIQE and the features of the patches, straight from the paper and its released settings."""
    rows, columns = grey.shape[0] // 96, grey.shape[1] // 96
    image = grey[: rows * 96, : columns * 96].astype(float)
    scales = []
    for size in (96, 48):
        normal, _ = normalised(image)
        blocks = [(row * size, column * size) for row in range(rows) for column in range(columns)]
        scales.append([features(normal[y : y + size, x : x + size]) for y, x in blocks])
        image = halving(image.shape[0]) @ image @ halving(image.shape[1]).T
    table = np.concatenate([np.array(scale) for scale in scales], axis=1)
    away = table.mean(axis=0) - mean
    return math.sqrt(away @ np.linalg.pinv((covariance + np.cov(table.T)) / 2) @ away), table


def normalised(image: Array) -> tuple[Array, Array]:
    offsets = np.arange(-3, 4)
    window = np.exp(-(offsets[:, None] ** 2 + offsets[None] ** 2) / (2 * (7 / 6) ** 2))
    window /= window.sum()
    around = np.lib.stride_tricks.sliding_window_view(np.pad(image, 3, mode="edge"), (7, 7))
    mean = np.einsum("yxij,ij->yx", around, window)
    spread = np.sqrt(np.abs(np.einsum("yxij,ij->yx", around**2, window) - mean**2))
    return (image - mean) / (spread + 1), spread


def halving(length: int) -> Array:
    """Return the matrix that halves a line of pixels as MATLAB's ``imresize`` does, mirrored at its ends."""
    matrix = np.zeros((length // 2, length))
    for place in range(length // 2):
        for source in range(2 * place - 4, 2 * place + 6):
            far = abs(2 * place + 0.5 - source) / 2
            if far <= 1:
                weight = 1.5 * far**3 - 2.5 * far**2 + 1
            else:
                weight = -0.5 * far**3 + 2.5 * far**2 - 4 * far + 2 if far < 2 else 0.0
            mirrored = -source - 1 if source < 0 else 2 * length - source - 1 if source >= length else source
            matrix[place, mirrored] += weight / 2
    return matrix


def features(block: Array) -> list[float]:
    shape, left, right = fitted(block)
    found = [shape, (left + right) / 2]
    for down, along in ((0, 1), (1, 0), (1, 1), (-1, 1)):
        shape, left, right = fitted(block * np.roll(np.roll(block, down, axis=0), along, axis=1))
        found += [shape, (right - left) * gamma(2 / shape) / gamma(1 / shape), left, right]
    return found


def fitted(block: Array) -> tuple[float, float, float]:
    shapes = np.arange(0.2, 10.0005, 0.001)
    ratios = gamma(2 / shapes) ** 2 / (gamma(1 / shapes) * gamma(3 / shapes))
    left, right = (math.sqrt(np.mean(side**2)) for side in (block[block < 0], block[block > 0]))
    skew = left / right
    ratio = np.mean(np.abs(block)) ** 2 / np.mean(block**2)
    ratio *= (skew**3 + 1) * (skew + 1) / (skew**2 + 1) ** 2
    shape = float(shapes[np.argmin((ratios - ratio) ** 2)])
    scale = math.sqrt(gamma(1 / shape) / gamma(3 / shape))
    return shape, left * scale, right * scale


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chelsea", "coffee", "grass"])
def test_scores_are_those_of_the_algorithm_written_out(model: NiqeModel, name: str) -> None:
    grey = photograph(name)
    expected, table = slowly(grey, model.mean, model.covariance)
    assert niqe(grey, model) == pytest.approx(expected, rel=1e-9)
    found, sharpness = patch_features(grey)
    assert found == pytest.approx(table, rel=1e-9)
    assert sharpness.shape == (len(table),)


@pytest.mark.parametrize("name", PUBLISHED)
def test_scores_with_the_published_parameters(name: str) -> None:
    try:
        published = load_niqe(published_niqe())
    except MissingExtraError as error:
        pytest.skip(str(error))
    assert published.digest == "f6284a2b53fd"
    assert niqe(photograph(name), published) == pytest.approx(PUBLISHED[name], abs=1e-9)


def test_distortions_make_it_worse(model: NiqeModel) -> None:
    plain = Pillow.fromarray(photograph("coffee"))
    noisy = np.asarray(plain) + np.random.default_rng(1).normal(0, 25, photograph("coffee").shape)
    scores = [
        niqe(np.asarray(plain), model),
        niqe(np.asarray(plain.filter(ImageFilter.GaussianBlur(2))), model),
        niqe(np.clip(noisy, 0, 255).astype(np.uint8), model),
    ]
    assert all(isinstance(score, float) and math.isfinite(score) for score in scores)
    assert scores[0] == min(scores, key=float)


def test_too_small_and_flat_pictures_have_no_score(model: NiqeModel) -> None:
    rng = np.random.default_rng(3)
    assert niqe(rng.integers(0, 256, (191, 191), dtype=np.uint8), model) == "too_small"
    assert niqe(rng.integers(0, 256, (95, 2000), dtype=np.uint8), model) == "too_small"
    assert isinstance(niqe(rng.integers(0, 256, (96, 192), dtype=np.uint8), model), float)
    for level in (0, 3, 137, 255):
        assert niqe(np.full((400, 400), level, dtype=np.uint8), model) == "flat_image"


def test_flat_areas_count_the_same_at_any_level(model: NiqeModel) -> None:
    """Rounding errors, which differ with the level, must not pass for structure."""
    grey = photograph("chelsea") // 2
    grey[:, :230] = 60
    found, _ = patch_features(grey)
    assert np.isnan(found).any(axis=1).sum() == 6  # two columns of three are flat, the next one in part
    expected = niqe(grey, model)
    assert isinstance(expected, float)
    for brighter in (1, 37, 100, 127):
        assert niqe(grey + np.uint8(brighter), model) == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_a_fitted_model_is_the_mean_and_covariance_of_sharp_patches(tmp_path: Path) -> None:
    names, kept = ["astronaut", "gravel", "motorcycle_left"], []
    for name in names:
        grey = photograph(name)
        table, sharpness = patch_features(grey)
        whole = grey[: grey.shape[0] // 96 * 96, : grey.shape[1] // 96 * 96].astype(float)
        assert sharpness[1] == pytest.approx(normalised(whole)[1][:96, 96:192].mean())
        kept.append(table[sharpness > 0.75 * sharpness.max()])
        assert len(kept[-1]) == len(table) if name == "gravel" else len(kept[-1]) < len(table)
    expected = np.concatenate(kept)
    found = fit_niqe([PHOTOGRAPHS / f"{name}.png" for name in names], tmp_path / "mine.npz")
    assert found.mean == pytest.approx(expected.mean(axis=0), rel=1e-9)
    assert found.covariance == pytest.approx(np.cov(expected.T), rel=1e-9)


def test_a_fitted_model_is_read_again(model: NiqeModel, tmp_path: Path) -> None:
    model.save(tmp_path / "again.npz")
    again = load_niqe(tmp_path / "again.npz")
    assert np.array_equal(again.mean, model.mean)
    assert np.array_equal(again.covariance, model.covariance)
    assert again.digest == model.digest
    assert NiqeModel(model.mean + 1e-9, model.covariance).digest != model.digest


def test_the_authors_own_kind_of_file_is_read(model: NiqeModel, tmp_path: Path) -> None:
    file = tmp_path / "modelparameters.mat"
    scipy.io.savemat(file, {"mu_prisparam": model.mean[np.newaxis], "cov_prisparam": model.covariance})
    assert load_niqe(file).digest == model.digest


def test_a_model_needs_many_sharp_patches(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^\d+ sharp patches in 1 photographs make no NIQE model; more than 36"):
        fit_niqe([PHOTOGRAPHS / "chelsea.png"], tmp_path / "mine.npz")
    with pytest.raises(InputError, match=r"^0 sharp patches in 0 photographs"):
        fit_niqe([], tmp_path / "mine.npz")
    assert not (tmp_path / "mine.npz").exists()


def test_photographs_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    with pytest.raises(InputError, match=r"bad\.png: unreadable image; take it out of the photographs"):
        fit_niqe([tmp_path / "bad.png"], tmp_path / "mine.npz")
    with pytest.raises(InputError, match=r"mine\.mat: a NIQE model is written as \.npz"):
        fit_niqe([], tmp_path / "mine.mat")


@pytest.mark.parametrize("suffix", [".npz", ".mat", ".txt"])
def test_files_without_a_model_are_one_line(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"bad{suffix}"
    file.write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match=r"no NIQE model; it needs mu_pris_param with 36 numbers"):
        load_niqe(file)
    with pytest.raises(InputError, match="cannot be read"):
        load_niqe(tmp_path / f"gone{suffix}")


def test_a_model_of_other_sizes_or_with_gaps_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "odd.npz"
    for mean, covariance in ((np.zeros(35), np.eye(36)), (np.zeros(36), np.eye(35)), (np.full(36, np.nan), np.eye(36))):
        NiqeModel(mean, covariance).save(file)
        with pytest.raises(InputError, match="no NIQE model"):
            load_niqe(file)
    np.savez(file, other=np.zeros(36))
    with pytest.raises(InputError, match="no NIQE model"):
        load_niqe(file)


def test_published_parameters_are_found_in_an_installed_package(
    model: NiqeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that would break on import: only its file is read."""
    package = tmp_path / "basicsr"
    (package / "metrics").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    with pytest.raises(MissingExtraError, match=r"run pip install --no-deps mmagic==1\.2\.0 .* options\.niqe_model"):
        published_niqe()
    model.save(package / "metrics" / "niqe_pris_params.npz")
    assert published_niqe() == package / "metrics" / "niqe_pris_params.npz"
