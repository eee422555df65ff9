from __future__ import annotations

import io
import pickle
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from scipy.stats import binomtest, chisquare

from portrayal.annotators.faces import Faces
from portrayal.errors import ConfigError
from portrayal.generators import GENERATORS
from portrayal.generators.facegan import Facegan
from portrayal.generators.facegan.bank import CELLS, BankFace, FaceCell, load_bank
from portrayal.generators.facegan.face_model import _averaged
from portrayal.generators.facegan.planted_edits import SAFE, LatentFace, NotFacegan, mark_of, planted_edits, read_face
from portrayal.generators.facegan.profile import load_profile
from portrayal.records import SIDES, Failed, Image, Job, Made, Observation, Prompt, plan_job
from portrayal.settings import parse_settings

pytestmark = pytest.mark.slow

THINNEST: FaceCell = ("female", "elderly", "dark")
HEADER = "term,attribute,group,share\n"
DEFAULT = "".join(
    f"*,{attribute},{group},{1 if place == 0 else 0}\n"
    for attribute, groups in CELLS.items()
    for place, group in enumerate(groups)
)


@pytest.fixture(scope="session")
def painter() -> Facegan:
    return Facegan("", Facegan.Options())


def job(term: str, index: int = 0) -> Job:
    return plan_job(Prompt(f"a photo of one {term}", term), "facegan@1", index, study_seed=1)


def edit(painter: Facegan, source: bytes, term: str) -> Made | Failed:
    (outcome,) = painter.edit([Job("e", "p", "facegan@1", 0, 0, f"a photo of a {term}", term, source=source)])
    return outcome


def test_every_cell_of_the_bank_has_faces() -> None:
    counts = {cell: len(faces) for cell, faces in load_bank().items()}
    assert len(counts) == 18
    assert min(counts.values()) >= 8
    seeds = [face.seed for faces in load_bank().values() for face in faces]
    assert len(set(seeds)) == len(seeds)


def test_shipped_data_stays_small() -> None:
    data = files("portrayal.generators.facegan") / "data"
    assert len((data / "bank.csv").read_bytes()) < 300_000
    assert len((data / "directions.npz").read_bytes()) < 20_000


def test_a_job_is_drawn_as_planted_and_alone_or_in_a_batch(painter: Facegan) -> None:
    jobs = [job("Nurse"), job("Judge", 1)]
    first, second = painter.generate(jobs)
    assert list(painter.generate(jobs[1:])) == [second]
    for one, asked in zip((first, second), jobs, strict=True):
        assert isinstance(one, Made)
        assert (one.job, one.ext, one.width, one.height) == (asked.id, "jpg", 512, 512)
        assert one.versions.startswith("openvino ")
        assert one.versions.endswith("; random-face 2021.7.21.1; facegan@1")
        (face,) = painter.pick(asked)
        assert one.planted == [{"gender": face.gender, "age3": face.age3, "tone3": face.tone3}]
        assert read_face(one.data) == LatentFace(face.seed)
        with Pillow.open(io.BytesIO(one.data)) as picture:
            assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (512, 512))


def test_smaller_pictures_are_averages_of_larger_ones(painter: Facegan) -> None:
    small = Facegan("", Facegan.Options(size=256, quality=100))
    large = Facegan("", Facegan.Options(size=512, quality=100))
    pictures = [Pillow.open(io.BytesIO(one.draw(LatentFace(7)))) for one in (small, large)]
    halved = np.asarray(pictures[1].reduce(2), dtype=float)
    assert np.abs(np.asarray(pictures[0], dtype=float) - halved).mean() < 2


def test_halves_are_those_of_a_plain_mean() -> None:
    drawn = np.random.default_rng(1).normal(size=(3, 1024, 1024)).astype(np.float32)
    plain = drawn.reshape(3, 512, 2, 512, 2).mean(axis=(2, 4))
    assert np.array_equal(_averaged(drawn, 2), plain)


def test_draws_follow_the_truth(painter: Facegan) -> None:
    size = 4000
    truth = painter.truth(Prompt("a photo of one cook", "COOK"))
    assert truth == load_profile().shares("Cook")
    drawn = [face for index in range(size) for face in painter.pick(job("cook", index))]
    for place, (attribute, shares) in enumerate(truth.items()):
        counts = Counter(face.cell[place] for face in drawn)
        for group, share in shares.items():
            assert counts[group] / size == pytest.approx(share, abs=4 * (share * (1 - share) / size) ** 0.5), attribute
    assert len({face.seed for face in drawn}) > 900


