"""Build what the facegan generator ships: the bank of labelled faces and the directions in style space.

    python scripts/build_facegan_bank.py --images /var/tmp/facegan-bank

1. Renders seeds 0 to 4095 at 512 pixels, losslessly, into ``--images``; pictures already there are kept.
2. Labels each with Portrayal's own ``faces`` annotator.
3. Few faces are elderly and dark, or elderly and female. From seeds 4096 to 79999 it renders those whose style a
   linear fit on step 2 places in the thin cells, until each has ``WANTED`` faces or ``TRIES`` pictures were spent.
4. Writes ``bank.csv`` and ``directions.npz`` into ``src/portrayal/generators/facegan/data``.

The result is the same on every run with the same versions of OpenVINO, onnxruntime and dlib. About 40 minutes on two
cores, nearly all of it rendering.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from scipy.stats import norm

from portrayal.annotators.faces import Faces
from portrayal.generators.facegan.bank import CELLS, BankFace
from portrayal.generators.facegan.face_model import TRUNCATION, FaceModel, Latents
from portrayal.records import Image, Observation, attribute_table

SIZE, SEEDS, MEAN_SEEDS, LAST_SEED = 512, 4096, 10_000, 80_000
WANTED, TRIES = 24, 160
ADULT, CERTAIN = 18.0, 0.8
"""Children are left out: a profile for occupations should not answer with a toddler."""

DATA = Path(__file__).parents[1] / "src" / "portrayal" / "generators" / "facegan" / "data"
Floats = NDArray[np.float64]
Styles = NDArray[np.float32]


def main() -> None:
    """Render, label, fill the thin cells, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=Path, required=True, help="folder for the rendered pictures")
    folder: Path = parser.parse_args().images
    folder.mkdir(parents=True, exist_ok=True)
    model = FaceModel()
    styles = {seed: model.style(seed) for seed in range(MEAN_SEEDS)}
    latents = Latents(np.stack(list(styles.values())).mean(axis=0, dtype=np.float64).astype(np.float32), {})
    maker = Maker(model, latents, folder)
    bank = maker.label(range(SEEDS))
    print(f"{len(bank)} usable faces of {SEEDS}")
    styles |= {seed: model.style(seed) for seed in range(MEAN_SEEDS, LAST_SEED)}
    first = [face for face in bank.values() if face.age >= ADULT]
    for cell in thin(bank.values()):
        fill(cell, bank, first, maker, styles)
    adults = sorted((face for face in bank.values() if face.age >= ADULT), key=lambda face: face.seed)
    write(adults, directions(adults, styles), latents.mean)
    for cell, count in sorted(counts(adults).items()):
        print(*cell, count)


class Maker:
    """Renders seeds and labels them."""

    def __init__(self, model: FaceModel, latents: Latents, folder: Path) -> None:
        self._model, self._latents, self._folder = model, latents, folder
        self._faces = Faces("", Faces.Options())

    def label(self, seeds: Iterable[int]) -> dict[int, BankFace]:
        """Return the faces among ``seeds`` that show one clearly perceived person."""
        images = [Image(str(seed), self._picture(seed)) for seed in seeds]
        rows: dict[str, dict[str, Observation]] = {image.id: {} for image in images}
        spoilt = set()
        for row in self._faces.annotate(images):
            if isinstance(row, Observation):
                rows[row.image][row.attribute] = row
            else:
                spoilt.add(row.image)
        found = {int(name): face_of(int(name), seen) for name, seen in rows.items() if name not in spoilt}
        return {seed: face for seed, face in found.items() if face is not None}

    def _picture(self, seed: int) -> Path:
        path = self._folder / f"{seed:05d}.png"
        if not path.exists():
            pixels = self._model.render(self._latents.truncated(self._model.style(seed)), SIZE)
            partial = path.with_suffix(".part")
            Pillow.fromarray(pixels).save(partial, "PNG", compress_level=1)
            partial.rename(path)
        return path


def face_of(seed: int, seen: Mapping[str, Observation]) -> BankFace | None:
    """Return the bank's row for one annotated picture, or None when the perceived groups are not clear enough."""
    groups, tops = {}, {}
    for name in ("gender", "age3", "tone3", "skin_tone"):
        mass = seen[name].mass or ()
        tops[name] = max(mass)
        groups[name] = attribute_table()[name].groups[mass.index(tops[name])]
    if tops["gender"] < CERTAIN or tops["age3"] < 0.5:
        return None
    age, intensity = seen["age"].value or 0.0, seen["intensity"].value or 0.0
    cell = (groups["gender"], groups["age3"], groups["tone3"])
    return BankFace(
        seed,
        *cell,
        int(groups["skin_tone"].removeprefix("monk_")),
        round(age, 1),
        round(intensity, 1),
        round(tops["gender"], 3),
    )


def counts(faces: Iterable[BankFace]) -> Counter[tuple[str, str, str]]:
    """Return how many adult faces each cell has."""
    return Counter(face.cell for face in faces if face.age >= ADULT)


