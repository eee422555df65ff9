"""Votes in, ratings out: Elo, Bradley-Terry with intervals, ranks, and how far raters agree."""

from portrayal.apps.arena.ratings.bradley_terry import bradley_terry
from portrayal.apps.arena.ratings.elo import elo
from portrayal.apps.arena.ratings.leaderboard import Leaderboard
from portrayal.apps.arena.ratings.rate import RateOptions, rate_votes
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.apps.arena.ratings.votes_csv import parse_votes_csv
from portrayal.apps.arena.ratings.votes_json import parse_votes_json

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