def test_who_answers_a_job_never_changes_between_versions(painter: Facegan) -> None:
    """Computed by the version of before two-person prompts."""
    seeds = [face.seed for index in range(8) for face in painter.pick(job("Nurse", index))]
    assert seeds == [2231, 3331, 1480, 2758, 1581, 2726, 616, 2787]
    assert (
        LatentFace(2231, {"age": 0.5}).comment() == b'{"generator": "facegan@1", "seed": 2231, "moves": {"age": 0.5}}'
    )
    assert mark_of([LatentFace(2231)]) == b'{"generator": "facegan@1", "seed": 2231, "moves": {}}'
    assert Facegan.Options(obey=1.0).changed() == {}


def picks(painter: Facegan, prompt: Prompt, count: int) -> list[list[BankFace]]:
    return [painter.pick(plan_job(prompt, "facegan@1", index, study_seed=1)) for index in range(count)]


def test_what_a_prompt_asks_for_is_drawn_if_the_bank_has_it(painter: Facegan) -> None:
    requested = {"gender": "male", "age3": "elderly", "tone3": "dark", "race5": "latino"}
    prompt = Prompt("one old, dark, male, Latino nurse", "Nurse", requested=requested)
    assert {face.cell for (face,) in picks(painter, prompt, 60)} == {("male", "elderly", "dark")}
    assert set(painter.truth(prompt)) == set(CELLS), "of race it knows nothing"
    assert painter.truth(prompt)["age3"] == {"young": 0.0, "middle_aged": 0.0, "elderly": 1.0}
    odd = Prompt("one nonbinary nurse", "Nurse", requested={"gender": "nonbinary"})
    assert painter.truth(odd) == load_profile().shares("Nurse")


def test_it_obeys_as_often_as_it_is_told() -> None:
    prompt = Prompt("one male nurse", "Nurse", requested={"gender": "male"})
    painter = Facegan("", Facegan.Options(obey=0.5))
    usual, asked = (one["gender"]["male"] for one in (load_profile().shares("Nurse"), painter.truth(prompt)))
    assert asked == pytest.approx(0.5 + usual / 2)
    men = sum(face.gender == "male" for (face,) in picks(painter, prompt, 2000))
    assert binomtest(men, 2000, asked).pvalue > 0.01
    with pytest.raises(ConfigError, match="'obey': input should be less than or equal to 1"):
        parse_settings(Facegan.Options, {"obey": 2}, "study.toml")


