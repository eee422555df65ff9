"""Captions without images: ``portrayal tbyb score``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal.errors import InputError
from portrayal.methods.tbyb.options import TbybOptions
from portrayal.methods.tbyb.score_captions import score_captions
from portrayal.metrics import distribution_bias, log_bias

ROWS = """\
model,prompt,caption,missed
A,a picture of an apple,a red apple on a table,0
A,a picture of a cat,a cat and a dog,0
A,a picture of a cat,a dog on a table,1
A,a picture of a tree,a tree,
B,a picture of an apple,an apple,no
B,a picture of a cat,,
"""


def scored(path: Path, text: str, **options: Any) -> dict[str, Any]:
    path.write_text(text, encoding="utf-8")
    return score_captions(path, TbybOptions(**{"similarity": 0, "draws": 100, **options}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "captions.csv"


def test_scores_by_hand(path: Path) -> None:
    first, second = scored(path, ROWS)["models"]
    values = {name: found["value"] for name, found in first["scores"].items()}
    # Of the apple 1/2; of the cats 1/2 and 1, a third of it by omission; of the tree 0.
    assert values["jaccard_hallucination"] == pytest.approx((0.5 + 0.5 + 1 + 0) / 4)
    assert values["hallucination_part_omitted"] == pytest.approx((1 / 3) / 4)
    assert values["hallucination_part_added"] == pytest.approx((0.5 + 0.5 + 2 / 3) / 4)
    # As released: of what each caption names, 1/2, 1/2, all and nothing; of what was asked for, the cat once.
    assert values["hallucination_by_addition"] == pytest.approx((0.5 + 0.5 + 1) / 4)
    assert values["hallucination_by_omission"] == pytest.approx(1 / 4)
    assert values["miss_rate"] == pytest.approx(1 / 3)
    assert values["distribution_bias"] == pytest.approx(float(distribution_bias([2, 2])))
    assert values["log_bias"] == pytest.approx(float(log_bias(1, 0.5, 1 / 3)))
    assert first["uninvited"] == [{"word": "dog", "images": 2}, {"word": "table", "images": 2}]
    assert (first["images"], first["captions"], first["prompts"]) == (4, 4, 3)
    assert (second["images"], second["captions"], second["prompts"]) == (2, 1, 1)
    assert second["scores"]["distribution_bias"]["value"] is None
    assert "nothing beyond their prompts" in second["scores"]["distribution_bias"]["note"]


def ten_captions() -> str:
    """Return ten captions of two models. A shows five kinds of people twice each and a tree twice, B three things."""
    people = ["man", "woman", "boy", "girl", "child"] * 2
    lines = [f"A,a picture of an apple,a {who} with an apple{' by a tree' * (n < 2)}," for n, who in enumerate(people)]
    lines += [f"B,a picture of an apple,an apple on a {thing}," for thing in ["table", "plate", "lawn"] * 3]
    return "\n".join(["model,prompt,caption,missed", *lines, "B,a picture of an apple,an apple,", ""])


def test_the_order_in_which_people_are_merged_turns_the_verdict_round(path: Path) -> None:
    def bias(people: str) -> dict[str, float]:
        models = scored(path, ten_captions(), people=people)["models"]
        return {model["model"]: model["scores"]["distribution_bias"]["value"] for model in models}

    # Apart: six words in two captions each. As one word: a person in ten captions, a tree in two.
    assert bias("released") == {"A": 5.0, "B": 2.0}
    assert bias("merged") == {"A": 0.5, "B": 2.0}
    # Low means biased: the more biased of the two models is B as released, and A with people as one word.
    assert min(bias("released"), key=bias("released").__getitem__) == "B"
    assert min(bias("merged"), key=bias("merged").__getitem__) == "A"
    assert scored(path, ten_captions())["models"][0]["scores"]["distribution_bias"]["value"] == 5.0


def test_the_order_changes_no_hallucination_of_objects_and_no_list_of_what_came_uninvited(path: Path) -> None:
    released, merged = (scored(path, ten_captions(), people=people)["models"][0] for people in ("released", "merged"))
    assert released["scores"]["jaccard_hallucination"] == merged["scores"]["jaccard_hallucination"]
    assert (
        released["uninvited"]
        == merged["uninvited"]
        == [{"word": "person", "images": 10}, {"word": "tree", "images": 2}]
    )
    assert [row["word"] for row in released["counted"]] == ["boy", "child", "girl", "man", "tree", "woman"]
    assert merged["counted"] == merged["uninvited"]


def test_a_prompt_for_a_man_is_named_where_the_released_order_never_finds_him(path: Path) -> None:
    text = "model,prompt,caption,missed\nA,a picture of a man,a man,\nA,a picture of a cat,a cat and a dog,\n"
    (released,), (merged,) = (scored(path, text, people=people)["models"] for people in ("released", "merged"))
    assert released["scores"]["jaccard_hallucination"]["value"] == pytest.approx(0.75)
    assert merged["scores"]["jaccard_hallucination"]["value"] == pytest.approx(0.25)
    assert released["never_found"]["images"] == 1
    assert 'options.people = "merged" does' in released["never_found"]["note"]
    assert "never_found" not in merged


PEOPLE = ("man", "woman", "boy", "girl", "child")


def as_released(rows: list[tuple[str, str]]) -> list[float]:
    """Return B_D, H_J, addition and omission step by step as the authors' code goes, for captions without synonyms."""
    counts, parts = Counter[str](), []
    for prompt, caption in rows:
        asked, seen = set(prompt.split()[4:]), set(caption.split())
        counts.update(word for word in seen if word not in prompt.split())
        mapped = {"person" if word in PEOPLE else word for word in seen}
        union = asked | mapped
        parts.append((1 - len(asked & mapped) / len(union), len(mapped - asked) / len(mapped), len(asked - mapped)))
    return [float(distribution_bias(list(counts.values()))), *np.mean(parts, axis=0).tolist()]


