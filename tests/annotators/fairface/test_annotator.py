"""With random weights in FairFace's layout, and the network written out a second time as plain functions."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import dlib
import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from PIL import Image as Pillow
from safetensors.torch import save_file
from torch.nn import functional

from portrayal.annotators import Observed
from portrayal.annotators.face_detection import FaceDetector
from portrayal.annotators.faces import Faces
from portrayal.annotators.fairface import FairFace, FairFaceOptions
from portrayal.annotators.fairface.fairface_network import HEADS
from portrayal.errors import ConfigError, InputError
from portrayal.generators.facegan import Facegan, LatentFace
from portrayal.records import Abstention, Image, Observation, attribute_table
from portrayal.settings import parse_settings

pytestmark = pytest.mark.slow

Weights = dict[str, Any]
DEPTHS, WIDTHS = (3, 4, 6, 3), (64, 128, 256, 512)


def random_weights() -> Weights:
    """Return weights under torchvision's names, sized so that every layer still matters at the end."""
    rng = torch.Generator().manual_seed(11)
    found: Weights = {}

    def conv(name: str, out: int, into: int, size: int) -> None:
        found[f"{name}.weight"] = torch.randn(out, into, size, size, generator=rng) / (into * size * size) ** 0.5

    def norm(name: str, width: int) -> None:
        found[f"{name}.weight"] = 0.5 + torch.rand(width, generator=rng)
        found[f"{name}.bias"] = torch.randn(width, generator=rng) / 4
        found[f"{name}.running_mean"] = torch.randn(width, generator=rng) / 4
        found[f"{name}.running_var"] = 0.5 + torch.rand(width, generator=rng)
        found[f"{name}.num_batches_tracked"] = torch.tensor(7)

    conv("conv1", 64, 3, 7)
    norm("bn1", 64)
    before = 64
    for stage, (depth, width) in enumerate(zip(DEPTHS, WIDTHS, strict=True), start=1):
        for block in range(depth):
            name = f"layer{stage}.{block}"
            conv(f"{name}.conv1", width, before, 3)
            norm(f"{name}.bn1", width)
            conv(f"{name}.conv2", width, width, 3)
            norm(f"{name}.bn2", width)
            if before != width:
                conv(f"{name}.downsample.0", width, before, 1)
                norm(f"{name}.downsample.1", width)
            before = width
    found["fc.weight"] = torch.randn(18, 512, generator=rng) / 20
    found["fc.bias"] = torch.randn(18, generator=rng)
    return found


def by_hand(weights: Mapping[str, Any], values: Any) -> Any:
    """Return what a ResNet-34 with these weights gives, step by step."""

    def conv(name: str, x: Any, stride: int, padding: int) -> Any:
        return functional.conv2d(x, weights[f"{name}.weight"], stride=stride, padding=padding)

    def norm(name: str, x: Any) -> Any:
        mean, spread = weights[f"{name}.running_mean"], weights[f"{name}.running_var"]
        return functional.batch_norm(x, mean, spread, weights[f"{name}.weight"], weights[f"{name}.bias"])

    x = functional.relu(norm("bn1", conv("conv1", values, 2, 3)))
    x = functional.max_pool2d(x, 3, 2, 1)
    for stage, depth in enumerate(DEPTHS, start=1):
        for block in range(depth):
            name, stride = f"layer{stage}.{block}", 2 if stage > 1 and block == 0 else 1
            inner = functional.relu(norm(f"{name}.bn1", conv(f"{name}.conv1", x, stride, 1)))
            inner = norm(f"{name}.bn2", conv(f"{name}.conv2", inner, 1, 1))
            if stride == 2:
                x = norm(f"{name}.downsample.1", conv(f"{name}.downsample.0", x, 2, 0))
            x = functional.relu(x + inner)
    return functional.linear(x.mean(dim=(2, 3)), weights["fc.weight"], weights["fc.bias"])


@pytest.fixture(scope="session")
def weights() -> Weights:
    return random_weights()


