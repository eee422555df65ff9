"""The battle arena's pure part: votes in, ratings out; and the floor on which battles are dealt."""

from portrayal.arena.bradley_terry import bradley_terry
from portrayal.arena.elo import elo
from portrayal.arena.ratings import RateOptions, rate_votes
from portrayal.arena.ratings_result import Leaderboard
from portrayal.arena.votes import Votes
from portrayal.arena.votes_csv import parse_votes_csv
from portrayal.arena.votes_json import parse_votes_json

__all__ = [
    "Leaderboard",
    "RateOptions",
    "Votes",
    "bradley_terry",
    "elo",
    "parse_votes_csv",
    "parse_votes_json",
    "rate_votes",
]