def test_two_people_have_shares_of_their_own_and_are_never_the_same_face(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    rows = "*,left.gender,female,1\nBoss / Clerk,age3,elderly,1\nBoss / Clerk,right.tone3,dark,1\n"
    path.write_text(HEADER + DEFAULT + rows, encoding="utf-8")
    painter = Facegan("", Facegan.Options(profile=path))
    pair = Prompt("a boss at left, a clerk at right", "Boss / Clerk", people=2)
    only = {name: groups[0] for name, groups in CELLS.items()}
    for side, likely in (
        ("left", {"gender": "female", "age3": "elderly"}),
        ("right", {"age3": "elderly", "tone3": "dark"}),
    ):
        for name, group in {**only, **likely}.items():
            assert painter.truth(pair)[f"{side}.{name}"][group] == 1.0
    assert {(left.cell, right.cell) for left, right in picks(painter, pair, 20)} == {
        (("female", "elderly", "light"), ("male", "elderly", "dark"))
    }
    same = {f"{side}.{name}": group for side in SIDES for name, group in zip(CELLS, THINNEST, strict=True)}
    twins = picks(painter, Prompt("two", "Boss / Clerk", people=2, requested=same), 300)
    assert {face.cell for faces in twins for face in faces} == {THINNEST}
    assert all(left.seed != right.seed for left, right in twins)
    assert (
        len({left.seed for left, _ in twins}) == len({right.seed for _, right in twins}) == len(load_bank()[THINNEST])
    )


def test_both_faces_of_a_pair_are_found_side_by_side_as_planted(tmp_path: Path) -> None:
    painter, annotator = Facegan("", Facegan.Options(size=256)), Faces("", Faces.Options())
    jobs = []
    for left, right in (("male", "female"), ("female", "male")):
        requested = {"left.gender": left, "right.gender": right}
        text = f"One {left} boss at left with one {right} clerk at right"
        jobs.append(plan_job(Prompt(text, "Boss / Clerk", requested=requested, people=2), "facegan@1", 0, study_seed=1))
    for asked, made in zip(jobs, painter.generate(jobs), strict=True):
        assert isinstance(made, Made)
        assert (made.width, made.height) == (512, 256)
        assert [person["gender"] for person in made.planted or ()] == list(asked.requested.values())
        path = tmp_path / f"{made.image}.jpg"
        path.write_bytes(made.data)
        with Pillow.open(path) as picture:
            assert picture.size == (512, 256)
        seen = annotator.annotate([Image(made.image, path, people=2)])
        female = {row.box: row.mass[1] for row in seen if row.attribute == "gender" and row.box and row.mass}
        first, second = sorted(female)
        assert first[0] + first[2] < 2 * 256 < second[0] + second[2], "one face in each half"
        assert [female[first] > 0.5, female[second] > 0.5] == [g == "female" for g in asked.requested.values()]
        outcome = edit(painter, made.data, "Nurse")
        assert isinstance(outcome, Failed)
        assert outcome.detail == "the source shows two people, and facegan@1 edits pictures of one; take another source"


NURSES = Prompt("nurses", "Nurse", people=0)


def test_a_group_is_a_row_of_two_to_four_faces_that_follow_the_profile(painter: Facegan) -> None:
    assert painter.truth(NURSES) == load_profile().shares("Nurse")
    crowds = picks(painter, NURSES, 1500)
    sizes = Counter(map(len, crowds))
    assert sorted(sizes) == [2, 3, 4]
    assert chisquare(list(sizes.values())).pvalue > 0.01
    assert all(len({face.seed for face in crowd}) == len(crowd) for crowd in crowds), "nobody is there twice"
    for attribute, shares in painter.truth(NURSES).items():
        for group, share in shares.items():
            seen = [getattr(face, attribute) == group for crowd in crowds for face in crowd]
            assert binomtest(sum(seen), len(seen), share).pvalue > 0.001, (attribute, group)
    alike = Counter((crowd[0].gender, crowd[1].gender) for crowd in crowds)
    assert alike["male", "male"] < 10, "people are drawn independently: 0.04 of nurses are men"
    assert picks(painter, NURSES, 6) == crowds[:6]


def test_everyone_in_a_group_is_who_was_asked_for(painter: Facegan) -> None:
    requested = dict(zip(CELLS, THINNEST, strict=True))
    crowds = picks(painter, Prompt("old nurses", "Nurse", requested=requested, people=0), 60)
    assert {face.cell for crowd in crowds for face in crowd} == {THINNEST}
    assert all(len({face.seed for face in crowd}) == len(crowd) for crowd in crowds)


def test_every_face_of_a_group_is_found_in_the_order_planted(tmp_path: Path) -> None:
    painter, annotator = Facegan("", Facegan.Options(size=256)), Faces("", Faces.Options())
    jobs = [plan_job(NURSES, "facegan@1", index, study_seed=1) for index in range(20)]
    largest = next(asked for asked in jobs if len(painter.pick(asked)) == 4)
    (made,) = painter.generate([largest])
    assert isinstance(made, Made)
    assert made.planted == [dict(zip(CELLS, face.cell, strict=True)) for face in painter.pick(largest)]
    path = tmp_path / "group.jpg"
    path.write_bytes(made.data)
    with Pillow.open(path) as picture:
        assert picture.size == (made.width, made.height) == (1024, 256)
    rows = list(annotator.annotate([Image(made.image, path, people=0)]))
    assert not [row for row in rows if row.subject is None]
    seen = [row.mass for row in rows if isinstance(row, Observation) and row.attribute == "gender"]
    said = ["female" if mass and mass[1] > 0.5 else "male" for mass in seen]
    assert said == [person["gender"] for person in made.planted]
    outcome = edit(painter, made.data, "Nurse")
    assert isinstance(outcome, Failed)
    assert outcome.detail == "the source shows several people, and facegan@1 edits pictures of one; take another source"


def test_an_unknown_term_gets_the_default(painter: Facegan) -> None:
    assert painter.truth(Prompt("a photo of a wizard", "wizard")) == load_profile().shares("*")
    assert painter.truth(Prompt("a photo", "")) == load_profile().shares("*")


def test_a_model_that_breaks_is_a_failed_job(monkeypatch: pytest.MonkeyPatch) -> None:
    painter = Facegan("", Facegan.Options())

    def broken(_: LatentFace) -> bytes:
        raise RuntimeError("no memory for blobs")

    monkeypatch.setattr(painter, "draw", broken)
    (outcome,) = painter.generate([job("Nurse")])
    assert isinstance(outcome, Failed)
    assert (outcome.reason, outcome.detail) == ("generator_error", "RuntimeError: no memory for blobs")


def test_an_edit_by_a_neutral_term_gives_the_same_picture(painter: Facegan) -> None:
    (made,) = painter.generate([job("Chef")])
    assert isinstance(made, Made)
    same = edit(painter, made.data, "no such word")
    assert isinstance(same, Made)
    assert same.data == made.data
    assert same.planted is None


def test_a_second_edit_goes_on_from_the_first_and_stays_safe(painter: Facegan) -> None:
    data = painter.draw(LatentFace(11))
    for _ in range(3):
        once = edit(painter, data, "Nurse")
        assert isinstance(once, Made)
        data = once.data
    assert read_face(data) == LatentFace(11, {"gender": SAFE["gender"]})
    edits = planted_edits({}).terms.values()
    assert all(abs(step) <= SAFE[name] for edit in edits for name, step in edit.steps().items())


def test_only_pictures_of_its_own_are_edited(painter: Facegan) -> None:
    foreign = io.BytesIO()
    Pillow.new("RGB", (64, 64)).save(foreign, "JPEG", comment=b'{"generator": "other", "seed": 1, "moves": {}}')
    plain = io.BytesIO()
    Pillow.new("RGB", (64, 64)).save(plain, "PNG")
    for source in (foreign.getvalue(), plain.getvalue(), b"", b"text"):
        outcome = edit(painter, source, "nurse")
        assert isinstance(outcome, Failed)
        assert outcome.reason == "not_a_facegan_image"
        with pytest.raises(NotFacegan, match="mark"):
            read_face(source)


def test_the_female_direction_changes_perceived_gender_and_little_else(painter: Facegan, tmp_path: Path) -> None:
    adults = [face for face in load_bank()["male", "middle_aged", "medium"] if face.certainty > 0.95][10:16]
    images = []
    for face in adults:
        for name, moves in (("before", {}), ("after", {"gender": 1.5})):
            path = tmp_path / f"{face.seed}-{name}.jpg"
            path.write_bytes(painter.draw(LatentFace(face.seed, moves)))
            images.append(Image(path.stem, path))
    seen = [row for row in Faces("", Faces.Options()).annotate(images) if isinstance(row, Observation)]
    female = {row.image: row.mass[1] for row in seen if row.attribute == "gender" and row.mass}
    value = {(row.image, row.attribute): row.value or 0.0 for row in seen}
    turned = [female[f"{face.seed}-after"] > 0.5 for face in adults]
    assert all(female[f"{face.seed}-before"] < 0.5 for face in adults)
    assert sum(turned) >= 5
    for attribute, most in (("intensity", 12.0), ("age", 8.0)):
        change = [value[f"{face.seed}-after", attribute] - value[f"{face.seed}-before", attribute] for face in adults]
        assert abs(np.mean(change)) < most


def test_it_is_registered_and_its_settings_are_checked() -> None:
    part: object = GENERATORS.load("facegan")
    assert part is Facegan
    with pytest.raises(ConfigError, match="'facegan' takes no argument, got 'x'"):
        Facegan("x", Facegan.Options())
    with pytest.raises(ConfigError, match="size"):
        parse_settings(Facegan.Options, {"size": 500}, "study.toml")


def test_loading_is_lazy_and_a_used_generator_pickles(painter: Facegan) -> None:
    code = (
        "import sys; from portrayal.generators.facegan import Facegan; Facegan('', Facegan.Options());"
        "print([name for name in ('openvino', 'random_face', 'PIL') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
    data = painter.draw(LatentFace(3))
    copy = pickle.loads(pickle.dumps(painter))
    assert copy.draw(LatentFace(3)) == data
