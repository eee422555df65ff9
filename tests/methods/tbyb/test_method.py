"""The method on studies whose captions and misses are planted: what is found is what the shares say."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.methods.tbyb.words import Analyser, WordOptions
from portrayal.metrics import jaccard_hallucination
from portrayal.records import Measurement, from_table
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Tables = Callable[..., Path]
CAPTIONS = {"a {term}": 0.5, "a {term} on a lawn": 0.3, "a {term} under a lamppost": 0.15, "a lawn": 0.05}


def tables(*models: Mapping[str, Any], annotators: list[Any] | None = None, **options: Any) -> dict[str, Any]:
    """Return a study of 60 objects; each model has its shares of captions and misses."""
    return {
        "suite": {"use": "tbyb", "options": {"sample": 60}},
        "generators": [{"use": "simulated", "images": 3, **model} for model in models],
        "annotators": annotators or [{"use": "simulated", "options": {"attributes": ["caption", "prompt_match"]}}],
        "methods": [{"use": "tbyb", "options": {"similarity": 0, "draws": 200, **options}}],
        "generate": {"batch": 500},
        "annotate": {"batch": 500, "workers": 1},
    }


def planted(captions: Mapping[str, float] = CAPTIONS, miss: float = 0.2, **more: Any) -> dict[str, Any]:
    shares = {"caption": dict(captions), "prompt_match": {"match": 1 - miss, "miss": miss}}
    return {"options": {"shares": shares, "pixels": False, **more}}


def measured(make_study: Tables, **config: Any) -> tuple[OpenStudy, list[Measurement]]:
    study = OpenStudy(make_study(f"study-{uuid.uuid4().hex}", **config))
    run_stages(study, RunControl(), ("plan", "generate", "annotate", "measure"))
    return study, list(from_table(study.workspace.query("SELECT * FROM measurements"), Measurement))


def overall(rows: list[Measurement], metric: str) -> list[Measurement]:
    return [row for row in rows if row.metric == metric and row.level == "overall"]


def own(study: OpenStudy, name: str) -> list[dict[str, Any]]:
    with study.workspace.own_tables.open(name) as table:
        return [row for batch in table.batches() for row in batch.to_pylist()]


def test_hallucination_and_misses_follow_what_was_planted(make_study: Tables) -> None:
    study, rows = measured(make_study, **tables(planted()))
    # Half the captions name the object alone: 0. One word more: 1/2. The lawn alone: 1, a half of it left out.
    (total,), (added,), (left,) = (
        overall(rows, name)
        for name in ("jaccard_hallucination", "hallucination_part_added", "hallucination_part_omitted")
    )
    assert [row.planted for row in (total, added, left)] == pytest.approx([0.275, 0.25, 0.025])
    # As released: half of what those captions name came uninvited, and all of it where the lawn stands alone.
    (addition,), (omission,) = (
        overall(rows, name) for name in ("hallucination_by_addition", "hallucination_by_omission")
    )
    assert [row.planted for row in (addition, omission)] == pytest.approx([0.275, 0.05])
    (misses,) = overall(rows, "miss_rate")
    assert misses.planted == pytest.approx(0.2)
    for row in (total, added, left, misses):
        assert row.low is not None
        assert row.high is not None
        assert row.planted is not None
        assert row.low <= row.planted <= row.high
        assert (row.n, row.missing, row.prompts) == (180, 0, 60)
    assert misses.attribute == "prompt_match"
    words = own(study, "tbyb.uninvited")
    assert [row["word"] for row in words] == ["lawn", "lamppost"]
    assert words[0]["images"] / 180 == pytest.approx(words[0]["share"])
    assert [(row["word"], row["height"]) for row in own(study, "tbyb.words")] == [("lawn", 1), ("lamppost", 0)]


def test_the_numbers_are_those_of_the_captions_one_by_one(make_study: Tables) -> None:
    study, rows = measured(make_study, **tables(planted()))
    images = study.workspace.query(
        "SELECT prompts.text AS prompt, observations.text AS caption FROM observations "
        "JOIN outcomes USING (image) JOIN jobs ON jobs.id = outcomes.job JOIN prompts ON prompts.id = jobs.prompt "
        "WHERE attribute = 'caption'"
    ).to_pylist()
    analyser = Analyser(WordOptions(similarity=0), Path())
    asked = [analyser.asked(row["prompt"]).names for row in images]
    seen = [{match.object for match in analyser.match(analyser.asked(row["prompt"]), row["caption"])} for row in images]
    expected = jaccard_hallucination(asked, seen)
    names = ("jaccard_hallucination", "hallucination_by_addition", "hallucination_part_omitted")
    values = [row.value for name in names for row in overall(rows, name)]
    assert values == pytest.approx([expected.total, expected.by_addition, expected.part_omitted])
    terms = [row for row in rows if row.level == "term" and row.metric == "jaccard_hallucination"]
    assert len(terms) == 60
    assert sum(row.value or 0.0 for row in terms) / 60 == pytest.approx(expected.total)


def test_a_higher_peak_is_a_smaller_distribution_bias(make_study: Tables) -> None:
    words = ["lawn", "lamppost", "fence", "cloud", "puddle", "brick"]
    models = []
    for peak in (0.2, 0.5, 0.9):
        shares = [peak, *[(1 - peak) / 5] * 5]
        models.append(planted({f"a {{term}} and a {word}": share for word, share in zip(words, shares, strict=True)}))
    study, rows = measured(make_study, **tables(*models))
    biases, logs = (
        [
            row.value or 0.0
            for generator in study.generators
            for row in overall(rows, name)
            if row.generator == generator
        ]
        for name in ("distribution_bias", "log_bias")
    )
    assert biases == sorted(biases, reverse=True)
    assert logs == sorted(logs)
    assert biases[0] > 2 * biases[2]


def test_without_anyone_who_judges_the_miss_rate_is_missing_and_says_so(make_study: Tables) -> None:
    captions = [{"use": "simulated", "options": {"attributes": ["caption"]}}]
    _, rows = measured(make_study, **tables(planted(), annotators=captions))
    (misses,), (log,), (bias,) = (overall(rows, name) for name in ("miss_rate", "log_bias", "distribution_bias"))
    assert (misses.value, [note.code for note in misses.notes], misses.missing) == (None, ["nobody_judged"], 180)
    assert (log.value, [note.code for note in log.notes]) == (None, ["log_without_misses"])
    assert bias.value is not None


@pytest.mark.parametrize(
    ("captions", "miss", "metric", "code"),
    [
        ({"a {term}": 1.0}, 0.2, "distribution_bias", "no_uninvited_words"),
        ({"a {term}": 1.0}, 0.2, "log_bias", "log_without_words"),
        ({"a {term} on a lawn": 1.0}, 0.2, "log_bias", "log_of_one_word"),
        ({"a lawn": 0.5, "a fence": 0.5}, 0.2, "log_bias", "log_of_no_object"),
        (CAPTIONS, 1.0, "log_bias", "log_of_no_match"),
    ],
)
def test_what_is_not_defined_says_why(
    make_study: Tables, captions: Mapping[str, float], miss: float, metric: str, code: str
) -> None:
    _, rows = measured(make_study, **tables(planted(captions, miss)))
    (row,) = overall(rows, metric)
    assert (row.value, [note.code for note in row.notes]) == (None, [code])


def test_images_that_are_not_there_are_missing_with_their_reason(make_study: Tables) -> None:
    _, rows = measured(make_study, **tables(planted(refused=0.3, no_person=0.1)))
    missing = {row.group: row.missing for row in overall(rows, "missing")}
    assert set(missing) == {"refused: simulated_refusal", "no_person"}
    (total,) = overall(rows, "jaccard_hallucination")
    assert total.missing == sum(missing.values()) == 180 - total.n


def test_generators_of_different_size_are_compared_at_a_common_one(make_study: Tables) -> None:
    words = ["lawn", "fence", "cloud", "puddle", "brick", "wall", "bush", "hill", "lake", "barn"]
    captions = {f"a {{term}} and a {word}": 0.1 for word in words}
    few, many = planted(captions), {**planted(captions, miss=0.1), "images": 9}
    study, rows = measured(make_study, **tables(few, many))
    found = {row.generator: row for row in overall(rows, "distribution_bias_at_common_size")}
    first, second = (found[generator] for generator in study.generators)
    assert first.n == second.n == 180
    assert [note.code for note in first.notes] == ["at_images"]
    own_size = {row.generator: row.value for row in overall(rows, "distribution_bias")}
    assert first.value == pytest.approx(own_size[first.generator])
    assert second.value != pytest.approx(own_size[second.generator])
    _, rows = measured(make_study, **tables(planted(captions), planted(captions, miss=0.1)))
    assert overall(rows, "distribution_bias_at_common_size") == []
    # A model of which every picture was refused has no size: the page said that models have different numbers.
    _, rows = measured(make_study, **tables(planted(captions), planted(captions, refused=1)))
    assert overall(rows, "distribution_bias_at_common_size") == []


def test_few_prompts_are_told_beside_few_images(make_study: Tables) -> None:
    config = tables(planted())
    config["suite"]["options"] = {"terms": ["apple", "cat"]}
    _, rows = measured(make_study, **config)
    (total,) = overall(rows, "jaccard_hallucination")
    assert [(note.code, *dict(note.values).values()) for note in total.notes] == [
        ("only_images", "6"),
        ("only_prompts", "2"),
    ]
    config["suite"]["options"] = {"terms": ["apple", "cat", "dog", "cup", "car", "chair", "book", "pen", "bus", "box"]}
    _, rows = measured(make_study, **config)
    (total,) = overall(rows, "jaccard_hallucination")
    assert total.notes == ()


def test_images_of_prompts_without_an_object_are_told(make_study: Tables, tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.csv"
    prompts.write_text("text,term,category\nan orange,orange,fruit\na cat,cat,animal\n", encoding="utf-8")
    config = tables(planted())
    config["suite"] = {"use": "file", "options": {"path": str(prompts)}}
    _, rows = measured(make_study, **config)
    (total,), (misses,) = overall(rows, "jaccard_hallucination"), overall(rows, "miss_rate")
    assert (total.n, total.prompts, total.missing) == (3, 1, 3)
    assert [(note.code, dict(note.values).get("n")) for note in total.notes] == [
        ("only_images", "3"),
        ("objectless", "3"),
    ]
    assert [note.code for note in misses.notes] == ["only_images", "only_prompts"]
    (term,) = [row for row in rows if row.item == "orange" and row.metric == "jaccard_hallucination"]
    assert (term.value, [note.code for note in term.notes]) == (None, ["no_object_asked"])


def test_a_term_of_several_prompts_is_named_once_with_a_word(make_study: Tables) -> None:
    config = tables(planted({"a {term} on a lawn": 1.0}))
    config["suite"]["options"] = {"terms": ["dog", "cat"], "actions": True}
    study, _ = measured(make_study, **config)
    first = own(study, "tbyb.uninvited")[0]
    assert first["word"] == "lawn"
    assert sorted(first["with"]) == ["cat", "dog"]
    assert first["prompts"] > first["terms"] == 2
    assert sum(first["with_images"]) == first["images"]


def test_annotators_are_chosen_by_name(make_study: Tables) -> None:
    two = [
        {"use": "simulated", "options": {"attributes": ["caption"]}},
        {"use": "imported:people", "options": {"attributes": ["prompt_match", "caption"]}},
    ]
    _, rows = measured(make_study, **tables(planted(), annotators=two, captions="simulated"))
    assert len(overall(rows, "jaccard_hallucination")) == 1
    (misses,) = overall(rows, "miss_rate")
    assert misses.annotator.startswith("imported:people")
    assert [note.code for note in misses.notes] == ["none_judged"]
    with pytest.raises(ConfigError, match="annotator 'simulated' does not tell 'prompt_match'; name one that does"):
        measured(make_study, **tables(planted(), annotators=two[:1], misses="simulated"))
    nobody = [{"use": "simulated"}]
    with pytest.raises(ConfigError, match="reads captions, and no annotator writes any"):
        measured(make_study, **tables(planted(), annotators=nobody))


def test_options_that_change_the_reading_are_told() -> None:
    from portrayal.methods.tbyb.method import Tbyb
    from portrayal.methods.tbyb.options import TbybOptions

    def codes(**options: Any) -> list[str]:
        return [own.what.code for own in Tbyb(TbybOptions(**options), Path()).adjusted]

    assert codes() == []
    assert codes(similarity=0) == ["no_similarity"]
    assert codes(similarity=0.9, left_out=Path("mine.csv")) == ["similarity_threshold", "own_left_out"]
    assert codes(people="merged") == ["people_merged"]
