from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from portrayal.apps.arena.config import ArenaConfig
from portrayal.apps.arena.database.image_pool import read_image_pool
from portrayal.errors import ConfigError, StudyError
from portrayal.study.generate.generate_images import generate
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
PROMPTS = """\
text,term,category,language,variant
a photo of a nurse,nurse,health,en,direct
ein Foto einer Pflegekraft,nurse,health,de,direct
a photo of a CEO,CEO,office,en,indirect
"""


@pytest.fixture(scope="module")
def drawn(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study of three models that has its pictures; only to be read."""
    generators = [{"use": "simulated", "images": 2, "options": {"size": size}} for size in (4, 5, 6)]
    root = write_study(tmp_path_factory.mktemp("drawn") / "study", prompts=PROMPTS, generators=generators)
    plan(OpenStudy(root), RunControl())
    generate(OpenStudy(root), RunControl())
    return root


@pytest.fixture
def study(drawn: Path, tmp_path: Path) -> OpenStudy:
    return OpenStudy(shutil.copytree(drawn, tmp_path / "study"))


def with_arena(study: OpenStudy, **table: Any) -> OpenStudy:
    config = study.config.of_app(ArenaConfig).model_copy(update=table)
    study.config = study.config.model_copy(update={"arena": config})
    return study


def lose(study: OpenStudy, images: Iterable[str]) -> None:
    for image in images:
        Path(study.workspace.images.path(*image.split("."))).unlink()


def test_a_pool_holds_every_prompt_with_every_models_pictures(study: OpenStudy) -> None:
    pool = read_image_pool(study)
    assert len(pool.models) == 3
    about = {(c.text, c.term, c.category, c.language, c.variant) for c in pool.prompts.values()}
    assert about == {tuple(line.split(",")) for line in PROMPTS.splitlines()[1:]}
    for name, prompt in pool.prompts.items():
        assert prompt.id == name
        assert sorted(prompt.images) == list(pool.models)
        for image in (image for images in prompt.images.values() for image in images):
            name, ext = image.split(".")
            assert study.workspace.images.path(name, ext).is_file()
        assert [len(images) for images in prompt.images.values()] == [2, 2, 2]


def test_the_pool_is_narrowed_down(study: OpenStudy) -> None:
    pool = read_image_pool(with_arena(study, languages=("en",), variants=("direct",)))
    assert [prompt.text for prompt in pool.prompts.values()] == ["a photo of a nurse"]


def test_generators_are_chosen_by_identity_or_by_name(study: OpenStudy) -> None:
    models = read_image_pool(study).models
    assert read_image_pool(with_arena(study, generators=models[:2])).models == models[:2]
    assert read_image_pool(with_arena(study, generators=("simulated",))).models == models


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"languages": ("fr",)}, r"\[arena\] languages: the study has no 'fr'"),
        ({"variants": ("dirct",)}, r"\[arena\] variants: the study has no 'dirct'; did you mean 'direct'\?"),
        ({"generators": ("simulate",)}, r"\[arena\] generators: the study has no 'simulate'"),
    ],
)
def test_a_name_that_the_study_does_not_have_is_a_mistake(study: OpenStudy, table: Any, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        read_image_pool(with_arena(study, **table))


def test_pictures_that_are_not_on_disk_are_left_out(study: OpenStudy) -> None:
    ceo = next(prompt for prompt in read_image_pool(study).prompts.values() if prompt.term == "CEO")
    first, second, _ = ceo.images.values()
    lose(study, [*first, second[0]])
    left = read_image_pool(study).prompts[ceo.id].images
    assert [len(images) for images in left.values()] == [1, 2]
    lose(study, second[1:])
    assert {prompt.term for prompt in read_image_pool(study).prompts.values()} == {"nurse"}


def test_a_study_without_pictures_says_what_to_do(make_study: Make) -> None:
    with pytest.raises(StudyError, match="no pictures yet; make them with: portrayal run"):
        read_image_pool(OpenStudy(make_study("empty")))


def test_one_model_is_not_enough(study: OpenStudy) -> None:
    alone = read_image_pool(study).models[0]
    with pytest.raises(StudyError, match=f"only {alone} has pictures; add another generator"):
        read_image_pool(with_arena(study, generators=(alone,)))


def test_models_must_meet_on_a_prompt(study: OpenStudy) -> None:
    pool = read_image_pool(study)
    for prompt in pool.prompts.values():
        keeper = pool.models[prompt.term == "CEO"]
        lose(study, (image for model, images in prompt.images.items() if model != keeper for image in images))
    with pytest.raises(StudyError, match="no prompt was drawn by two models or more"):
        read_image_pool(study)


def test_models_that_share_only_the_same_files_are_told_where(tmp_path: Path) -> None:
    """One model has pictures of its own, in prompts that the other has not drawn."""
    root, pictures = tmp_path / "study", tmp_path / "pictures"
    root.mkdir()
    pictures.mkdir()
    (root / "study.toml").write_text('[study]\ntitle = "T"\n', encoding="utf-8")
    for number in range(3):
        Image.new("RGB", (8, 8), (number, 0, 0)).save(pictures / f"{number}.png")
    lines = ["path,model,prompt", "0.png,A,a cook", "0.png,B,a cook", "1.png,A,a nurse", "2.png,A,a judge"]
    (pictures / "manifest.csv").write_text("\n".join(lines), encoding="utf-8")
    study = OpenStudy(root)
    with study.workspace.writing():
        import_images(study, read_layout("manifest", pictures), RunControl())
    problem = (
        "in the only prompt of which two models or more have pictures, these are the same file, so there is nothing to "
        "compare; let the models draw other pictures, or more prompts in common"
    )
    with pytest.raises(StudyError, match=problem):
        read_image_pool(study)
