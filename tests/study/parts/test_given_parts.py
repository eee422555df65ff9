"""Parts that are handed over as objects: a study with them, and the same study opened without."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from portrayal.annotators.function import FunctionAnnotator, function_annotator
from portrayal.annotators.simulated import Simulated as Looker
from portrayal.errors import ConfigError, PortrayalError, StudyError
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.records import Abstention, Attribute, Failed, Image, Job, Made, Observation, Prompt, Refused
from portrayal.study.parts.given_parts import (
    OwnParts,
    annotator_config,
    generator_config,
    own_annotator,
    own_generator,
    runs_in_workers,
)
from portrayal.study.run import STAGES, run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Rows = Callable[[Path], dict[str, list[str]]]
Ran = Callable[..., Any]


class Squares:
    """Draws grey squares, and knows that half of them are to be light."""

    name = "squares@1"
    citations = ("Squares 2026",)

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        for job in jobs:
            file = io.BytesIO()
            Pillow.new("L", (8, 8), 25 * job.index).save(file, "PNG")
            yield Made(job.id, file.getvalue(), "png", 8, 8)

    def truth(self, prompt: Prompt) -> dict[str, dict[str, float]]:
        return {"shade": {"dark": 0.5, "light": 0.5}}


class Brightness:
    name = "brightness@2"
    attributes = (Attribute("shade", "perceived shade", ("dark", "light"), note="of the square"),)
    citations: Sequence[str] = ()
    looks = True

    def annotate(self, images: Sequence[Image]) -> Iterator[Observation | Abstention]:
        for image in images:
            assert image.path is not None
            with Pillow.open(image.path) as picture:
                group = "light" if picture.getpixel((0, 0)) > 100 else "dark"  # type: ignore[operator]  # one channel
            yield Observation(image.id, self.name, 0, "shade", self.attributes[0].one_hot(group))


MODULE = """
import os

def looks(picture):
    return {"gender": "female", "process": "other" if os.getpid() != HERE else "this"}

HERE = %d
"""


def tables(annotator: Any, **more: Any) -> dict[str, Any]:
    """Return the tables of a study in which one of the objects above draws ten images, and another one looks."""
    looks = annotator_config(own_annotator(annotator)).model_dump()
    draws = {**generator_config(Squares()).model_dump(), "images": 10}
    return {"prompts": "text,term\na square,square\n", "generators": [draws], "annotators": [looks], **more}


@pytest.fixture(scope="module")
def study(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study of two objects, run to its report."""
    folder = write_study(tmp_path_factory.mktemp("own") / "study", **tables(Brightness()))
    remarks: list[str] = []
    own = OwnParts.of([Squares()], [Brightness()])
    run_stages(OpenStudy(folder, own), RunControl(remark=remarks.append))
    assert remarks == []
    return folder


def test_study_toml_says_what_they_are() -> None:
    assert generator_config(Squares()).model_dump() == {
        "use": "python:squares@1",
        "options": {"citations": ["Squares 2026"]},
    }
    shade = {"name": "shade", "title": "perceived shade", "groups": ["dark", "light"], "note": "of the square"}
    assert annotator_config(Brightness()).model_dump() == {
        "use": "python:brightness@2",
        "options": {"attributes": [shade]},
    }


@pytest.mark.slow
def test_the_study_reads_the_same_without_them(study: Path, rows: Rows) -> None:
    with_them, without = OpenStudy(study, OwnParts.of([Squares()], [Brightness()])), OpenStudy(study)
    assert read_status(without) == read_status(with_them)
    assert read_status(without).judged == {"brightness@2": 10}
    before, page = rows(study), (study / "report" / "index.html").read_bytes()
    run_stages(without, RunControl(), tuple(STAGES))
    assert (rows(study), (study / "report" / "index.html").read_bytes()) == (before, page)
    assert b"Squares 2026" in page


@pytest.mark.slow
def test_work_that_needs_them_is_refused_in_a_line(make_study: Make, cli: Ran) -> None:
    more = make_study(**tables(Brightness()))
    ran = cli("run", more)
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (
        2,
        "error: generator squares@1 lives in Python code: open the study there, portrayal.Study(FOLDER, "
        "generator=...), and run it; what needs no new image, such as measure and report, works without it",
    )
    run_stages(OpenStudy(more, OwnParts.of([Squares()])), RunControl(), ("plan", "generate"))
    with pytest.raises(StudyError, match=r"^annotator brightness@2 lives in Python code: open the study there, "):
        run_stages(OpenStudy(more), RunControl(), ("annotate",))
    assert read_status(OpenStudy(more)).unjudged == {"brightness@2": 10}