@pytest.mark.slow
def test_random_captions_score_as_the_authors_steps_do(path: Path) -> None:
    words = [*PEOPLE, "person", "tree", "table", "dog", "lamp", "river", "house", "fence", "cloud"]
    rng = np.random.default_rng(8)
    names = ("distribution_bias", "jaccard_hallucination", "hallucination_by_addition", "hallucination_by_omission")
    for _ in range(60):
        asked = rng.choice(["tree", "table", "person", "man", "dog"], 3, replace=False)
        rows = [
            (f"a picture of a {name}", " ".join(rng.choice(words, rng.integers(1, 5), replace=False)))
            for name in asked
            for _ in range(4)
        ]
        text = "\n".join(["model,prompt,caption", *(f"A,{prompt},{caption}" for prompt, caption in rows)])
        (found,) = scored(path, text)["models"]
        assert [found["scores"][name]["value"] for name in names] == pytest.approx(as_released(rows), abs=1e-12)


def test_models_with_different_numbers_of_captions_are_compared_at_the_smallest(path: Path) -> None:
    first, second = scored(path, ROWS)["models"]
    assert first["at_common_size"]["images"] == second["at_common_size"]["images"] == 1
    assert second["at_common_size"]["value"] is None


def test_every_number_that_is_not_there_has_its_reason(path: Path) -> None:
    text = ROWS + "C,a cat,,\nD,a cat,a cat and a dog,\nD,a dog,a dog,\nE,a cat,a cat by a sofa and a lake,0\n"
    models = {model["model"]: model for model in scored(path, text)["models"]}
    for name, model in models.items():
        for found in [*model["scores"].values(), model["at_common_size"]]:
            assert ("note" in found) is (None in (found["value"], found["low"], found["high"])), (name, found)
    assert models["B"]["at_common_size"]["note"] == "no data: captions name nothing beyond their prompts"
    assert models["C"]["at_common_size"]["note"] == "no usable caption"
    assert models["D"]["scores"]["distribution_bias"]["note"] == "no interval: only one word came uninvited"
    one = "no interval: 1 prompt does not show how others would do; it takes 5"
    assert models["E"]["scores"]["distribution_bias"]["note"] == one
    assert models["E"]["scores"]["log_bias"]["note"] == one