@pytest.fixture(scope="session")
def file(weights: Weights, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fairface") / "res34_fair_align_multi_7_20190809.pt"
    torch.save(weights, path)
    return path


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two portraits, the two side by side, a small one in a large frame, and nobody."""
    folder = tmp_path_factory.mktemp("pictures")
    painter = Facegan("", Facegan.Options())
    for name, seed in (("one", 7), ("other", 12)):
        (folder / f"{name}.png").write_bytes(painter.draw(LatentFace(seed)))
    one, other = (Pillow.open(folder / f"{name}.png").convert("RGB").resize((512, 512)) for name in ("one", "other"))
    pair = Pillow.new("RGB", (1024, 512))
    pair.paste(one, (0, 0))
    pair.paste(other, (512, 0))
    pair.save(folder / "pair.png")
    small = Pillow.new("RGB", (1024, 1024), "grey")
    small.paste(one.resize((160, 160)), (400, 400))
    small.save(folder / "small.png")
    Pillow.new("RGB", (300, 300), "grey").save(folder / "nobody.png")
    return folder


@pytest.fixture(scope="session")
def fairface(file: Path) -> FairFace:
    return build(file)


def build(file: Path | str, **options: Any) -> FairFace:
    return FairFace(str(file), parse_settings(FairFaceOptions, {"device": "cpu", **options}, "study.toml"))


def masses(rows: list[Observed]) -> dict[tuple[str, int, str], tuple[float, ...]]:
    return {(o.image, o.subject, o.attribute): o.mass or () for o in rows if isinstance(o, Observation)}


def softmax(logits: Any) -> list[float]:
    return [float(value) for value in torch.softmax(logits.double(), dim=-1)]


def test_masses_are_those_of_the_network_by_hand(fairface: FairFace, weights: Weights, pictures: Path) -> None:
    rows = list(fairface.annotate([Image("x", pictures / "one.png")]))
    seen = masses(rows)
    assert list(seen) == [("x", 0, name) for name in ("race7", "gender", "age9", "age3")]
    box = rows[0].box
    assert box is not None
    with Pillow.open(pictures / "one.png") as picture:
        pixels = np.asarray(picture.convert("RGB"))
    chip = Pillow.fromarray(FaceDetector().chip(pixels, box, 300, 0.25)).resize((224, 224), Pillow.Resampling.BILINEAR)
    values = torch.from_numpy(np.asarray(chip).copy()).permute(2, 0, 1).float() / 255
    values = (values - torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)) / torch.tensor([0.229, 0.224, 0.225]).view(
        3, 1, 1
    )
    with torch.inference_mode():
        logits = by_hand(weights, values[None])[0]
    assert float(logits.std()) > 0.1
    assert seen["x", 0, "race7"] == pytest.approx(softmax(logits[:7]), abs=1e-5)
    assert seen["x", 0, "gender"] == pytest.approx(softmax(logits[7:9]), abs=1e-5)
    assert seen["x", 0, "age9"] == pytest.approx(softmax(logits[9:]), abs=1e-5)
    ages = seen["x", 0, "age9"]
    assert seen["x", 0, "age3"] == pytest.approx((sum(ages[:4]), sum(ages[4:7]), sum(ages[7:])), abs=1e-12)


def test_the_face_is_cut_out_as_dlib_does_it(pictures: Path) -> None:
    faces = FaceDetector()
    with Pillow.open(pictures / "one.png") as picture:
        pixels = np.asarray(picture.convert("RGB"))
    ((left, top, right, bottom),) = faces.find(Pillow.fromarray(pixels), 1024)
    shape = faces._landmarks(pixels, dlib.rectangle(left, top, right - 1, bottom - 1))
    expected: NDArray[np.uint8] = dlib.get_face_chip(pixels, shape, size=300, padding=0.25)
    assert np.array_equal(faces.chip(pixels, (left, top, right, bottom), 300, 0.25), expected)


def test_outputs_have_the_order_of_the_groups(file: Path, weights: Weights, pictures: Path, tmp_path: Path) -> None:
    """With a last layer of nothing but its bias, every face gets the same groups, which are known."""
    table = attribute_table()
    order = {
        "race7": ("white", "black", "latino_hispanic", "east_asian", "southeast_asian", "indian", "middle_eastern"),
        "gender": ("male", "female"),
        "age9": ("0_2", "3_9", "10_19", "20_29", "30_39", "40_49", "50_59", "60_69", "70_and_over"),
    }
    assert {name: table[name].groups for name in HEADS} == order
    bias = torch.zeros(18)
    bias[4] = bias[7] = bias[15] = 20.0  # southeast_asian, male, 50_59
    path = tmp_path / "planted.pt"
    torch.save({**weights, "fc.weight": torch.zeros(18, 512), "fc.bias": bias}, path)
    seen = masses(list(build(path).annotate([Image("x", pictures / "one.png")])))
    top = {name: table[name].groups[int(np.argmax(mass))] for (_, _, name), mass in seen.items()}
    assert top == {"race7": "southeast_asian", "gender": "male", "age9": "50_59", "age3": "middle_aged"}


def test_faces_and_reasons_are_those_of_the_annotator_faces(fairface: FairFace, pictures: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    shown = [("one", 1), ("one", 2), ("pair", 1), ("pair", 2), ("small", 1), ("nobody", 1)]
    shown += [("one", 0), ("pair", 0), ("nobody", 0)]
    images = [Image(f"{name}{people}", pictures / f"{name}.png", people=people) for name, people in shown]
    images += [Image("bad", tmp_path / "bad.png"), Image("gone", None)]
    ours, expected = list(fairface.annotate(images)), list(Faces("", Faces.Options()).annotate(images))
    assert _reasons(ours) == _reasons(expected)
    reasons = {reason for _, reason, _ in _reasons(expected)}
    assert reasons == {"one_face", "several_faces", "no_face", "unreadable_image", "missing_file"}
    assert _boxes(ours) == _boxes(expected)


def test_a_tiny_face_is_not_described(fairface: FairFace, pictures: Path) -> None:
    image = Image("small", pictures / "small.png")
    ours = list(build(fairface.file, min_face=200).annotate([image]))
    expected = list(Faces("", Faces.Options(min_face=200)).annotate([image]))
    assert _reasons(ours) == _reasons(expected) == [("small", "tiny_face", None), ("small", "tiny_face", 0)]
    assert _boxes(ours) == _boxes(expected)
    assert masses(ours) == {}


def _reasons(rows: list[Observed]) -> list[tuple[str, str, int | None]]:
    return [(row.image, row.reason, row.subject) for row in rows if isinstance(row, Abstention) and not row.attribute]


def _boxes(rows: list[Observed]) -> set[tuple[str, int | None, Any]]:
    return {(row.image, row.subject, row.box) for row in rows if row.box}


def test_results_do_not_hang_on_the_batch(fairface: FairFace, pictures: Path) -> None:
    images = [Image(name, pictures / f"{name}.png") for name in ("one", "nobody", "pair", "other")]
    together = masses(list(fairface.annotate(images)))
    apart = masses([row for image in images for row in fairface.annotate([image])])
    assert list(apart) == list(together)
    assert len(together) == 4 * 4
    for key, mass in together.items():
        assert apart[key] == pytest.approx(mass, abs=1e-5)
        assert sum(mass) == pytest.approx(1)


def test_it_travels_without_its_models_and_gives_the_same(fairface: FairFace, pictures: Path) -> None:
    image = Image("x", pictures / "other.png")
    expected = list(fairface.annotate([image]))
    assert len(pickle.dumps(fairface)) < 2_000
    assert list(pickle.loads(pickle.dumps(fairface)).annotate([image])) == expected


def test_safetensors_hold_the_same(fairface: FairFace, weights: Weights, pictures: Path, tmp_path: Path) -> None:
    path = tmp_path / "fairface.safetensors"
    save_file({name: value for name, value in weights.items() if "num_batches" not in name}, path)
    image = Image("x", pictures / "one.png")
    assert masses(list(build(path).annotate([image]))) == masses(list(fairface.annotate([image])))


def test_the_name_holds_the_file_and_a_digest_but_not_its_place(fairface: FairFace, file: Path, tmp_path: Path) -> None:
    moved = tmp_path / file.name
    moved.write_bytes(file.read_bytes())
    assert fairface.name.startswith("fairface@1:res34_fair_align_multi_7_20190809.pt@")
    assert build(moved).name == fairface.name
    moved.write_bytes(file.read_bytes() + b"\0")
    assert build(moved).name != fairface.name


def test_the_device_makes_no_other_annotator() -> None:
    assert FairFaceOptions(device="cpu").changed() == {}
    assert FairFaceOptions(device="cuda:1", min_face=64).changed() == {"min_face": 64}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda w: w.pop("layer3.5.bn2.bias"), "it lacks resnet.encoder.stages.2.layers.5.layer.1.normalization.bias"),
        (lambda w: w.update({"extra.weight": torch.zeros(1)}), "it also has extra.weight (1 such)"),
        (lambda w: w.update({"layer1.3.conv1.weight": torch.zeros(1)}), "it also has layer1.3.conv1.weight (1 such)"),
        (lambda w: w.update({"fc.weight": torch.zeros(1000, 512)}), "it has another size of fc.weight (1 such)"),
    ],
)
def test_weights_that_do_not_fit_are_named(
    weights: Weights, tmp_path: Path, change: Callable[[Weights], object], message: str
) -> None:
    other = dict(weights)
    change(other)
    torch.save(other, tmp_path / "other.pt")
    with pytest.raises(InputError) as caught:
        list(build(tmp_path / "other.pt").annotate([]))
    assert f"annotator 'fairface': {tmp_path / 'other.pt'} is no FairFace network: {message}" in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"not weights", pickle.dumps(print)], ids=["empty", "text", "code"])
def test_a_file_that_holds_no_weights_is_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.pt").write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(build(tmp_path / "bad.pt").annotate([]))
    assert str(caught.value).startswith(f"annotator 'fairface': the model in {tmp_path / 'bad.pt'} cannot be loaded: ")
    assert "\n" not in str(caught.value)


def test_a_list_is_no_network(tmp_path: Path) -> None:
    torch.save([torch.zeros(2)], tmp_path / "list.pt")
    with pytest.raises(InputError, match="it holds a list instead of named weights"):
        list(build(tmp_path / "list.pt").annotate([]))


@pytest.mark.parametrize("name", ["res34_fair_align_multi_4_20190809.pt", "fairface_alldata_4race_20191111.pt"])
def test_the_weights_for_four_races_are_refused_under_the_names_their_authors_gave_them(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).touch()
    with pytest.raises(InputError, match="tells four races apart; take the weights for seven"):
        build(tmp_path / name)


def test_what_is_given_must_be_the_weights_for_seven_races(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs its weights, such as fairface:res34_fair"):
        build("")
    with pytest.raises(InputError, match=r"no file gone\.pt; give the path"):
        build("gone.pt")
    (tmp_path / "res34_fair_align_4class_20190809.pt").touch()
    with pytest.raises(InputError, match="tells four races apart; take the weights for seven"):
        build(tmp_path / "res34_fair_align_4class_20190809.pt")