@pytest.mark.slow
def test_a_new_plan_keeps_what_an_absent_generator_planted(make_study: Make, rows: Rows) -> None:
    folder = make_study(**tables(Brightness()))
    run_stages(OpenStudy(folder, OwnParts.of([Squares()])), RunControl(), ("plan",))
    before = rows(folder)["truths"]
    assert len(before) == 2
    text = (folder / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(text.replace('"images" = 10', '"images" = 12'), encoding="utf-8")
    run_stages(OpenStudy(folder), RunControl(), ("plan",))
    assert OpenStudy(folder).workspace.tables["jobs"].count() == 12
    assert rows(folder)["truths"] == before


@pytest.mark.slow
@pytest.mark.parametrize("importable", [True, False])
def test_a_function_looks_in_worker_processes_if_they_can_import_it(
    importable: bool, make_study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_looks.py").write_text(MODULE % os.getpid())
    monkeypatch.syspath_prepend(str(tmp_path))
    import own_looks  # type: ignore[import-not-found]  # written above

    function = own_looks.looks
    if not importable:
        monkeypatch.setattr(function, "__module__", "__main__")
    groups = {"process": ["this", "other"]}
    annotator = function_annotator(function, attributes=["gender", "process"], groups=groups)
    folder = make_study(**tables(annotator, annotate={"batch": 2, "workers": 2}))
    remarks: list[str] = []
    study = OpenStudy(folder, OwnParts.of([Squares()], [annotator]))
    run_stages(study, RunControl(remark=remarks.append), ("plan", "generate", "annotate"))
    said = study.workspace.query("SELECT DISTINCT mass[1] AS here FROM observations WHERE attribute = 'process'")
    assert said.to_pylist() == [{"here": 0.0 if importable else 1.0}]
    assert remarks == (
        []
        if importable
        else [
            "looks@1 looks in this process alone, as worker processes cannot import it: put it into a module to use "
            "several"
        ]
    )


def looks(picture: Any) -> dict[str, str]:
    return {"gender": "female"}


def drawn_for(annotator: Any, folder: Path) -> OpenStudy:
    study = OpenStudy(folder, OwnParts.of([Squares()], [annotator]))
    run_stages(study, RunControl(), ("plan", "generate"))
    return study


class Late(Squares):
    """Draws two images, and breaks on all others."""

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        for job in jobs:
            if job.index > 1:
                raise MemoryError("no room\nfor more")
            yield from super().generate([job])


class Nothing(Squares):
    def generate(self, jobs: Sequence[Job]) -> Any:
        return [None for _ in jobs]


def test_a_generator_that_fails_on_every_image_stops_before_anything_is_stored(make_study: Make) -> None:
    study = OpenStudy(make_study(**tables(looks)), OwnParts.of([Nothing()], [looks]))
    with pytest.raises(StudyError) as caught:
        run_stages(study, RunControl(), ("plan", "generate"))
    assert str(caught.value) == (
        "generator squares@1 fails on every image it was asked for, 2 of them: TypeError: it gave None; give "
        "Made(job.id, data, 'png', width, height), Refused or Failed; nothing is stored: mend it and run again, or let "
        "it answer such jobs with Failed"
    )
    assert read_status(study).outcomes == {"squares@1": {"pending": 10}}


def test_what_kept_a_generator_from_an_image_is_told(make_study: Make) -> None:
    folder = make_study(**tables(looks), generate={"attempts": 2})
    study, remarks = OpenStudy(folder, OwnParts.of([Late()], [looks])), list[str]()
    run_stages(study, RunControl(remark=remarks.append), ("plan", "generate"))
    assert remarks == [
        "squares@1: images that an error kept from being made: 8; MemoryError: no room for more; to try them again, "
        "mend it and raise attempts of [generate] in study.toml"
    ]
    status = read_status(study)
    assert status.outcomes == {"squares@1": {"failed: generator_error": 8, "made": 2}}
    assert "last error of squares@1: MemoryError: no room for more" in repr(status)


def test_a_function_that_fails_on_every_image_stops_before_anything_is_stored(make_study: Make) -> None:
    def mistaken(picture: Any) -> dict[str, str]:
        return {"gender": undefined}  # type: ignore[name-defined]  # noqa: F821 - that is the point

    study = drawn_for(mistaken, make_study(**tables(mistaken, annotate={"batch": 4, "workers": 1})))
    line = mistaken.__code__.co_firstlineno + 1
    with pytest.raises(StudyError) as caught:
        run_stages(study, RunControl(), ("annotate",))
    assert str(caught.value) == (
        "annotator mistaken@1 fails on every image it was shown, 4 of them: NameError: name 'undefined' is not defined "
        f"(test_given_parts.py, line {line}); nothing is stored: mend it and run again, or let it say nothing of such "
        "images"
    )
    assert read_status(study).unjudged == {"mistaken@1": 10}


def test_a_function_that_fails_on_some_images_abstains_from_them(make_study: Make) -> None:
    def choosy(picture: Any) -> dict[str, str]:
        return {"gender": {0: "female"}[picture.getpixel((0, 0))[0]]}

    study = drawn_for(choosy, make_study(**tables(choosy, annotate={"batch": 4, "workers": 1})))
    run_stages(study, RunControl(), ("annotate",))
    status = read_status(study)
    assert (status.judged, status.abstained) == ({"choosy@1": 10}, {"choosy@1": {"annotator_error: KeyError": 9}})


def test_what_lies_in_a_script_does_not_run_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert runs_in_workers(function_annotator(looks))
    assert runs_in_workers(Brightness())
    assert not runs_in_workers(function_annotator(lambda _: None, name="mine"))
    monkeypatch.setattr(Brightness, "__module__", "__main__")
    assert not runs_in_workers(Brightness())


def test_a_function_is_made_an_annotator_and_an_annotator_is_left_alone() -> None:
    made = own_annotator(looks)
    assert isinstance(made, FunctionAnnotator)
    assert (made.name, [attribute.name for attribute in made.attributes]) == ("looks@1", ["gender"])
    brightness = Brightness()
    assert own_annotator(brightness) is brightness


def changed(part: type, **attributes: Any) -> Any:
    return type("Changed", (part,), attributes)()


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Squares, 'your own generator must be an object whose name has a version, such as "mine@1"; its name is'),
        (changed(Squares, name="squares"), "whose name has a version, such as \"mine@1\"; its name is 'squares'"),
        (changed(Squares, name="my squares@1"), "its name is 'my squares@1'"),
        (3, 'must be an object whose name has a version, such as "mine@1"; got 3'),
        (changed(object, name="squares@1"), "generator squares@1 lacks generate, truth, citations; docs/plugins.md"),
        (Drawer("", Drawer.Options()), "generator: the name 'simulated' is taken; give yours, simulated@1,"),
    ],
)
def test_an_object_that_cannot_draw_is_refused(part: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        own_generator(part)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (3, "your own annotator must be an object whose name has a version"),
        (changed(Brightness, name="brightness"), "its name is 'brightness'"),
        (changed(Brightness, attributes=("gender",)), "portrayal.records.Attribute, and not ('gender',)"),
        (Looker("", Looker.Options()), "annotator: the name 'simulated' is taken"),
        (lambda _: None, "a function without a name cannot be an annotator"),
    ],
)
def test_an_object_that_cannot_look_is_refused(part: Any, message: str) -> None:
    with pytest.raises(PortrayalError) as caught:
        own_annotator(part)
    assert message in str(caught.value)


def test_a_study_is_opened_with_the_parts_it_was_made_with(make_study: Make) -> None:
    folder = make_study(**tables(looks, generators=[{"use": "simulated"}]))
    assert list(OpenStudy(folder, OwnParts.of(annotators=[looks])).annotators) == ["looks@1"]
    for own, message in (
        (
            OwnParts.of(annotators=[function_annotator(looks, version="2")]),
            "study.toml: annotator 'python:looks@2' is not there, but another version, 'python:looks@1': replace "
            'that line by use = "python:looks@2", and all is done anew by the new version; or give the old one',
        ),
        (
            OwnParts.of(annotators=[function_annotator(looks, attributes=["gender", "age"])]),
            "study.toml: annotator 'python:looks@1' has attributes = ['gender'], and the one given has ['gender', "
            "'age']; give it another version, or write that there",
        ),
        (OwnParts.of([Squares()]), "study.toml: generator 'python:squares@1' is not there, only 'simulated'; give the"),
    ):
        with pytest.raises(ConfigError) as caught:
            OpenStudy(folder, own)
        assert message in str(caught.value)