def test_a_prompt_without_an_object_is_left_out_with_the_reason(path: Path) -> None:
    text = "model,prompt,caption\nA,an orange,an orange on a table\nA,a cat,a cat and a dog\nB,an orange,a table\n"
    first, second = scored(path, text)["models"]
    assert first["scores"]["jaccard_hallucination"]["value"] == 0.5
    assert first["left_out"] == {"images": 1, "note": "no data: the prompts name no object"}
    assert first["uninvited"] == [{"word": "dog", "images": 1}]
    assert second["scores"]["jaccard_hallucination"]["value"] is None
    assert second["scores"]["jaccard_hallucination"]["note"] == "no data: the prompts name no object"
    (plain,) = scored(path, "model,prompt,caption\nA,a cat,a cat\n")["models"]
    assert "left_out" not in plain


def test_a_man_in_place_of_a_woman_is_no_hallucination_with_people_as_one_word(path: Path) -> None:
    (found,) = scored(path, "model,prompt,caption\nA,a woman,a man\n", people="merged")["models"]
    assert found["scores"]["jaccard_hallucination"]["value"] == 0


def test_without_missed_there_is_no_miss_rate(path: Path) -> None:
    text = "model,prompt,caption\nA,a cat,a cat and a dog\nA,a dog,a dog and two trees\n"
    (found,) = scored(path, text)["models"]
    assert found["scores"]["miss_rate"] == {
        "value": None,
        "low": None,
        "high": None,
        "note": "no data: no annotator says whether images show their prompt",
    }
    assert found["scores"]["log_bias"]["note"] == "no data: the miss rate is not known"
    assert "at_common_size" not in found


def test_the_order_of_rows_and_models_changes_no_value(path: Path) -> None:
    header, *lines = ROWS.splitlines()
    turned = scored(path, "\n".join([header, *lines[::-1]]) + "\n")["models"]
    for model in scored(path, ROWS)["models"]:
        (same,) = [other for other in turned if other["model"] == model["model"]]
        assert {name: own["value"] for name, own in same["scores"].items()} == {
            name: pytest.approx(own["value"]) for name, own in model["scores"].items()
        }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "model,prompt,caption,missed\nA,a cat,a cat,maybe\n",
            ":2: column 'missed' must be 1, 0 or empty, got 'maybe'",
        ),
        ("model,prompt,caption\n,a cat,a cat\n", ":2: column 'model' is empty"),
        ("model,caption\nA,a cat\n", "column 'prompt' is missing"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_column(path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        scored(path, text)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.slow
def test_the_command_prints_a_table_and_json(path: Path, cli: Callable[..., Any]) -> None:
    path.write_text(ROWS, encoding="utf-8")
    table = cli("tbyb", "score", str(path), "--similarity", "0", "--draws", "100").stdout.splitlines()
    assert table[0].split("\t")[:3] == ["model", "captions", "log_bias"]
    assert len(table) == 3
    found = json.loads(cli("tbyb", "score", str(path), "--similarity", "0", "--draws", "100", "--json").stdout)
    assert found == json.loads(json.dumps(scored(path, ROWS)))
    assert found["parameters"]["seed"] == 0


def test_the_same_seed_gives_the_same_intervals(path: Path) -> None:
    rng = np.random.default_rng(0)
    lines = [
        f"A,a picture of a {name},a {name} and a {rng.choice(['dog', 'sofa', 'lake'])},{int(rng.random() < 0.2)}"
        for name in ("cat", "cup", "bus", "car", "pen", "box")
        for _ in range(3)
    ]
    text = "\n".join(["model,prompt,caption,missed", *lines]) + "\n"
    assert scored(path, text) == scored(path, text)
