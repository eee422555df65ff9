"""The arena's leaderboard as a page."""
