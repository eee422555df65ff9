"""Runs that a browser starts: each a process of its own, which outlives the browser and the server."""
