"""Votes from files: fast, strict, and errors that name the line."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from portrayal.apps.arena.ratings import Votes, parse_votes_csv, parse_votes_json
from portrayal.errors import InputError

HEAD = b"model_a,model_b,vote\n"
RATED = b"model_a,model_b,vote,rater\n"


def test_a_file_with_everything() -> None:
    text = (
        "\ufeff\nmodel_a,model_b,vote,aspect,rater,language\r\n"
        'm1,m2,0,bias,r1,en\r\n\r\n"m2", m3 ,draw,quality,r2,de\r\nm1,m3,skip,bias,,en\r\nm1,"m,4",1,bias,r1,en\r\n'
    )
    votes = parse_votes_csv(text.encode(), "votes.csv")
    assert votes.models == ("m1", "m2", "m3", "m,4")
    assert (votes.first.tolist(), votes.second.tolist()) == ([0, 1, 0, 0], [1, 2, 2, 3])
    assert (votes.outcome.tolist(), votes.skipped) == ([0, 2, 3, 1], 1)
    assert list(votes.columns) == ["aspect", "rater", "language"]
    parts = {keys["aspect"]: len(part) for keys, part in votes.split(["aspect"])}
    assert parts == {"bias": 3, "quality": 1}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "v.csv: the file is empty; its first line must name the columns model_a, model_b, vote"),
        (HEAD, "v.csv: the file has a header but no votes"),
        (b"model_a,vote\nx,0\n", "v.csv: column 'model_b' is missing; the file has model_a, vote"),
        (b"model_a,model_b,vote,vote\nx,y,0,1\n", "v.csv: column 'vote' stands twice"),
        (b"model_a,model_b,vote,\nx,y,0,1\n", "v.csv: column '' has no name"),
        (HEAD + b"x,y,0\nx,y,5\n", "v.csv:3: unknown vote '5'; known are 0 (first"),
        (b'model_a,model_b,vote,text\n\nx,y,0,"x\nz"\n\nx,y,left,\n', "v.csv:6: unknown vote 'left'"),
        (HEAD.rstrip(), "v.csv: the file has a header but no votes"),
        (b"model_a;model_b;vote\nx;y;0\n", "v.csv: column 'model_a' is missing; its columns are parted by semicolons"),
        (b"model_a\tmodel_b\tvote\nx\ty\t0\n", "v.csv: column 'model_a' is missing; its columns are parted by tabs"),
        (b"k" * 9999, "v.csv: column 'model_a' is missing; the file has …"),
        (RATED + b'x,y,0,r1\nx,y,1,"r2\nx,y,1,r3\n', "v.csv:3: 'rater' has a line break in it; is a quote missing?"),
        (RATED + b'x,y,0,r\nx,y,1,"r\nx,y,1,"r\nx,y,1,r\n', "v.csv:3: 'rater' has a line break in it"),
        (RATED.replace(b"rater", b"text") + b'x,y,1,"r\nx,y,1,r\n', "v.csv:3: a quote is not closed here or above"),
        (HEAD + b"x,y,0\n ,y,0\n", "v.csv:3: model_a is empty"),
        (HEAD + b"x,y,0\nx,,0\n", "v.csv:3: model_b is empty"),
        (HEAD + b"x,y,0\nx,y\n", "v.csv:3: 2 values, but the header has 3 columns"),
        (HEAD + b"x,y,0\nx,y,0,1\n", "v.csv:3: 4 values, but the header has 3 columns"),
        (HEAD + b"x,\xff,0\n", "v.csv:2: not UTF-8 (byte 23)"),
        ("model_a,model_b,vote\nx,y,0".encode("utf-16"), "v.csv:1: not UTF-8"),
    ],
)
def test_a_bad_file_is_one_line_that_says_where(data: bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_votes_csv(data, "v.csv")
    assert str(caught.value).startswith(said)
    assert len(str(caught.value).splitlines()) == 1


def test_old_line_ends_and_a_lone_quote_inside_a_name() -> None:
    votes = parse_votes_csv((HEAD + b'x"1,y,0\ny,x"1,1\n').replace(b"\n", b"\r"), "v.csv")
    assert (votes.models, votes.outcome.tolist()) == (('x"1', "y"), [0, 1])


@pytest.mark.slow
def test_a_long_file_keeps_codes_across_chunks() -> None:
    rng = np.random.default_rng(0)
    first, second, vote = (
        rng.integers(40, size=(2, 200_000)),
        rng.integers(40, size=200_000),
        rng.integers(4, size=200_000),
    )
    lines = (f"m{a},m{b},{v},r{r}" for a, b, v, r in zip(first[0], second, vote, first[1], strict=True))
    votes = parse_votes_csv(("model_a,model_b,vote,rater\n" + "\n".join(lines)).encode(), "v.csv")
    names = np.array(votes.models)
    assert (names[votes.first] == np.array([f"m{a}" for a in first[0]])).all()
    assert (names[votes.second] == np.array([f"m{b}" for b in second])).all()
    assert (votes.outcome == np.minimum(vote, 2)).all()
    raters = votes.columns["rater"]
    assert (np.array(raters.names)[raters.codes] == np.array([f"r{r}" for r in first[1]])).all()


def test_the_authors_json() -> None:
    battles = [
        {"model_a": "x", "model_b": "y", "language": "de", "prompt": "p", "bias_vote": 0.0, "quality_vote": 3.0,
         "alignment_vote": None, "images": ["1.png"]},
        {"model_a": "y", "model_b": "z", "language": "en", "prompt": "q", "bias_vote": 1.0, "quality_vote": 2.0,
         "alignment_vote": 0.0, "images": []},
    ]  # fmt: skip
    votes = parse_votes_json(json.dumps(battles).replace("null", "NaN").encode(), "votes.json")
    assert votes.outcome.tolist() == [0, 2, 3, 1, 2, 0]
    assert list(votes.columns) == ["aspect", "language", "prompt"]
    assert [keys["aspect"] for keys, _ in votes.split(["aspect"])] == ["bias", "quality", "alignment"]
    plain = parse_votes_json(b'[{"model_a": "x", "model_b": "y", "vote": "1", "aspect": "bias"}]', "v.json")
    assert (plain.outcome.tolist(), plain.columns["aspect"].names) == ([1], ("bias",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "v.json: must be a list of objects"),
        ("[1]", "v.json: must be a list of objects"),
        ("[]", "v.json: the list is empty"),
        ("[", "v.json:1: not valid JSON: "),
        ('[{"model_a": "x", "model_b": "y", "vote": ' + "1" * 5000 + "}]", "v.json: not valid JSON: a whole number"),
        ('[{"model_a": "\\ud800", "model_b": "y", "vote": 1}]', "v.json: not valid JSON: half of a surrogate pair"),
        ('[{"model_a": "x", "model_b": "y", "vote": Infinity}]', "v.json: row 1: vote: unknown vote inf"),
        ('[{"model_a": "x", "model_b": "y", "_vote": 1}]', "v.json: no battle has 'vote'"),
        (
            '[{"model_a": "x", "model_b": "y", "bias_vote": 1}, {"model_a": "x", "model_b": "y", "vote": 0}]',
            "v.json: row 2: has 'vote', but the file has votes such as 'bias_vote' too",
        ),
        ('[{"model_a": "x", "model_b": "y"}]', "v.json: no battle has 'vote'"),
        ('[{"model_a": "x", "bias_vote": 0}]', "v.json: row 1: model_b must be the name of a model, got None"),
        ('[{"model_a": "x", "model_b": "y", "bias_vote": 7}]', "v.json: row 1: bias_vote: unknown vote 7"),
        ('[{"model_a": "x", "model_b": "y", "bias_vote": [0]}]', "v.json: row 1: bias_vote: unknown vote [0]"),
    ],
)
def test_bad_json_is_one_line_that_says_where(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_votes_json(text.encode(), "v.json")
    assert str(caught.value).startswith(said)


def test_who_gave_the_votes_is_kept_without_being_asked_for() -> None:
    """It was dropped, and intervals were by vote: 82.6 % of them held the truth instead of 94.6 %."""
    rows = [{"model_a": "x", "model_b": "y", "vote": 0, "rater": rater} for rater in ("ada", "bob", "ada")]
    assert Votes.of(rows).columns["rater"].names == ("ada", "bob")
    assert Votes.of([SimpleNamespace(**row) for row in rows]).columns["rater"].codes.tolist() == [0, 1, 0]
    assert Votes.of([*rows, {"model_a": "x", "model_b": "y", "vote": 1}]).columns["rater"].names == ("ada", "bob", "")
    assert Votes.of([("x", "y", 0)]).columns == {}
    with pytest.raises(InputError, match="row 1: 'rater' is missing"):
        Votes.of([{"model_a": "x", "model_b": "y", "vote": 1}], ["rater"])


def test_columns_of_objects_and_a_missing_one() -> None:
    rows = [{"model_a": "x", "model_b": "y", "vote": 0, "rater": "r", "prompt": None}]
    votes = Votes.of(rows, ["rater", "prompt"])
    assert votes.columns["prompt"].names == ("",)
    with pytest.raises(InputError, match="row 1: 'aspect' is missing"):
        Votes.of(rows, ["aspect"])
    with pytest.raises(InputError, match="no column 'ratter'; did you mean 'rater'"):
        votes.column("ratter")


def test_split_by_several_columns_in_order_of_the_first_vote() -> None:
    rows = [("b", "en"), ("a", "de"), ("b", "en"), ("b", "de")]
    votes = Votes.of([{"model_a": "x", "model_b": "y", "vote": 0, "k": k, "l": lang} for k, lang in rows], ["k", "l"])
    assert [(tuple(keys.values()), len(part)) for keys, part in votes.split(["k", "l"])] == [
        (("b", "en"), 2), (("a", "de"), 1), (("b", "de"), 1),
    ]  # fmt: skip


def test_rated_leaves_out_skipped_votes_and_models_without_any() -> None:
    votes = Votes.of([("x", "y", None), ("z", "y", 1)]).rated()
    assert (votes.models, votes.first.tolist(), votes.second.tolist()) == (("z", "y"), [0], [1])
