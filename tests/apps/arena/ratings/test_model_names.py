from __future__ import annotations

from portrayal.apps.arena.ratings.model_names import model_names
from portrayal.apps.arena.ratings.votes_csv import parse_votes_csv


def names(*lines: str) -> dict[str, str]:
    text = "\n".join(["model_a,model_b,vote,name_a,name_b", *lines])
    return model_names(parse_votes_csv(text.encode(), "votes.csv"))


def test_the_last_name_of_a_model_counts() -> None:
    assert names("x@1,y@1,0,Old,Y", "x@1,y@1,0,New,Y", "x@1,y@1,0,New,Y") == {"x@1": "New", "y@1": "Y"}


def test_a_name_of_two_models_is_nobodys() -> None:
    assert names("x@1,y@1,0,SDXL,SDXL", "z@1,y@1,1,Z,SDXL") == {"z@1": "Z"}


def test_votes_without_names_have_none() -> None:
    assert model_names(parse_votes_csv(b"model_a,model_b,vote\nx,y,0\n", "votes.csv")) == {}