def thin(faces: Iterable[BankFace]) -> list[tuple[str, str, str]]:
    """Return the cells with fewer faces than wanted."""
    have = counts(faces)
    every = product(CELLS["gender"], CELLS["age3"], CELLS["tone3"])
    return [cell for cell in every if have[cell] < WANTED]


def fill(
    cell: tuple[str, str, str],
    bank: dict[int, BankFace],
    first: list[BankFace],
    maker: Maker,
    styles: Mapping[int, Styles],
) -> None:
    """Render the seeds most likely to fall into ``cell`` until it is full or the tries are used up."""
    seeds = range(SEEDS, LAST_SEED)
    known = np.array([styles[face.seed] for face in first])
    unknown = np.array([styles[seed] for seed in seeds])
    score = np.zeros(len(seeds))
    for attribute, wanted in zip(CELLS, cell, strict=True):
        in_group = np.array([getattr(face, attribute) == wanted for face in first], dtype=np.float64)
        score += chance(known, scale_of(first, attribute), in_group, unknown)
    for seed in (seeds[place] for place in np.argsort(-score)[:TRIES].tolist()):
        if seed not in bank:
            bank |= maker.label([seed])
        if counts(bank.values())[cell] >= WANTED:
            break
    print(*cell, counts(bank.values())[cell])


def scale_of(faces: list[BankFace], attribute: str) -> Floats:
    """Return a number per face that orders the groups of ``attribute``."""
    if attribute == "gender":
        return np.array([1.0 if face.gender == "female" else -1.0 for face in faces])
    return np.array([face.age if attribute == "age3" else face.intensity for face in faces])


def chance(known: Styles, values: Floats, in_group: Floats, unknown: Styles) -> Floats:
    """Return the log chance that each unknown style belongs to a group, by ridge regression and the group's mean."""
    centre, weights = known.mean(axis=0), ridge(known, values)
    spread = float(np.std(values - values.mean() - (known - centre) @ weights))
    inside = values[in_group > 0]
    guess = values.mean() + (unknown - centre) @ weights
    low, high = np.quantile(inside, (0.02, 0.98))
    low = -np.inf if low <= np.quantile(values, 0.05) else low
    high = np.inf if high >= np.quantile(values, 0.95) else high
    log_chance: Floats = np.log(norm.cdf((high - guess) / spread) - norm.cdf((low - guess) / spread) + 1e-12)
    return log_chance


def directions(faces: list[BankFace], styles: Mapping[int, Styles]) -> dict[str, Styles]:
    """Return the steps towards female, older and lighter, each cleared of the other two.

    The difference of two groups' mean styles drags other attributes along. A linear fit of the labels tells how far;
    the three differences are mixed so that by that fit each moves its own attribute only, as far as it did before.
    Making them orthogonal instead overshoots: the raw differences share too much (cosine -0.8 for gender and age).
    """
    known = TRUNCATION * np.array([styles[face.seed] for face in faces])
    labels = np.stack([scale_of(faces, name) for name in CELLS], axis=1)
    weights = ridge(known, labels)
    pairs: dict[str, tuple[Callable[[BankFace], bool], Callable[[BankFace], bool]]] = {
        "gender": (lambda face: face.gender == "female", lambda face: face.gender == "male"),
        "age": (lambda face: face.age > 45, lambda face: face.age < 25),
        "tone": (lambda face: face.tone3 == "light", lambda face: face.tone3 == "dark"),
    }
    raw = np.stack([mean_of(known, faces, plus) - mean_of(known, faces, minus) for plus, minus in pairs.values()])
    moves = raw @ weights
    cleared = np.diag(np.diag(moves)) @ np.linalg.inv(moves) @ raw
    return dict(zip(pairs, cleared.astype(np.float32), strict=True))


def mean_of(styles: Styles, faces: list[BankFace], chosen: Callable[[BankFace], bool]) -> Floats:
    """Return the mean style of the chosen faces."""
    mean: Floats = styles[[chosen(face) for face in faces]].mean(axis=0, dtype=np.float64)
    return mean


def ridge(known: Styles, values: Floats) -> Floats:
    """Return the weights of a linear fit of ``values`` on centred styles."""
    x = (known - known.mean(axis=0)).astype(np.float64)
    weights: Floats = np.linalg.solve(x.T @ x + 10.0 * np.eye(x.shape[1]), x.T @ (values - values.mean(axis=0)))
    return weights


def write(faces: list[BankFace], steps: Mapping[str, Styles], mean: Styles) -> None:
    """Write both files."""
    with (DATA / "bank.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(BankFace.__slots__)
        table.writerows([getattr(face, name) for name in BankFace.__slots__] for face in faces)
    np.savez(DATA / "directions.npz", mean=mean, gender=steps["gender"], age=steps["age"], tone=steps["tone"])


if __name__ == "__main__":
    main()
