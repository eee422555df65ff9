"""A folder of images is looked at, and the layout that fits it is found, or said why none does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import InputError
from portrayal.study.importing.folders.recognise import UnnamedError, recognise

NURSE = {"occupation": "nurse", "model": "sdxl", "prompt": "a nurse"}


def put(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return folder


def tree(folder: Path) -> Path:
    return put(folder, "sdxl/a nurse/0.png", "sdxl/a nurse/1.PNG", "pixart/a CEO/0.jpg", "pixart/a CEO/Thumbs.db")


def numbered(folder: Path) -> Path:
    put(folder, "0.png", "1.png")
    (folder / "metadata.json").write_text(json.dumps({"0": NURSE, "1": NURSE}), encoding="utf-8")
    return folder


def listed(folder: Path, name: str = "manifest.csv") -> Path:
    put(folder, "a.png", "b/c.png")
    (folder / name).write_text("file;model;prompt\na.png;m;p\nb/c.png;m;q\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("lay", "layout", "counts"),
    [(tree, "tree", (3, 2, 2)), (numbered, "bafis", (2, 1, 1)), (listed, "manifest", (2, 1, 2))],
)
def test_each_layout_is_recognised(
    tmp_path: Path, lay: Callable[[Path], Path], layout: str, counts: tuple[int, ...]
) -> None:
    found = recognise(lay(tmp_path / "images"))
    assert (found.layout, found.manifest) == (layout, None)
    assert (found.images, len(found.models), len(found.prompts)) == counts


def test_a_list_of_another_name_is_found(tmp_path: Path) -> None:
    found = recognise(listed(tmp_path, "pictures of 2024.csv"))
    assert (found.layout, found.manifest) == ("manifest", tmp_path / "pictures of 2024.csv")


def test_of_layouts_that_fit_the_one_with_most_images_is_it(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "some.csv").write_text("path,model,prompt\nsdxl/a nurse/0.png,m,p\n", encoding="utf-8")
    assert recognise(tmp_path).layout == "tree"


def test_a_manifest_counts_before_all_else_and_its_mistakes_are_told(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "manifest.csv").write_text("path,modell,prompt\na.png,m,p\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"manifest\.csv: column 'model' is missing"):
        recognise(tmp_path)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "the folder is empty; put the images there, or check the path"),
        (("notes.txt", "b.txt", "c.zip"), "no images among the 3 files here (.txt, .zip); check the path, or unpack"),
        (("0.png", "1.png"), "2 images lie here, and nothing says which model drew them or by which prompt; add "
         "--model NAME and --prompt TEXT; or list them in manifest.csv with the columns path, model and prompt"),
        (("a nurse/0.png",), "1 image lies in folders ('a nurse'), and nothing says whether these are prompts or "
         "models; add --model NAME if they are prompts, --prompt TEXT if they are models, both if neither; or list "),
        (("0.png",), "1 image lies here, and nothing says which model drew it or by which prompt; add --model NAME and "
         "--prompt TEXT; or list it in manifest.csv"),
        (("nurse_1.png", "ceo (1).png"), "--layout names if each file's name holds its prompt (here 'ceo' in ceo (1)"),
        (("A/a_big_nurse_01.png",), "both if neither; or --layout names if they are models and each file's name"),
        (("a_big_nurse_01.png",), "or --model NAME --layout names if each file's name holds its prompt (here "
         "'a big nurse' in a_big_nurse_01.png)"),
        (("2024-05-01/0.png", "2024-05-02/1.png"), "2 images lie here, and nothing says which model drew them or by "),
        (("2024/05/0.png", "2024/06/1.png"), "2 images lie here, and nothing says which model drew them or by which "),
    ],
)  # fmt: skip
def test_a_folder_that_does_not_say_enough_is_explained(tmp_path: Path, names: tuple[str, ...], said: str) -> None:
    (tmp_path / "images").mkdir()
    with pytest.raises(InputError) as caught:
        recognise(put(tmp_path / "images", *names))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("names", "told", "layout", "models", "prompts"),
    [
        (("0.png",), {"model": "M", "prompt": "a nurse"}, "flat", ["M"], ["a nurse"]),
        (("2024-05-01/0.png",), {"model": "42", "prompt": "7"}, "flat", ["42"], ["7"]),
        (("a nurse/0.png", "a CEO/1.png"), {"model": "M"}, "prompts", ["M"], ["a CEO", "a nurse"]),
        (("a nurse/day 1/0.png",), {"model": "M"}, "prompts", ["M"], ["a nurse"]),
        (("1.5/0.png", "2.1/0.png"), {"prompt": "a nurse"}, "models", ["1.5", "2.1"], ["a nurse"]),
        (("a nurse/seed0/0.png", "a CEO/seed0/0.png"), {"model": "M"}, "prompts", ["M"], ["a CEO", "a nurse"]),
        (("a nurse/0.png", "a nurse/1.png", "a nurse/old/2.png"), {"model": "M"}, "prompts", ["M"], ["a nurse"]),
        (("2024-05-01/a nurse/0.png",), {"model": "M"}, "prompts", ["M"], ["a nurse"]),
        (("M/a nurse/seed0/0.png", "M/a CEO/seed0/0.png"), {}, "tree", ["M"], ["a CEO", "a nurse"]),
        (("2024-05-01/M/a nurse/0.png", "2024-05-02/M/a CEO/0.png"), {}, "tree", ["M"], ["a nurse", "a CEO"]),
        (("M/a nurse, old/0.png", "M/a nurse, young/0.png"), {}, "tree", ["M"], ["a nurse, old", "a nurse, young"]),
    ],
)
def test_what_is_told_says_what_folders_are(
    tmp_path: Path, names: tuple[str, ...], told: dict[str, Any], layout: str, models: list[str], prompts: list[str]
) -> None:
    found = recognise(put(tmp_path, *names), **told)
    assert (found.layout, found.models, found.prompts) == (layout, models, prompts)


@pytest.mark.parametrize(
    ("names", "told", "said"),
    [
        (("0.png",), {"model": "M"}, "nothing says by which prompt; add --prompt TEXT; or list"),
        (("0.png",), {"prompt": "a nurse"}, "nothing says which model drew it; add --model NAME; or list"),
        (("2024-05-01/0.png",), {"model": "M"}, "nothing says by which prompt; add --prompt TEXT; or list"),
        (("2024-05-01/0.png",), {"prompt": "p"}, "nothing says which model drew it; add --model NAME; or list"),
    ],
)
def test_half_of_it_is_not_enough_for_a_flat_folder(
    tmp_path: Path, names: tuple[str, ...], told: dict[str, Any], said: str
) -> None:
    with pytest.raises(UnnamedError, match=said):
        recognise(put(tmp_path, *names), **told)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"model": "A"}, "('flux/CEO', 'flux/nurse'), so the folder names models itself, the outer ones; leave --model "
         "out, or add --layout prompts if the outer folders are prompts and the inner folders mean nothing"),
        ({"prompt": "A"}, "so the folder names prompts itself, the inner ones; leave --prompt out, or add --layout "
         "models if the inner folders mean nothing"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("below", ["", "seed0/", "2024/"])
def test_a_tree_is_not_merged_because_of_what_is_told(
    tmp_path: Path, below: str, told: dict[str, Any], said: str
) -> None:
    put(tmp_path, *(f"{model}/{prompt}/{below}0.png" for model in ("sdxl", "flux") for prompt in ("CEO", "nurse")))
    with pytest.raises(InputError) as caught:
        recognise(tmp_path, **told)
    assert said in str(caught.value)
    assert not isinstance(caught.value, UnnamedError)


def test_a_list_beside_a_tree_takes_the_model_that_is_told(tmp_path: Path) -> None:
    put(tmp_path, "sdxl/nurse/0.png")
    (tmp_path / "manifest.csv").write_text("path,prompt\nsdxl/nurse/0.png,a nurse\n", encoding="utf-8")
    assert recognise(tmp_path, model="M").models == ["M"]


def test_a_few_files_that_lie_deep_do_not_make_a_tree_of_a_flat_folder(tmp_path: Path) -> None:
    put(tmp_path, "0.png", "1.png", "2.png", "old/backup/3.png")
    with pytest.raises(UnnamedError, match="4 images lie here"):
        recognise(tmp_path)
    assert recognise(tmp_path, model="M", prompt="a nurse").images == 4


def test_a_study_that_lies_in_the_folder_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, "0.png", "study/study.toml", "study/images/ab/1.png")
    assert recognise(tmp_path, model="M", prompt="a nurse").images == 1


def test_a_model_is_told_where_no_more_than_half_of_the_images_lie_two_folders_deep(tmp_path: Path) -> None:
    put(tmp_path, "a CEO/0.png", "a nurse/more pictures/1.png")
    assert recognise(tmp_path, model="M").prompts == ["a CEO", "a nurse"]
    put(tmp_path, "a clerk/other pictures/2.png")
    with pytest.raises(InputError, match="so the folder names models itself, the outer ones"):
        recognise(tmp_path, model="M")


def test_a_list_without_models_takes_the_one_that_is_told(tmp_path: Path) -> None:
    put(tmp_path, "a.png", "b.png")
    (tmp_path / "prompts.csv").write_text("File name,Prompt\na.png,a nurse\nb.png,a CEO\n", encoding="utf-8")
    with pytest.raises(UnnamedError, match=r"prompts\.csv: lists the images, and nothing says which model drew them"):
        recognise(tmp_path)
    found = recognise(tmp_path, model="M")
    assert (found.layout, found.models, found.prompts) == ("manifest", ["M"], ["a nurse", "a CEO"])


def test_a_list_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    put(tmp_path, "a.png")
    for name in ("prompts.csv", "texts.csv"):
        (tmp_path / name).write_text("number,prompt\n1,a nurse\n", encoding="utf-8")
    with pytest.raises(UnnamedError, match=r"add --model NAME and .*cannot be used: .*prompts.csv: column 'path' is "):
        recognise(tmp_path)


def test_a_folder_of_heic_alone_says_what_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("folders.image_files", "declared", "read_picture"):
        monkeypatch.setattr(f"portrayal.study.importing.{module}.can_read_heic", lambda: False)
    with pytest.raises(
        InputError, match=r'2 images here are HEIC, and no others; to read them: pip install "portrayal'
    ):
        recognise(put(tmp_path, "IMG_1.HEIC", "IMG_2.heif"))


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    put(tmp_path, "pictures.zip")
    with pytest.raises(InputError, match=r"pictures\.zip: a file; --images takes the folder .*unpack an archive first"):
        recognise(tmp_path / "pictures.zip")


def test_files_elsewhere_are_taken_only_if_that_is_said(tmp_path: Path) -> None:
    put(tmp_path, "far.png")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "manifest.csv").write_text("path,model,prompt\n../far.png,m,p\n", encoding="utf-8")
    with pytest.raises(InputError, match="leads out of"):
        recognise(tmp_path / "images")
    assert recognise(tmp_path / "images", outside=True).outside


@pytest.mark.parametrize("told", [{}, {"model": "M"}, {"prompt": "p"}, {"model": "M", "prompt": "p"}])
@pytest.mark.parametrize("inside", ["0.png", "a nurse/0.png", "M/a nurse/0.png"])
def test_links_out_of_a_folder_are_named_whatever_is_told(tmp_path: Path, inside: str, told: dict[str, Any]) -> None:
    put(tmp_path, "far/a nurse/1.png", "far/2.png")
    images = put(tmp_path / "images", inside, *(["1.png", "2.png", "3.png"] if inside == "0.png" else []))
    (images / "folder").symlink_to(tmp_path / "far")
    (images / "file.png").symlink_to(tmp_path / "far" / "2.png")
    (images / "dead.png").symlink_to(tmp_path / "nowhere.png")
    (images / "loop").symlink_to(".")
    with pytest.raises(InputError, match=r"leads out of .*images, to .*if that is meant, add --outside") as caught:
        recognise(images, **told)
    assert "\n" not in str(caught.value)


def test_how_many_files_lead_out_of_a_folder_is_said(tmp_path: Path) -> None:
    put(tmp_path, "far/1.png", "far/2.png")
    images = put(tmp_path / "images", "0.png")
    (images / "folder").symlink_to(tmp_path / "far")
    with pytest.raises(InputError, match=r"1\.png: leads out of .*\(2 files here lead out of it\); if that is meant"):
        recognise(images, model="M", prompt="p")
    assert recognise(images, model="M", prompt="p", outside=True).images == 3


def test_images_without_an_ending_are_named(tmp_path: Path, picture: Callable[..., bytes]) -> None:
    (tmp_path / "nurse1").write_bytes(picture((0, 0, 0)))
    with pytest.raises(
        InputError, match=r"nurse1 is an image whose name has no ending; add that of its format, such as "
    ):
        recognise(tmp_path, model="M", prompt="p")
    (tmp_path / "nurse1").write_text("no image")
    with pytest.raises(InputError, match=r"no images among the 1 file here \(without an ending\)"):
        recognise(tmp_path, model="M", prompt="p")
