"""The formats of files that are read, each with its reader up to where the work would begin, and a whole file of it."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from portrayal.annotators import ANNOTATORS
from portrayal.methods.socialbiaskg.vertices import Vertices
from portrayal.records import attribute_table

__all__ = ["FORMATS", "sample"]

Reader = Callable[[Path], object]


def sample(name: str) -> bytes:
    """Return a whole file of a format."""
    return (Path(__file__).parent / "samples" / name).read_bytes()


def _study(path: Path) -> object:
    from portrayal.study.study import OpenStudy

    (path.parent / "prompts.csv").write_text("text,term\na photo of a nurse,nurse\n")
    study = OpenStudy(path.parent)
    study.check()
    return study


def _prompts(path: Path) -> object:
    from portrayal.suites.custom import FileOptions, prompt_file

    return prompt_file(FileOptions(path=path), path.parent)


def _images(layout: str) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        from portrayal.study.importing.folders.image_files import other_files, passed_over
        from portrayal.study.importing.folders.layouts import read_layout

        found = read_layout(layout, path.parent)
        return other_files(found), passed_over(path.parent, found)

    return read


def _labels(path: Path) -> object:
    from portrayal.study.importing.labels.read_sheet import read_sheet

    known = attribute_table()
    return [own.subject(2) for own in read_sheet(path, [known["gender"], known["age3"], known["race5"]])]


def _results(path: Path) -> object:
    from portrayal.methods.faintbench.importing.results import read_results

    return list(read_results(path, {}, ANNOTATORS.load("imported")("x", ANNOTATORS.load("imported").Options())))


def _votes(path: Path) -> object:
    from portrayal.apps.arena.api import read_votes

    votes = read_votes(path)
    return votes.split(["aspect"]) if "aspect" in votes.columns else votes


def _scores(path: Path) -> object:
    from portrayal.apps.arena.automatic_scores import read_scores

    return read_scores(path)


def _atlas(path: Path) -> object:
    from portrayal.apps.atlas.folder.change import read_atlas_file

    return read_atlas_file(path)


@functools.cache
def _vertices() -> Vertices:
    from portrayal.methods.socialbiaskg.vertices import read_vertices

    return read_vertices()


def _edges(path: Path) -> object:
    from portrayal.apps.graph.commands.graph_files import _read
    from portrayal.apps.graph.commands.graph_options import find_domain

    graph = _read(path, find_domain(None, ""))
    return [graph.ordered(), graph.by_triple]


def _vertices_table(path: Path) -> object:
    from portrayal.graph.graph_csv import read_vertices

    return read_vertices(path)


def _occupations(path: Path) -> object:
    from portrayal.methods.socialbiaskg.vertices import read_vertices

    return read_vertices(path).by_key


def _sheet(path: Path) -> object:
    from portrayal.apps.graph.commands.graph_options import find_domain, read_sheets

    return read_sheets([path], find_domain(None, ""))


def _decisions(path: Path) -> object:
    from portrayal.apps.graph.annotations.consensus import read_decisions

    return read_decisions(path, _vertices().by_key)


def _collection(path: Path) -> object:
    from portrayal.apps.graph.annotations.collection import Columns, read_collection
    from portrayal.methods.socialbiaskg.vertices import schema

    columns = Columns({"occupation": "job", "race": "who"}, "", "stereotyped_as", "said")
    return read_collection(path, columns, list(_vertices().by_key.values()), schema("race"))


def _workflow(path: Path) -> object:
    from portrayal.generators.comfyui.workflow import load_workflow

    return load_workflow(path)


def _alignment(path: Path) -> object:
    from portrayal.methods.faintbench.alignment import load_profile

    return load_profile(path.name, path.parent, attribute_table())


def _planted(path: Path) -> object:
    from portrayal.generators.facegan.profile import load_profile

    return load_profile(path)


def _pack(path: Path) -> object:
    from portrayal.methods.bafis.suite.packs import read_pack

    return read_pack(path)


def _seeds(path: Path) -> object:
    from portrayal.methods.biaspainter.suite.seeds import read_seeds

    return read_seeds(path, "biaspainter")


def _words(path: Path) -> object:
    from portrayal.methods.biaspainter.suite.neutral_words import TOPICS, read_words

    return read_words(path, TOPICS)


def _edits(path: Path) -> object:
    from portrayal.methods.biaspainter.sheet import read_sheet

    return read_sheet(path)


def _thresholds(path: Path) -> object:
    from portrayal.methods.biaspainter.thresholds import best, read_votes, score_thresholds

    return best(score_thresholds(read_votes(path)))


def _reference(path: Path) -> object:
    from portrayal.suites.reference_tables import TableChoice, read_table

    return read_table(path, attribute_table()["gender"], TableChoice(table=path.name)).shares("nurse")


def _terms(path: Path) -> object:
    from portrayal.suites.term_tables import read_terms

    return read_terms(path, {"gender": attribute_table()["gender"].groups})


def _pairs(path: Path) -> object:
    from portrayal.methods.faintbench.suite.term_pairs import load_pairs

    return load_pairs(path)


def _captions(path: Path) -> object:
    from portrayal.methods.tbyb.score_captions import _read

    return _read(path)


def _left_out(path: Path) -> object:
    from portrayal.methods.tbyb.words.reading import Reader

    return Reader.of(path)


def _picture(path: Path) -> object:
    from portrayal.web.picture_cache import open_clean

    return open_clean(path)


def _policy(path: Path) -> object:
    from portrayal.apps.check.policy.policy_file import read_policy

    file = read_policy(path)
    return [file.line(place, "id") for place in range(len(file.scenarios))]


def _baseline(path: Path) -> object:
    from portrayal.apps.check.baseline import numbers_from_file

    return numbers_from_file(path)


def _task_captions(path: Path) -> object:
    from portrayal.methods.tbyb.suite.captions import captions_of, read_captions

    return captions_of(read_captions(path), "apple", 10, str(path))


def _truths(path: Path) -> object:
    from website.clones.biasig import OCCUPATIONS, SCENES, write_tree

    from portrayal.methods.biasig.suite.truth_files import TRUTH, read_pairs, read_truths

    clone = path.parent / "clone"
    if not clone.exists():
        write_tree(clone, SCENES[:1], OCCUPATIONS[:2])
    shutil.copy(path, clone / TRUTH / path.name)
    return read_truths(clone), read_pairs(clone)


FORMATS: Mapping[str, Reader] = {
    "study.toml": _study,
    "prompts.csv": _prompts,
    "prompts.toml": _prompts,
    "manifest.csv": _images("manifest"),
    "metadata.json": _images("bafis"),
    "labels.csv": _labels,
    "results.json": _results,
    "votes.csv": _votes,
    "votes.json": _votes,
    "scores.csv": _scores,
    "atlas.csv": _atlas,
    "hub.json": _atlas,
    "edges.csv": _edges,
    "vertices.csv": _vertices_table,
    "occupations.csv": _occupations,
    "sheet.csv": _sheet,
    "decisions.csv": _decisions,
    "collection.csv": _collection,
    "graph.graphml": _edges,
    "graph.ttl": _edges,
    "graph.jsonld": _edges,
    "workflow.json": _workflow,
    "alignment.toml": _alignment,
    "planted.csv": _planted,
    "pack.csv": _pack,
    "seeds.csv": _seeds,
    "words.csv": _words,
    "edits.csv": _edits,
    "thresholds.csv": _thresholds,
    "reference.csv": _reference,
    "terms.csv": _terms,
    "pairs.csv": _pairs,
    "captions.csv": _captions,
    "left_out.csv": _left_out,
    "policy.toml": _policy,
    "baseline.json": _baseline,
    "coco.json": _task_captions,
    "oc_gt.json": _truths,
    "weight.json": _truths,
    "category.json": _truths,
    "eta.json": _truths,
    "picture.png": _picture,
}
