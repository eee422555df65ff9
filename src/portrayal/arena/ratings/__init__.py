"""Votes in, ratings out: Elo, Bradley-Terry with intervals, ranks, and how far raters agree."""
