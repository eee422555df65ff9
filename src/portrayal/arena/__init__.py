"""The arena without disk or network: which battles raters get (``battles``), and ratings from votes (``ratings``)."""

from portrayal.arena.ratings.bradley_terry import bradley_terry
from portrayal.arena.ratings.elo import elo
from portrayal.arena.ratings.leaderboard import Leaderboard
from portrayal.arena.ratings.rate import RateOptions, rate_votes
from portrayal.arena.ratings.votes import Votes
from portrayal.arena.ratings.votes_csv import parse_votes_csv
from portrayal.arena.ratings.votes_json import parse_votes_json

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
