"""Which files a layout finds, and what it says when a folder is not laid out like that. No picture is opened here."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.records import FoundImage, Prompt
from portrayal.study.importing.folders.layouts import read_layout


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def manifest(folder: Path, text: str) -> Path:
    (folder / "manifest.csv").write_text(text, encoding="utf-8")
    return folder


def test_a_manifest_gives_every_column(tmp_path: Path) -> None:
    put(tmp_path, "deep/a.png")
    manifest(
        tmp_path,
        "path,model,prompt,seed,term,category,variant,language\n"
        'deep/a.png,sdxl,"a nurse, smiling",7,nurse,health,smile,en\n'
        "b.png,sdxl,a CEO,,,,,\n",
    )
    assert read_layout("manifest", tmp_path) == [
        FoundImage(
            tmp_path / "deep/a.png",
            "sdxl",
            Prompt("a nurse, smiling", "nurse", category="health", variant="smile"),
            seed=7,
            listed=True,
        ),
        FoundImage(tmp_path / "b.png", "sdxl", Prompt("a CEO", "a CEO"), listed=True),
    ]


@pytest.mark.parametrize("column", ["path", "filename", "file_name", "file", "image"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_the_column_of_paths_has_several_names_and_columns_several_marks(
    tmp_path: Path, column: str, mark: str
) -> None:
    put(tmp_path, "a, b.png")
    lines = [(column, "model", "prompt", "seed"), ('"a, b.png"', "sdxl", "a nurse", "3")]
    (file,) = read_layout("manifest", manifest(tmp_path, "\n".join(mark.join(line) for line in lines)))
    assert (file.path.name, file.model, file.seed, file.about) == ("a, b.png", "sdxl", 3, {})


def test_other_columns_are_kept_and_empty_cells_are_not(tmp_path: Path) -> None:
    put(tmp_path, "a.png")
    text = ",image,path,model,prompt,licence,steps\n0,x-1,a.png,sdxl,a nurse,CC0,\n1,,a.png,sdxl,a nurse,CC0,30\n"
    one, two = read_layout("manifest", manifest(tmp_path, text))
    assert one.about == {"image": "x-1", "licence": "CC0"}
    assert two.about == {"licence": "CC0", "steps": "30"}


def test_a_manifest_may_lie_elsewhere_and_hold_absolute_paths(tmp_path: Path) -> None:
    put(tmp_path, "images/a.png")
    where = tmp_path / "list.csv"
    where.write_text(f"path,model,prompt\n{tmp_path / 'images/a.png'},sdxl,a nurse\n", encoding="utf-8")
    (file,) = read_layout("manifest", tmp_path / "images", where)
    assert file.path == tmp_path / "images/a.png"


@pytest.mark.parametrize("seed", ["-5", "9223372036854775807", "12345678901234567"])
def test_seeds_are_kept_to_the_last_digit(tmp_path: Path, seed: str) -> None:
    put(tmp_path, "a.png")
    manifest(tmp_path, f"path,model,prompt,seed\na.png,sdxl,a nurse,{seed}\n")
    assert read_layout("manifest", tmp_path)[0].seed == int(seed)


@pytest.mark.parametrize("seed", ["1.5", "nan", "inf", "1e3", "seven", "9223372036854775808"])
def test_a_seed_that_is_no_64_bit_number_is_refused_with_its_line(tmp_path: Path, seed: str) -> None:
    put(tmp_path, "a.png")
    manifest(tmp_path, f"path,model,prompt,seed\na.png,sdxl,a nurse,1\na.png,sdxl,a nurse,{seed}\n")
    with pytest.raises(InputError, match=rf"manifest.csv:3: column 'seed' must .* got '?{seed}"):
        read_layout("manifest", tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("path,model\na.png,sdxl\n", "column 'prompt' is missing"),
        ("where,model,prompt\na.png,sdxl,nurse\n", "column 'path' is missing, which may also be called filename, "),
        ("path|model|prompt\na.png|sdxl|nurse\n", "column 'path' is missing, .*; the file has path|model|prompt"),
        ("path,model,prompt\n", "no rows"),
        ("path,model,Prompt,PROMPT\na.png,sdxl,a,b\n", "two columns are called 'prompt'; keep one"),
        ("path,model,prompt\na.png,sdxl\n", "manifest.csv:2: 2 values"),
        ("path,model,prompt\na.png,sdxl,nurse\n,sdxl,nurse\n", "manifest.csv:3: column 'path' is empty"),
        ("path,model,prompt\na.png, ,nurse\n", "manifest.csv:2: column 'model' is empty"),
        ("path,model,prompt\na.png,sdxl,  \n", "manifest.csv:2: column 'prompt' is empty"),
    ],
)
def test_a_bad_manifest_is_refused_with_file_and_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_layout("manifest", manifest(tmp_path, text))


@pytest.mark.parametrize("layout", ["faintbench", "bafis", "manifest"])
def test_a_missing_folder_is_refused(tmp_path: Path, layout: str) -> None:
    with pytest.raises(InputError, match="nowhere: no such folder"):
        read_layout(layout, tmp_path / "nowhere")


@pytest.mark.parametrize(("layout", "file"), [("bafis", "metadata.json"), ("manifest", "manifest.csv")])
def test_a_folder_without_its_list_is_refused(tmp_path: Path, layout: str, file: str) -> None:
    with pytest.raises(InputError, match=f"{file}: no such file"):
        read_layout(layout, tmp_path)


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "sdxl/a nurse/notes.txt", "sdxl/a nurse/table.csv")
    with pytest.raises(InputError, match="none of the 2 files here is an image"):
        read_layout("faintbench", tmp_path)


def test_a_list_none_of_whose_files_are_here_is_refused(tmp_path: Path) -> None:
    manifest(tmp_path, "path,model,prompt\na.png,sdxl,nurse\nb.png,sdxl,nurse\n")
    with pytest.raises(InputError, match=r"none of the 2 files listed is here, such as .*a\.png; check --images"):
        read_layout("manifest", tmp_path)


def test_a_manifest_goes_with_its_own_layout_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--manifest goes with --layout manifest"):
        read_layout("bafis", tmp_path, tmp_path / "list.csv")


@pytest.mark.parametrize(
    ("column", "one", "two"),
    [("term", "nurse", "doctor"), ("category", "care", "law"), ("variant", "a", "b"), ("language", "en", "de")],
)
def test_a_prompt_that_means_two_things_is_refused(tmp_path: Path, column: str, one: str, two: str) -> None:
    put(tmp_path, "a.png", "b.png")
    rows = f"a.png,A,a nurse,{one}\nb.png,B,a nurse,{two}\n"
    manifest(tmp_path, f"path,model,prompt,{column}\n{rows}")
    with pytest.raises(InputError) as caught:
        read_layout("manifest", tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}: the prompt 'a nurse' has the {column} {one!r} with a.png and {two!r} with b.png; "
        f"a prompt has one {column}"
    )
    manifest(tmp_path, f"path,model,prompt,{column}\na.png,A,a nurse,{one}\nb.png,B,a nurse,{one}\n")
    assert read_layout("manifest", tmp_path)


def test_an_image_that_a_metadata_file_describes_twice_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "0.png")
    entry = '"0": {"occupation": "nurse", "model": "A", "prompt": "a nurse"}'
    (tmp_path / "metadata.json").write_text(f"{{{entry}, {entry}}}", encoding="utf-8")
    with pytest.raises(InputError, match=r"metadata\.json: '0' stands twice in one object; keep one"):
        read_layout("bafis", tmp_path)


@pytest.mark.parametrize("way", ["up", "absolute", "link", "folder link", "up and back"])
def test_a_manifest_stays_inside_its_folder_unless_told_otherwise(tmp_path: Path, way: str) -> None:
    put(tmp_path, "private/a.png", "given/b.png")
    folder = tmp_path / "given"
    (folder / "link.png").symlink_to(tmp_path / "private/a.png")
    (folder / "elsewhere").symlink_to(tmp_path / "private")
    path = {
        "up": "../private/a.png",
        "absolute": str(tmp_path / "private/a.png"),
        "link": "link.png",
        "folder link": "elsewhere/a.png",
        "up and back": "elsewhere/../private/a.png",
    }[way]
    manifest(folder, f"path,model,prompt\nb.png,sdxl,a nurse\n{path},sdxl,a nurse\n")
    with pytest.raises(InputError, match=r"a\.png: leads out of .*given, to .*private/a\.png|add --outside "):
        read_layout("manifest", folder)
    assert [file.path for file in read_layout("manifest", folder, outside=True)] == [folder / "b.png", folder / path]


def test_links_inside_the_folder_and_a_folder_that_is_one_are_fine(tmp_path: Path) -> None:
    put(tmp_path, "real/a.png")
    (tmp_path / "real/b.png").symlink_to("a.png")
    (tmp_path / "given").symlink_to("real")
    manifest(tmp_path / "given", "path,model,prompt\nb.png,sdxl,a nurse\n./a.png,sdxl,a nurse\n")
    assert len(read_layout("manifest", tmp_path / "given")) == 2


def test_a_folder_that_leads_to_the_root_of_the_machine_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "given/sdxl/a nurse/0.png")
    (tmp_path / "given/model").symlink_to("/")
    with pytest.raises(InputError, match=r"leads out of .*given, to /.*; if that is meant, add --outside \(in "):
        read_layout("faintbench", tmp_path / "given")


def test_a_link_to_a_folder_above_brings_nothing_in_twice(tmp_path: Path) -> None:
    put(tmp_path, "sdxl/a nurse/0.png", "loose.png", "elsewhere/1.png")
    (tmp_path / "sdxl" / "loop").symlink_to("..")
    (tmp_path / "sdxl" / "a CEO").symlink_to(tmp_path / "elsewhere")
    assert [file.path.relative_to(tmp_path).as_posix() for file in read_layout("faintbench", tmp_path)] == [
        "sdxl/a CEO/1.png", "sdxl/a nurse/0.png",
    ]  # fmt: skip
